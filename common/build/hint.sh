#!/bin/sh
# Prints one hint of a handout: hint.sh HANDOUT.md NUMBER
[ -f "$1" ] || { echo "$1: there is no handout for this lab yet" >&2; exit 2; }
text=$(awk -v n="$2" '/^#/ { on = 0 } $1 == "###" && $2 == "Hint" && $3 + 0 == n { on = 1 } on' "$1")
[ -n "$text" ] || { echo "HINT=$2: $1 has hints 1 to $(grep -c '^### Hint ' "$1")" >&2; exit 2; }
echo "$text"
