#!/bin/sh
# Draws every lab's chart from recorded data: data/measurements/GPU/NN_name.csv gives build/plots/GPU/NN_name.
command -v gnuplot >/dev/null || { echo "missing: gnuplot-nox; run: make setup" >&2; exit 2; }
drawn=0 status=0
for data in data/measurements/*/[0-9][0-9]_*.csv; do
    [ -f "$data" ] || continue
    lab=$(basename "$data" .csv)
    gpu=$(basename "$(dirname "$data")")
    [ -f "labs/$lab/plot.gp" ] || continue
    common/build/plot.sh "labs/$lab/plot.gp" "$data" "build/plots/$gpu/$lab" && drawn=$((drawn + 1)) || status=1
done
[ $drawn != 0 ] || echo "no recorded data yet: data/measurements/GPU/NN_name.csv"
exit $status
