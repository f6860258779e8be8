#!/bin/sh
# Judges one case of selfcheck: judge_case.sh LAB CASE BACKEND. Leaves build/selfcheck/LAB/CASE.json, `{}` if there is
# nothing to judge; CASE.log then says why. What has to be right runs on the GPU too, where there is one. Wrong kernels
# are judged on the CPU backend alone: what a race or a stray read gives there is the same every time.
# No more is judged than selfcheck asks: of a wrong kernel without diagnosis the check that must catch it, of a solution
# without one of its regions no check after the first that loses its points (ALL=1: all of them, and all their cases).
lab=$1 case=$2
file=build/selfcheck/$lab/$case
worker=$file.inspect
case $case in
    solution) set -- "$@" --exact ;;
    fast) set -- "$@" --serial-values ;;
    without_*) set -- "$@" "$([ "${ALL:-0}" != 0 ] && echo --every-case || echo --first-loss)" ;;
    upto_*) set -- "$@" --source="$file.cu" --steps="labs/$lab/steps.json" ;;
    wrong_*) [ ! -s "$file.only" ] || set -- "$@" --only="$(cat "$file.only")" ;;
esac
backend=$3
shift 3
case $backend-$case in gpu-solution | gpu-fast | gpu-right_*) worker=$file.worker ;; esac

make_worker() { common/build/worker.sh "$1" "labs/$lab" "build/glue/$lab.o" "$file.cu" "$2" own-case; }
judge() {  # OPTION...
    common/build/leash.sh timeout 600 "build/tests/$lab" --worker="$worker" --inspector="$file.inspect" \
        --json="$file.report" "$@" check
}

rm -f "$file.json" "$file.report"
{
    make_worker inspect "$file.inspect" &&
        { [ "$worker" = "$file.inspect" ] || make_worker gpu "$worker"; } &&
        judge "$@"
} >"$file.log" 2>&1 </dev/null
[ -s "$file.report" ] || echo '{}' >"$file.report"
rm -f "$file.inspect"* "$file.worker"* "$file.registers"  # 300 of them would fill a small disk
mv "$file.report" "$file.json"
echo "  judged $lab/$case"
