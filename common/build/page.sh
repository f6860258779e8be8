#!/bin/sh
# One page of all that a student has done: page.sh MAKE NAME DATA NN_name... has changed labs judged, draws what their
# kernels do and the recorded charts of DATA, and writes build/report.html.
run_make=$1 name=$2 data=$3
shift 3
common/build/progress.sh "$run_make" "$@" || exit
if common/build/need.sh charts; then
    [ ! -d build/bench ] || common/build/staircase.sh "$data" "$@" >/dev/null 2>&1
    for lab; do
        number=${lab%%_*} drawn=build/inspect/$lab
        grep -qs '^  "state": "checked"' "build/reports/$lab/report.json" || continue
        recorded=build/plots/$(basename "$data")/$lab
        [ -f "$recorded.svg" ] || [ ! -f "$data/$lab.csv" ] ||
            common/build/plot.sh "labs/$lab/plot.gp" "$data/$lab.csv" "$recorded" >/dev/null
        [ -z "$(find "$drawn" -name '*.svg' -newer "labs/$lab/${lab#*_}.cu" 2>/dev/null)" ] || continue
        echo "drawing what the kernels of lab $number do"
        env -u MAKEFLAGS -u MAKELEVEL "$run_make" -s "inspect$number" >/dev/null 2>&1 </dev/null
    done
fi
build/bin/report --out=build/report.html.part$$ --name="$name" "$@" && mv build/report.html.part$$ build/report.html || exit
echo "wrote build/report.html: open it in a browser, print it, or hand it in"
