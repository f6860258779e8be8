#!/bin/sh
# Makes a worker of a student's file: worker.sh KIND CONTRACT_FOLDER GLUE.o FILE.cu WORKER
#   inspect  CPU backend with the inspector
#   plain    CPU backend at full speed
#   gpu      nvcc; WORKER's name with .registers keeps what ptxas says of the kernels
# CXX, NVCC and NVCC_FLAGS come from the makefile. Libraries are linked as a whole: a student's own main() or any other
# doubled name is then an error of the linker, not a silent replacement.
kind=$1 contract=$2 glue=$3 file=$4 worker=$5
cxx=${CXX:-g++} object=$worker.o
mkdir -p "$(dirname "$worker")"
trap 'rm -f "$object" "$worker.tmp"' EXIT

link() {  # INSPECTION LIBRARY...
    inspection=$1
    shift
    "$cxx" "$object" "$glue" "build/obj/worker/inspection_$inspection.o" -Wl,--whole-archive "$@" \
        -Wl,--no-whole-archive @common/simt/link.flags -o "$worker.tmp"
}

case $kind in
inspect)
    common/simt/simtcc --inspect -Icommon -I"$contract" "$file" -o "$object" &&
        link on build/lib/libworker.a build/lib/liblab.a build/lib/libinspect.a build/lib/libsimt.a ;;
plain)
    common/simt/simtcc -Icommon -I"$contract" "$file" -o "$object" &&
        link off build/lib/libworker.a build/lib/liblab.a build/lib/libsimt.a ;;
gpu)
    # Without libdw crashes on the host name no line.
    libdw=$(echo '#include <elfutils/libdwfl.h>' | "$cxx" -x c++ -fsyntax-only - 2>/dev/null && echo -ldw)
    # shellcheck disable=SC2086  # lists of options, split on purpose
    common/build/nvcc_report.sh "${worker%.*}.registers" "$NVCC" $NVCC_FLAGS -I"$contract" -x cu -c "$file" -o "$object" &&
        "$NVCC" $NVCC_FLAGS "$object" "$glue" \
            -Xlinker --whole-archive,build/gpu/libworker.a,--no-whole-archive $libdw -lpthread -o "$worker.tmp" ;;
*) echo "worker.sh: no such kind of worker: $kind" >&2; exit 2 ;;
esac && mv "$worker.tmp" "$worker"
