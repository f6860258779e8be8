#!/bin/sh
# Draws the contact sheets of a gallery: gallery.sh FOLDER makes FOLDER/sheets/SOURCE.png by common/plot/gallery/SOURCE.gp, and
# Camerino's table 5.4.
folder=$1
common/build/need.sh charts || exit
mkdir -p "$folder/sheets"
status=0
for script in common/plot/gallery/*.gp; do
    sheet=$folder/sheets/$(basename "$script" .gp)
    LC_ALL=C.UTF-8 gnuplot -e "folder='$folder'; output='$sheet'" "$script" && echo "drew $sheet.png" || status=1
done
table=$folder/sheets/camerino_table5_4.md
awk -f common/bench/csv.awk -f common/build/gallery_table.awk "$folder/gallery.csv" >"$table" && echo "wrote $table" || status=1
exit $status
