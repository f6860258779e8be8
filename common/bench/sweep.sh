#!/bin/bash
# Measures all lines that sweeps.txt has of a sweep into one file of this GPU's folder: sweep.sh WORKERS SWEEP
# Its name is sweep_SWEEP.csv, of the serial loop serial.csv. An unfinished one of the same day goes on.
set -eu
workers=$1 sweep=$2
command="make record"
. common/bench/about.sh
file=$folder/sweep_$sweep.csv
mapfile -t subjects < <(awk -v sweep="$sweep" \
    '$1 == sweep && !seen[$2]++ { print $2 "/solution" }' solutions/sweeps.txt)
if [ "$sweep" = serial ]; then
    file=$folder/serial.csv
    subjects=(common/problem/serial.cpp)  # no lab's
fi
mapfile -t kernels < <(common/bench/kernels.sh "${subjects[@]}")

status=0
while read -r lab build list options; do
    read -ra one <<<"$options"
    MORE=1 common/build/leash.sh common/bench/measure.sh "build/tests/$lab" "$file" "${list//,/ }" \
        "${about[@]/#/--comment=}" "${kernels[@]/#/--comment=kernels: }" --build="$build" "${one[@]}" </dev/null ||
        status=1
done < <(common/bench/sweep_workers.sh lines "$workers" "$sweep")
[ ! -f "$file.part" ] || keep_csv "$file"
exit $status
