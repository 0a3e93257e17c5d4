#!/bin/sh
# Installs fiscald as a service, or upgrades it: run it again with a newer version.
#
#   ./install.sh              the gateway, on this machine, as root
#   ./install.sh --controller the controller of printers beside this machine, for a gateway elsewhere
#   ./install.sh --root DIR   into a folder that stands for the root of a machine (or DESTDIR=DIR):
#                             files only, no user and no service
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=${DESTDIR:-}
asked=fiscald

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

while [ $# -gt 0 ]; do
  case $1 in
    --root) [ $# -ge 2 ] || fail "--root needs a folder"; root=$2; shift 2 ;;
    --controller) asked=fiscald-controller; shift ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "there is no option $1; see --help" ;;
  esac
done

binary=$root/usr/local/bin/fiscald
units=$root/etc/systemd/system
settings=$root/etc/fiscald/controller.env
state=$root/var/lib/fiscald
saved=$state/before-upgrade
user=fiscald

# Both run the one executable: what is here already is upgraded with what was asked for.
services=
for service in fiscald fiscald-controller; do
  if [ "$service" = "$asked" ] || [ -f "$units/$service.service" ]; then
    services="$services $service"
  fi
done
has_gateway() { case $services in *" fiscald "* | *" fiscald") true ;; *) false ;; esac; }

[ -f "$here/fiscald" ] || fail "the executable is missing beside this script"
for service in $services; do
  [ -f "$here/$service.service" ] || fail "$service.service is missing beside this script"
done
[ -n "$root" ] || [ "$(id -u)" -eq 0 ] || fail "run it as root, or give --root DIR"

new_version=$("$here/fiscald" version) || fail "the executable does not run on this machine"

# True when systemd runs this machine, as opposed to a container or another init.
has_systemd() { [ -z "$root" ] && [ -d /run/systemd/system ] && command -v systemctl >/dev/null; }

make_user() {
  # The units ask for the group of serial ports; without the group the service would not start.
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

# True once somebody has filled in what the controller has to know.
has_settings() { grep -q '^FISCALD_CONTROLLER_URL=.' "$settings"; }

start() {
  systemctl enable --quiet "$1"
  if [ "$1" = fiscald-controller ] && ! has_settings; then
    say "now fill in $settings, then: systemctl start fiscald-controller"
    return 0
  fi
  systemctl restart "$1"
  say "the service runs: systemctl status $1, journalctl -u $1"
}

old_version=
[ ! -x "$binary" ] || old_version=$("$binary" version 2>/dev/null || true)

[ -n "$root" ] || make_user
stopped=
if has_systemd; then
  # Whatever goes wrong from here on, the shop is not left without what ran.
  trap 'for service in $stopped; do systemctl start "$service" || true; done' EXIT
  for service in $services; do
    systemctl is-active --quiet "$service" || continue
    stopped="$stopped $service"
    systemctl stop "$service"
  done
fi
if has_gateway; then
  if [ ! -d "$state" ]; then
    mkdir -p "$(dirname "$state")"
    mkdir -m 700 "$state"
  fi
  [ -n "$root" ] || chown "$user:$user" "$state"
  save_database
fi
place 755 "$here/fiscald" "$binary"
for service in $services; do
  place 644 "$here/$service.service" "$units/$service.service"
  # It is going to hold a key.
  [ "$service" = fiscald ] || [ -f "$settings" ] || place 600 "$here/controller.env" "$settings"
done
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
  for service in $services; do start "$service"; done
  [ "$asked" = fiscald-controller ] || [ -n "$old_version" ] ||
    say "now set the shop up: sudo -u $user fiscald setup --state-dir /var/lib/fiscald"
elif [ -z "$root" ]; then
  say "systemd does not run here, so nothing was started. Start it under your own supervisor, as"
  say "user $user: /usr/local/bin/fiscald serve --state-dir /var/lib/fiscald, or"
  say "/usr/local/bin/fiscald controller with the settings of $settings in its environment"
fi
