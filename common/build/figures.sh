#!/bin/sh
# Draws figures of the sources from recorded data: figures.sh DATA [NAME...] makes NAME.svg and .png in build/figures (or $OUT) by
# common/plot/figures/NAME.gp, all of them if none is named. A script's line "# needs: FILE..." names files of the folder
# DATA; where one is missing, a line says so and the others are drawn.
data=$1
shift
scripts=common/plot/figures out=${OUT:-build/figures}
common/build/need.sh charts || exit
[ -d "$data" ] || { echo "DATA=$data: no such folder; make record on a GPU writes data/measurements/GPU" >&2; exit 2; }
mkdir -p "$out"
[ $# != 0 ] || { cd "$scripts" && set -- *.gp && cd - >/dev/null || exit; }

# A file's path: one with a slash in it is not part of a recording.
path_of() { case $1 in */*) echo "$1.csv" ;; *) echo "$data/$1.csv" ;; esac; }
needs() { sed -n 's/^# needs: //p' "$scripts/$1.gp"; }
missing() {  # NAME: the first file that the figure needs and that is not there
    for file in $(needs "$1"); do
        [ -f "$(path_of "$file")" ] || { path_of "$file"; return; }
    done
}
draw() {  # NAME: what gnuplot has to say about it goes to stdout, once
    first=$(needs "$1" | cut -d' ' -f1)
    said=$out/$1.said
    for format in svg png; do
        LC_ALL=C.UTF-8 gnuplot -e "data='$data'; input='$(path_of "$first")'; output='$out/$1'; format='$format'" "$scripts/$1.gp" >"$said" 2>&1
        ended=$?
        [ "$ended" = 0 ] || break
    done
    sed -n 's/^.*: \(no rows with .*\)/\1/p' "$said" | sort -u | sed "s|^|$1: |"
    [ "$ended" = 0 ] || grep -v 'no rows with' "$said" | head -5
    rm "$said"
    return "$ended"
}
drawn=0 status=0
for name in "$@"; do
    name=${name%.gp}
    [ -f "$scripts/$name.gp" ] || { echo "$name: no such figure; make figures draws all" >&2; exit 2; }
    rm -f "$out/$name.svg" "$out/$name.png"
    lacks=$(missing "$name")
    if [ -n "$lacks" ]; then
        echo "$name: not drawn, $lacks is missing: make record on a GPU writes it"
        status=1
    elif draw "$name"; then
        drawn=$((drawn + 1))
    else
        rm -f "$out/$name.svg" "$out/$name.png"
        status=1
    fi
done
echo "drew $drawn of $# figures in $out"
exit $status
