#!/bin/sh
# Runs a judge and draws the pictures that it wrote the data of: pictures.sh FOLDER JUDGE... runs FOLDER/*.gp, each gives an
# .svg and a .png.
folder=$1
shift
common/build/leash.sh "$@"
status=$?
[ $status -lt 2 ] || exit $status  # refused: what lies there is of an earlier run
common/build/need.sh charts || exit $status
drawn=0
for script in "$folder"/*.gp; do
    [ -f "$script" ] || continue
    [ $drawn = 0 ] && echo && echo "pictures, each as .png and .svg:"
    LC_ALL=C.UTF-8 gnuplot "$script" && echo "  ${script%.gp}.png" || status=1
    # A browser would blur a pixel into its neighbours.
    sed -i "s/<image /<image style='image-rendering:pixelated' /" "${script%.gp}.svg" 2>/dev/null || true
    drawn=$((drawn + 1))
done
exit $status
