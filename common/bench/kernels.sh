#!/bin/bash
# What a recorded file has measured, as a hash: it tells whether the file is older than the kernels.
#   kernels.sh SUBJECT...        prints "SUBJECT HASH" for each. A subject is LAB/solution, LAB/fast, a file or a folder
#   kernels.sh of NAME FILE LAB  the same for another file of a lab
#   kernels.sh stale [FILE...]   names recorded files (default: all) that measured something else; exit code 1 if any
set -euo pipefail
export LC_ALL=C  # one order of files everywhere

# Of the text of files: without comments of a line and blank lines, which no compiler reads.
hash_of() {  # FILE...
    sed -E -e 's|[[:space:]]*//.*$||' -e 's/[[:space:]]+$//' -e '/^$/d' "$@" | sha256sum | cut -c1-16
}
# A lab's kernel is its file, the lab's headers, the contract among them, and those that every kernel includes.
hash_of_kernel() {  # FILE LAB
    local headers
    mapfile -t headers < <(find "labs/$2" -name '*.h' | sort)
    hash_of "$1" "${headers[@]}" common/lab/*.h
}
print_hash() {  # SUBJECT
    local lab=${1%/*}
    case $1 in
        *.cu | *.cuh | *.h | *.cpp | *.sh) echo "$1 $(hash_of "$1")" ;;
        */solution) echo "$1 $(hash_of_kernel "solutions/$lab/${lab#*_}.cu" "$lab")" ;;
        */fast) echo "$1 $(hash_of_kernel "solutions/$lab/fast.cu" "$lab")" ;;
        */right_*) echo "$1 $(hash_of_kernel "solutions/$lab/right/${1#*/right_}.cu" "$lab")" ;;
        *) echo "$1 $(hash_of "$1"/*.cu)" ;;
    esac
}

# Its lines "# kernels: SUBJECT HASH" against those of the tree.
is_stale() {  # FILE
    local known subject hash
    known=$(sed -n 's/^# kernels: //p' "$1")
    [ -n "$known" ] || { echo "$1: does not say which kernels it measured"; return; }
    while read -r subject hash; do
        if [ "$(print_hash "$subject" 2>/dev/null)" != "$subject $hash" ]; then
            echo "$1: $subject is no longer what was measured"
            return
        fi
    done <<<"$known"
    return 1
}

case ${1:-} in
    of) echo "$2 $(hash_of_kernel "$3" "$4")" ;;
    stale)
        shift
        [ $# -gt 0 ] || set -- data/measurements/*/*.csv
        found=0
        for file; do
            if is_stale "$file"; then found=1; fi
        done
        exit $found ;;
    *) for subject; do print_hash "$subject"; done ;;
esac
