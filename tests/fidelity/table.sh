#!/bin/bash
# Tests how the comparison table is made, with a stand-in for the profiler: the "GPU's" programs are
# the inspected ones.
set -u
lab=01_conv1d_basic
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/gpu/fidelity" "$scratch/gpu/$lab"
ln -s "$PWD/build/tests/fidelity/patterns" "$scratch/gpu/fidelity/patterns"
ln -s "$PWD/build/cpu/$lab/solution.inspect" "$scratch/gpu/$lab/solution.worker"
export PATH="$PWD/tests/fidelity:$PATH"
passed=0 failed=0
expect() {  # WHAT COMMAND...
    if "${@:2}" >"$scratch/said" 2>&1; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "expected $1"
        head -n 5 "$scratch/said"
    fi
}
table() { common/bench/counters.sh header && common/bench/counters.sh measure "$scratch/gpu" $lab; }
# has FILE SUBJECT COUNTER TEXT: the row has this text, a regular expression, behind its counter
has() { grep -Eq "^$2,.*,$3,$4" "$1" || { grep "^$2,.*,$3," "$1"; return 1; }; }
all_agree() { ! grep -v '^subject,' "$1" | grep -Ev '^(transpose_by_a_warp|sum_row|async_[^,]*),' | grep -Ev ',yes,'; }

table >"$scratch/same.csv"
expect "rows of a pattern" has "$scratch/same.csv" read_stride_256 global_load_sectors '32,,32,32,yes,'
expect "rows of a lab" has "$scratch/same.csv" $lab/basic global_load_sectors '1661,,1661,1661,yes,'
expect "a texture's requests by their other name" has "$scratch/same.csv" texture_neighbours texture_requests '36,,36,36,yes,'
expect "equal counts to agree" all_agree "$scratch/same.csv"
expect "the twin's count as optimised" has "$scratch/same.csv" transpose_by_a_warp shared_load_requests '32,8,32,32,yes,nvcc'

FAKE_DIFFERENT=odd_lanes FAKE_BUSY=load_reversed FAKE_SHAPE=read_pairs table >"$scratch/other.csv"
expect "other counts not to agree" has "$scratch/other.csv" odd_lanes global_load_sectors '4,,5,7,no,'
expect "what only the GPU counts" has "$scratch/other.csv" odd_lanes shared_load_requests '0,,2,2,no,'  # a sum of two counters
expect "a busy pipe to be told by instruction" has "$scratch/other.csv" shared_reversed shared_load_wavefronts '1,,18,1,by instruction,"the pipe'
expect "another launch to be named" has "$scratch/other.csv" read_pairs global_load_sectors '2,,,,,"on this GPU another launch'

FAKE_LIBRARY=library::transform table >"$scratch/library.csv"
expect "kernels of a library to be passed over" cmp "$scratch/same.csv" "$scratch/library.csv"

expect "a table to repeat itself" common/bench/counters.sh replay "$scratch/same.csv" $lab
sed 's/^\(read_pairs,.*,global_load_sectors,\)2,/\13,/' "$scratch/same.csv" >"$scratch/moved.csv"
replay_moved() { ! common/bench/counters.sh replay "$scratch/moved.csv" $lab >"$scratch/report"; }
expect "a moved count to be noticed" replay_moved
expect "a moved count to be named" grep -q 'read_pairs read_pairs global_load_sectors: 3 is recorded, now 2' "$scratch/report"
grep -v '^float3,' "$scratch/same.csv" >"$scratch/short.csv"
replay_short() { ! common/bench/counters.sh replay "$scratch/short.csv" $lab; }
expect "a missing row to be noticed" replay_short

expect "a table to be renewed" common/bench/counters.sh renew "$scratch/moved.csv" $lab
expect "hardware's count to stay where ours has not moved" has "$scratch/moved.csv" read_pairs global_load_requests '1,,1,1,yes,'
expect "hardware's count to go where ours has moved" has "$scratch/moved.csv" read_pairs global_load_sectors '2,,,,,'
# Random programs: a table of their own.
ln -s "$PWD/build/tests/fidelity/fuzz" "$scratch/gpu/fidelity/fuzz"
random_table() { common/bench/counters.sh header && common/bench/counters.sh measure "$scratch/gpu" fuzz; }
random_table >"$scratch/fuzz.csv"
expect "rows of every random program" eval "[ \$(grep -o '^fuzz_[0-9]*' $scratch/fuzz.csv | sort -u | wc -l) = 200 ]"
expect "random programs to agree" all_agree "$scratch/fuzz.csv"
expect "random programs to be counted as recorded" common/bench/counters.sh replay data/measurements/nvidia-h200/fuzz_vs_ncu.csv fuzz
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
