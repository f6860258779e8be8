# shellcheck shell=bash
# What a recording is about. Sourced after `command` has been set: sets the array `about`, the comment lines of every
# recorded file, and `folder`, where this GPU's files lie.
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
toolkit=$("${NVCC:-nvcc}" --version | sed -n 's/.*release.* V\([0-9.]*\).*/\1/p')
folder=data/measurements/$(tr 'A-Z ' 'a-z-' <<<"$gpu")
about=("device: $gpu" "driver: $driver" "toolkit: CUDA $toolkit" "date: $(date -u +%F)" "command: $command")
mkdir -p "$folder"

begin_csv() {  # FILE HEADER [SUBJECT...]: a file with the comment lines of every recorded file and what it measures
    printf '# %s\n' "${about[@]}" >"$1.part"
    [ $# = 2 ] || common/bench/kernels.sh "${@:3}" | sed 's/^/# kernels: /' >>"$1.part"
    [ -z "$2" ] || echo "$2" >>"$1.part"  # some programs print their own
}
keep_csv() { mv "$1.part" "$1"; }  # a file that is not complete keeps its other name
