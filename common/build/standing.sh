#!/bin/sh
# Where a lab stands now: standing.sh MAKE NN_name prints "POINTS OF what is next", or "- - what is next" for a lab that
# was not begun. A verdict on another version of the file is no answer: then it is judged anew. Nothing is built else.
run_make=$1 lab=$2
number=${lab%%_*} file=labs/$lab/${lab#*_}.cu report=build/reports/$lab/report.json
if [ ! -f "$file" ]; then
    echo "- - make reset$number: $file is missing"
    exit
fi
is_judged() { [ "$(common/build/version.sh "$lab")" = "$(cat "${report%.json}.of" 2>/dev/null)" ]; }
if common/build/skeleton.sh "$lab" 2>/dev/null | cmp -s - "$file"; then
    is_judged || rm -f "$report"  # of a file that is put away: the page of make report would show it
    echo "- - make lab$number"
    exit
fi
if ! is_judged; then
    echo "judging lab $number: $file has changed since" >&2
    env -u MAKEFLAGS -u MAKELEVEL "$run_make" -s "lab$number" >/dev/null 2>&1 </dev/null
fi
awk -v number="$number" '
function value() {
    sub(/^[^:]*: "?/, "")
    sub(/"?,?$/, "")
    gsub(/\\"/, "\"")
    return $0
}
/^  "state":/ { state = value() }
/^  "message":/ { message = value() }
/^  "points":/ { points = value() + 0 }
/^  "of":/ { of = value() + 0 }
/^      "name":/ { check = value() }
/^      "points":/ { reached = value() + 0 }
/^      "of":/ { if (open == "" && reached < value() + 0) open = check }
END {
    if (state == "") print "0 100 make lab" number
    else if (state != "checked") print points, of, "make lab" number ": " message
    else print points, of, points < of ? "next: " open : "done"
}' "$report" /dev/null 2>/dev/null
