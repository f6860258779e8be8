#!/bin/bash
# What the benchmark says, as a recorded file.
#   measure.sh BENCHMARK         every method: data/measurements/<gpu>/fastest.csv, by which methods are chosen from then on
#   measure.sh BENCHMARK FILE    the chosen methods only, shown as a table
set -eu
# shellcheck disable=SC2034  # about.sh reads it
command="make $([ $# = 1 ] && echo tune || echo fastest)"
. common/bench/about.sh
tuned=$folder/fastest.csv
file=${2:-$tuned}
times=()
if [ $# = 2 ]; then
    times=(rule)
    [ ! -f "$tuned" ] || times=("$tuned")
fi
mkdir -p "$(dirname "$file")"
mapfile -t subjects < <(find solutions/fastest -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' -o -name '*.h' | sort)
begin_csv "$file" "$("$1" header)" "${subjects[@]}" 13_conv2d_adaptive/solution 15_conv2d_separable/fast
"$1" "$(date -u +%F)" "${times[@]}" >>"$file.part"
keep_csv "$file"
echo "measured: $file"
awk -F, '/^#/ { next }
    !named { for (k = 1; k <= NF; k++) at[$k] = k; named = 1
        printf "%13s %9s %-9s %-7s %-10s %9s %9s %9s %9s\n", "image", "filter", "kind", "asked", "method", "ms", "copy ms",
            "error", "of a loop"; next }
    $at["chosen"] == 1 { printf "%13s %9s %-9s %-7s %-10s %9.4f %9.4f %9.1e %9.1e\n", ($at["images"] > 1 ? $at["images"] "x" : "") $at["width"] "x" $at["height"],
        $at["filter_width"] "x" $at["filter_height"], $at["filter_kind"], $at["accuracy"], $at["method"], $at["kernel_ms"],
        $at["copy_ms"], $at["error"], $at["loop_error"] }' "$file"
