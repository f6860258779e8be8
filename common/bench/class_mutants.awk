# Writes mutants of a lab, and lines "DUE FILE" of them.
#   awk -f csv.awk -f class_mutants.awk -v lab=05_conv2d_naive -v folder=F SOLUTION mutants.csv
# Those that change more than one line are passed over.
function trimmed(text) { gsub(/^ +| +$/, "", text); return text }

FNR == NR { line[FNR] = $0; lines = FNR; next }
FNR == 1 {
    fields = split_csv($0, field)
    for (k = 1; k <= fields; k++) column[field[k]] = k
    next
}
{
    split_csv($0, field)
    at = field[column["line"]]
    verdict = field[column["verdict"]]
    if (field[column["lab"]] != lab || trimmed(line[at]) != field[column["before"]]) next
    due = verdict == "stillborn" ? "does_not_build" : verdict == "killed" ? "less" : "100"
    file = folder "/" lab "-" field[column["id"]] ".cu"
    for (k = 1; k <= lines; k++) print (k == at ? field[column["after"]] : line[k]) >file
    close(file)
    print due, file
}
