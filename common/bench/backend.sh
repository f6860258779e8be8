#!/bin/bash
# How long kernels of a course take on the CPU backend, plain and inspected, beside the same loops in serial C++, on 1, 2,
# 4, .. processors and all of them: backend.sh [OUT.csv]. Times are the shortest of three rounds; the inspector watches the
# host's loops, too: the serial time is that of the plain program, whatever the number of processors.
set -eu
out=${1:-build/backend/backend.csv}
make cucc >/dev/null
mkdir -p build/backend "$(dirname "$out")"
common/simt/cucc -O2 common/bench/backend.cu -o build/backend/plain
common/simt/cucc -O2 --inspect common/bench/backend.cu -o build/backend/inspected
{
    common/bench/about_cpu.sh common/bench/backend.sh
    echo "workload,processors,serial_ms,plain_ms,inspected_ms"
    for _ in 1 2 3; do
        for ((count = 1; ; count = count * 2 < $(nproc) ? count * 2 : $(nproc))); do
            export SIMT_THREADS=$count
            build/backend/plain build/backend/plain.csv
            build/backend/inspected build/backend/inspected.csv 2>build/backend/findings.txt
            join -t, --nocheck-order build/backend/plain.csv build/backend/inspected.csv |
                awk -F, -v OFS=, -v count="$count" '{ print $1, count, $2, $3, $5 }'
            [ "$count" -lt "$(nproc)" ] || break
        done
    done | awk -F, -v OFS=, '
        function keep(least, key, ms) { if (!(key in least) || ms + 0 < least[key] + 0) least[key] = ms }
        { key = $1 OFS $2; keep(serial, $1, $3); keep(plain, key, $4); keep(inspected, key, $5) }
        !named[key]++ { workload[++rows] = $1; row[rows] = key }
        END { for (k = 1; k <= rows; k++) print row[k], serial[workload[k]], plain[row[k]], inspected[row[k]] }'
} >"$out.part"
mv "$out.part" "$out"
awk -F, '/^#/ { next } !named++ { printf "%-16s %10s %10s %10s %12s\n", $1, $2, "serial ms", "plain", "inspected"; next }
    { printf "%-16s %10d %10.2f %9.2fx %11.2fx\n", $1, $2, $3, $4 / $3, $5 / $3 }' "$out"
echo "measured: $out"
