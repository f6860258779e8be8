# Camerino, table 5.4, from a gallery: does every filter give the serial loop's values with his three versions? Markdown.
#   awk -f common/bench/csv.awk -f common/build/gallery_table.awk gallery.csv
BEGIN {
    versions = split("naive constant shared_unrolled", version, " ")
    filters = split("gaussian_3x3 gaussian_5x5 gaussian_7x7 sobel_x_3x3 laplacian_3x3 box_3x3 box_5x5", filter, " ")
}
/^lab,/ {
    for (k = split_csv($0, names); k > 0; k--) place[names[k]] = k
    next
}
{
    split_csv($0, field)
    key = field[place["filter"]] SUBSEP field[place["method"]]
    pictures[key]++
    if (field[place["identical"]] == "yes") same[key]++
}
END {
    print "| filter | V1 (naive) | V1 const (constant) | V2 (shared_unrolled) |\n| --- | --- | --- | --- |"
    for (f = 1; f <= filters; f++) {
        line = filter[f]
        gsub("_", " ", line)
        line = "| " line
        for (v = 1; v <= versions; v++) {
            key = filter[f] SUBSEP version[v]
            line = line " | " (!pictures[key] ? "-" : same[key] == pictures[key] ? "identical" : "other bits")
        }
        print line " |"
    }
}
