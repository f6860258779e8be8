# Compares the inspector's side of two comparison tables: names what has moved and fails.
#   awk -f csv.awk -f counters_moved.awk RECORDED NOW
FNR == 1 { file++; split("", column) }
/^#/ || /^$/ { next }
!("inspector" in column) {
    fields = split_csv($0, field)
    for (k = 1; k <= fields; k++) column[field[k]] = k
    next
}
{
    split_csv($0, field)
    key = field[column["subject"]] " " field[column["kernel"]] " " field[column["counter"]]
    count[file, key] = field[column["inspector"]]
    if (!known[key]++) order[++rows] = key
}
END {
    for (row = 1; row <= rows; row++) {
        key = order[row]
        recorded = (1, key) in count ? count[1, key] : 0
        now = (2, key) in count ? count[2, key] : 0
        if (recorded == now) continue
        print key ": " recorded " is recorded, now " now
        moved++
    }
    print rows - moved " counts as recorded, " moved + 0 " moved"
    exit moved > 0
}
