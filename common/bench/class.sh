#!/bin/bash
# Makes a class out of what selfcheck has cut (make selfcheck), and compares a gradebook with what is due:
#   class.sh make FOLDER STUDENTS LAB...   FOLDER/class has a folder a student with a file a lab, FOLDER/due a row a file
#   class.sh compare FOLDER GRADEBOOK      names every row that is not as it is due; exit code 1 if there are any
# Right kernels, fast forms and solutions are due 100 points, known-wrong ones and skeletons less.
#   make grade FROM=FOLDER/class LAB=01,02 SEED=42 OUT=FOLDER/out; class.sh compare FOLDER FOLDER/out/gradebook.csv
set -eu
usage() { sed -n '3,4s/^# *//p' "$0" >&2; exit 2; }

# Students begin at other cases and go on in steps of one, so that every case comes with every other now and then.
make_class() {  # FOLDER STUDENTS LAB...
    local folder=$1 students=$2 lab name cases student case due j=0
    shift 2
    mkdir -p "$folder/class"
    for lab in "$@"; do
        name=${lab#*_}
        cases=("solutions/$lab/$name.cu" "labs/$lab/$name.cu" build/selfcheck/"$lab"/{right_,wrong_}*.cu)
        for ((student = 1; student <= students; student++)); do
            case=${cases[(student + 37 * j) % ${#cases[@]}]}
            due=less
            [[ $case != solutions/* && $case != */right_* ]] || due=100
            mkdir -p "$folder/class/student$(printf %03d "$student")"
            # No line markers, which strangers may not have, and no two files the same, which would be judged once.
            { sed -E '/^# *(line +)?[0-9]/d' "$case"; echo "// student $student"; } \
                >"$folder/class/student$(printf %03d "$student")/$name.cu"
            echo "student$(printf %03d "$student"),$lab,$due,$case"
        done
        j=$((j + 1))
    done | sort >"$folder/due"
    echo "$(wc -l <"$folder/due") files of $students students in $folder/class"
}

compare() {  # FOLDER GRADEBOOK
    awk -F, '
        NR == FNR { due[$1, $2] = $3; made_of[$1, $2] = $4; next }
        FNR == 1 { next }
        {
            seen++
            is_right = $3 == "checked" && $4 == 100
            if (!(($1, $2) in due) || is_right != (due[$1, $2] == 100)) {
                wrong++
                print $1 ", " $2 ": " $3 " " $4 ", due " due[$1, $2] ": " made_of[$1, $2]
            }
            delete due[$1, $2]
        }
        END {
            for (row in due) missing++
            print seen + 0 " rows, " wrong + 0 " not as due, " missing + 0 " missing"
            exit wrong + missing > 0
        }' "$1/due" "$2"
}

[ $# -ge 3 ] || usage
case $1 in
    make) shift && make_class "$@" ;;
    compare) compare "$2" "$3" ;;
    *) usage ;;
esac
