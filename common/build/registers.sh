#!/bin/sh
# Asks nvcc for the registers of a file's kernels: registers.sh FILE.cu LAB GPU FOLDER writes FOLDER/registers_GPU_TEXT.txt,
# what ptxas says of a file with this text, and prints that name. Nothing where nvcc is missing, does not know the GPU or
# refuses the file.
file=$1 lab=$2 gpu=${3:-h200} folder=$4
told=$folder/registers_${gpu}_$(cksum <"$file" | tr ' ' _).txt
[ -n "$NVCC" ] || exit 0
arch=$(awk -F, -v key="$gpu" '$1 == key { gsub("[.]", "", $3); print "sm_" $3 }' data/gpus.csv)
[ -n "$arch" ] || exit 0
if [ ! -f "$told" ]; then
    mkdir -p "$folder"
    rm -f "$folder/registers_$gpu"*
    "$NVCC" -std=c++20 -O3 -ccbin "${CXX:-g++}" -Icommon -Ilabs/"$lab" -arch="$arch" -Xptxas -v -cubin \
        -o "$told.cubin.part$$" -x cu "$file" >"$told.part$$" 2>&1 && mv "$told.part$$" "$told"
    rm -f "$told.cubin.part$$" "$told.part$$"
fi
[ ! -f "$told" ] || echo "$told"
