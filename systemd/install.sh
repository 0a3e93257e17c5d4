#!/bin/sh
# Installs fiscald as a service, or upgrades it: run it again with a newer version.
#
#   ./install.sh              on this machine, as root
#   ./install.sh --root DIR   into a folder that stands for the root of a machine (or DESTDIR=DIR):
#                             files only, no user and no service
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=${DESTDIR:-}

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

while [ $# -gt 0 ]; do
  case $1 in
    --root) [ $# -ge 2 ] || fail "--root needs a folder"; root=$2; shift 2 ;;
    -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "there is no option $1; see --help" ;;
  esac
done

binary=$root/usr/local/bin/fiscald
unit=$root/etc/systemd/system/fiscald.service
state=$root/var/lib/fiscald
saved=$state/before-upgrade
user=fiscald

[ -f "$here/fiscald" ] || fail "the executable is missing beside this script"
[ -f "$here/fiscald.service" ] || fail "fiscald.service is missing beside this script"
[ -n "$root" ] || [ "$(id -u)" -eq 0 ] || fail "run it as root, or give --root DIR"

new_version=$("$here/fiscald" version) || fail "the executable does not run on this machine"

# True when systemd runs this machine, as opposed to a container or another init.
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null; }

make_user() {
  # The unit asks for the group of serial ports; without the group the service would not start.
  getent group dialout >/dev/null || groupadd --system dialout
  getent passwd "$user" >/dev/null || useradd --system --user-group \
    --home-dir /var/lib/fiscald --no-create-home --shell /usr/sbin/nologin "$user"
}

# A file appears whole or not at all, and a running program keeps the one it was started from.
place() {
  mkdir -p "$(dirname "$3")"
  cp "$2" "$3.new"
  chmod "$1" "$3.new"
  mv -f "$3.new" "$3"
}

# The database as the former version left it, one generation, taken while nothing writes to it.
save_database() {
  [ -f "$state/fiscald.db" ] || return 0
  rm -rf "$saved.new"
  mkdir -m 700 "$saved.new"
  for part in fiscald.db fiscald.db-wal; do
    [ ! -f "$state/$part" ] || cp -p "$state/$part" "$saved.new/$part"
  done
  rm -rf "$saved"
  mv "$saved.new" "$saved"
}

old_version=
[ ! -x "$binary" ] || old_version=$("$binary" version 2>/dev/null || true)

[ -n "$root" ] || make_user
if has_systemd && systemctl is-active --quiet fiscald; then
  systemctl stop fiscald
  # Whatever goes wrong from here on, the shop is not left without its gateway.
  trap 'systemctl start fiscald || true' EXIT
fi
if [ ! -d "$state" ]; then
  mkdir -p "$(dirname "$state")"
  mkdir -m 700 "$state"
fi
[ -n "$root" ] || chown "$user:$user" "$state"
save_database
place 755 "$here/fiscald" "$binary"
place 644 "$here/fiscald.service" "$unit"
if [ -f "$here/LICENSES.txt" ]; then
  place 644 "$here/LICENSES.txt" "$root/usr/local/share/doc/fiscald/LICENSES.txt"
fi

if [ -z "$old_version" ]; then
  say "installed $new_version"
else
  say "upgraded $old_version to $new_version"
fi
if has_systemd; then
  trap - EXIT
  systemctl daemon-reload
  systemctl enable --quiet fiscald
  systemctl restart fiscald
  say "the service runs: systemctl status fiscald, journalctl -u fiscald"
  [ -n "$old_version" ] ||
    say "now set the shop up: sudo -u $user fiscald setup --state-dir /var/lib/fiscald"
elif [ -z "$root" ]; then
  say "systemd does not run here, so nothing was started. Start it under your own supervisor, as"
  say "user $user: /usr/local/bin/fiscald serve --state-dir /var/lib/fiscald"
fi
