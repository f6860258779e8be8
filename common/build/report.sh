#!/bin/sh
# Writes the report on a file that no judge has seen: report.sh REPORT LAB STATE MESSAGE
report=$1 lab=$2 state=$3
message=$(printf %s "$4" | iconv -c -f UTF-8 -t UTF-8 | tr '\000-\037\177' ' ' | sed 's/[\\"]/\\&/g')
mkdir -p "${report%/*}" && cat >"$report.part$$" <<EOF && mv "$report.part$$" "$report" && exit
{
  "schema": "convolution-workbook/report/v1",
  "lab": "$lab",
  "state": "$state",
  "message": "$message",
  "points": 0,
  "of": 100,
  "device": "",
  "unconfined": "",
  "checks": []
}
EOF
rm -f "$report.part$$"
echo "$report: cannot be written" >&2
exit 2
