# A live copy of the gateway's database elsewhere, by Litestream: part of install.sh. Expects root,
# units, user, here and copies_to, the place that it copies to or off.

replicate_config=$root/etc/fiscald/litestream.yml
replicate_env=$root/etc/fiscald/replicate.env
replicate_unit=$units/fiscald-replicate.service

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
  place 644 "$here/fiscald-replicate.service" "$replicate_unit"
  mkdir -p "$root/etc/fiscald"
  if [ ! -f "$replicate_env" ]; then
    (umask 077 && printf '%s\n' '# Keys of the place that the database is copied to.' \
      '#LITESTREAM_ACCESS_KEY_ID=' '#LITESTREAM_SECRET_ACCESS_KEY=' >"$replicate_env")
  fi
  if [ -f "$replicate_config" ] && ! has_place; then
    cp -p "$replicate_config" "$replicate_config.old"
    say "the former settings are in $replicate_config.old"
    rm "$replicate_config"
  fi
  [ -f "$replicate_config" ] || write_replicate_config
  write_place
  if has_systemd; then
    systemctl daemon-reload
    systemctl enable --quiet fiscald-replicate
    systemctl restart fiscald-replicate
    say "the copy runs: systemctl status fiscald-replicate, journalctl -u fiscald-replicate"
  fi
  case $copies_to in
    s3://* | gs://* | abs://*) say "keys go into $replicate_env, then: systemctl restart fiscald-replicate" ;;
  esac
  say "how to get the database back from there: docs/backup.md, Replication"
}

target() { case $copies_to in /*) printf 'path: %s' "$copies_to" ;; *) printf 'url: %s' "$copies_to" ;; esac; }

# True where the settings name the whole of the place: another one may begin like it.
has_place() {
  sed 's/^[[:space:]]*-\{0,1\}[[:space:]]*//; s/[[:space:]]*\(#.*\)\{0,1\}$//; s/"//g' "$replicate_config" |
    grep -qxF -- "$(target)"
}

write_replicate_config() {
  cat >"$replicate_config.new" <<END
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
  chmod 644 "$replicate_config.new"
  mv -f "$replicate_config.new" "$replicate_config"
}

# The unit may write to its own folder alone: here goes another one of this machine.
write_place() {
  rm -f "$replicate_unit.d/place.conf"
  case $copies_to in /*) ;; *) return 0 ;; esac
  mkdir -p "$replicate_unit.d"
  printf '[Service]\nReadWritePaths=%s\n' "$copies_to" >"$replicate_unit.d/place.conf"
  if [ ! -d "$root$copies_to" ]; then
    mkdir -p "$root$copies_to"
    chmod 700 "$root$copies_to"
    [ -n "$root" ] || chown "$user:$user" "$copies_to"
  fi
}

remove_replicate() {
  ! has_systemd || [ ! -f "$replicate_unit" ] || systemctl disable --quiet --now fiscald-replicate || true
  rm -rf "$replicate_unit" "$replicate_unit.d"
}
