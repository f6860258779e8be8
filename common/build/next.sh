#!/bin/sh
# Where to go on: the first lab that is not done, by its handout's title: next.sh MAKE NN_name...
run_make=$1
shift
for lab; do
    number=${lab%%_*}
    standing=$(common/build/standing.sh "$run_make" "$lab")
    case $standing in *" done") continue ;; esac
    handout=handouts/$lab.md
    sed -n '1s/^# //p' "$handout" 2>/dev/null
    case $standing in
        -*) printf "%s\n" "read $handout," "write labs/$lab/${lab#*_}.cu, then make lab$number" ;;
        *) echo "${standing%% *} points, ${standing#* * }; make lab$number says more, make hint$number helps" ;;
    esac
    exit
done
echo "all $# labs are done; make staircase draws what each of them brought"
