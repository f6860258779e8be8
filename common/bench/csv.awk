# Reading a row of comma-separated values; include with another -f.

# Into fields[1] and on; returns how many. A field in quotes has no quote inside.
function split_csv(line, fields,    count, rest) {  # fields may be quoted; a quoted one has no quote inside
    count = 0
    rest = line
    while (1) {
        if (match(rest, /^"[^"]*"/)) {
            fields[++count] = substr(rest, 2, RLENGTH - 2)
        } else {
            match(rest, /^[^,]*/)
            fields[++count] = substr(rest, 1, RLENGTH)
        }
        rest = substr(rest, RLENGTH + 1)
        if (rest == "") return count
        rest = substr(rest, 2)
    }
}
