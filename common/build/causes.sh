#!/bin/sh
# Which TODOs a diagnosis speaks of: causes.sh NN_name prints "CAUSE TODO" for every cause that the lab's known-wrong
# kernels have, and every region of the solution that those with it change, the one that most change first. A release has
# the list beside the skeleton.
list=labs/$1/.skeleton/causes solution=solutions/$1/${1#*_}.cu wrong=solutions/$1/wrong.txt
[ ! -f "$list" ] || exec cat "$list"
[ -f "$wrong" ] || exit 0
awk '
FNR == NR {
    if ($1 == "//" && $2 == "begin") region = $3
    else if ($1 == "//" && $2 == "end") region = ""
    else { text[++lines] = $0; within[lines] = region }
    next
}
/^\[/ { causes = ""; size = 0; seen = 0 }
/^diagnosed: / { causes = $0; sub(/^diagnosed: /, "", causes) }
/^- / && !seen {
    old[++size] = substr($0, 3)
    gsub(/^[ \t]+|[ \t]+$/, "", old[size])
    next
}
size && !seen {  # behind the old text of the first edit
    seen = 1
    for (k = 1; k <= lines; k++) {
        for (same = 0; same < size && index(text[k + same], old[same + 1]); same++) {}
        if (same == size) break
    }
    count = k > lines ? 0 : split(causes, ids, /, */)
    for (c = 1; c <= count; c++) if (within[k] != "" && ids[c] != "nothing") votes[ids[c] " " within[k]] += count - c + 1
}
END { for (pair in votes) print votes[pair], pair }' "$solution" "$wrong" |
    sort -k2,2 -k1,1nr -k3,3 | cut -d' ' -f2,3
