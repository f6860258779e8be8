#!/bin/bash
# Measures the reference solutions on this machine's GPU and keeps the results in data/measurements/<gpu>/.
#   record.sh WORKERS LAB...      WORKERS is the folder of the GPU workers; called by `make record`
# One CSV a lab (benchmark), counters.csv (inspector against Nsight Compute), checks.csv (points with every check exact).
set -eu
workers=$1
shift
command="make record"
. common/bench/about.sh

begin_csv "$folder/checks.csv" "lab,points,of,device"
begin_csv "$folder/counters.csv" "$(common/bench/counters.sh header)"
report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
for lab in "$@"; do
    judge=build/tests/$lab worker=$workers/$lab/solution.worker inspected=build/cpu/$lab/solution.inspect
    "$judge" --worker="$worker" --inspector="$inspected" --exact --quiet --json="$report" check || status=1
    points=$(sed -n 's/^  "points": \([0-9]*\),*$/\1/p' "$report")  # of the lab: two spaces; checks stand deeper
    echo "$lab,${points:-0},100,\"$gpu\"" >>"$folder/checks.csv.part"
    common/bench/counters.sh "$lab" "$judge" "$worker" "$inspected" >>"$folder/counters.csv.part"
    "$judge" --worker="$worker" --inspector="$inspected" "${about[@]/#/--comment=}" --csv="$folder/$lab.csv" bench || status=1
done
mv "$folder/checks.csv.part" "$folder/checks.csv"
mv "$folder/counters.csv.part" "$folder/counters.csv"
echo "recorded in $folder"
exit $status
