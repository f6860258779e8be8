#!/bin/sh
# Draws the pictures that a judge wrote the data of: pictures.sh FOLDER runs FOLDER/*.gp, each gives an .svg and a .png.
folder=$1
command -v gnuplot >/dev/null || { echo "no pictures: missing gnuplot-nox; run: make setup"; exit 0; }
status=0 drawn=0
for script in "$folder"/*.gp; do
    [ -f "$script" ] || continue
    [ $drawn = 0 ] && echo && echo "pictures, each as .png and .svg:"
    gnuplot "$script" && echo "  ${script%.gp}.png" || status=1
    drawn=$((drawn + 1))
done
exit $status
