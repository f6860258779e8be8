#!/bin/sh
# Runs a command while no other make of this tree runs one with the same lock: alone.sh LOCK COMMAND...
# Who has to wait is told for whom: WHO in the environment is "make lab05 (process 1234)".
lock=$1
shift
exec 9<>"$lock"
# Half a second is more than enough for the other to write who it is.
if ! flock -w 0.5 9; then
    other=$(cat "$lock")
    [ "$other" = "$WHO" ] || echo "waiting for ${other:-another make} in this folder" >&2
    flock 9
fi
echo "$WHO" >"$lock"
common/build/leash.sh "$@" 9>&-
