#!/bin/sh
# Checks a lab whenever its file is saved: watch.sh MAKE NN_name...   (ends with Ctrl-C)
# Behind each verdict: the counts that are others than before, and the hint for what is to be mended first.
run_make=$1
shift
stamp() { for lab; do sha256sum "labs/$lab/${lab#*_}.cu" 2>/dev/null; done; }

hint() {  # NN_name TODO
    for level in 1 2 3; do  # not every one speaks of every TODO
        text=$(common/build/hint.sh "handouts/$1.md" $level "$2" 2>/dev/null) || continue
        more=" (make hint${1%%_*} TODO=$2 HINT=$((level + 1)) says more)"
        [ $level -lt 3 ] || more=""
        printf '\nhint%s:\n%s\n' "$more" "$text"
        return
    done
}
check() {  # NN_name
    number=${1%%_*} report=build/reports/$1/report.json old=build/tmp/watched.$$
    printf '\n---- lab %s, %s\n' "$number" "$(date +%H:%M:%S)"
    mkdir -p build/tmp
    cp "$report" "$old" 2>/dev/null || : >"$old"
    if ! env -u MAKELEVEL -u MAKEFLAGS common/build/leash.sh "$run_make" "lab$number" </dev/null; then
        for todo in $(common/build/fitting_todo.sh "$1"); do hint "$1" "$todo"; done
    fi
    counts=$(awk -f common/build/counts.awk "$old" "$report" 2>/dev/null)
    rm -f "$old"
    [ -z "$counts" ] || printf '\ncounts that changed:\n%s\n' "$counts"
}

before=$(stamp "$@")
echo "watching $# labs; save a file to check it, Ctrl-C to stop"
while sleep 1; do
    now=$(stamp "$@")
    [ "$now" = "$before" ] && continue
    changed=$(printf '%s\n%s\n' "$before" "$now" | sort | uniq -u | sed -n 's,.*labs/\([^/]*\)/.*,\1,p' | sort -u)
    before=$now
    for lab in $changed; do check "$lab"; done
done
