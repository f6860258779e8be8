#!/bin/sh
# Adds up the results of all tests, shows why the failed ones failed, and prints "N passed, N failed, N skipped" last.
passed=0 failed=0 skipped=0
for result in "$@"; do
    if [ -s "$result" ]; then
        read -r p f s <"$result"
    else
        p=0 f=1 s=0
        echo "${result#build/results/}: did not build"
    fi
    if [ "$f" != 0 ] && [ -s "$result.log" ]; then
        echo "---- ${result#build/results/}"
        tail -n 30 "$result.log"
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ]
