# What install.sh and the Debian package do alike. Expects root, state and user to be set; root is
# empty for this machine.

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

# The database as the former version left it, one generation, taken while nothing writes to it.
save_database() {
  [ -f "$state/fiscald.db" ] || return 0
  rm -rf "$saved.new"
  mkdir -m 700 "$saved.new"
  [ -n "$root" ] || chown "$user:$user" "$saved.new"
  for part in fiscald.db fiscald.db-wal; do
    [ ! -f "$state/$part" ] || cp -p "$state/$part" "$saved.new/$part"
  done
  settle "$saved.new"/* "$saved.new"
  rm -rf "$saved"
  mv "$saved.new" "$saved"
  settle "$state"
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
  rm -rf "$state" "$state-starts" "$state-controller" "$state-update" \
    "$root/var/cache/fiscald" "$root/var/cache/fiscald-controller" "$root/etc/fiscald"
  [ -n "$root" ] || ! getent passwd "$user" >/dev/null || userdel "$user" 2>/dev/null || true
}
