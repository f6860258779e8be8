# Prints counts as Nsight Compute prints metrics: --csv, one row a launch and metric.
function with_separators(number,    text) {
    while (length(number) > 3) {
        text = "," substr(number, length(number) - 2) text
        number = substr(number, 1, length(number) - 3)
    }
    return number text
}
BEGIN {
    wanted = split(metrics, metric, ",")
    print "==PROF== Connected to process 4711 (/somewhere/program)"
}
/^#/ { next }
FNR == NR {  # counters.txt: all of a sum is in its first term; of alternatives the last one is there
    for (k = 2; k <= split($0, part, " +"); k++) {
        terms = split(part[k], term, "+")
        for (t = 1; t <= terms; t++) {
            last = split(term[t], choice, "/")
            for (c = 1; c < last; c++) absent[choice[c] ".sum"] = 1
            if (!((choice[last] ".sum") in counter_of)) counter_of[choice[last] ".sum"] = t == 1 ? part[1] : ""
        }
    }
    next
}
FNR == 1 {
    for (k = 1; k <= split_csv($0, name); k++) column[name[k]] = k
    print "==PROF== Profiling \"kernel\" - 0: 0%....50%....100% - 9 passes"
    print "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\""
    next
}
{
    split_csv($0, field)
    # A library launches kernels of its own in between.
    if (ENVIRON["FAKE_LIBRARY"] != "") {
        printf "\"%d\",\"4711\",\"program\",\"127.0.0.1\",\"void %s<(int)4>(float2 *)\",\"1\",\"7\",", FNR + 1000, ENVIRON["FAKE_LIBRARY"]
        printf "\"(7, 1, 1)\",\"(7, 1, 1)\",\"0\",\"9.0\",\"Command line profiler metrics\",\"%s\",\"request\",\"7\"\n", metric[1]
    }
    kernel = field[column["kernel"]]
    base = kernel
    sub(/<.*/, "", base)
    for (k = 1; k <= wanted; k++) {
        count = counter_of[metric[k]] == "" ? 0 : field[column[counter_of[metric[k]]]]
        if (base == ENVIRON["FAKE_DIFFERENT"]) count++
        if (base == ENVIRON["FAKE_BUSY"] && metric[k] ~ /^l1tex__data_pipe/) count += 17
        value = metric[k] in absent ? "n/a" : with_separators(count "")
        grid = base == ENVIRON["FAKE_SHAPE"] ? "(7, 1, 1)" : field[column["grid"]]
        printf "\"%d\",\"4711\",\"program\",\"127.0.0.1\",\"%s(float *, const float *, int)\",\"1\",\"7\",", FNR - 2, kernel
        printf "\"%s\",\"%s\",\"0\",\"9.0\",\"Command line profiler metrics\",", field[column["block"]], grid
        printf "\"%s\",\"%s\",\"%s\"\n", metric[k], metric[k] ~ /requests/ ? "request" : "sector", value
    }
}
END { print "==PROF== Disconnected from process 4711" }
