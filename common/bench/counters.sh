#!/bin/bash
# The inspector's counts beside Nsight Compute's, of the patterns in tests/fidelity and of the labs' solutions; with the
# word fuzz for LAB... of random programs instead.
#   counters.sh header                     the table's first row
#   counters.sh measure GPU_DIR LAB...     rows with both sides; GPU_DIR is the folder of the GPU's programs
#   counters.sh renew TABLE LAB...         writes the inspector's side anew; hardware's stays where that has not moved
#   counters.sh replay TABLE LAB...        fails, naming the counts, where the inspector's side is not the table's;
#                                          passes over labs that the table does not know yet
set -eu
cd "$(dirname "$0")/../.."
here=common/bench reasons=data/measurements/inspector_reasons.csv
# A kernel is compared on the first problem that launches it: some labs have other kernels for other filters.
problems=("1000x37 4" "300x37 3" "300x37 1")  # image, radius of the filter

mode=$1
shift
if [ "$mode" = header ]; then
    echo "subject,problem,kernel,counter,inspector,as_optimised,hardware,by_instruction,agrees,why"
    exit
fi
anchor=$1  # the table or the folder
shift
groups=(patterns)  # of launches, each one run of a program
if [ "$*" = fuzz ]; then
    groups=(fuzz)
    set --
fi
if [ "$mode" = replay ]; then
    known=()
    for lab in "$@"; do
        if grep -q "^$lab/" "$anchor"; then known+=("$lab"); else echo "$lab: no GPU has counted it yet"; fi
    done
    set -- "${known[@]}"
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for lab in "$@"; do
    for problem in "${problems[@]}"; do groups+=("$lab/$problem"); done
done

is_own() { [ "$1" = patterns ] || [ "$1" = fuzz ]; }  # a program of tests/fidelity, not a lab's
# program GROUP ours|hardware FILE: the command of a group, one word a line; ours writes FILE
program() {
    local lab=${1%%/*} problem=${1#*/}
    if is_own "$1"; then
        local folder=$anchor
        [ "$2" = hardware ] || folder=build/tests
        printf '%s\n' "$folder/fidelity/$1" counts
        return
    fi
    local size=${problem% *} worker=build/cpu/$lab/solution.inspect
    [ "$2" = ours ] || worker=$anchor/$lab/solution.worker
    # The judge's inspector is the worker itself: on a GPU the same problems then run there, under the profiler.
    printf '%s\n' "build/tests/$lab" "--worker=$worker" "--width=${size%x*}" "--height=${size#*x}" "--radius=${problem#* }" "--csv=$3" inspect
}
file_of() { echo "$scratch/$1.$(tr '/ ' '..' <<<"$2")"; }

count_ours() {  # GROUP
    local file command
    file=$(file_of ours "$1")
    mapfile -t command < <(program "$1" ours "$file")
    if is_own "$1"; then "${command[@]}" >"$file"; else "${command[@]}" >"$file.text"; fi ||
        { echo "counters.sh: $1: the inspector found mistakes: ${command[*]}" >&2; touch "$scratch/failed"; }
}
profile() {  # GROUP; what the judge says counts for nothing: uninspected, the run is not clean to it
    is_profiled "$1" && return
    local command
    mapfile -t command < <(program "$1" hardware /dev/null)
    PROFILED=1 ncu --target-processes all --clock-control none --cache-control none --print-units base --csv \
        --log-file "$(file_of ncu "$1")" --metrics "$metrics" "${command[@]}" >/dev/null 2>&1 || true
}
is_profiled() { grep -qs '^"[0-9]' "$(file_of ncu "$1")"; }
# in_parallel FUNCTION GROUP...: as many at a time as there are processors
in_parallel() {
    local function=$1
    shift
    for group in "$@"; do
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
        "$function" "$group" &
    done
    wait
}
rows() {  # [OLD TABLE]
    local arguments=(kind=counters "$here/counters.txt" kind=reasons "$reasons")
    [ $# = 0 ] || arguments+=(kind=kept "$1")
    for group in "${groups[@]}"; do
        local text=${group#*/}
        is_own "$group" && text=""
        arguments+=("group=$group" "problem=$(described "$text")" kind=ours "$(file_of ours "$group")" kind=ncu "$(file_of ncu "$group")")
        [ -e "$(file_of ncu "$group")" ] || touch "$(file_of ncu "$group")"
    done
    awk -f "$here/csv.awk" -f "$here/counters.awk" "${arguments[@]}"
}
described() {  # "1000x37 4": image, then the sides of the filter
    [ -z "$1" ] || echo "${1% *} $((2 * ${1#* } + 1))x$((2 * ${1#* } + 1))"
}
in_parallel count_ours "${groups[@]}"
[ ! -e "$scratch/failed" ] || exit 1
case "$mode" in
measure)
    command -v ncu >/dev/null || { echo "ncu (Nsight Compute) is not on PATH: it comes with the CUDA Toolkit" >&2; exit 2; }
    metrics=$(awk '!/^#/ { for (k = 2; k <= NF; k++) print $k }' "$here/counters.txt" | tr '+/' '\n' | sort -u | sed 's/$/.sum/' | paste -sd ,)
    # Only programs that launch a kernel which no earlier one launches.
    mapfile -t new < <(for group in "${groups[@]}"; do
        awk -v group="$group" 'FNR > 1 { match($0, /^[^,]*,"[^"]*"/); print substr($0, 1, RLENGTH) "\t" group }' "$(file_of ours "$group")"
    done | awk -F'\t' '!seen[$1]++ && !printed[$2]++ { print $2 }')
    in_parallel profile "${new[@]}"
    for group in "${new[@]}"; do  # what found the profiler busy, once more and alone
        profile "$group"
        is_profiled "$group" || { echo "counters.sh: $group: no counts by ncu" >&2; head -n 5 "$(file_of ncu "$group")" >&2; }
    done
    rows
    ;;
renew)
    { grep '^#' "$anchor" || true; "$here/counters.sh" header; rows "$anchor"; } >"$scratch/table"
    cp "$scratch/table" "$anchor"
    ;;
replay)
    { "$here/counters.sh" header; rows; } >"$scratch/now"
    awk -f "$here/csv.awk" -f "$here/counters_moved.awk" "$anchor" "$scratch/now" ||
        { echo "if that is meant: common/bench/counters.sh renew $anchor $*"; exit 1; }
    ;;
*)
    echo "counters.sh: $mode: must be header, measure, renew or replay" >&2
    exit 2
    ;;
esac
