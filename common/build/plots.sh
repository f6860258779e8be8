#!/bin/sh
# Draws every lab's charts from recorded data: data/measurements/GPU/NN_name.csv gives build/plots/GPU/NN_name, by
# labs/NN_name/plot.gp; NN_name.map.csv gives NN_name.map, by map.gp, and so on where there is such a
# script (there is none for NN_name.fast.csv, which the handout shows). Rows of a devices.csv, of several GPUs, name their lab.
common/build/need.sh charts || exit
drawn=0 status=0
for data in data/measurements/*/[0-9][0-9]_*.csv data/measurements/*/devices.csv; do
    [ -f "$data" ] || continue
    chart=$(basename "$data" .csv)
    [ "$chart" != devices ] || chart=$(tail -n 1 "$data" | cut -d, -f1)
    gpu=$(basename "$(dirname "$data")")
    lab=${chart%%.*} kind=${chart#*.}
    [ "$chart" != "$lab" ] || kind=plot
    script=labs/$lab/$kind.gp
    [ -f "$script" ] || continue
    common/build/plot.sh "$script" "$data" "build/plots/$gpu/$chart" && drawn=$((drawn + 1)) || status=1
done
[ $drawn != 0 ] || echo "no recorded data yet: data/measurements/GPU/NN_name.csv"
exit $status
