#!/bin/sh
# Says what is here and what that lacks, with the line that mends it: doctor.sh BACKEND SENTENCE (both of backend.sh)
# Exit code 2 if something is missing without which nothing can be built. NVCC is nvcc's path, empty if there is none.
backend=$1
shift
cxx=${CXX:-g++} status=0
line() { printf '%-9s %-8s %s\n' "$@"; }
required() { line "$1" MISSING "$2"; status=2; }
optional() { line "$1" - "$2"; }
remedy_of() { echo "${1#missing: }"; }  # of what need.sh says
number() { sed -n "s/.*$1 \([0-9]*\.[0-9]*\).*/\1/p" | head -n 1; }

# shellcheck disable=SC1091  # of the system
system=$(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME")
case $(uname -r) in *[Mm]icrosoft*) system="$system in WSL" ;; esac
gigabytes() { awk -v kilobytes="$1" 'BEGIN { printf "%.0f GB", kilobytes / 1048576 }'; }
memory=$(gigabytes "$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)")
disk=$(gigabytes "$(df -Pk . | awk 'NR == 2 { print $4 }')")
line machine ok "${system:-$(uname -s)}, $(uname -m), $(nproc) cores, $memory memory, $disk of disk free"

# shellcheck disable=SC2086  # CXX may hold options
if ! command -v "${cxx%% *}" >/dev/null; then
    required compiler "no ${cxx%% *}: make setup as root, module load gcc, or CXX=another, version 11 or newer"
elif said=$(common/build/need.sh build 2>&1) || case $said in missing:*) ;; *) false ;; esac; then
    line compiler ok "$($cxx --version | head -n 1)"
else
    required compiler "$said"
fi
for group in build lines fft charts pages words test grade; do
    case $group in
        test | words) [ -d tests/grade ] || continue ;;
        grade) [ -d common/grade ] || continue ;;
    esac
    if said=$(common/build/need.sh "$group" 2>&1); then
        line "$group" ok "$(awk -v group="$group" '$1 != "#" && $2 == group { printf "%s%s", comma, $1; comma = ", " }' common/build/packages.txt)"
    elif [ "$group" = build ]; then
        case $said in missing:*) required "$group" "$(remedy_of "$said")" ;; esac
    else
        optional "$group" "$(remedy_of "$said")"
    fi
done

gpu=$(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null | head -n 1)
driver=$(nvidia-smi 2>/dev/null | number 'CUDA Version:')
case $gpu in
    "" | *rror* | *ailed* | *"No devices"*) gpu="" ;;
esac
if [ -n "$gpu" ]; then
    line GPU ok "$gpu, driver for CUDA $driver"
else
    optional GPU "none that nvidia-smi lists: values and counts come from the CPU backend, times need a GPU"
fi
if [ -z "$NVCC" ]; then
    optional CUDA "no nvcc, which a GPU needs: the CUDA Toolkit 12 or newer (developer.nvidia.com/cuda-downloads, module load cuda)"
else
    toolkit=$("$NVCC" --version | number release)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    echo '#include <span>
__global__ void nothing() {}' >"$scratch/a.cu"
    if [ "${toolkit%.*}" -lt 12 ]; then
        optional CUDA "$NVCC is of CUDA $toolkit: 12 or newer is needed"
    elif ! said=$("$NVCC" -std=c++20 -ccbin "$cxx" -c "$scratch/a.cu" -o "$scratch/a.o" 2>&1); then
        optional CUDA "$NVCC (CUDA $toolkit) does not compile with $cxx: $(echo "$said" | grep -m 1 error); make CXX=an older g++"
    elif [ -n "$gpu" ] && [ "${driver%.*}" -lt "${toolkit%.*}" ]; then
        optional CUDA "the driver knows CUDA $driver, $NVCC is of $toolkit: a newer driver or an older toolkit"
    else
        line CUDA ok "$NVCC, CUDA $toolkit"
    fi
fi
line backend ok "$backend: $*"
exit $status
