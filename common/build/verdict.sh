#!/bin/sh
# Builds and judges a student's file: verdict.sh LAB REPORT 'MAKE NEED...' JUDGE...
# Exit codes: 0 right, 1 a verdict that is another, 2 no verdict.
# The report is about this run from the first moment: whatever ends it, what REPORT says by then is true.
lab=$1 report=$2 build=$3
shift 3
tell() { common/build/report.sh "$report" "$lab" "$@"; }

rm -f "$report"
mkdir -p "${report%/*}" && common/build/version.sh "$lab" >"${report%.json}.of"
for need in $build; do rm -f -- "$need.refused"; done
tell incomplete "interrupted before it was judged" || exit 2
trap 'echo "interrupted: $report says so" >&2; exit 130' INT

not_here() {
    tell infrastructure_error "could not be built here, which is not the fault of the file"
    exit 2
}
[ -f build/tools ] || common/build/need.sh build || not_here
[ -f build/lib/libcheck.a ] || echo "the first time here: about twenty parts to compile, a minute on two cores"
# shellcheck disable=SC2086  # a command
common/build/leash.sh $build
built=$?
refused=$(for need in $build; do cat -- "$need.refused" 2>/dev/null; done | head -n 1)
if [ $built != 0 ] || [ -n "$refused" ]; then
    case $refused in
        *": error: forbidden: "*) tell forbidden "$refused" ;;
        ?*) tell does_not_build "$refused" ;;
        *) not_here ;;
    esac
    exit 1
fi
common/build/leash.sh "$@"
status=$?
# 0 and 1 are verdicts. With 2 the judge has said why, or could not. Of a name that there is not progress learns nothing.
if [ $status = 2 ] && grep -qsE '"message": "(METHODS|CHECK)=' "$report"; then
    rm -f "${report%.json}.of"
elif [ $status -gt 1 ] && ! grep -qs '"state": "infrastructure_error"' "$report"; then
    tell infrastructure_error "the judge ended with exit code $status"
    [ $status = 2 ] || echo "the judge ended with exit code $status" >&2
fi
case $report in */report.json) ;; *) echo "report: $report" ;; esac
exit $status
