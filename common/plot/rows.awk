# Rows of a recorded file with its header, those that meet every condition, for a chart:
#   awk -f common/bench/csv.awk -f common/plot/rows.awk -v where="method=naive width=1024 square" FILE
# COLUMN=VALUE, COLUMN=VALUE|VALUE: one of them, underscores for blanks; `square`: filters as wide as high. They come in order of
# their filters' widths; `by=COLUMN`: in order of this column. With -v column=NAME only that column of the first row, without
# the header. Says on stderr if there are none.
BEGIN {
    count = split(where, conditions, " ")
    order = "filter_width"
    for (c = 1; c <= count; c++)
        if (conditions[c] ~ /^by=/) order = substr(conditions[c], 4)
}
/^#/ { next }
!columns {
    columns = split_csv($0, names)
    for (k = 1; k <= columns; k++) place[names[k]] = k
    if (column == "") print
    next
}
function value(name) { return name in place ? fields[place[name]] : "" }
function meets(condition,    sides, wanted, number, k, seen) {
    if (condition ~ /^by=/) return 1
    if (condition == "square") return value("filter_width") == value("filter_height")
    split(condition, sides, "=")
    seen = value(sides[1])
    gsub(" ", "_", seen)
    number = split(sides[2], wanted, "|")
    for (k = 1; k <= number; k++)
        if (seen == wanted[k]) return 1
    return 0
}
{
    split_csv($0, fields)
    for (c = 1; c <= count; c++)
        if (!meets(conditions[c])) next
    for (k = found++; k > 0 && key[k] > value(order) + 0; k--) {  # as many as a line of a chart has
        key[k + 1] = key[k]
        row[k + 1] = row[k]
    }
    key[k + 1] = value(order) + 0
    row[k + 1] = column == "" ? $0 : value(column)
}
END {
    for (k = 1; k <= (column == "" ? found : found > 0); k++) print row[k]
    if (!found) print FILENAME ": no rows with " where >"/dev/stderr"
}
