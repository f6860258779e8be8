#!/bin/sh
# Prints one hint of a handout, in lines of 80 columns, of one TODO alone if one is named:
# hint.sh HANDOUT.md NUMBER [TODO]
[ -f "$1" ] || { echo "$1: there is no handout for this lab yet" >&2; exit 2; }
text=$(awk -v n="$2" '/^#/ { on = 0 } $1 == "###" && $2 == "Hint" && $3 + 0 == n { on = 1 } on' "$1")
[ -n "$text" ] || { echo "HINT=$2: $1 has hints 1 to $(grep -c '^### Hint ' "$1")" >&2; exit 2; }
# "* **01.1, 01.3** ..." and its further lines.
echo "$text" | awk -v todo="$3" '
function show(    words, count, k, line) {
    count = split(item, words, " ")
    line = words[1]
    for (k = 2; k <= count; k++) {
        if (length(line " " words[k]) > 80) { print line; line = " " }
        line = line " " words[k]
    }
    if (count) { print line; found = 1 }
    item = ""
}
/^[^ ]/ { show(); on = !todo }
/^\* \*\*/ && todo { split($0, part, /\*\*/); on = index(part[2] ",", todo ",") }
on { item = item " " $0 }
END { show(); exit !found }' || { echo "TODO=$3: hint $2 of $1 says nothing of it" >&2; exit 2; }
