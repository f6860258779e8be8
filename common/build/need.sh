#!/bin/sh
# Says in one line what is missing of these groups of packages.txt, with exit code 2: need.sh [GROUP...]
cxx=${CXX:-g++} OLDEST=11
case $1 in pages | words) setup="make setup FOR=$1" ;; *) setup="make setup" ;; esac
common/build/missing.sh "$@" | awk -v remedy="${REMEDY-; run: $setup}" '
    { lost = $8; for (k = 9; k <= NF; k++) lost = lost " " $k }
    !(lost in names) { order[++count] = lost }
    { names[lost] = names[lost] (names[lost] ? ", " : "") $1 }
    END {
        for (k = 1; k <= count; k++) line = line (k > 1 ? "; " : "") names[order[k]] " (" order[k] ")"
        if (count) print "missing: " line remedy
        exit count > 0
    }' >&2 || exit 2

case " $* " in *" build "* | "  ") ;; *) exit 0 ;; esac
# shellcheck disable=SC2086  # CXX may hold options
version=$(echo __GNUC__ | $cxx -x c++ -E -P - 2>/dev/null)
[ "$version" -lt $OLDEST ] 2>/dev/null || exit 0
echo "$cxx is version $version, $OLDEST or newer is needed: install g++-12 and say make CXX=g++-12" >&2
exit 2
