# The different values of a column, in the file's order: awk -v name=method -f common/bench/csv.awk -f common/plot/values.awk FILE
/^#/ { next }
!place {
    for (k = split_csv($0, names); k > 0; k--) if (names[k] == name) place = k
    next
}
{
    split_csv($0, fields)
    if (!seen[fields[place]]++) printf "%s ", fields[place]
}
