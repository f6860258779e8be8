#!/bin/sh
# A line a lab: its points now, and what is next: progress.sh MAKE NN_name...
run_make=$1
shift
green="" plain=""
if [ -t 1 ] && [ -z "${NO_COLOR+set}" ]; then green=$(printf '\033[32m') plain=$(printf '\033[0m'); fi
for lab; do
    common/build/standing.sh "$run_make" "$lab" | sed "s/^/$lab /"
done | awk -v green="$green" -v plain="$plain" '
{
    next_step = $0
    sub(/^[^ ]* [^ ]* [^ ]* /, "", next_step)
    labs++
    tried += $2 != "-"
    sum += $2
    points = $2 == "-" ? "    -   " : sprintf("%4d/%-3d", $2, $3)
    full = $2 != "-" && $2 == $3
    printf "%s%-24s%s%s    %s\n", full ? green : "", $1, points, full ? plain : "", next_step
    fflush()
}
END { printf "%-24s%4d of %d   (%d of %d labs tried)\n", "all", sum, 100 * labs, tried, labs }'
