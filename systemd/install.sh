#!/bin/sh
# Installs fiscald as a service, or upgrades it: run it again with a newer version.
#
#   ./install.sh              the gateway, on this machine, as root
#   ./install.sh --controller the controller of printers beside this machine, for a gateway elsewhere
#   ./install.sh --replicate PLACE
#                             a live copy of the database elsewhere, by Litestream: s3://..., sftp://...
#                             or a folder of another disk (off: no longer); see docs/backup.md
#   ./install.sh --uninstall  removes it and keeps what it has stored; with --purge that too
#   ./install.sh --downgrade  over a newer version, whose database an older one may refuse
#   ./install.sh --no-start   files and user alone; services stay as they are
#   ./install.sh --root DIR   into a folder that stands for the root of a machine (or DESTDIR=DIR):
#                             files only, no user and no service
set -eu

# A shell that looks for folders elsewhere says where it found one, and may find another.
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
root=${DESTDIR:-}
asked=fiscald
action=install
purge=
copies_to=
start=yes
within_update=
downgrade=

# Whoever reads it may be gone, as where the line to another machine broke: the work goes on.
trap '' PIPE
say() { printf '%s\n' "$*" 2>/dev/null || true; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

while [ $# -gt 0 ]; do
  case $1 in
    --root) [ $# -ge 2 ] || fail "--root needs a folder"; root=$2; shift 2 ;;
    --controller) asked=fiscald-controller; shift ;;
    --replicate) [ $# -ge 2 ] || fail "--replicate needs a place"; action=replicate copies_to=$2; shift 2 ;;
    --uninstall) action=uninstall; shift ;;
    --purge) purge=yes; shift ;;
    --no-start) start=; shift ;;
    --downgrade) downgrade=yes; shift ;;
    # "fiscald update" has noted itself that an upgrade is under way.
    --within-update) within_update=yes; shift ;;
    -h | --help) sed -n '2,14s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "there is no option $1; see --help" ;;
  esac
done
[ -z "$purge" ] || [ "$action" = uninstall ] || fail "--purge belongs to --uninstall"

binary=$root/usr/local/bin/fiscald
rules=$root/etc/udev/rules.d/70-fiscald.rules
papers=$root/usr/local/share/doc/fiscald
settings=$root/etc/fiscald/controller.env
state=$root/var/lib/fiscald
user=fiscald
. "$here/steps.sh"
. "$here/under-way.sh"
. "$here/replicate.sh"

# What is wrong with this system, before anything is touched.
check_system() {
  [ "$(uname -s)" = Linux ] || fail "fiscald runs on Linux; this is $(uname -s)"
  [ -n "$root" ] || [ "$(id -u)" -eq 0 ] || fail "run it as root, or give --root DIR"
  [ -n "$root" ] || [ "$action" = replicate ] || ! dpkg-query -W -f '${db:Status-Status}' fiscald 2>/dev/null | grep -qx installed ||
    fail "fiscald is here as a Debian package: apt install ./fiscald_<version>_<architecture>.deb"
  [ "$action" = install ] || return 0
  [ -f "$here/fiscald" ] || fail "the executable is missing beside this script"
  for service in $services; do
    [ -f "$here/$service.service" ] || fail "$service.service is missing beside this script"
  done
  if [ -f "$here/SHA256SUMS" ] && command -v sha256sum >/dev/null; then
    (cd "$here" && sha256sum --status -c SHA256SUMS) ||
      fail "files were damaged on the way: unpack the archive anew, or fetch it again"
  fi
  [ -n "$root" ] || for tool in useradd usermod groupadd getent; do
    command -v "$tool" >/dev/null || fail "this system has no $tool, which makes the service's user"
  done
  check_executable
  [ -n "$within_update" ] || can_place_files || fail "files go to that folder, which takes none; nothing was changed"
}

# Byte 18 of an executable says for which processors it is.
check_executable() {
  made_for=
  case $(od -An -tx1 -N19 "$here/fiscald" | tr -d ' \n') in
    7f454c46????????????????????????????3e) made_for=x86_64 ;;
    7f454c46????????????????????????????b7) made_for=aarch64 ;;
  esac
  machine=$(uname -m)
  if [ -n "$made_for" ] && [ "$machine" != "$made_for" ]; then
    case $machine in
      x86_64) fail "this archive is for arm64; this machine takes the one for linux-x64" ;;
      aarch64) fail "this archive is for x64; this machine takes the one for linux-arm64" ;;
      *) fail "there is no fiscald for $machine processors, only for x86_64 and aarch64" ;;
    esac
  fi
  case $made_for in
    x86_64) loader=/lib64/ld-linux-x86-64.so.2 ;;
    aarch64) loader=/lib/ld-linux-aarch64.so.1 ;;
    *) loader=/ ;;
  esac
  [ -e "$loader" ] || fail "this system has no $loader: it is one of 32 bits, or one with another C
library than glibc, such as Alpine; fiscald needs Debian 12, Ubuntu 22.04, Fedora 35 or newer"
  new_version=$("$here/fiscald" version) || fail "the executable does not run on this machine, or none may run from $here"
  check_version
  # Its native parts need more than it does itself, and a folder from which programs may run, as it just has from this.
  trial=$(mktemp -d "$here/trial-XXXXXX" 2>/dev/null) || trial=$(mktemp -d)
  said=$(BUN_TMPDIR="$trial" "$here/fiscald" migrate --state-dir "$trial/state" 2>&1) || {
    rm -rf "$trial"
    case $said in *GLIBC* | *libstdc++*) fail "fiscald does not run on this machine, which has to be as new as Debian 12,
Ubuntu 22.04 or Fedora 35 (glibc 2.34) and to have libstdc++: $said" ;; esac
    fail "fiscald does not run on this machine: $said"
  }
  rm -rf "$trial"
}

# True for a version that comes before another one; a candidate comes before its version.
is_before() {
  [ "$1" != "$2" ] || return 1
  [ "$(printf '%s\n%s\n' "$1" "$2" | tr - '~' | sort -V | head -n 1 | tr '~' -)" = "$1" ]
}

# Whoever unpacked the wrong archive finds out before the shop stands still on its own database.
check_version() {
  back=
  [ -x "$binary" ] && [ -z "$within_update" ] && [ ! -f "$under_way" ] || return 0
  present=$(word_2 "$("$binary" version 2>/dev/null || true)")
  [ -n "$present" ] && is_before "$(word_2 "$new_version")" "$present" || return 0
  [ -n "$downgrade" ] ||
    fail "$present is here already, which is newer, and whose database $(word_2 "$new_version") may refuse;
with --downgrade it is put in its place all the same"
  back=yes
}

# Before anything stops: room for the executable that comes, for the one that is kept beside it in the place of what
# was kept before, and for what the database takes there if it is saved. The rest is small.
has_room_for_files() {
  bytes=$(stat -c %s "$here/fiscald")
  [ ! -f "$binary" ] || bytes=$(($bytes + $(stat -c %s "$binary")))
  [ ! -f "$former/fiscald" ] || bytes=$(($bytes - $(stat -c %s "$former/fiscald")))
  climb_from "$binary" -d
  if has_gateway && [ -n "$start" ] && [ -d "$state" ]; then
    database=$(bytes_for_database "$into" $comes)
    if are_on_one_disk "$into" "$state"; then
      bytes=$(($bytes + $database))
    # The copy on which a newer version is tried is gone before the files come.
    elif [ $database -gt $bytes ]; then
      bytes=$database
    fi
  fi
  has_room $bytes "$into" "the files are not placed"
}

place_files() {
  place 755 "$here/fiscald" "$binary"
  for service in $services; do
    place 644 "$here/$service.service" "$units/$service.service"
    # It is going to hold a key.
    [ "$service" = fiscald ] || [ -f "$settings" ] || place 600 "$here/controller.env" "$settings"
  done
  place 644 "$here/70-fiscald.rules" "$rules"
  # With the first one that came here a person has taken it for the right one.
  [ ! -f "$here/release.pub" ] || [ -f "$root/etc/fiscald/release.pub" ] ||
    place 644 "$here/release.pub" "$root/etc/fiscald/release.pub"
  for paper in LICENSES.txt sbom.cdx.json; do
    [ ! -f "$here/$paper" ] || place 644 "$here/$paper" "$papers/$paper"
  done
  if [ -d "$here/doc" ]; then
    rm -rf "$papers/doc"
    cp -R "$here/doc" "$papers/doc"
    chmod -R u=rwX,go=rX "$papers/doc"
  fi
  keep_private
}

# True where each folder that files go to takes one, which none does on a system whose /usr is read alone. Says so
# otherwise.
can_place_files() {
  into=
  for at in "$binary" "$home/former" "$papers/doc" "$units/fiscald.service" "$rules" "$settings"; do
    before=$into
    climb_from "$at" -e
    # On a new machine most lead to one.
    [ "$into" != "$before" ] || continue
    tried=$(mktemp "$into/.fiscald-XXXXXX") || return 1
    rm -f "$tried"
  done
}

word_2() { set -- "${1#* }"; printf '%s' "${1%% *}"; }

# True once somebody has filled in what the controller has to know.
has_settings() { grep -q '^FISCALD_CONTROLLER_URL=.' "$settings"; }

# Starts what was asked for, what ran, and what a boot would start: the other one that a person has
# turned off stays so. One that does not start keeps none from it. Notes what there is to say.
start_services() {
  for service in $services; do
    if is_in "$service" "$asked $fresh"; then
      systemctl enable --quiet "$service"
    elif ! is_in "$service" "$stopped" && ! systemctl is-enabled --quiet "$service"; then
      continue
    fi
    if [ "$service" = fiscald-controller ] && ! has_settings; then
      note_down "now fill in $settings, then: systemctl start fiscald-controller"
    # It returns when the service takes work.
    elif systemctl restart "$service"; then
      note_down "the service runs: systemctl status $service, journalctl -u $service"
    else
      failed_services="$failed_services $service"
    fi
  done
}

without() { printf '%s' " $2 " | sed "s/ $1 / /"; }
is_in() { case " $2 " in *" $1 "*) true ;; *) false ;; esac; }
note_down() { notes="$notes$1
"; }

uninstall() {
  has_systemd || is_idle "nothing was removed" || exit 1
  remove_replicate
  if has_systemd; then
    for service in fiscald fiscald-controller; do
      [ ! -f "$units/$service.service" ] || systemctl disable --quiet --now "$service" || true
    done
  fi
  rm -f "$at_boot" "$going_back"
  rm -f "$units/fiscald.service" "$units/fiscald-controller.service" "$rules" "$binary"
  rm -rf "$papers" "$root/usr/local/lib/fiscald"
  ! has_systemd || systemctl daemon-reload
  apply_rules
  if [ -n "$purge" ]; then
    remove_state
    if [ -z "$remains" ]; then
      say "removed fiscald and all that it has stored"
    else
      say "removed fiscald and what it has stored, but for $remains, which could not be removed"
    fi
  else
    kept=
    [ ! -d "$root/etc/fiscald" ] || kept=", settings in $root/etc/fiscald"
    if [ -d "$state" ]; then
      say "removed fiscald; what it has stored is in $state$kept"
    else
      say "removed fiscald; nothing that it has stored is here$kept"
    fi
  fi
}

# Which version is here, and what the one is that comes: newer, same or older.
look_at_former() {
  old_version=
  [ ! -x "$binary" ] || old_version=$("$binary" version 2>/dev/null || true)
  comes=newer
  [ "$old_version" != "$new_version" ] || comes=same
  [ -z "$back" ] || comes=older
}

# Whatever goes wrong, the shop is not left between two versions, nor without what ran.
leave() {
  trap '' HUP INT TERM
  # It may be a question that was ended.
  rm -rf "$natives"
  [ -n "$within_update" ] || [ ! -f "$under_way" ] || sh "$former/go-back.sh" "$root" --within-update || true
  for service in $stopped; do
    ! is_startable "$service" || systemctl start "$service" || failed_services="$failed_services $service"
  done
  [ -n "$within_update" ] || leave_lock "${failed_services# }"
}

# Both run the one executable: what is here already is upgraded with what was asked for.
services=
# Those whose unit was not here.
fresh=
for service in fiscald fiscald-controller; do
  [ -f "$units/$service.service" ] || fresh="$fresh $service"
  if [ "$service" = "$asked" ] || [ -f "$units/$service.service" ]; then
    services="$services $service"
  fi
done
has_gateway() { is_in fiscald "$services"; }
# Those that this upgrade has stopped, or one before that did not start them.
stopped=
# Those that somebody was stopping as it looked.
stays_off=
left=
failed_services=

check_system
if [ -n "$within_update" ] || [ "$action" = replicate ]; then :
elif [ -x "$binary" ] || [ -f "$lock" ]; then
  take_lock "$here/install.sh" "$(word_2 "${new_version:-}")" ||
    fail "$(tell_locked); nothing was changed: fiscald status tells when it has ended"
fi
has_systemd || stopped=
for service in $stopped; do
  is_startable "$service" "$left" || stopped=$(without "$service" "$stopped")
done
case $action in
  uninstall) uninstall; exit 0 ;;
  replicate) install_replicate; exit 0 ;;
esac

[ -n "$root" ] || make_user
# There where the saved database is the one that is here.
saved_now=
trap leave EXIT
trap 'exit 130' HUP INT TERM
# Before anything stops. What was broken off goes back first.
if [ -z "$within_update" ] && [ ! -f "$under_way" ]; then
  look_at_former
  has_room_for_files || fail "nothing was changed"
  if has_gateway && [ -n "$start" ] && [ -d "$state" ]; then
    has_room_for_upgrade $comes || fail "nothing was changed"
  fi
fi
if [ -n "$start" ] && has_systemd; then
  for service in $services; do
    was=$(state_of "$service")
    [ "$was" != off ] || continue
    # What somebody is stopping has not ended yet, and is to stay off then, whoever stopped it before.
    if [ "$was" = stops ]; then
      stays_off="$stays_off $service"
      stopped=$(without "$service" "$stopped")
    else
      is_in "$service" "$stopped" || stopped="$stopped $service"
    fi
    [ ! -s "$lock" ] || printf 'services=%s\n' "$stopped" >> "$lock"
    systemctl stop "$service"
  done
fi
if [ -z "$within_update" ] && [ -f "$under_way" ]; then
  say "the last upgrade was broken off:"
  for service in $(noted services); do
    ! has_systemd || is_in "$service" "$stopped $stays_off" || stopped="$stopped $service"
  done
  sh "$former/go-back.sh" "$root" --within-update
  check_version
fi
look_at_former
if has_gateway; then
  [ -z "$start" ] || save_database $comes
  if [ -n "$start" ] && [ $comes = newer ] && [ -f "$state/fiscald.db" ]; then
    make_home
    tried=0
    try_migration "$here/fiscald" || tried=$?
    case $tried in
      0) saved_now=yes ;;
      1) fail "$(word_2 "$new_version") cannot bring the database to its schema, as a copy has shown; nothing was changed" ;;
      *) fail "whether $(word_2 "$new_version") brings the database to its schema could not be tried; nothing was changed" ;;
    esac
  fi
fi
if [ -n "$old_version" ] && [ -z "$within_update" ]; then
  keep_former "$here"
  begin_upgrade "$(word_2 "$old_version")" "$(word_2 "$new_version")" "$stopped"
  # Without systemd a gateway may still run, whose database nobody may exchange.
  if [ -n "$saved_now" ] && has_systemd; then add_to_note started=yes; fi
fi
place_files
if [ -z "$within_update" ]; then
  # What an earlier one came to is over; the same version again says nothing of that.
  [ ! -f "$under_way" ] || [ $comes = same ] || tell_upgraded || true
  end_note
fi
# Behind all that goes back: the former version would take its database for put back beside a new folder.
! has_gateway || make_state "$old_version"
notes=
if has_systemd; then systemctl daemon-reload; fi
apply_rules
# Before anything is said, and while whatever ends this script still starts what ran.
if [ -n "$start" ] && has_systemd; then start_services; fi
[ -n "$within_update" ] || leave_lock "${failed_services# }"
trap - EXIT HUP INT TERM

if [ -z "$old_version" ]; then
  say "installed $new_version"
elif [ -n "$back" ]; then
  say "downgraded $old_version to $new_version"
  [ ! -f "$saved/fiscald.db" ] || say "the database of before the last upgrade, if it refuses the one that is here: $saved/fiscald.db"
else
  say "upgraded $old_version to $new_version"
fi
[ -n "$start" ] || exit 0
if has_systemd; then
  [ -z "$notes" ] || say "${notes%?}"
  [ -z "$failed_services" ] ||
    fail "the service does not start; why is in: journalctl$(printf ' -u %s' $failed_services) -n 50"
  [ "$asked" != fiscald ] || tell_next "$binary" || true
elif [ -z "$root" ]; then
  if [ "$asked" = fiscald ]; then
    tell_unsupervised "$binary serve --state-dir $state"
  else
    tell_unsupervised "$binary controller, the settings of $settings in its environment"
  fi 2>/dev/null || true
fi
