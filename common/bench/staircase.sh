#!/bin/bash
# Measures the steps of a lab's way to its fastest version, all in one run, and what each bought.
#   staircase.sh WORKERS LAB OUT.csv [COMMENT...]     WORKERS is the folder of a backend's workers; comments head the file
# solutions/LAB/staircase.csv has the steps, from the slowest on. IMAGES and FILTERS choose other sizes. The roofline is
# that of ceilings.csv in OUT's folder.
set -euo pipefail
workers=$1 lab=$2 out=$3
shift 3
steps=solutions/$lab/staircase.csv ceilings=$(dirname "$out")/ceilings.csv here=common/bench
options=("--images=${IMAGES:-4096x4096}" "--filters=${FILTERS:-3,5,7,9,13,17,27,43}" "${@/#/--comment=}")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[ -f "$ceilings" ] || ceilings=/dev/null
measured=()
while IFS=, read -r step of variant method; do
    file=$scratch/${#measured[@]}.csv worker=$workers/$of/$variant.worker
    [ -x "$worker" ] || { echo "$worker is missing: make $worker" >&2; exit 2; }
    echo "$step: $method of lab ${of%%_*}, $variant"
    "build/tests/$of" bench --worker="$worker" --methods="$method" "${options[@]}" --csv="$file" </dev/null |
        { grep -v '^written: ' || true; } || { echo "$steps: '$step' went wrong" >&2; exit 1; }
    measured+=("step=$step" "$file")
done < <(sed '/^#/d; /^step,/d' "$steps")
mkdir -p "$(dirname "$out")"
awk -f "$here/csv.awk" -f "$here/staircase.awk" kind=ceilings "$ceilings" kind=step "${measured[@]}" >"$out.part"
mv "$out.part" "$out"
echo "written: $out"
