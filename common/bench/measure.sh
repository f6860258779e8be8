#!/bin/bash
# Measures one worker after another into one file: measure.sh JUDGE FILE.csv "WORKER..." [OPTION...]
# A worker called block_16x16_NAME must launch such blocks. An interrupted run goes on with the next one, as the judge
# does (bench/results.h): options must name the kernels. MORE=1: FILE.csv stays unfinished.
set -eu
judge=$1 file=$2
read -ra workers <<<"$3"
shift 3
last=${workers[-1]} status=0
for worker in "${workers[@]}"; do
    name=$(basename "$worker" .worker) own=()
    case $name in block_*) name=${name#block_}; own=("--block=${name%%_*}") ;; esac
    [ "$worker" = "$last" ] && [ -z "${MORE:-}" ] || own+=(--more)
    "$judge" bench --worker="$worker" --csv="$file" "$@" "${own[@]}" || status=$?
    [ $status -lt 2 ] || exit $status
done
exit $status
