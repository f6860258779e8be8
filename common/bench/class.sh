#!/bin/bash
# Makes a class out of what is there, and compares a gradebook with what is due:
#   class.sh make FOLDER STUDENTS LAB...   FOLDER/class has a folder a student with a file a lab, FOLDER/due a row a file
#   class.sh compare FOLDER GRADEBOOK      names every row that is not as it is due; exit code 1 if there are any
# Right kernels, fast forms and solutions are due 100 points, known-wrong ones and skeletons less (make selfcheck cuts
# them); mutants what build/mutants.csv says (make mutants); some of each lab's attacks what they must get:
#   WRITE_ATTACKS=build/attacks build/tests/attacks/attacks -tc="attacks as files"
#   make grade FROM=FOLDER/class LAB=01,02 SEED=42 OUT=FOLDER/out; class.sh compare FOLDER FOLDER/out/gradebook.csv
set -eu
usage() { sed -n '3,4s/^# *//p' "$0" >&2; exit 2; }
ONE_OF_ATTACKS=6  # the others are much alike, and some of them take a minute

# Lines "DUE FILE" of all that somebody could hand in; mutants are written to FOLDER.
cases_of() {  # LAB FOLDER
    local lab=$1 folder=$2 solution case
    solution=solutions/$lab/${lab#*_}.cu
    echo "100 $solution"
    echo "less labs/$lab/${lab#*_}.cu"
    for case in build/selfcheck/"$lab"/right_*.cu; do echo "100 $case"; done
    for case in build/selfcheck/"$lab"/wrong_*.cu; do echo "less $case"; done
    mkdir -p "$folder"
    [ ! -f build/mutants.csv ] || awk -f common/bench/csv.awk -f common/bench/class_mutants.awk \
        -v lab="$lab" -v folder="$folder" "$solution" build/mutants.csv
    [ ! -f build/attacks/due ] || awk -F, -v lab="${lab%%_*}" -v each=$ONE_OF_ATTACKS '
        $2 == lab && ++many % each == 1 { gsub(/ /, "_", $3); print $3 " build/attacks/" $1 ".cu" }' build/attacks/due
}

# Every case of a lab in turn, in steps that mix kinds; students begin at other ones in every lab.
make_class() {  # FOLDER STUDENTS LAB...
    local folder=$1 students=$2 lab name cases student due case id marker step=37 j=0
    shift 2
    mkdir -p "$folder/class"
    for lab in "$@"; do
        name=${lab#*_}
        mapfile -t cases < <(cases_of "$lab" "$folder/mutants")
        while [ $((${#cases[@]} % step)) = 0 ]; do step=$((step + 1)); done
        for ((student = 1; student <= students; student++)); do
            read -r due case <<<"${cases[((student + j) * step) % ${#cases[@]}]}"
            id=student$(printf %03d "$student")
            mkdir -p "$folder/class/$id"
            # No two files the same, which would be judged once; none of our line markers, which strangers may not have.
            case $case in build/selfcheck/*) marker='/^# *(line +)?[0-9]/d' ;; *) marker='' ;; esac
            { sed -E "$marker" "$case"; echo "// student $student"; } >"$folder/class/$id/$name.cu"
            echo "$id,$lab,$due,$case"
        done
        j=$((j + 1))
    done | sort >"$folder/due"
    echo "$(wc -l <"$folder/due") files of $students students in $folder/class"
}

compare() {  # FOLDER GRADEBOOK
    awk -F, '
        function is_due(due, state, points,    one, choices, k, part) {
            if (due == "100") return state == "checked" && points == 100
            if (due == "less") return !(state == "checked" && points == 100)
            choices = split(due, one, "_or_")
            for (k = 1; k <= choices; k++) {
                if (one[k] == state) return 1
                if (split(one[k], part, "_<=_") == 2 && part[1] == state && points <= part[2] + 0) return 1
                if (one[k] == state "_" points) return 1
            }
            return 0
        }
        NR == FNR { due[$1, $2] = $3; made_of[$1, $2] = $4; next }
        FNR == 1 { next }
        {
            seen++
            if (!(($1, $2) in due) || !is_due(due[$1, $2], $3, $4)) {
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
