#!/bin/bash
# Measures the reference solutions on this machine's GPU and keeps the results in data/measurements/<gpu>/.
#   record.sh WORKERS LAB...      WORKERS is the folder of the GPU workers; called by `make record`
# ceilings: ceilings.csv, what the GPU can do at best. checks: checks.csv, points with every check exact.
# counters: inspector_vs_ncu.csv, against Nsight Compute.
# bench: NN_name.csv. maps: NN_name.map.csv, filter widths by heights, of labs with a map.gp, and the tables that belong to it.
# staircase: NN_name.staircase.csv, the steps to a lab's fastest version, of labs that list them. PARTS names some of these.
set -eu
parts=${PARTS:-ceilings checks counters bench maps staircase}
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
if wanted counters; then
    table=$folder/inspector_vs_ncu.csv
    begin_csv "$table" "$(common/bench/counters.sh header)"
    common/bench/counters.sh measure "$workers" "$@" >>"$table.part"
    keep_csv "$table"
fi
for lab in "$@"; do
    judge=build/tests/$lab worker=$workers/$lab/solution.worker inspected=build/cpu/$lab/solution.inspect
    if wanted checks; then
        "$judge" --worker="$worker" --inspector="$inspected" --exact --quiet --json="$report" check || status=1
        points=$(sed -n 's/^  "points": \([0-9]*\),*$/\1/p' "$report")  # of the lab: two spaces; checks stand deeper
        echo "$lab,${points:-0},100,\"$gpu\"" >>"$folder/checks.csv.part"
    fi
    bench=("$judge" bench --worker="$worker" "${about[@]/#/--comment=}")
    if wanted bench; then "${bench[@]}" --csv="$folder/$lab.csv" || status=1; fi
    if wanted maps && [ -f "labs/$lab/map.gp" ]; then "${bench[@]}" --map --csv="$folder/$lab.map.csv" || status=1; fi
    if wanted staircase && [ -f "solutions/$lab/staircase.csv" ]; then
        common/bench/staircase.sh "$workers" "$lab" "$folder/$lab.staircase.csv" "${about[@]}" || status=1
    fi
done
if wanted checks; then keep_csv "$folder/checks.csv"; fi
echo "recorded in $folder"
exit $status
