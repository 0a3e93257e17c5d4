#!/bin/sh
# Goes back to the former version where an upgrade was broken off, unless the shop has worked with the
# new one since: choose_way; does nothing where none was. Kept beside the former version's files, and run
# from there: go-back.sh [folder that stands for the root]
# Whoever upgrades, and has the lock, says --within-update behind that.
set -eu
root=${1:-}
state=$root/var/lib/fiscald
user=fiscald
here=$(cd "$(dirname "$0")" && pwd)
. "$here/steps.sh"
. "$here/under-way.sh"
[ -f "$under_way" ] || exit 0
if [ "${2:-}" != --within-update ]; then
  # An upgrade that a person was quicker to begin goes back first.
  take_lock "$here/go-back.sh" "$(noted to)" || { tell_locked; exit 0; }
  [ -f "$under_way" ] || exit 0
fi
# What is to run again stays noted until it does: whoever has the lock empties it.
if [ "${2:-}" = --within-update ]; then end=end_note; else end=end_upgrade; fi
go_back unwatched
if [ $way = stays ]; then
  printf '%s\n' "$(noted to) has worked since: it stays" || true
  # It may be a full disk that kept the note from its end.
  tell_upgraded || true
  $end
  exit 0
fi
! has_systemd || systemctl daemon-reload
if [ $way = open ]; then
  # The note stays, for whoever comes next to ask.
  echo "whether the saved database has to go back cannot be told, as on a full disk, or it cannot now: version and database stay: $why" >&2
  exit 1
fi
printf '%s\n' "back to $(noted from), as before the upgrade to $(noted to)" || true
[ $way != kept ] || printf '%s\n' "it does not work on the database, which stays for what may have been taken since: $why" || true
tell_gone_back
[ -z "$aside" ] || printf '%s\n' "$aside" || true
$end
