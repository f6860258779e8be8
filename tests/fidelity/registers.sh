#!/bin/bash
# Whether lab 13's check of the factors believes the compiler: reports made up beside a copy of the
# solution's worker.
# On the CPU backend the solution counts 24 + 2 N registers; a report that says otherwise must fail it.
set -eu
lab=13_conv2d_adaptive
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "build/cpu/$lab/solution.inspect" "$scratch/solution.inspect"
passed=0 failed=0

judged() {  # WHAT EXIT_CODE REGISTERS of 1, 2, 4 and 8 outputs a thread
    local what=$1 expected=$2 factor=1 status=0
    shift 2
    rm -f "$scratch/solution.registers"
    for registers; do
        printf "ptxas info    : Compiling entry function '_Z22conv2d_adaptive_kernelILi%dEEvPfPKfiiii' for 'sm_90'\n" "$factor"
        printf 'ptxas info    : Used %d registers, used 1 barriers, 376 bytes cmem[0]\n' "$registers"
        factor=$((2 * factor))
    done >"$scratch/solution.registers"
    "build/tests/$lab" --worker="$scratch/solution.inspect" --only="have room for" check >"$scratch/said" || status=$?
    if [ "$status" = "$expected" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$what: exit code $status"
        cat "$scratch/said"
    fi
}
judged "the registers that it counts" 0 26 28 32 40
judged "a kernel that takes more: it claims what does not fit" 1 26 28 32 41
judged "a kernel that takes less: it turns away what fits" 1 26 28 30 40
judged "no report" 0
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
