#!/bin/sh
# Compiles with nvcc and keeps what ptxas says of the kernels' registers: nvcc_report.sh REPORT NVCC OPTION...
# Everything else that nvcc says is said. A judge looks for the report beside the worker.
report=$1
shift
"$@" -Xptxas -v 2>"$report.tmp"
status=$?
grep -v -e '^ptxas info' -e '^ *[0-9]* bytes stack frame' "$report.tmp" >&2
if [ $status = 0 ]; then mv "$report.tmp" "$report"; else rm -f "$report.tmp"; fi
exit $status
