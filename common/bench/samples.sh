#!/bin/bash
# Builds NVIDIA's samples, unmodified, with cucc, and runs them where they lie; each has a check of its own:
#   samples.sh SAMPLES [OUT.csv] [SECONDS] [NAME...]   SAMPLES: a copy of github.com/NVIDIA/cuda-samples
# A row a sample: its files of CUDA, how many of them compile, what came of the program (passed, failed, waived, stopped
# after SECONDS, or why there is none, and what it would need) and how long it ran. Seconds are those of processors, all
# of them together: what else the machine does changes nothing. As many at a time as there are cores. Those about
# libraries and platforms are left out. What stands in OUT.csv is not done again. Thrust is the system's, or that of
# DEPS (build/deps).
set -u
TIMEFORMAT='%U %S'
[ -d "${1:-}/Samples" ] || { sed -n '3s/^# *//p' "$0" >&2; exit 2; }
samples=$(realpath "$1") out=${2:-build/samples.csv} limit=${3:-4500}
shift $(($# > 3 ? 3 : $#))
cucc=$PWD/common/simt/cucc
options=(-w -O2 -std=c++17 -rdc=true --extended-lambda -I"$samples/Common")
[ ! -d "${DEPS:=build/deps}/include/thrust" ] || options+=(-isystem "$DEPS/include")
mkdir -p "$(dirname "$out")"
[ -s "$out" ] || {
    common/bench/about_cpu.sh common/bench/samples.sh
    echo "# samples: github.com/NVIDIA/cuda-samples $(git -C "$samples" rev-parse --short HEAD)"
    echo "sample,files,built,result,seconds,needs,why"
} >"$out"

# The first error of a compiler's or linker's log, as one field.
reason() {
    grep -aE 'error|undefined reference' "$1" | head -n 1 | sed -E 's|^[^ ]*/||; s/,/;/g; s/"/'"'"'/g' | cut -c1-140
}

# What a program needs that the CPU backend is not about, by the error that tells of it.
needs() {  # REASON
    case $1 in
        *GL/* | *gl_interop.h* | *D3D* | *DirectX* | *vulkan.h* | *glfw3.h* | *windows.h*) echo graphics ;;
        *cublas_v2.h* | *cufft.h* | *curand.h* | *npp.h*) echo library ;;
        *nvrtc* | *CU[a-z]* | *_cudaGetErrorEnum* | *"'assert' was not declared"*) echo driver ;;
        *mpi.h*) echo MPI ;;
    esac
}

# Objects of a sample's files, each with its log; prints how many there are.
compile() {  # FOLDER OBJECTS FILE...
    local folder=$1 objects=$2 file object built=0
    shift 2
    for file in "$@"; do
        object=$objects/$(tr / _ <<<"${file#"$folder"/}").o
        "$cucc" -c "${options[@]}" "${own[@]}" -I"$folder" -I"$folder/inc" "$file" -o "$object" >"$object.log" 2>&1 &&
            built=$((built + 1))
    done
    echo "$built"
}

# Runs a program in its sample's folder, with the words that the samples' own list has for it.
verdict() {  # FOLDER PROGRAM LOG
    local status args
    args=$(python3 -c 'import json, sys
runs = json.load(open(sys.argv[1])).get(sys.argv[2], {})
print(" ".join(runs.get("args", runs.get("runs", [{}])[0].get("args", []))))' "$samples/test_args.json" "$(basename "$1")")
    # shellcheck disable=SC2086  # words
    (cd "$1" && ulimit -t "$limit" && exec timeout $((20 * limit)) "$2" $args </dev/null) >"$3" 2>&1
    status=$?
    case $status in
        0) if grep -qaE 'FAILED|Test failed' "$3"; then echo failed; else echo passed; fi ;;
        2) echo waived ;;
        124 | 137 | 152) echo stopped ;;  # by timeout, for all that waits; by ulimit
        *) echo "failed" ;;
    esac
}

sample() {  # FOLDER
    local folder=$1 name objects cuda others own built result='not linked' why='' seconds='' need
    name=$(basename "$folder")
    grep -q "^$name," "$out" && return
    mapfile -t cuda < <(find "$folder" -name '*.cu' | sort)
    # Its own, and those of the folder that all share which its CMake file names.
    mapfile -t others < <(find "$folder" -name '*.cpp' | sort
        grep -ohE 'Common/\w+\.cpp' "$folder/CMakeLists.txt" | sed "s|^|$samples/|")
    [ ${#cuda[@]} -gt 0 ] || return
    own=()
    ! grep -qs OpenMP "$folder/CMakeLists.txt" || own=(-Xcompiler -fopenmp)
    objects=build/samples/$name
    mkdir -p "$objects"
    built=$(compile "$folder" "$objects" "${cuda[@]}")
    compile "$folder" "$objects" "${others[@]}" >/dev/null
    if [ "$built" = ${#cuda[@]} ]; then
        if "$cucc" "${own[@]}" "$objects"/*.o -o "$objects/program" >"$objects/link.log" 2>&1; then
            { time verdict "$folder" "$PWD/$objects/program" "$objects/run.log" >"$objects/verdict"; } 2>"$objects/time"
            result=$(<"$objects/verdict") seconds=$(awk 'END { printf "%.1f", $1 + $2 }' "$objects/time")
            [ "$result" = passed ] || why=$(grep -av '^ *$' "$objects/run.log" | tail -n 1 | tr ',"' ";'" | cut -c1-140)
        fi
    fi
    [ "$result" != 'not linked' ] ||
        why=$(reason <(cat "$objects"/*.cu.o.log "$objects"/*.cpp.o.log "$objects/link.log" 2>/dev/null))
    need=$(needs "$why")
    [ -n "$need" ] || [ "$result" != 'not linked' ] || need=$(needs "$(reason <(cat "$objects"/*.cpp.o.log 2>/dev/null))")
    echo "$name,${#cuda[@]},$built,$result,$seconds,$need,$why" | tee -a "$out"
}

for folder in "$samples"/Samples/[02356]_*/*/; do
    name=$(basename "$folder")
    [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
    [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
    sample "${folder%/}" &
done
wait
{ grep -E '^(#|sample,)' "$out" && grep -vE '^(#|sample,)' "$out" | LC_ALL=C sort; } >"$out.part" &&
    mv "$out.part" "$out"
awk -F, '!/^#/ && $2 + 0 > 0 { files += $2; built += $3; results[$4]++ }
    END {
        printf "%d of %d files compile", built, files
        for (result in results) printf ", %d %s", results[result], result
        print ""
    }' "$out"
