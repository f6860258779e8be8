#!/bin/sh
# The TODO that a lab's last report is about: fitting_todo.sh NN_name prints "05.3", or nothing. It is the one of the
# first diagnosis or finding, or the first that still stands as in the skeleton, whichever comes first.
file=labs/$1/${1#*_}.cu report=build/reports/$1/report.json
# What findings mostly come of.
first=$(grep -m 1 -oE '"id": "[a-z-]+"|inspector: [^"]*(writes|reads|race)[^"]*' "$report" 2>/dev/null)
case $first in
    '"id": '*) first=${first#*: \"} causes=${first%\"} ;;
    *race*) causes="barrier-missing" ;;
    *writes*) causes="no-guard square-guard overhang-not-written thread-index-wrong only-first-block" ;;
    *reads*) causes="ghost-untested ghost-row-wrap ghost-test-wrong tile-partly-loaded barrier-missing" ;;
    *) causes="" ;;
esac
{
    for cause in $causes; do common/build/causes.sh "$1" | sed -n "s/^$cause //p"; done | head -n 1
    # A TODO and the line of code behind it.
    common/build/skeleton.sh "$1" 2>/dev/null | awk '
    FNR == NR { text = text "\n" $0; next }
    /^[ \t]*\/\/ TODO / { block = ""; todo = $3 }
    todo { block = block "\n" $0 }
    todo && !/^[ \t]*\/\// { if (index(text "\n", block "\n")) print todo; todo = "" }' "$file" -
} | sort | head -n 1
