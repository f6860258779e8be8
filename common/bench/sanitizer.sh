#!/bin/bash
# compute-sanitizer's four tools beside our inspector, on the programs of tests/detection.
#   sanitizer.sh inspector [PROGRAM...]   what the inspector finds, on any machine: build/sanitizer/inspector.csv
#   sanitizer.sh gpu [PROGRAM...]         the table data/measurements/<gpu>/detection.csv, on a GPU; begins with the first
#                                         part if that file is not there (carry it to a machine without libdw); with
#                                         names, the rows of all other programs stay as they are
#   sanitizer.sh one TOOL PROGRAM CASE VARIANT     one run, into a log; `gpu` makes many of them at a time
# A mistake may hang a GPU's kernel: every run has a limit of 20 seconds. With 16 cores and one GPU all of it takes 2 to 5
# minutes: 170 mistakes under 4 tools at 2 to 3 seconds each, while their right twins share a process for each program.
set -eu
tools="memcheck racecheck initcheck synccheck"
work=build/sanitizer
found_by_us=$work/inspector.csv
self=$0
mode=${1:-}
shift || true

usage() {
    echo "usage: $self inspector|gpu [PROGRAM...]     PROGRAM is a name from tests/detection/*.cu" >&2
    exit 2
}
need() {  # COMMAND PACKAGE
    command -v "$1" >/dev/null || { echo "$1 is not on PATH: it comes with $2" >&2; exit 2; }
}

# Of what a program prints, "FILE:LINE: KIND: TEXT", the findings as KIND:LINE in one word list.
findings() {
    sed -nE 's/^(simt: )?[^ :]+:([0-9]+): ([a-z-]+): .*/\3:\2/p' | LC_ALL=C sort -u | paste -sd ' '
}

inspect_all() {
    # shellcheck disable=SC2046  # a list of targets
    make $(printf 'build/tests/detection/%s ' "${programs[@]}")
    echo "program,case,variant,expected,inspector" >"$found_by_us.part"
    for program in "${programs[@]}"; do
        binary=build/tests/detection/$program
        "$binary" --list | while IFS=, read -r name expected; do
            for variant in bad right; do
                # A mistake may end the process: then its last words are on stderr.
                found=$("$binary" "$name" "$variant" 2>&1 </dev/null | findings) || true
                [ "$variant" = bad ] || expected=nothing
                echo "$program,$name,$variant,$expected,${found:-nothing}"
            done
        done >>"$found_by_us.part"
    done
    mv "$found_by_us.part" "$found_by_us"
}

log_of() {  # TOOL PROGRAM CASE VARIANT
    echo "$work/logs/$2.$3.$4.$1"
}

run_one() {  # TOOL PROGRAM CASE VARIANT
    log=$(log_of "$@")
    options=""
    [ "$1" != memcheck ] || options="--leak-check full"
    limit=20
    [ "$3" != all ] || limit=90
    status=0
    # shellcheck disable=SC2086  # several options
    timeout -k 5 $limit compute-sanitizer --tool "$1" $options --print-limit 20 "$work/gpu/$2" "$3" "$4" \
        >"$log.part" 2>&1 </dev/null || status=$?
    case $status in
    124 | 137) echo "TIMEOUT after $limit s" >>"$log.part" ;;
    esac
    mv "$log.part" "$log"
    echo "$*"
}

# Of the lines of finished runs, one in 40, so that a log shows how far it is.
progress() {  # COUNT
    awk -v all="$1" 'NR % 40 == 0 || NR == all { printf "%d of %d runs\n", NR, all; fflush() }'
}

# Several runs at a time, one for each line TOOL PROGRAM CASE VARIANT of stdin.
run_many() {
    list=$(cat)
    [ -z "$list" ] || xargs -P "$(nproc)" -L 1 "$self" one <<<"$list" | progress "$(wc -l <<<"$list")"
}

# The first finding of a log in a few words, with its line; "timeout" if the run had none and was stopped; else empty.
summary() {  # LOG
    awk '
        /^TIMEOUT/ { stopped = 1 }
        !/^=========/ { next }
        { sub(/^=========/, "") }
        /^ (COMPUTE-SANITIZER|[A-Z]+ SUMMARY|Error: (process|No attachable|[Tt]arget)|Target application|Internal|The application)/ { next }
        /^ ?$/ { next }
        /^ [^ ]/ { if (text != "") exit; text = substr($0, 2) }
        match($0, /\.cu:[0-9]+/) && text != "" && line == "" { line = substr($0, RSTART + 4, RLENGTH - 4) }
        END {
            sub(/ at [^+]*\+0x[0-9a-f]+.*/, "", text)
            gsub(/ on CUDA API call to /, " in ", text)
            gsub(/"/, "\"\"", text)
            if (text == "" && stopped) text = "timeout"
            if (text != "" && line != "") text = text " at line " line
            print text
        }' "$1"
}

wants_single_runs() {  # TOOL PROGRAM: the right twins together were not clean, so each is looked at
    log=$(log_of "$1" "$2" all right)
    [ -n "$(summary "$log")" ] || grep -q "computes wrong values" "$log"
}

cases_of() {  # PROGRAM VARIANT
    awk -F, -v program="$1" -v variant="$2" '$1 == program && $3 == variant { print $2 }' "$found_by_us"
}

list_first_runs() {
    for program in "${programs[@]}"; do
        for tool in $tools; do
            echo "$tool $program all right"
            cases_of "$program" bad | sed "s/.*/$tool $program & bad/"
        done
    done
}

list_second_runs() {
    for program in "${programs[@]}"; do
        for tool in $tools; do
            wants_single_runs "$tool" "$program" || continue
            cases_of "$program" right | sed "s/.*/$tool $program & right/"
        done
    done
}

write_table() {
    header="program,case,variant,expected,inspector,sanitizer_tool,sanitizer_finding"
    begin_csv "$folder/detection.csv" "$header" tests/detection/*.cu
    tail -n +2 "$found_by_us" | while IFS=, read -r program name variant rest; do
        if [[ " ${programs[*]} " != *" $program "* ]]; then
            grep -s "^$program,$name,$variant," "$folder/detection.csv" || true
            continue
        fi
        who="" what=""
        for tool in $tools; do
            log=$(log_of "$tool" "$program" "$name" "$variant")
            [ -f "$log" ] || continue  # a right twin whose program was clean
            text=$(summary "$log")
            [ -n "$text" ] || continue
            # A stopped run is no finding, but worth a word where there is none.
            if [ "$text" = timeout ]; then
                what=${what:-timeout under $tool}
                continue
            fi
            [ -n "$who" ] || what=$text
            who=$who${who:++}$tool
        done
        echo "$program,$name,$variant,$rest,${who:-none},\"${what:-nothing}\""
    done >>"$folder/detection.csv.part"
    mv "$folder/detection.csv.part" "$folder/detection.csv"
}

# Says which right twins are wrong on this GPU, and stops if compute-sanitizer does not know it.
check_tools() {
    for program in "${programs[@]}"; do
        { timeout -k 5 20 "$work/gpu/$program" all right </dev/null || [ $? -lt 124 ] || echo "stopped after 20 s"; } |
            sed "s/^/$program, on this GPU: /" >&2
    done
    log=$(log_of memcheck "${programs[0]}" all right)
    run_one memcheck "${programs[0]}" all right >/dev/null
    grep -q '^========= ERROR SUMMARY: ' "$log" || { cat "$log" >&2; echo "compute-sanitizer does not work here" >&2; exit 1; }
}

measure_all() {
    need nvidia-smi "the GPU's driver"
    need "${NVCC:-nvcc}" "the CUDA Toolkit"
    need compute-sanitizer "the CUDA Toolkit"
    [ -s "$found_by_us" ] || inspect_all
    command="common/bench/sanitizer.sh gpu"
    . common/bench/about.sh
    rm -rf "$work/logs"
    mkdir -p "$work/logs" "$work/gpu"
    printf '%s\n' "${programs[@]}" | xargs -P "$(nproc)" -I '{}' \
        "${NVCC:-nvcc}" -std=c++20 -arch=native -lineinfo -Icommon -x cu 'tests/detection/{}.cu' -o "$work/gpu/{}"
    check_tools
    list_first_runs | run_many
    list_second_runs | run_many
    write_table
    awk -F, '!/^#/ && $1 != "program" && $3 == "bad" { all++; ours += $5 != "nothing"; theirs += $6 != "none" }
        !/^#/ && $3 == "right" { right++; false_ours += $5 != "nothing"; false_theirs += $6 != "none" }
        END { printf "%d mistakes: inspector %d, compute-sanitizer %d; %d right twins: false alarms %d and %d\n",
              all, ours, theirs, right, false_ours, false_theirs }' "$folder/detection.csv"
    echo "recorded in $folder/detection.csv"
}

if [ "$mode" = one ]; then
    run_one "$@"
    exit
fi
programs=("$@")
if [ $# = 0 ]; then
    programs=()
    for file in tests/detection/*.cu; do
        programs+=("$(basename "$file" .cu)")
    done
fi
for program in "${programs[@]}"; do
    [ -f "tests/detection/$program.cu" ] || { echo "tests/detection/$program.cu: no such file" >&2; exit 2; }
done
mkdir -p $work
case $mode in
inspector) inspect_all ;;
gpu) measure_all ;;
*) usage ;;
esac
