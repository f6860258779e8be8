#!/bin/bash
# How long the kernels of NVIDIA's samples take on the CPU backend, beside their own references in serial C++ at -O2:
#   measure.sh SAMPLES [OUT.csv]   SAMPLES: a copy of github.com/NVIDIA/cuda-samples
# All is called as the samples do; where they launch a kernel time and again for one reference it is the mean.
set -eu
[ -d "${1:-}/Samples" ] || { sed -n '3s/^# *//p' "$0" >&2; exit 2; }
samples=$(realpath "$1") out=${2:-build/references.csv}
make cucc >/dev/null
cucc=$PWD/common/simt/cucc
options=(-w -O2 -std=c++17 -rdc=true)
launch=$(sed -n 's/^#define LAUNCH "\(.*\)"/\1/p' common/bench/references/times.cpp)

# A sample's references, a pattern of the kernels that do the same, and how many times as often these run.
measure() {  # SAMPLE REFERENCE,.. KERNELS TIMES
    local folder objects file name wrapped='' wraps=(-Xlinker "--wrap=$launch")
    folder=$(find "$samples/Samples" -type d -name "$1") objects=$PWD/build/references/$1
    mkdir -p "$objects"
    for name in ${2//,/ }; do wrapped+="WRAPPED($name) " wraps+=(-Xlinker "--wrap=$name"); done
    while read -r file; do
        "$cucc" -c "${options[@]}" -I"$samples/Common" -I"$folder/inc" "$file" -o "$objects/${file##*/}.o"
    done < <(find "$folder" -name '*.cu' -o -name '*.cpp')
    "$cucc" -c -O2 -DREFERENCES="$wrapped" common/bench/references/times.cpp -o "$objects/times.o"
    "$cucc" -rdc=true "${wraps[@]}" "$objects"/*.o -o "$objects/program"
    (cd "$folder" && "$objects/program" </dev/null) >"$objects/log" 2>"$objects/times.csv" ||
        { echo "$1: failed, see $objects/log" >&2; return 1; }
    awk -F, -v OFS=, -v sample="$1" -v kernels="$3" -v times="$4" -v processors="${SIMT_THREADS:-$(nproc)}" '
        $1 == "reference" { serial += $NF }
        $1 == "kernel" && $2 ~ kernels { plain += $NF }
        END { print sample, processors, sprintf("%.3f", serial), sprintf("%.3f", plain / times) }' "$objects/times.csv"
}

mkdir -p "$(dirname "$out")"
{
    common/bench/about_cpu.sh common/bench/references/measure.sh
    echo "sample,processors,serial_ms,plain_ms"
    measure BlackScholes BlackScholesCPU . 513
    measure FDTD3d _Z13fdtdReferencePfPKfS1_iiiii . 1
    measure HSOpticalFlow _Z15ComputeFlowGoldPKfS0_iiifiiiPfS1_ . 1
    measure SobolQRNG _Z8sobolCPUiiPjPf . 1
    measure binomialOptions binomialOptionsCPU . 1
    measure convolutionSeparable convolutionRowCPU,convolutionColumnCPU . 17
    measure convolutionTexture convolutionRowsCPU,convolutionColumnsCPU . 10
    measure dct8x8 computeDCT8x8Gold1 kernel1DCT 101
    measure histogram histogram256CPU 256 17
    measure scalarProd scalarProdCPU . 1
    measure scan scanExclusiveHost . 100
} >"$out.part"
mv "$out.part" "$out"
awk -F, '!/^#/ && named++ { printf "%-22s %8.1f ms serial %8.1f ms %6.2fx\n", $1, $3, $4, $4 / $3 }' "$out"
