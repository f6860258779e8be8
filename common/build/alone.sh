#!/bin/sh
# Runs a command while no other make of this tree runs one with the same lock: alone.sh LOCK COMMAND...
# Who has to wait is told for whom: WHO in the environment is "make lab05 (process 1234)".
lock=$1
shift
exec 9<>"$lock"
if ! flock -n 9; then
    other=$(cat "$lock")
    [ "$other" = "$WHO" ] || echo "waiting for ${other:-another make} in this folder" >&2
    flock 9
fi
echo "$WHO" >"$lock"
common/build/leash.sh "$@" 9>&-
