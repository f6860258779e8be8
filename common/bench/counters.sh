#!/bin/bash
# The inspector's counts beside Nsight Compute's, launch by launch, for one lab.
#   counters.sh LAB JUDGE GPU_WORKER INSPECTED_WORKER     prints CSV rows (counters.sh header: the first row)
# Both run the judge's `inspect` problem; launches come in the same order, so they are matched by number.
set -eu
if [ "$1" = header ]; then
    echo "lab,method,kernel,counter,inspector,hardware,agrees"
    exit
fi
lab=$1 judge=$2 gpu_worker=$3 inspected_worker=$4
size="--width=1000 --height=37 --radius=4"
command -v ncu >/dev/null || { echo "ncu (Nsight Compute) is not on PATH: it comes with the CUDA Toolkit" >&2; exit 2; }

# Our column's name and the hardware counter that it must equal.
counters="
global_load_requests    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
global_load_sectors     l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
global_store_requests   l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
global_store_sectors    l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
shared_load_requests    smsp__inst_executed_op_shared_ld.sum
shared_load_wavefronts  l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
shared_store_requests   smsp__inst_executed_op_shared_st.sum
shared_store_wavefronts l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
"
metrics=$(awk 'NF == 2 { printf "%s%s", separator, $2; separator = "," }' <<<"$counters")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2086  # the size is several options
"$judge" --worker="$inspected_worker" $size --csv="$scratch/ours.csv" inspect >/dev/null
# The judge's inspector option takes the GPU worker: the same problems then run on the GPU, under Nsight Compute.
# shellcheck disable=SC2086
ncu --target-processes all --clock-control none --csv --log-file "$scratch/ncu.csv" --metrics "$metrics" \
    "$judge" --worker="$gpu_worker" $size inspect >/dev/null 2>&1 || true  # uninspected: the judge calls that not clean

awk -v lab="$lab" '
    FILENAME == ARGV[1] { if (NF == 2) name_of[$2] = $1; next }
    FILENAME == ARGV[2] {  # ncu: every field is quoted; 1 launch, 13 counter, 15 value with thousands separators
        if ($0 !~ /^"[0-9]+",/) next
        split(substr($0, 2, length($0) - 2), field, "\",\"")
        gsub(",", "", field[15])
        hardware[field[1] "," name_of[field[13]]] = field[15]
        next
    }
    FNR == 1 { columns = split($0, column, ","); next }
    {   # ours: lab, method, "kernel", counts
        match($0, /"[^"]*"/)
        kernel = substr($0, RSTART, RLENGTH)
        method = $0; sub(/^[^,]*,/, "", method); sub(/,.*/, "", method)
        split(substr($0, RSTART + RLENGTH + 1), ours, ",")
        for (k = 4; k <= columns; k++) {
            theirs = hardware[(FNR - 2) "," column[k]]
            if (ours[k - 3] == 0 && theirs == 0) continue
            print lab "," method "," kernel "," column[k] "," ours[k - 3] "," theirs "," (ours[k - 3] == theirs ? "yes" : "no")
        }
    }' <(echo "$counters") "$scratch/ncu.csv" "$scratch/ours.csv"
