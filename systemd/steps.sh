# What install.sh, "fiscald update" and the Debian package do alike. Expects root, state and user to be
# set; root is empty for this machine.

# Root's shell may be set to close what it makes, and the service's user reads of that. Secrets name their own mode.
umask 022
# Plain su leaves a user's search path as it was, which need not have what is root's, such as useradd.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
export PATH

saved=$state/before-upgrade

# True when systemd runs this machine, as opposed to a container or another init.
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null; }

# What systemd says of the service $1: its property $2.
told_of() { systemctl show "--property=$2" --value "$1" 2>/dev/null; }

# What systemd is about with the service $1, in a word. Any but off works on the database, or may at any moment.
#   runs    it takes work
#   waits   it is going to be started, once its turn has come, as at a boot without a network
#   starts  it is being started, or stopped to be started anew
#   falls   it has ended by itself, or did not start, and systemd starts it again
#   stops   somebody is stopping it
#   off     nothing is going to start it
# Where systemd says nothing of it, it is no word, and false: what is not known is not off.
# This is the one list of them: "fiscald update" asks it too.
state_of() {
  # The job first: one that comes to its end between the two leaves a state that tells what became of it.
  set -- "$(job_of "$1")" \
    "$(systemctl show --property=ActiveState,SubState "$1" | tr '\n' ' ')" "$1"
  case "$1: $2" in
    stop:*) echo stops ;;
    *" ActiveState=active "* | *" ActiveState=reloading "* | *" ActiveState=refreshing "*) echo runs ;;
    start:*activating* | restart:*activating*) echo starts ;;
    start:* | restart:*) echo waits ;;
    *" SubState=auto-restart"* | *" ActiveState=deactivating "*) echo falls ;;
    *" ActiveState=activating "*) echo starts ;;
    *" ActiveState="*) echo off ;;
    *) echo "systemctl does not tell whether $3 runs" >&2; return 1 ;;
  esac
}

# What kind of job systemd has for the service $1, as start, stop or restart; nothing where it has none.
job_of() {
  systemctl list-jobs --plain --no-legend "$1.service" 2>/dev/null | {
    read -r _ _ kind _ || true
    printf '%s' "$kind"
  }
}

# False for a service whose unit is gone, or that somebody has masked: nothing starts it. $2: ended where an
# upgrade that came to its end has left it unstarted; then also for one that somebody has turned off since.
is_startable() {
  case $(told_of "$1" LoadState) in masked | not-found) return 1 ;; esac
  [ "${2:-}" != ended ] || [ "$(told_of "$1" UnitFileState)" != disabled ]
}

# True where no process has the state's lock, as src/platform/lock.ts takes it: a gateway that systemd runs has ended by
# now, and one that somebody else runs nobody may take its database, or its files, from. Says so otherwise; $1: what
# has come of it. The number that it has noted may be a stranger's since: who has the lock has its file open.
is_idle() {
  [ -f "$state/fiscald.pid" ] || return 0
  holder=$(head -c 20 "$state/fiscald.pid" | tr -cd 0-9)
  for open in /proc/"${holder:-none}"/fd/*; do
    [ "$open" -ef "$state/fiscald.lock" ] || continue
    echo "process $holder works on $state: end it first; $1" >&2
    return 1
  done
}

# Returns once Litestream, where the database is copied elsewhere, has let go of that. It ends behind the gateway, and
# folds the log into the database as it does, while who stops the gateway waits for that alone. It starts with the
# gateway again.
await_copier() {
  has_systemd && [ -f "$root/etc/systemd/system/fiscald-replicate.service" ] || return 0
  copier=$(state_of fiscald-replicate) || return 1
  # At a boot its turn comes with the gateway's.
  case $copier in off | waits) ;; *) systemctl stop fiscald-replicate ;; esac
}

make_user() {
  # Serial ports belong to this group on Debian and its relatives, and by the rules for udev.
  getent group dialout >/dev/null || groupadd --system dialout
  getent passwd "$user" >/dev/null || useradd --system --user-group \
    --home-dir /var/lib/fiscald --no-create-home --shell /usr/sbin/nologin "$user"
  id -nG "$user" | tr ' ' '\n' | grep -qx dialout || usermod --append --groups dialout "$user"
}

# Where the gateway stores, and the folder beside it that tells a state which was put back from a copy. systemd makes
# both at each start; under another supervisor the service's user may make neither. $1: the version that was here
# before, if any: beside its database an empty folder would tell what an upgrade has not done. src/app/start-count.ts
# reads what is written there.
make_state() {
  if [ -n "${1:-}" ] && ! has_systemd && [ -f "$state/fiscald.db" ] && [ ! -d "$state-starts" ]; then
    mkdir -m 700 "$state-starts"
    (umask 077; echo begun > "$state-starts/starts")
    [ -n "$root" ] || chown "$user:$user" "$state-starts/starts"
  fi
  for folder in "$state" "$state-starts"; do
    [ -d "$folder" ] || mkdir -p -m 700 "$folder"
    [ -n "$root" ] || chown "$user:$user" "$folder"
  done
}

# Takes from others what an earlier version, or a person, has left open to them: Litestream's settings, in which keys
# may stand, and which the service's user reads; and what is stored, of which the unit says the same at each start.
keep_private() {
  for kept in "$root/etc/fiscald/litestream.yml" "$root"/etc/fiscald/litestream.yml.*; do
    is_open "$kept" || continue
    [ -n "$root" ] || chgrp "$user" "$kept"
    chmod 640 "$kept"
  done
  for kept in "$state" "$state-starts"; do
    ! is_open "$kept" || chmod 700 "$kept"
  done
}

is_open() { case $(stat -L -c %a "$1" 2>/dev/null || echo 0) in *0) false ;; *) true ;; esac; }

# The value of the last line "$1=value" of the file $2, of the characters $3 alone, which are those between the
# brackets of a pattern. By no other program, as it is asked many times.
value_of() {
  [ -r "$2" ] || return 0
  value=
  # The last line of a file that is not whole has no end.
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in "$1="*) value=${line#*=} ;; esac
  done < "$2" || true
  case $value in *[!$3]*) value=$(printf '%s' "$value" | tr -cd "$3") ;; esac
  printf '%s' "$value"
}

# Has what is at these paths written to the disk: before it counts, for the power may fail after that.
settle() { sync "$@" 2>/dev/null || sync; }

# Where the saved database goes when an older version comes: the one that it works on stays where it is.
saved_newer=$state/before-downgrade

# True when there is room for $1 bytes on the disk of folder $2, and some for the gateway to go on: $4, 64 MB
# unless given. Says so otherwise, after the words $3.
has_room() {
  beside=${4:-67108864}
  set -- "$1" "$2" "$3" $(stat -f -c '%a %S' "$2")
  [ $(($4 * $5)) -lt $(($1 + $beside)) ] || return 0
  echo "$3: $2 needs $(($1 / 1048576 + $beside / 1048576)) MB of room on its disk$(tell_failed "$2")" >&2
  return 1
}

# Sets into to the nearest folder above path $1 that is there; $2: what it has to be for that, -d or -e.
climb_from() {
  into=$1
  while :; do
    case $into in ?*/*) into=${into%/*} ;; /*) into=/ ;; *) into=. ;; esac
    [ ! $2 "$into" ] || return 0
  done
}

# True where folders $1 and $2 are on one disk: where links lead, as it is with their room.
are_on_one_disk() { [ "$(stat -L -c %d "$1")" = "$(stat -L -c %d "$2")" ]; }

# Names what updates that went back have left on the disk of folder $1.
tell_failed() {
  found=
  for left in "$state/failed-update" "$state"/failed-update-*; do
    [ ! -d "$left" ] || ! are_on_one_disk "$left" "$1" || found="$found $left"
  done
  [ -z "$found" ] || printf '%s' "; updates that went back have left$found: remove what nobody needs"
}

# Bytes of the database $1 with its log.
size_of() {
  set -- $(stat -c %s "$1") $(stat -c %s "$1-wal" 2>/dev/null || echo 0)
  echo $(($1 + $2))
}

# True where nothing is saved: the same version works on what it finds, and so leaves what was saved of
# another one. $1: as of save_database
leaves_saved() { [ "$1" = same ] && [ -f "$saved/fiscald.db" ]; }

# What room an upgrade takes for the database: bytes_to_save on the disk of the state, where the copy is counted
# on which a newer version is tried, and bytes_to_try on the disk of that copy where it is another one.

# 0 where nothing is saved. $1: as of save_database
bytes_to_save() {
  if [ ! -f "$state/fiscald.db" ] || leaves_saved "${1:-newer}"; then echo 0; return 0; fi
  # SQLite has its log beside the file that a link leads to.
  from=$(readlink -f "$state/fiscald.db")
  # Once for what is saved, once for what goes back of it.
  copies=2
  [ "${1:-newer}" != newer ] || copies=3
  echo $(($copies * $(size_of "$from")))
}

# The copy of the database $1, and what bringing it to a schema takes.
bytes_to_try() { echo $((2 * $(size_of "$(readlink -f "$1")"))); }

# What of it an upgrade takes on the disk of folder $1, where the copy is made; 0 where that is another one, and
# none. $2: as of save_database
bytes_for_database() {
  if [ ! -f "$state/fiscald.db" ]; then echo 0
  elif are_on_one_disk "$1" "$state"; then bytes_to_save "$2"
  elif [ "$2" = newer ]; then bytes_to_try "$state/fiscald.db"
  else echo 0
  fi
}

# True where folder $1, in which "fiscald update" unpacks and keeps, has room for that, and for what the database
# takes there, and the state has too.
has_room_for_update() {
  has_room $((536870912 + $(bytes_for_database "$1" newer))) "$1" "the update is not begun" 0 || return 1
  [ ! -d "$state" ] || has_room_for_upgrade newer
}

# True where the database can be saved, and a newer version then tried on a copy. $1: as of save_database
has_room_for_upgrade() {
  bytes=$(bytes_to_save "${1:-newer}")
  [ "$bytes" = 0 ] || has_room "$bytes" "$state" "the database is not saved"
}

# The database as the former version left it, one generation, taken while nothing writes to it: false where a gateway
# runs. $1: newer unless given, same or older, which is what the version is that comes.
save_database() {
  [ -f "$state/fiscald.db" ] || return 0
  ! leaves_saved "${1:-newer}" || return 0
  is_idle "the database is not saved" || return 1
  into=$saved
  [ "${1:-newer}" != older ] || into=$saved_newer
  from=$(readlink -f "$state/fiscald.db")
  rm -rf "$into.new"
  has_room_for_upgrade "${1:-newer}" || return 1
  await_copier || return 1
  mkdir -m 700 "$into.new"
  [ -n "$root" ] || chown "$user:$user" "$into.new"
  for part in "" -wal; do
    [ ! -f "$from$part" ] || cp -p "$from$part" "$into.new/fiscald.db$part" ||
      { rm -rf "$into.new"; return 1; }
  done
  settle "$into.new"/* "$into.new"
  rm -rf "$into"
  mv "$into.new" "$into"
  settle "$state"
}

as_user() {
  if [ -n "$root" ]; then "$@"; else setpriv --reuid="$user" --regid="$user" --init-groups "$@"; fi
}

# True where the service's user can run the executable $1, which may lie where that user cannot look.
can_run() { as_user test -x "$1"; }

# Runs the words behind $1 with program set to a path at which the service's user can run the executable $1: its
# own, or that of a copy. That user asks it, so that no file becomes root's, and natives is that user's meanwhile:
# for its native parts, and for what it makes. Expects natives, the folder's path, in a folder of root's, and
# leaves none. Returns what the words did, and 2 where there is no room for it; said tells why then.
with_program() {
  outcome=0
  make_natives "$1" || outcome=2
  shift
  [ $outcome != 0 ] || "$@" || outcome=$?
  rm -rf "$natives"
  return $outcome
}

# The folder is root's until all is in it: whoever has it may lay out links for root to follow.
make_natives() {
  program=$1
  said="there is no $natives"
  rm -rf "$natives" && mkdir -m 700 "$natives" || return 1
  if ! can_run "$1"; then
    program=$natives/fiscald
    said=$({ cp "$1" "$program" && chmod 755 "$program"; } 2>&1) || return 1
  fi
  [ -n "$root" ] || said=$(chown -h "$user:$user" "$natives" 2>&1)
}

# Asks the program that with_program has set, and keeps what it said.
ask() {
  said=$(as_user env BUN_TMPDIR="$natives" "$program" "$@" 2>&1)
}

# True where what was said to ask, with exit code $1, tells of the database. It does not where that was not looked at,
# by wrong settings or for another process, nor where it could not be opened or written, as on a disk that is not there.
tells_of_database() {
  case $1:$said in
    2:* | *"is in use by"* | *"cannot be loaded"* | *"the state directory "*" cannot be used"*) return 1 ;;
    *"unable to open database file"* | *"readonly database"*) return 1 ;;
    *"disk is full"* | *"database is locked"*) return 1 ;;
  esac
}

# Where a link leads to the database: lines by which a unit waits for that disk, and may write there.
linked_disk() {
  [ -L "$state/fiscald.db" ] || return 0
  disk=$(dirname "$(readlink -f "$state/fiscald.db")" | sed 's/["\\]/\\&/g; s/%/%%/g')
  printf '[Unit]\nRequiresMountsFor="%s"\n[Service]\nReadWritePaths="-%s"\n' "$disk" "$disk"
}

# Has the version that comes bring a copy of the saved database to its schema: once it has begun with the
# database itself, the former version may not work on that any more. $1: its executable. Returns 1 where
# that version says that it cannot, and 2 where it could not be tried, which tells nothing of it.
try_migration() {
  [ -f "$saved/fiscald.db" ] || return 0
  bytes=$(bytes_to_try "$saved/fiscald.db")
  can_run "$1" || bytes=$((bytes + $(stat -c %s "$1")))
  has_room $bytes "${natives%/*}" "the new version is not tried" || return 2
  tried=0
  with_program "$1" ask migrate --state-dir "$saved" --try "$natives" || tried=$?
  [ $tried != 0 ] || return 0
  printf '%s\n' "$said" >&2
  [ $tried != 5 ] || return 1
  return 2
}

# Adapters that are plugged in already get their names, and their keepers off them.
apply_rules() {
  has_systemd && command -v udevadm >/dev/null || return 0
  udevadm control --reload 2>/dev/null || return 0
  udevadm trigger --action=change --subsystem-match=usb --subsystem-match=tty 2>/dev/null || true
}

# What is said where nothing was started, for want of systemd. $1: what the supervisor has to run.
tell_unsupervised() {
  printf '%s\n' "systemd does not run here, so nothing was started. Start it under your own supervisor, as" "user $user: $1"
}

# Words in front of a line that runs as the service's user: a small Debian comes without sudo, and root
# is who types here.
typed_as_user() {
  if command -v sudo >/dev/null; then
    printf '%s' "sudo -u $user"
  else
    printf '%s' "runuser -u $user --"
  fi
}

# Where the shop's other machines reach the gateway that runs, and how to go on where nobody has set
# the shop up: then there is a code in its address. $1: the executable
tell_next() {
  told=$(setpriv --reuid "$user" --regid "$user" --init-groups \
    "$1" address --qr --state-dir "$state") || true
  [ -z "$told" ] || printf '%s\n' "$told"
  case $told in
    *"#code="* | "") printf '%s\n' "now set the shop up: $(typed_as_user) fiscald setup --state-dir $state" ;;
  esac
}

# Removes the database that a link leads to: as the service's user, for whom root follows no link. Sets remains to
# what of it is left, as on a disk that is not there.
remove_linked() {
  remains=
  [ -L "$state/fiscald.db" ] || return 0
  linked=$(readlink -f "$state/fiscald.db") || linked=$(readlink "$state/fiscald.db")
  [ -f "$linked" ] && as_user rm -f "$linked" "$linked-wal" "$linked-shm" 2>/dev/null || remains=$linked
}

# Everything that the gateway has stored, and the user that it belonged to. The copying elsewhere is install.sh's,
# whichever has installed the gateway, and nothing is left of what it works by; the copy itself stays.
remove_state() {
  remove_linked
  for unit in fiscald-replicate.service fiscald-replicate.service.d fiscald.service.wants/fiscald-replicate.service; do
    rm -rf "$root/etc/systemd/system/$unit"
  done
  rm -rf "$state" "$state-starts" "$state-controller" "$state-update" "$state-trial" \
    "$root/var/cache/fiscald" "$root/var/cache/fiscald-controller" "$root/etc/fiscald"
  [ -n "$root" ] || ! getent passwd "$user" >/dev/null || userdel "$user" 2>/dev/null || true
}
