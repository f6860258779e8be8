#!/bin/sh
# Checks a lab whenever its file is saved: watch.sh MAKE FILES...   (ends with Ctrl-C)
run_make=$1
shift
stamp() { sha256sum "$@" 2>/dev/null; }
before=$(stamp "$@")
echo "watching $# labs; save a file to check it, Ctrl-C to stop"
while sleep 1; do
    now=$(stamp "$@")
    [ "$now" = "$before" ] && continue
    changed=$(printf '%s\n%s\n' "$before" "$now" | sort | uniq -u | sed -n 's,.*labs/\([0-9][0-9]\)_.*,\1,p' | sort -u)
    before=$now
    for lab in $changed; do
        printf '\n---- lab %s, %s\n' "$lab" "$(date +%H:%M:%S)"
        common/build/leash.sh "$run_make" "lab$lab" </dev/null || true
    done
done
