#!/bin/bash
# What the inspector counts on the CPU backend, for figures that are about counts and not about times: of lab 06 and of lab 07's
# tiles (PMPP, figure 7.22), and of lab 11's bank conflicts (van Werkhoven et al., figure 3).
#   counts.sh write TABLE     writes it anew
#   counts.sh replay TABLE    fails where the counts of small filters are not the table's
# The labs' judges and inspected solutions must have been built.
set -eu
mode=$1 table=$2
file=$(mktemp)
trap 'rm -f "$file" "$table.part"' EXIT
count() {  # LAB SIDE TAPS
    "build/tests/$1" --worker="build/cpu/$1/solution.inspect" --width="$2" --height="$2" --radius=$((($3 - 1) / 2)) \
        --csv="$file" inspect >/dev/null || { echo "counts.sh: $1 with $3 x $3 taps: the inspector found mistakes" >&2; exit 1; }
    awk -f common/bench/csv.awk -f common/bench/counts.awk -v side="$2" -v taps="$3" "$file"
}
rows() {  # MOST_TAPS
    for taps in 5 9; do
        count 06_conv2d_constant 256 $taps
        count 07_conv2d_tiled 256 $taps
    done
    for taps in 7 11 15 19 23 27 31 33 35 39 41 43; do
        [ $taps -gt "$1" ] || count 11_conv2d_banks 64 $taps
    done
}
case "$mode" in
write)
    {
        echo "# counted by the inspector on the CPU backend: make counts"
        echo "# date: $(date +%F)"
        echo "lab,method,width,height,filter_width,filter_height,global_load_values,shared_load_requests,shared_load_wavefronts"
        rows 43
    } >"$table.part"
    mv "$table.part" "$table"
    ;;
replay)
    moved=0
    while read -r row; do
        grep -qxF "$row" "$table" || { echo "$table has other counts, now: $row (make counts)"; moved=1; }
    done < <(rows 15)
    exit $moved
    ;;
*)
    echo "counts.sh: $mode: must be write or replay" >&2
    exit 2
    ;;
esac
