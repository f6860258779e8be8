#!/bin/sh
# What each lab brought: staircase.sh DATA LAB... writes build/plots/staircase.csv and draws it. Of every lab the fastest
# method with 9 taps a side at the largest size: the student's own (build/bench), the reference's (DATA) and the roofline
# of DATA's GPU, in GFLOP/s, which compare over sizes and dimensions.
data=$1 table=build/plots/staircase.csv
shift
mkdir -p build/plots

fastest() {  # FILE.csv: "METHOD GFLOPS TAPS DEVICE"
    [ ! -f "$1" ] || awk -F, '
    /^#/ { next }
    /^lab,/ { for (k = 1; k <= NF; k++) at[$k] = k; next }
    {
        gsub(/"/, "")
        taps = $at["filter_width"] * $at["filter_height"]
        size = $at["width"] * $at["height"]
        if ($at["method"] == "serial" || $at["filter_width"] != 9 || (taps != 9 && taps != 81) || size < largest) next
        if (size > largest || $at["gflops"] + 0 > best) {
            largest = size
            best = $at["gflops"] + 0
            told = $at["method"] " " best " " taps " " $at["device"]
        }
    }
    END { print told }' "$1"
}
# Two floats of memory an output and two operations a tap, whichever takes longer.
roofline() {  # TAPS
    awk -F, -v taps="$1" '
    $1 == "copy_4096x4096" { gb_a_s = 134217728 / $2 / 1e6 }
    $1 == "ffma" { most = $2 }
    END { limit = gb_a_s * 2 * taps / 8; print limit < most ? limit : most }' "$data/ceilings.csv"
}

{
    echo "lab,yours,method,reference,roofline,device"
    for lab; do
        yours=$(fastest "build/bench/$lab.csv")
        reference=$(fastest "$data/$lab.csv")
        [ -n "$reference$yours" ] || continue
        # shellcheck disable=SC2086  # words
        set -- $reference
        limit=$(roofline "${3:-81}") theirs=${2:-NaN}
        # shellcheck disable=SC2086
        set -- $yours
        method=${1:-none} mine=${2:-NaN}
        [ $# -lt 4 ] || shift 3
        echo "$lab,$mine,$method,$theirs,$limit,${yours:+$*}"
    done
} >"$table.part$$" && mv "$table.part$$" "$table" || exit 2

awk -F, '
BEGIN { printf "%-24s %12s %12s %12s   GFLOP/s, 9 taps a side\n", "lab", "yours", "reference", "roofline" }
FNR > 1 {
    printf "%-24s %12s %12.0f %12.0f   %s\n", $1, $2 == "NaN" ? "-" : sprintf("%.2f", $2), $4, $5,
        $2 == "NaN" ? "make bench" substr($1, 1, 2) " measures it" : $3
    own += $2 != "NaN"
}
END { exit !own }' "$table" || { echo "nothing of yours was measured yet: make bench05, say"; exit 0; }
common/build/need.sh charts || exit
gpu=$(sed -n 's/^# device: //p' "$data/ceilings.csv")
for format in svg png; do
    LC_ALL=C.UTF-8 gnuplot -e "input='$table'; output='build/plots/staircase'; format='$format'; gpu='$gpu'" common/plot/staircase.gp || exit
done
echo "drew build/plots/staircase.svg and build/plots/staircase.png"
