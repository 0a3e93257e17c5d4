#!/bin/sh
# Goes back to the former version where an upgrade was broken off; does nothing where none was. Kept
# beside the former version's files, and run from there: go-back.sh [folder that stands for the root]
set -eu
root=${1:-}
state=$root/var/lib/fiscald
user=fiscald
here=$(cd "$(dirname "$0")" && pwd)
. "$here/steps.sh"
. "$here/under-way.sh"
[ -f "$under_way" ] || exit 0
go_back
! has_systemd || systemctl daemon-reload
tell_gone_back
end_upgrade
