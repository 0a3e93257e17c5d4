#!/bin/sh
# Goes back to the former version where an upgrade was broken off, unless the shop has worked with the
# new one since; does nothing where none was. Kept beside the former version's files, and run from there: go-back.sh [folder that stands for the root]
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
worked=0
has_worked_since || worked=$?
if [ $worked = 2 ]; then
  echo "no version runs on this machine, as on a full disk: nothing was changed" >&2
  exit 1
fi
if [ $worked = 0 ]; then
  printf '%s\n' "$(noted to) has worked since: it stays" || true
  # It may be a full disk that kept the note from its end.
  tell_upgraded || true
  $end
  exit 0
fi
printf '%s\n' "back to $(noted from), as before the upgrade to $(noted to)" || true
go_back
! has_systemd || systemctl daemon-reload
if [ -n "$unasked" ]; then
  # The note stays, for whoever comes next to ask.
  echo "$(noted from) could not be asked whether it works on the database, which stays as it is: $said" >&2
  exit 1
fi
tell_gone_back
$end
