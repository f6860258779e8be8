#!/bin/bash
# Measures the reference solutions and their faster forms on this GPU, into data/measurements/<gpu>/.
#   record.sh WORKERS LAB...      WORKERS is the folder of the GPU workers; called by `make record`
# PARTS names some of these (default: all); an interrupted part goes on where it was, on the same day:
#   ceilings    ceilings.csv, what the GPU can do at best
#   checks      checks.csv, points with every check exact
#   counters    inspector_vs_ncu.csv, the inspector's counts against Nsight Compute
#   fuzz        fuzz_vs_ncu.csv, the same of random programs, whose values must be the model's, too
#   bench       NN_name.csv, and NN_name.fast.csv of its fast.cu
#   maps        NN_name.map.csv, filter widths by heights, of labs with a map.gp, and the tables that belong to it
#   staircase   NN_name.staircase.csv, the steps to a lab's fastest version, of labs that list them
#   fft         fft.csv, the same convolutions by cuFFT
#   pipeline    pipeline.csv, calls of lab 14 from host to host beside what the bus allows
#   devices     devices.csv of the folder <gpu>-x4, one image on as many of 4 GPUs; skipped without a second GPU or NCCL
#   SWEEP       sweep_SWEEP.csv, every sweep of sweeps.txt; the serial loop, serial.csv, on a core of its own beside them
set -eu
mapfile -t sweeps < <(awk '!/^#/ && !seen[$1]++ { print $1 }' solutions/sweeps.txt)
known=(ceilings checks counters fuzz bench maps staircase fft pipeline devices "${sweeps[@]}")
parts=${PARTS:-${known[*]}}
workers=$1
shift
first=$1
for part in $parts; do
    grep -qw -- "$part" <<<"${known[*]}" ||
        { echo "PARTS=$part: the parts of a recording are ${known[*]}" >&2; exit 2; }
done
command="make record"
. common/bench/about.sh
wanted() { grep -qw -- "$1" <<<"$parts"; }

report=$(mktemp)
trap 'rm -f "$report" "$report.serial"' EXIT
status=0
recorded=()  # "FILE: what for"
say() { echo "== $* ($(date +%H:%M:%S))"; }
subjects_of() {  # LAB...: of what is recorded of them
    local lab
    for lab in "$@"; do
        echo "$lab/solution"
        [ ! -f "solutions/$lab/fast.cu" ] || echo "$lab/fast"
    done
}

compare_counts() {  # FILE SUBJECT... -- LAB...
    local file=$1 subjects=()
    shift
    while [ "$1" != -- ]; do subjects+=("$1") && shift; done
    shift
    begin_csv "$file" "$(common/bench/counters.sh header)" "${subjects[@]}"
    if common/bench/counters.sh measure "$workers" "$@" >>"$file.part"; then keep_csv "$file"; else status=1; fi
}
# The rows and files of one worker: those of solutions have the lab's name, those of fast.cu end in "fast".
check() {  # LAB VARIANT ROW
    local points strict=--exact
    [ "$2" != fast ] || strict=--serial-values
    : >"$report"
    "build/tests/$1" --worker="$workers/$1/$2.worker" --inspector="build/cpu/$1/$2.inspect" $strict --quiet \
        --json="$report" check || status=1
    # The lab's points stand behind two spaces, those of checks deeper.
    points=$(sed -n 's/^  "points": \([0-9]*\),*$/\1/p' "$report")
    echo "$3,${points:-0},100,\"$gpu\"" >>"$folder/checks.csv.part"
}
bench() {  # LAB VARIANT FILE [OPTION]
    local kernels calls=()
    # Copies are the business of a sweep and of the first lab's chart: elsewhere one call is enough.
    [ "$1" = "$first" ] || calls=(--calls=1)
    kernels=$(common/bench/kernels.sh "$1/$2")
    say "$3"
    "build/tests/$1" bench --worker="$workers/$1/$2.worker" "${about[@]/#/--comment=}" --comment="kernels: $kernels" \
        --no-serial "${calls[@]}" "${@:4}" --csv="$folder/$3.csv" || status=1
    recorded+=("$3.csv: handout and chart of lab ${1%%_*}")
}
# What a lab's map.gp draws; everything where it does not say.
mapped_methods() {  # LAB
    sed -n 's/^panels = "\(.*\)"$/--methods=\1/p' "labs/$1/map.gp" | tr ' ' ,
}
# The serial loop takes minutes and no GPU: it stays on the last core, which the scheduler then gives to nobody else.
serial_job=""
if wanted serial; then
    on_its_core=()
    core=$(sed -nE 's/^Cpus_allowed_list:(.*[^0-9])([0-9]+)$/\2/p' /proc/self/status)
    if [ "$(nproc)" -gt 2 ] && taskset -c "$core" true 2>/dev/null; then on_its_core=(taskset -c "$core"); fi
    "${on_its_core[@]}" common/build/leash.sh common/bench/sweep.sh "$workers" serial >"$report.serial" 2>&1 &
    serial_job=$!
fi
# Files whose rows a program of common/bench prints.
today=$(date -u +%F)
rows_of() {  # PART
    case $1 in
        ceilings) "$workers/ceilings" ;;
        fft) "$workers/fft" "$today" ;;
        pipeline) "$workers/pipeline_fast" bus "$today" && "$workers/pipeline_conv2d_pipeline" solution "$today" &&
            "$workers/pipeline_fast" fast "$today" ;;
        devices) "$workers/devices" "$today" ;;
    esac
}
header_of() {  # PART
    case $1 in
        ceilings) echo "what,value,unit" ;;
        fft) "$workers/fft" header ;;
        pipeline) "$workers/pipeline_fast" header ;;
        devices) ;;  # in front of its rows
    esac
}
record_rows() {  # PART WHAT_FOR SUBJECT...
    wanted "$1" || return 0
    say "$1"
    begin_csv "$folder/$1.csv" "$(header_of "$1")" "${@:3}"
    if rows_of "$1" >>"$folder/$1.csv.part"; then
        keep_csv "$folder/$1.csv"
        recorded+=("$1.csv: $2")
    else
        status=1
    fi
}
record_rows ceilings "the roofline of lab 13 and of its staircase" common/bench/ceilings.cu
record_rows fft "van Werkhoven, section 7" common/bench/fft.cu
record_rows pipeline "handout 14" common/bench/pipeline.cu 06_conv2d_constant/solution 14_conv2d_pipeline/solution \
    14_conv2d_pipeline/fast
record_devices() {
    local gpus
    wanted devices || return 0
    gpus=$(nvidia-smi --query-gpu=name --format=csv,noheader | wc -l)
    if [ "$gpus" -lt 2 ]; then
        echo "devices: skipped, $gpus GPU is here and 2 are needed"
    elif ! ldd "$workers/devices" | grep -q libnccl; then
        echo "devices: skipped, it was built without nccl.h: install libnccl-dev, then rm $workers/devices"
    else
        local folder=$folder-x$gpus about=("device: $gpus x $gpu" "${about[@]:1}")
        mkdir -p "$folder"
        record_rows devices "handout and chart of lab 19, in $folder" common/bench/devices.cu \
            19_conv2d_multi_gpu/solution
    fi
}
record_devices
for sweep in "${sweeps[@]}"; do
    if [ "$sweep" = serial ] || ! wanted "$sweep"; then continue; fi
    say "sweep_$sweep"
    common/bench/sweep.sh "$workers" "$sweep" || status=1
    recorded+=("sweep_$sweep.csv: $(sed -n "/^# /h; /^$sweep /{g;s/^# //p;q}" solutions/sweeps.txt)")
done
for lab in "$@"; do
    if wanted bench; then
        bench "$lab" solution "$lab"
        [ ! -f "solutions/$lab/fast.cu" ] || bench "$lab" fast "$lab.fast"
    fi
    if wanted maps && [ -f "labs/$lab/map.gp" ]; then
        methods=$(mapped_methods "$lab")
        bench "$lab" solution "$lab.map" --map ${methods:+"$methods"}
    fi
    if wanted staircase && [ -f "solutions/$lab/staircase.csv" ]; then
        say "$lab.staircase"
        mapfile -t kernels < <(awk -F, '!/^#/ && $1 != "step" && !seen[$2 "/" $3]++ { print $2 "/" $3 }' \
            "solutions/$lab/staircase.csv" | xargs common/bench/kernels.sh)
        common/bench/staircase.sh "$workers" "$lab" "$folder/$lab.staircase.csv" "${about[@]}" \
            "${kernels[@]/#/kernels: }" || status=1
        recorded+=("$lab.staircase.csv: the steps in the handout of lab ${lab%%_*}")
    fi
done
if wanted checks; then
    say checks
    mapfile -t subjects < <(subjects_of "$@")
    begin_csv "$folder/checks.csv" "lab,points,of,device" "${subjects[@]}"
    for lab in "$@"; do
        check "$lab" solution "$lab"
        [ ! -f "solutions/$lab/fast.cu" ] || check "$lab" fast "$lab fast"
    done
    keep_csv "$folder/checks.csv"
    recorded+=("checks.csv: every check exact on this GPU")
fi
if wanted counters; then
    say counters
    compare_counts "$folder/inspector_vs_ncu.csv" "${@/%//solution}" tests/fidelity -- "$@"
    recorded+=("inspector_vs_ncu.csv: how far the inspector's counts are the hardware's")
fi
if wanted fuzz; then
    say fuzz
    "$workers/fidelity/fuzz" >"$report"
    # shellcheck disable=SC2086  # PROGRAMS SEED
    build/tests/fuzz/fuzz $FUZZ_TABLE against "$report" || status=1
    compare_counts "$folder/fuzz_vs_ncu.csv" tests/fuzz/generate.cpp -- fuzz
    recorded+=("fuzz_vs_ncu.csv: the same of random programs")
fi
if [ -n "$serial_job" ]; then
    say "waiting for the serial loop"
    wait "$serial_job" || status=1
    cat "$report.serial"
    recorded+=("serial.csv: every speed-up over the serial loop")
fi
echo "recorded in $folder:"
printf '  %s\n' "${recorded[@]}"
common/bench/kernels.sh stale "$folder"/*.csv || echo "those of these files are stale that are named above"
exit $status
