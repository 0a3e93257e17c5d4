# A live copy of the gateway's database elsewhere, by Litestream: part of install.sh. Expects root,
# units, user, state, here and copies_to, the place that it copies to or off.

replicate_config=$root/etc/fiscald/litestream.yml
replicate_env=$root/etc/fiscald/replicate.env
replicate_unit=$units/fiscald-replicate.service
# Names the place that this state directory is copied to. The unit does not start without it: a state directory that
# is new must not push out what another one has copied there. No backup takes it along.
replicate_mark=$state/fiscald.replica
litestream_folder=$state/.fiscald.db-litestream

# What is wrong, before anything is touched.
check_replicate() {
  case $copies_to in
    off) return 0 ;;
    *[[:space:]\"\'\\]*) fail "the place to copy to must hold no spaces, quotes or backslashes" ;;
    s3://?* | gs://?* | abs://?* | sftp://?*) ;;
    /?*) ;;
    *) fail "--replicate needs a URL (s3://, gs://, abs://, sftp://) or a folder such as /mnt/nas/fiscald" ;;
  esac
  case $copies_to in
    /var/lib/fiscald | /var/lib/fiscald/*) fail "a copy beside the database does not outlive its disk" ;;
    # By ProtectHome= and PrivateTmp= of the unit.
    /home | /home/* | /root | /root/* | /run/user | /run/user/* | /tmp | /tmp/* | /var/tmp | /var/tmp/*)
      fail "the service sees nothing of $copies_to: name a folder that is nobody's home and not for what passes" ;;
  esac
  [ -f "$units/fiscald.service" ] || [ -f "$root/usr/lib/systemd/system/fiscald.service" ] ||
    [ -f "$root/lib/systemd/system/fiscald.service" ] || fail "there is no gateway here to copy: run ./install.sh first"
  [ -n "$root" ] || command -v litestream >/dev/null ||
    fail "there is no litestream here: put the executable of its release (https://litestream.io/install,
0.3.13 is the one that was tried) at /usr/local/bin/litestream, then run this again"
}

install_replicate() {
  check_replicate
  if [ "$copies_to" = off ]; then
    remove_replicate
    ! has_systemd || systemctl daemon-reload
    say "the database is not copied any more; settings and copies stay where they are"
    return 0
  fi
  mkdir -p "$root/etc/fiscald"
  if [ ! -f "$replicate_env" ]; then
    (umask 077 && printf '%s\n' '# Keys of the place that the database is copied to.' \
      '#LITESTREAM_ACCESS_KEY_ID=' '#LITESTREAM_SECRET_ACCESS_KEY=' >"$replicate_env")
  fi
  # Settings for another place count once that has been looked at, which may need keys in them.
  wanted=$replicate_config
  if [ ! -f "$wanted" ] || ! has_place "$wanted"; then
    wanted=$replicate_config.new
    [ -f "$wanted" ] && has_place "$wanted" || write_replicate_config "$wanted"
  fi
  ready_folder
  require_own_place
  place 644 "$here/fiscald-replicate.service" "$replicate_unit"
  if [ "$wanted" != "$replicate_config" ]; then
    if [ -f "$replicate_config" ]; then
      cp -p "$replicate_config" "$replicate_config.old"
      say "the former settings are in $replicate_config.old"
    fi
    mv -f "$wanted" "$replicate_config"
  fi
  write_place
  # Those that are kept, and those of before.
  keep_private
  if has_systemd; then
    systemctl daemon-reload
    systemctl enable --quiet fiscald-replicate
    systemctl restart fiscald-replicate
    say "the copy runs: systemctl status fiscald-replicate, journalctl -u fiscald-replicate"
  fi
  say "how to get the database back from there: docs/backup.md, Replication"
}

# Makes the folder that is copied to, and has the service's user try it, as whom Litestream runs.
ready_folder() {
  is_folder || return 0
  there=$root$copies_to
  made=
  if [ ! -d "$there" ]; then
    mkdir -p "$there"
    made=yes
    chmod 700 "$there"
    # Where a file system knows no owners, what follows tells.
    [ -n "$root" ] || chown "$user:$user" "$there" 2>/dev/null || true
  fi
  ! as_user sh -c 'umask 077 && : >"$1" && rm -f "$1"' sh "$there/.fiscald-trial" 2>/dev/null || return 0
  [ -z "$made" ] || rmdir "$there" || true
  [ "$wanted" = "$replicate_config" ] || rm -f "$wanted"
  fail "$user may not write to $copies_to, so nothing is copied there: chown $user: $copies_to, or
where its disk knows no owners, as FAT and exFAT, mount it with the option uid=$user"
}

# A second database at one place would be taken for the newest by whoever restores from there, and Litestream
# removes the copies of the first one within days. So the place has to be empty, or this state directory's.
require_own_place() {
  [ "$(cat "$replicate_mark" 2>/dev/null)" != "$copies_to" ] || return 0
  if [ -n "$root" ] && ! is_folder && ! command -v litestream >/dev/null; then
    say "keys go into $replicate_env; then, on the machine itself: ./install.sh --replicate $copies_to"
    return 0
  fi
  generations=$(generations_there) || {
    said=$(printf '%s\n' "$generations" | grep ERROR || printf '%s' "$generations")
    fail "whether another database is copied to $copies_to could not be found out, so nothing is copied:
$said
keys go into $replicate_env or $wanted, then run this again"
  }
  own=$(cat "$litestream_folder/generation" 2>/dev/null || true)
  if [ -n "$generations" ] && { [ -z "$own" ] || ! is_in "$own" "$(printf '%s' "$generations" | tr '\n' ' ')"; }; then
    [ "$wanted" = "$replicate_config" ] || rm -f "$wanted"
    fail "$copies_to holds the copy of another database: of the machine before this one, or of another
shop. It would be lost within days, so nothing is copied there. Restore it first if you need it: docs/backup.md,
Replication. Then name a place that is empty, such as $copies_to-2"
  fi
  # By the folder's own user, who may have laid out a link for root to follow.
  as_user sh -c 'umask 077 && printf "%s\n" "$1" >"$2"' sh "$copies_to" "$replicate_mark"
}

is_folder() { case $copies_to in /*) true ;; *) false ;; esac; }

# What Litestream calls the copies at the place, one a line; nothing where there are none. Fails where it cannot tell,
# with what it said.
generations_there() {
  if is_folder; then
    [ ! -d "$root$copies_to/generations" ] || ls "$root$copies_to/generations"
    return
  fi
  # It wants a database that is there, and opens none: any file will do.
  looked=$wanted.look
  (umask 077 && sed "s|/var/lib/fiscald/fiscald\.db|$looked|" "$wanted" >"$looked")
  outcome=0
  found=$(with_keys litestream generations -config "$looked" "$looked" 2>&1) || outcome=$?
  rm -f "$looked"
  # It ends with 0 also where it cannot list them.
  case $outcome:$found in
    0:*"cannot list generations"* | [!0]*) printf '%s\n' "$found"; return 1 ;;
  esac
  printf '%s\n' "$found" | sed -n 's/^[^ ]*  *\([0-9a-f]\{16\}\)  *.*/\1/p'
}

# Runs a program with the keys of the place in its environment, as the unit does.
with_keys() (
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in [A-Z]*=*) ;; *) continue ;; esac
    name=${line%%=*}
    case $name in *[!A-Z0-9_]*) continue ;; esac
    value=${line#*=}
    case $value in \"*\" | \'*\') value=${value#?} value=${value%?} ;; esac
    export "$name=$value"
  done <"$replicate_env"
  exec "$@"
)

target() { if is_folder; then printf 'path: %s' "$copies_to"; else printf 'url: %s' "$copies_to"; fi; }

# True where the settings $1 name the whole of the place: another one may begin like it.
has_place() {
  sed 's/^[[:space:]]*-\{0,1\}[[:space:]]*//; s/[[:space:]]*\(#.*\)\{0,1\}$//; s/"//g' "$1" |
    grep -qxF -- "$(target)"
}

# Settings for the place, into the file $1: for root and the service alone, as keys may stand in them, and in a URL.
write_replicate_config() {
  rm -f "$1"
  (umask 027 && cat >"$1") <<END
# Made by install.sh --replicate. It is yours now: a later run keeps what you change, unless it is told
# another place. What else there is to set: https://litestream.io/reference/config/
dbs:
  - path: /var/lib/fiscald/fiscald.db
    replicas:
      - $(target)
        # A lost database can be brought back to any moment of so long.
        retention: 72h
        snapshot-interval: 24h
        sync-interval: 1s
END
  [ -n "$root" ] || chgrp "$user" "$1"
}

# The unit may write to its own folder alone: here goes another one of this machine.
write_place() {
  rm -f "$replicate_unit.d/place.conf"
  is_folder || return 0
  mkdir -p "$replicate_unit.d"
  printf '[Service]\nReadWritePaths=%s\n' "$copies_to" >"$replicate_unit.d/place.conf"
}

remove_replicate() {
  ! has_systemd || [ ! -f "$replicate_unit" ] || systemctl disable --quiet --now fiscald-replicate || true
  rm -rf "$replicate_unit" "$replicate_unit.d"
  # What is copied there in the meantime may be another machine's.
  rm -f "$replicate_mark"
}
