# One upgrade at a time: take_lock.
#
# An upgrade under way. A note of it is written before the first file is replaced and removed after the
# last, and after an update has looked whether the new version is well. Whoever finds the note, after a
# power cut or a kill, goes back to the former version before anything else, but where the shop has
# worked with the new one since: the next boot before the gateway starts (fiscald-go-back.service), the
# next "fiscald update", the next install.sh. Going back may be broken off too, and is then done again; a
# gateway may run in between. What becomes of the database: choose_way. Expects what steps.sh expects, and that.

home=$root/usr/local/lib/fiscald
former=$home/former
under_way=$home/under-way
lock=$home/update.lock
natives=$home/natives
units=$root/etc/systemd/system
going_back=$units/fiscald-go-back.service
at_boot=$units/multi-user.target.wants/fiscald-go-back.service
failed=$state/failed-update
held=$state/fiscald.db.damaged
starts=$state-starts/starts
# The new version is watched for less than that. Seconds.
watched_for=300

# What goes back, below the root.
placed="usr/local/bin/fiscald etc/udev/rules.d/70-fiscald.rules
  etc/systemd/system/fiscald.service etc/systemd/system/fiscald-controller.service"
database_parts="fiscald.db fiscald.db-wal fiscald.db-shm"

# The service's user goes through it, to what is asked.
make_home() {
  mkdir -p "$home"
  chmod 711 "$home"
}

# Takes what "fiscald update" takes too, for this process and what it starts: the kernel lets go of it once
# all of them have ended, however that was. Notes what it is about: $1 a file, $2 a version. What one before has
# left stays noted, and in stopped; left is ended where that came to its end. Whoever only looks has it for an instant.
take_lock() {
  make_home
  if [ ! -f "$lock" ]; then
    (umask 037; : >> "$lock")
    [ -n "$root" ] || chgrp "$user" "$lock"
  fi
  exec 9< "$lock"
  flock -w 2 9 || return 1
  stopped=$(value_of services "$lock" 'a-z -')
  left=ended
  ! grep -qv '^services=' "$lock" || left=broken_off
  printf 'since=%s\npid=%s\nfile=%s\nto=%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" $$ "$1" "$2" > "$lock"
  [ -z "$stopped" ] || printf 'services=%s\n' "$stopped" >> "$lock"
}

# What is said to whoever meets the lock.
tell_locked() {
  told="an update"
  for what in to since; do
    [ "$what" = to ] || told="$told is under way"
    value=$(value_of $what "$lock" '0-9A-Za-z.:+-')
    [ -z "$value" ] || told="$told $what $value"
  done
  printf '%s\n' "$told"
}

# An upgrade has ended: the lock tells of the services $1 alone, with blanks between, which do not start. While a
# way back is noted all of it stays, for whoever goes back needs to know what it was about.
leave_lock() {
  [ -f "$lock" ] && [ ! -f "$under_way" ] || return 0
  printf '%s' "${1:+services=$1
}" > "$lock"
}

# Gives a file its name once all of it is on the disk; a program that runs keeps the one it was started from.
put_in_place() {
  settle "$1"
  mv -f "$1" "$2"
  settle "${2%/*}"
}

place() {
  mkdir -p "${3%/*}"
  cp "$2" "$3.new"
  chmod "$1" "$3.new"
  put_in_place "$3.new" "$3"
}

# Keeps the files that are about to be replaced, and what goes back to them: of the release in folder $1.
keep_former() {
  rm -rf "$former"
  make_home
  # The service's user runs what is in it, whatever root's umask is.
  mkdir -m 755 "$former"
  for name in $placed; do
    [ ! -f "$root/$name" ] || cp -p "$root/$name" "$former/"
  done
  [ ! -f "$former/fiscald" ] || chmod 755 "$former/fiscald"
  cp "$1/steps.sh" "$1/under-way.sh" "$1/go-back.sh" "$1/fiscald-go-back.service" "$former/"
  settle "$former"/* "$former" "$home" "${home%/*}"
}

# From version $1 to $2; the services $3 were stopped for it.
begin_upgrade() {
  linked_disk >> "$former/fiscald-go-back.service"
  place 644 "$former/fiscald-go-back.service" "$going_back"
  mkdir -p "${at_boot%/*}"
  ln -sf ../fiscald-go-back.service "$at_boot"
  settle "${at_boot%/*}" "$units"
  printf 'from=%s\nto=%s\nservices=%s\nbegun=%s\nstarts=%s\n' "$1" "$2" "$3" "$(date +%s)" "$(starts_at)" \
    > "$under_way.new"
  put_in_place "$under_way.new" "$under_way"
}

# "started=yes": the database may be one that the former version does not work on. Noted before the first
# file of the new one comes, for it may be started by anybody from then on; where the saved one is of now.
# "back=N": the first file of the former version comes back, N seconds after 1970 began. "restored=yes": the
# saved database is back in its place.
add_to_note() {
  cp "$under_way" "$under_way.new"
  echo "$1" >> "$under_way.new"
  put_in_place "$under_way.new" "$under_way"
}

end_note() {
  rm -f "$under_way"
  settle "$home"
  rm -f "$at_boot" "$going_back"
}

# $1: services that do not start
end_upgrade() {
  end_note
  leave_lock "${1:-}"
}

noted() { value_of "$1" "$under_way" '0-9A-Za-z.+ -'; }

# True where the former version is in its place: its executable goes back first.
has_former() { [ "$("$root/usr/local/bin/fiscald" version 2>/dev/null | cut -d ' ' -f 2)" = "$(noted from)" ]; }

# What is to become of the files and of the database. Sets way, and why to what was said of it:
#   stays  nothing goes back: the shop has worked with the new version
#   back   the former files come, the database stays: the former version works on it
#   saved  they come, and the saved database: nothing was taken that this would take back, but by a new
#          version in its watch
#   kept   they are there, and the database stays, though the former version does not work on it: it holds
#          what was taken since. A gateway says what is wrong with it, and what helps
#   open   nobody can tell, or it cannot be done, as on a full disk or under a gateway that somebody runs: the database
#          stays, and the note for whoever comes next
# A new version that is in its place goes on with "open", for it works on its database if any does. $1:
# unwatched where nobody has seen that the new version does not work, nor will look whether the former one
# does: one that took commands after its watch then stays in any case.
choose_way() {
  way=back
  why=
  said=
  [ "$(noted started)" = yes ] && [ -f "$saved/fiscald.db" ] || return 0
  # Nothing has started since.
  if is_half_restored; then way=saved
  # What was put back holds what was taken since.
  elif is_restored; then return 0
  elif has_former; then choose_for_former "${1:-}"
  else choose_for_new "${1:-}"
  fi
  [ $way != saved ] || can_put_back || way=open
}

choose_for_new() {
  taken=0
  taken_since $(($(noted begun) + watched_for)) || taken=$?
  why=$said
  if [ $taken = 0 ] && [ "$1" = unwatched ]; then way=stays; return 0; fi
  works=0
  former_works "$former/fiscald" || works=$?
  # Why it is not known what was taken tells more.
  [ $works = 0 ] || [ $taken = 2 ] || why=$said
  case $taken$works in
    ?0) way=back ;;
    0?) way=stays ;;
    2?) way=open ;;
    11) way=saved ;;
    # Who looks sees whether it works.
    12) way=back; [ "$1" != unwatched ] || way=open ;;
  esac
}

choose_for_former() {
  works=0
  former_works "$root/usr/local/bin/fiscald" || works=$?
  why=$said
  case $works in
    0) way=back ;;
    2) way=back; [ "$1" != unwatched ] || way=open ;;
    *) way=kept; ! may_take_back || way=saved ;;
  esac
}

# True where the database in the place holds nothing that was taken with the former version since it is back,
# or with the new one after its watch. Of a newer schema, by what former_works was told, the former one has taken
# nothing.
may_take_back() {
  since=$(($(noted begun) + watched_for))
  case $refused:$said in
    5:* | *"of a newer version"*) ;;
    *)
      back=$(noted back)
      # Where the new one was never in its place, the former one took all that there is.
      [ "${back:-$(noted begun)}" -gt $since ] || since=${back:-$(noted begun)}
      ;;
  esac
  taken=0
  taken_since $since || taken=$?
  [ $taken = 1 ]
}

# Whether a command or a receipt was taken that is not in the saved database, but for those of the time from the
# begin of the upgrade until $1, in seconds since 1970: 0 it was, 1 none was, 2 nobody can tell. Each version can
# read that in the database of the other one. Where neither can, there is the file that counts each start, and
# each receipt soon after.
taken_since() {
  first=
  for asked in "$root/usr/local/bin/fiscald" "$former/fiscald"; do
    found=0
    with_program "$asked" ask_taken "$1" || found=$?
    [ $found = 2 ] || return $found
    first=${first:-$said}
  done
  said=${first:-$said}
  written=$(starts_at)
  [ "$written" != "$(noted starts)" ] || return 1
  [ "${written:-0}" -ge "$(noted begun)" ] && [ "$written" -le "$1" ] || return 2
  return 1
}

ask_taken() {
  code=0
  ask check --state-dir "$state" --taken-beyond "$saved/fiscald.db" --saved-at "$(noted begun)" \
    --watch-until "$1" || code=$?
  case $code in
    0) return 0 ;;
    6) return 1 ;;
  esac
  # One of before does not know the option, and answers in words. No exit code tells it: 2 is one of wrong
  # settings too, by which it has not looked.
  case $said in *"unknown option '--taken-beyond'"*) ;; *) return 2 ;; esac
  ! ask check --state-dir "$state" --taken-since "$1" --saved "$saved/fiscald.db" --saved-at "$(noted begun)" ||
    return 0
  case $said in *"no command was taken since"*) return 1 ;; esac
  return 2
}

# When the file that counts each start was written, in seconds since 1970. Nothing where there is none.
starts_at() { [ ! -f "$starts" ] || stat -c %Y "$starts"; }

# True where the saved database can take the place now: no process works on the one that is there, and there is room
# beside it, for it is kept. Where it cannot, why tells it.
can_put_back() {
  why=$({ is_idle "$stays_saved" && { is_half_restored || has_room_for_saved; }; } 2>&1)
}
has_room_for_saved() { has_room "$(size_of "$saved/fiscald.db")" "$state" "$stays_saved" 1048576; }
stays_saved="the saved database does not go back"

# Goes back as far as choose_way tells. $1 as there.
go_back() {
  choose_way "${1:-}"
  if ! has_former; then
    case $way in stays | open) return 0 ;; esac
    # What is taken from now on, the former version takes; not in the second that has begun.
    add_to_note "back=$(($(date +%s) + 1))"
  fi
  for name in $placed; do
    rm -f "$root/$name.new"
    kept=$former/${name##*/}
    if [ ! -f "$kept" ]; then
      rm -f "$root/$name"
      continue
    fi
    # What is there already needs no room. Who put it there may have been killed before it was on the disk.
    if cmp -s "$kept" "$root/$name" 2>/dev/null; then
      settle "$root/$name" "$root/${name%/*}"
      continue
    fi
    cp -p "$kept" "$root/$name.new"
    put_in_place "$root/$name.new" "$root/$name"
  done
  [ $way != saved ] || restore_database
}

# True when there is a database in the place that is whole and of a schema that the former version
# knows. It asks as the service's user, so that no file becomes root's. A former version that cannot
# check is asked for the schema alone. Whether it then runs on it, who starts it sees: put_saved_back.
# Returns 2 where it could not be asked, which tells nothing of the database. $1: its executable
former_works() {
  refused=0
  # It would begin with an empty one. One that was removed under a gateway is put back of what that kept.
  [ -f "$state/fiscald.db" ] || [ -f "$state/fiscald.db.rescued" ] || return 1
  with_program "$1" ask_whether_works
}

# On a full disk none makes a database beside all else: 2, as where what it says tells nothing of the database.
ask_whether_works() {
  ask migrate --state-dir "$natives/new" || return 2
  ask migrate --state-dir "$state" || refused=$?
  if [ $refused = 0 ]; then
    ! ask check --help || ask check --state-dir "$state" || refused=$?
  fi
  [ $refused != 0 ] || return 0
  tells_of_database $refused || return 2
  return 1
}

# For who has started the former version and saw that it does not run on the database that is whole. What it
# has taken meanwhile stays, and so does all where it cannot be asked: the saved one does not help that.
put_saved_back() {
  [ "$(noted started)" = yes ] && [ -f "$saved/fiscald.db" ] || return 0
  if is_restored; then return 0; fi
  said=
  works=0
  former_works "$root/usr/local/bin/fiscald" || works=$?
  [ $works = 2 ] || ! may_take_back || ! can_put_back || restore_database
}

# Puts the saved database back, and the other one aside. What the new version did meanwhile is in the
# printers: the former one finds the state restored at its start and asks them. A gateway that starts
# in the midst of it must not begin with no database, or with half of one: a note holds it.
restore_database() {
  # One that was started since it was chosen would go on with files that have other names by then.
  is_idle "$stays_saved" || return 1
  await_copier || return 1
  if ! is_half_restored; then
    # Where somebody has put the state right by other means amid that, it has the database.
    [ ! -f "$failed.part/fiscald.db" ] || keep_failed "$failed.part"
    rm -rf "$failed.part"
    mkdir -m 700 "$failed.part"
    echo "an update was broken off as it went back; the database of before is in $saved" > "$held.part"
    [ -n "$root" ] || chown "$user:$user" "$failed.part" "$held.part"
    settle "$failed.part"
    put_in_place "$held.part" "$held"
  fi
  # All of it goes before anything comes: what is in the place afterwards is a copy.
  if [ -d "$failed.part" ]; then
    for part in $database_parts; do
      [ ! -f "$state/$part" ] || mv "$state/$part" "$failed.part/$part"
    done
    settle "$failed.part" "$state"
    keep_failed "$failed"
    mv "$failed.part" "$failed"
    settle "$state"
  fi
  for part in $database_parts; do
    rm -f "$state/$part"
    [ -f "$saved/$part" ] || continue
    cp -p "$saved/$part" "$state/$part"
    settle "$state/$part"
  done
  # Without it the next start takes the database for put back, as after "fiscald restore". Left there it
  # may tell too little: what it has of the newest receipts is not on the disk at once.
  rm -f "$state-starts/starts"
  [ ! -d "$state-starts" ] || settle "$state-starts"
  settle "$state"
  add_to_note restored=yes
  rm "$held"
  settle "$state"
}

# What an earlier update has left stays, for it may hold sales that are nowhere else. $1: its folder
keep_failed() {
  [ -d "$1" ] || return 0
  aside=$failed-$(date -u -r "$1" +%Y%m%dT%H%M%S)
  [ ! -e "$aside" ] || aside=$aside-$$
  mv "$1" "$aside"
}

is_restored() { [ "$(noted restored)" = yes ]; }
is_half_restored() { grep -q '^an update was broken off' "$held" 2>/dev/null; }

# Where what the new version has taken is, of which the saved database knows nothing: in words. Nothing where there
# is none, and where the former version cannot tell, as one of before.
tell_aside() {
  is_restored || return 0
  with_program "$root/usr/local/bin/fiscald" ask check --state-dir "$failed" \
    --taken-beyond "$saved/fiscald.db" || return 0
  case $said in
    "commands: "*) printf '%s' "what $(noted to) has taken ($said) is in $failed alone" | tr -cd '0-9A-Za-z.:+/,() -' ;;
  esac
}

# Leaves for the gateway to tell what the update came to.
tell_gone_back() {
  restored=false
  ! is_restored || restored=true
  aside=$(tell_aside)
  leave_told went_back "\"it was broken off, as by a power cut, a kill or a full disk${aside:+; $aside}\"" "$restored"
}
tell_upgraded() { leave_told updated null false; }

# $1 the outcome, $2 the reason as JSON, $3 whether the database was put back
leave_told() {
  printf '{"at":"%s","from":"%s","to":"%s","outcome":"%s","reason":%s,"databaseRestored":%s}\n' \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(noted from)" "$(noted to)" "$1" "$2" "$3" > "$home/update.json.new"
  chmod 644 "$home/update.json.new"
  put_in_place "$home/update.json.new" "$home/update.json"
}
