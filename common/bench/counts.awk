# Rows of counts.sh from a file that inspect --csv wrote: -v side=IMAGE -v taps=FILTER.
FNR == 1 {
    for (k = split_csv($0, names); k > 0; k--) place[names[k]] = k
    next
}
{
    split_csv($0, field)
    split(field[place["subject"]], subject, "/")
    printf "%s,\"%s\",%d,%d,%d,%d,%d,%d,%d\n", subject[1], subject[2], side, side, taps, taps, field[place["global_load_bytes"]] / 4,
        field[place["shared_load_requests"]], field[place["shared_load_wavefronts"]]
}
