#!/bin/bash
# Measures the reference solutions and their faster forms on this GPU, into data/measurements/<gpu>/.
#   record.sh WORKERS LAB...      WORKERS is the folder of the GPU workers; called by `make record`
# ceilings: ceilings.csv, what the GPU can do at best. checks: checks.csv, points with every check exact.
# counters: inspector_vs_ncu.csv, against Nsight Compute. fuzz: fuzz_vs_ncu.csv, the same of random programs, whose values
# must be the model's, too.
# bench: NN_name.csv, and NN_name.fast.csv of its fast.cu.
# maps: NN_name.map.csv, filter widths by heights, of labs with a map.gp, and the tables that belong to it.
# staircase: NN_name.staircase.csv, the steps to a lab's fastest version, of labs that list them.
# PARTS names some of these.
set -eu
parts=${PARTS:-ceilings checks counters fuzz bench maps staircase}
workers=$1
shift
command="make record"
. common/bench/about.sh
wanted() { grep -qw "$1" <<<"$parts"; }

report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
if wanted ceilings; then
    begin_csv "$folder/ceilings.csv" "what,value,unit"
    "$workers/ceilings" >>"$folder/ceilings.csv.part"
    keep_csv "$folder/ceilings.csv"
fi
if wanted checks; then begin_csv "$folder/checks.csv" "lab,points,of,device"; fi
compare_counts() {  # FILE LAB...
    begin_csv "$1" "$(common/bench/counters.sh header)"
    common/bench/counters.sh measure "$workers" "${@:2}" >>"$1.part"
    keep_csv "$1"
}
if wanted counters; then compare_counts "$folder/inspector_vs_ncu.csv" "$@"; fi
if wanted fuzz; then
    "$workers/fidelity/fuzz" >"$report"
    # shellcheck disable=SC2086  # PROGRAMS SEED
    build/tests/fuzz/fuzz $FUZZ_TABLE against "$report" || status=1
    compare_counts "$folder/fuzz_vs_ncu.csv" fuzz
fi
# The rows and files of one worker: those of solutions have the lab's name, those of fast.cu end in "fast".
check() {  # LAB VARIANT ROW
    local points
    : >"$report"
    "build/tests/$1" --worker="$workers/$1/$2.worker" --inspector="build/cpu/$1/$2.inspect" --exact --quiet \
        --json="$report" check || status=1
    # The lab's points stand behind two spaces, those of checks deeper.
    points=$(sed -n 's/^  "points": \([0-9]*\),*$/\1/p' "$report")
    echo "$3,${points:-0},100,\"$gpu\"" >>"$folder/checks.csv.part"
}
bench() {  # LAB VARIANT FILE [OPTION]
    "build/tests/$1" bench --worker="$workers/$1/$2.worker" "${about[@]/#/--comment=}" "${@:4}" \
        --csv="$folder/$3.csv" || status=1
}
for lab in "$@"; do
    faster=solutions/$lab/fast.cu
    if wanted checks; then
        check "$lab" solution "$lab"
        [ ! -f "$faster" ] || check "$lab" fast "$lab fast"
    fi
    if wanted bench; then
        bench "$lab" solution "$lab"
        [ ! -f "$faster" ] || bench "$lab" fast "$lab.fast"
    fi
    if wanted maps && [ -f "labs/$lab/map.gp" ]; then bench "$lab" solution "$lab.map" --map; fi
    if wanted staircase && [ -f "solutions/$lab/staircase.csv" ]; then
        common/bench/staircase.sh "$workers" "$lab" "$folder/$lab.staircase.csv" "${about[@]}" || status=1
    fi
done
if wanted checks; then keep_csv "$folder/checks.csv"; fi
echo "recorded in $folder"
exit $status
