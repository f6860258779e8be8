#!/bin/sh
# The TODO that a lab's last report is about: fitting_todo.sh NN_name prints "05.3", or nothing. It is the one of the
# first diagnosis or finding, or the first that still stands as in the skeleton, whichever comes first. Where the report
# calls TODOs wrong, it is one of these.
file=labs/$1/${1#*_}.cu report=build/reports/$1/report.json
# What findings mostly come of. What the report starts with repeats some of them.
first=$(sed '/^  "start_with": /d' "$report" 2>/dev/null |
    grep -m 1 -oE '"id": "[a-z-]+"|inspector: [^"]*(writes|reads|race)[^"]*')
case $first in
    '"id": '*) first=${first#*: \"} causes=${first%\"} ;;
    *race*) causes="barrier-missing" ;;
    *writes*) causes="no-guard square-guard overhang-not-written thread-index-wrong only-first-block" ;;
    *reads*) causes="ghost-untested ghost-row-wrap ghost-test-wrong tile-partly-loaded barrier-missing" ;;
    *) causes="" ;;
esac
wrong=$(grep -B 1 '"state": "wrong"' "$report" 2>/dev/null | sed -n 's/.*"id": "\(.*\)",/\1/p')
only=$(printf '%s\n' "$wrong" | grep -c .)
{
    for cause in $causes; do common/build/causes.sh "$1" | sed -n "s/^$cause //p"; done | head -n 1
    [ "$only" != 1 ] || echo "$wrong"
    # A TODO and the line of code behind it.
    common/build/skeleton.sh "$1" 2>/dev/null | awk '
    FNR == NR { text = text "\n" $0; next }
    /^[ \t]*\/\/ TODO / { block = ""; todo = $3 }
    todo { block = block "\n" $0 }
    todo && !/^[ \t]*\/\// { if (index(text "\n", block "\n")) print todo; todo = "" }' "$file" -
} | if [ -n "$wrong" ]; then grep -xF "$wrong"; else cat; fi | sort | head -n 1
