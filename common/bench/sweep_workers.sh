#!/bin/bash
# The lines of sweeps.txt, as workers:
#   sweep_workers.sh needs GPU_FOLDER SWEEP...       what make must build for these sweeps
#   sweep_workers.sh lines GPU_FOLDER SWEEP          "LAB BUILD WORKER,WORKER,... OPTIONS" for each line and build
set -euo pipefail
what=$1 folder=$2
shift 2

workers_of() {  # LAB BUILD BLOCKS
    local block path=$folder
    [ "$2" = default ] || path=$folder-$2
    for block in ${3//,/ }; do
        [ "$block" != - ] || { echo "$path/$1/solution.worker"; continue; }
        echo "$path/$1/block_${block}_solution.worker"
    done
}

for wanted; do
    while read -r sweep lab builds blocks options; do
        [ "$sweep" = "$wanted" ] || continue
        for build in ${builds//,/ }; do
            workers=$(workers_of "$lab" "$build" "$blocks")
            case $what in
                needs) echo "build/tests/$lab $workers" ;;
                lines) echo "$lab $build $(paste -sd, <<<"$workers") $options" ;;
            esac
        done
    done < <(sed '/^#/d' solutions/sweeps.txt)
done | if [ "$what" = needs ]; then tr ' ' '\n' | sort -u | paste -sd' '; else cat; fi
