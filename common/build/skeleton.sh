#!/bin/sh
# Prints a lab's skeleton and builds nothing for it: skeleton.sh NN_name
# A release has it beside the lab; else it is cut from the solution, as author/regions.cpp cuts it (there the grammar is
# told, and there mistakes in it are found).
name=${1#*_}.cu
shipped=labs/$1/.skeleton/$name solution=solutions/$1/$name
[ ! -f "$shipped" ] || exec cat "$shipped"
[ -f "$solution" ] || { echo "$1: its skeleton is not here; get labs/$1/$name again from your instructor" >&2; exit 2; }
exec awk -v limit=110 '
function todo(    line, count, words, k) {
    line = indent "// TODO " id " (about " code (code == 1 ? " line)" : " lines)")
    count = split(sentence, words)
    for (k = 1; k <= count; k++) {
        if (length(line) + 1 + length(words[k]) > limit) {
            print line
            line = indent "// " words[k]
        } else {
            line = line " " words[k]
        }
    }
    printf "%s\n%s", line, stand_in
}
/^[ \t]*\/\/ *begin [0-9][0-9]\.[0-9]+/ {
    inside = 1; code = 0; stand_in = ""
    indent = $0; sub(/\/\/.*/, "", indent)
    id = $3; sentence = $0; sub(/.*begin [0-9.]+/, "", sentence)
    next
}
!inside { print; next }
sentence !~ /\.[ \t]*$/ { sub(/^[ \t]*\/\//, ""); sentence = sentence $0; next }
/^[ \t]*\/\/ *end / { todo(); inside = 0; next }
/^[ \t]*\/\/ skeleton:/ {
    sub(/^[ \t]*\/\/ skeleton:[ \t]?/, "")
    stand_in = stand_in ($0 == "" ? "" : indent) $0 "\n"
    next
}
{ sub(/\/\/.*/, ""); code += /[^ \t\r]/ }' "$solution"
