#!/bin/sh
# Draws one chart: plot.sh SCRIPT.gp DATA.csv OUTPUT gives OUTPUT.svg and OUTPUT.png.
script=$1 data=$2 output=$3
command -v gnuplot >/dev/null || { echo "missing: gnuplot-nox; run: make setup" >&2; exit 2; }
for file in "$script" "$data"; do
    [ -f "$file" ] || { echo "$file: no such file" >&2; exit 2; }
done
mkdir -p "$(dirname "$output")"
gnuplot -e "input='$data'; output='$output'" "$script" && echo "drew $output.svg and $output.png"
