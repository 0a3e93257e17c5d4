# What install.sh, "fiscald update" and the Debian package do alike. Expects root, state and user to be
# set; root is empty for this machine.

saved=$state/before-upgrade

# True when systemd runs this machine, as opposed to a container or another init.
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null; }

make_user() {
  # Serial ports belong to this group on Debian and its relatives, and by the rules for udev.
  getent group dialout >/dev/null || groupadd --system dialout
  getent passwd "$user" >/dev/null || useradd --system --user-group \
    --home-dir /var/lib/fiscald --no-create-home --shell /usr/sbin/nologin "$user"
  id -nG "$user" | tr ' ' '\n' | grep -qx dialout || usermod --append --groups dialout "$user"
}

# Has what is at these paths written to the disk: before it counts, for the power may fail after that.
settle() { sync "$@" 2>/dev/null || sync; }

# Where the saved database goes when an older version comes: the one that it works on stays where it is.
saved_newer=$state/before-downgrade

# True when there is as much room on the disk of the state, in bytes, and some for the gateway to go on.
has_room() {
  set -- "$1" $(stat -f -c '%a %S' "$state")
  [ $(($2 * $3)) -ge $(($1 + 67108864)) ]
}

# The database as the former version left it, one generation, taken while nothing writes to it.
# $1: newer unless given, same or older, which is what the version is that comes. The same one works on
# what it finds, and so leaves what was saved of another one.
save_database() {
  [ -f "$state/fiscald.db" ] || return 0
  into=$saved
  case ${1:-newer} in
    same) [ ! -f "$saved/fiscald.db" ] || return 0 ;;
    older) into=$saved_newer ;;
  esac
  # SQLite has its log beside the file that a link leads to.
  from=$(readlink -f "$state/fiscald.db")
  rm -rf "$into.new"
  bytes=$(stat -c %s "$from")
  [ ! -f "$from-wal" ] || bytes=$((bytes + $(stat -c %s "$from-wal")))
  # Once for what is saved, once for what goes back of it.
  if ! has_room $((2 * bytes)); then
    echo "the database is not saved: $state needs $((2 * bytes / 1048576 + 64)) MB of room on its disk" >&2
    return 1
  fi
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

# A folder for the native parts of a program that is asked as the service's user, so that no file
# becomes root's. Expects natives, its path, in a folder of root's.
begin_asking() {
  rm -rf "$natives"
  mkdir -m 700 "$natives"
  [ -n "$root" ] || chown "$user:$user" "$natives"
}

# Has the version that comes bring a copy of the saved database to its schema: once it has begun with the
# database itself, the former version may not work on that any more. $1: its executable, which may lie
# where the service's user cannot look.
try_migration() {
  [ -f "$saved/fiscald.db" ] || return 0
  begin_asking
  said=$(cp "$1" "$natives/fiscald" && chmod 755 "$natives/fiscald" && as_user env BUN_TMPDIR="$natives" \
    "$natives/fiscald" migrate --state-dir "$saved" --try "$natives" 2>&1) ||
    { rm -rf "$natives"; printf '%s\n' "$said" >&2; return 1; }
  rm -rf "$natives"
}

# Adapters that are plugged in already get their names, and their keepers off them.
apply_rules() {
  has_systemd && command -v udevadm >/dev/null || return 0
  udevadm control --reload 2>/dev/null || return 0
  udevadm trigger --action=change --subsystem-match=usb --subsystem-match=tty 2>/dev/null || true
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

# Everything that the gateway has stored, and the user that it belonged to.
remove_state() {
  rm -rf "$state" "$state-starts" "$state-controller" "$state-update" "$state-trial" \
    "$root/var/cache/fiscald" "$root/var/cache/fiscald-controller" "$root/etc/fiscald"
  [ -n "$root" ] || ! getent passwd "$user" >/dev/null || userdel "$user" 2>/dev/null || true
}
