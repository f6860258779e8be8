#!/bin/sh
# Draws one chart: plot.sh SCRIPT.gp DATA.csv OUTPUT gives OUTPUT.svg and OUTPUT.png.
script=$1 data=$2 output=$3
common/build/need.sh charts || exit
for file in "$script" "$data"; do
    [ -f "$file" ] || { echo "$file: no such file" >&2; exit 2; }
done
# Comments, the header and the serial loop, which is no method of the file that was measured.
if ! grep -qv -e '^#' -e '^lab,' -e ',"serial",' "$data"; then
    echo "$data: nothing to draw, every method was left out" >&2
    exit 1
fi
mkdir -p "$(dirname "$output")"
for format in svg png; do
    LC_ALL=C.UTF-8 gnuplot -e "input='$data'; output='$output'; format='$format'" "$script" || exit
done
echo "drew $output.svg and $output.png"
# What a student measured may have been a part, once.
measured=$(sed -n 's/^# command: //p' "$data") on=$(sed -n 's/^# date: //p' "$data")
case $data in build/bench/*) echo "from $data, measured by \"$measured\" on $on; that measures anew" ;; esac
