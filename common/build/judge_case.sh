#!/bin/sh
# Judges one case of selfcheck: judge_case.sh LAB CASE COMMAND_FOR_THE_CPU_WORKER COMMAND_FOR_THE_GPU_WORKER
# Leaves build/selfcheck/LAB/CASE.json, `{}` if there is nothing to judge; CASE.log then says why.
case_=build/selfcheck/$1/$2
inspector=$case_.inspect worker=$case_.inspect
exact=""
case $2 in solution | fast) exact=--exact ;; esac
[ -n "$4" ] && worker=$case_.worker

rm -f "$case_.json" "$case_.report"
{
    eval "$3" && { [ -z "$4" ] || eval "$4"; } &&
        timeout 600 "build/tests/$1" --worker="$worker" --inspector="$inspector" --json="$case_.report" $exact check
} >"$case_.log" 2>&1 </dev/null
[ -s "$case_.report" ] || echo '{}' >"$case_.report"
rm -f "$case_.inspect.o" "$case_.inspect" "$case_.o" "$case_.worker" "$case_.registers"
mv "$case_.report" "$case_.json"
echo "  judged $1/$2"
