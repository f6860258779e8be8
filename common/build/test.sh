#!/bin/sh
# Runs one test program, TEST_LIMIT seconds at most, and writes "PASSED FAILED SKIPPED" to a file:
#   test.sh RESULT PROGRAM [ARGUMENTS]
# The counts are doctest's or the program's own last line, else one for the whole program. A crash is a failure.
result=$1
shift
mkdir -p "$(dirname "$result")"
log=$result.log
begun=$(date +%s)
common/build/leash.sh timeout "${TEST_LIMIT:-900}" "$@" >"$log" 2>&1 </dev/null
status=$?
took=$(($(date +%s) - begun))

numbers() { sed -e 's/[^0-9]\{1,\}/ /g' -e 's/^ //'; }
counts=$(grep -a '^\[doctest\] test cases:' "$log" | tail -n 1 | sed 's/^[^|]*|//' | numbers)
[ -n "$counts" ] || counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped' "$log" | tail -n 1 | numbers)
if [ -z "$counts" ]; then
    counts="1 0 0"
    [ $status = 0 ] || counts="0 1 0"
fi
# shellcheck disable=SC2086  # three words
set -- $counts
passed=$1 failed=$2 skipped=${3:-0}
# A program that fails although no case of it did has crashed.
[ $status != 0 ] && [ "$failed" = 0 ] && failed=1
echo "$passed $failed $skipped" >"$result.tmp" && mv "$result.tmp" "$result"

name=${result#build/results/}
if [ "$failed" = 0 ]; then
    printf '  %-40s %s passed in %s s\n' "$name" "$passed" $took
else
    printf '  %-40s %s passed, %s FAILED (exit %s): %s\n' "$name" "$passed" "$failed" "$status" "$log"
fi
