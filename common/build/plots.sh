#!/bin/sh
# Draws every lab's charts from recorded data: data/measurements/GPU/NN_name.csv gives build/plots/GPU/NN_name, and
# NN_name.map.csv, which is drawn by labs/NN_name/map.gp, NN_name.map.
command -v gnuplot >/dev/null || { echo "missing: gnuplot-nox; run: make setup" >&2; exit 2; }
drawn=0 status=0
for data in data/measurements/*/[0-9][0-9]_*.csv; do
    [ -f "$data" ] || continue
    chart=$(basename "$data" .csv)
    gpu=$(basename "$(dirname "$data")")
    script=labs/$chart/plot.gp
    [ "$chart" = "${chart%.map}" ] || script=labs/${chart%.map}/map.gp
    [ -f "$script" ] || continue
    common/build/plot.sh "$script" "$data" "build/plots/$gpu/$chart" && drawn=$((drawn + 1)) || status=1
done
[ $drawn != 0 ] || echo "no recorded data yet: data/measurements/GPU/NN_name.csv"
exit $status
