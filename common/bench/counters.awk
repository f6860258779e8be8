# Joins the inspector's counts with hardware's and with the reasons for differences: rows of the comparison table.
#   awk -f csv.awk -f counters.awk kind=counters counters.txt kind=reasons FILE kind=kept TABLE \
#       group=patterns problem="" kind=ours FILE kind=ncu FILE group=...
# Files may be empty. Hardware counts come from Nsight Compute's files (kind=ncu) or from an older table (kind=kept).

function value_of(launch, expression,    terms, count, names, choices, k, c, sum, known) {
    count = split(expression, terms, "+")
    for (k = 1; k <= count; k++) {
        choices = split(terms[k], names, "/")
        for (c = 1; c <= choices; c++) {
            if (!((launch, names[c] ".sum") in measured)) continue
            sum += measured[launch, names[c] ".sum"]
            known = 1
            break
        }
    }
    return known ? sum "" : ""
}
# The name of a kernel without its scopes, template arguments and parameters.
function base_of(name) {
    gsub(/\(anonymous namespace\)::/, "", name)
    sub(/[<(].*/, "", name)
    sub(/^.*[ :]/, "", name)
    return name
}
function quoted(text) { return text ~ /[,"]/ ? "\"" text "\"" : text }

BEGIN { OFS = "," }
FNR == 1 { split("", column) }
/^#/ || /^$/ { next }

kind == "counters" { split($0, part, " +"); hardware_of[part[1]] = part[2]; instructions_of[part[1]] = part[3]; next }

kind == "reasons" || kind == "kept" {
    fields = split_csv($0, field)
    if (!("counter" in column)) {
        for (k = 1; k <= fields; k++) column[field[k]] = k
        next
    }
    counter = field[column["counter"]]
    if (kind == "reasons") {
        key = field[column["subject"]] SUBSEP field[column["kernel"]] SUBSEP counter
        optimised_by[key] = field[column["as_optimised"]]
        reason[key] = field[column["why"]]
        next
    }
    key = field[column["subject"]] SUBSEP field[column["kernel"]] SUBSEP counter
    kept_count[key] = field[column["inspector"]]
    kept_hardware[key] = field[column["hardware"]]
    kept_instructions[key] = field[column["by_instruction"]]
    next
}

kind == "ncu" {  # one row for each launch and metric; other lines are the profiler's messages
    if ($0 !~ /^"/) next
    fields = split_csv($0, field)
    if (!("Metric Name" in column)) {
        for (k = 1; k <= fields; k++) column[field[k]] = k
        next
    }
    if (!((group, base_of(field[column["Kernel Name"]])) in is_ours)) next  # a library's
    launch = field[column["Process ID"]] SUBSEP field[column["ID"]]
    if (!((group, launch) in number)) number[group, launch] = ++launches[group]
    place = group SUBSEP number[group, launch]
    value = field[column["Metric Value"]]
    gsub(",", "", value)
    if (value ~ /^[0-9]+$/) measured[place, field[column["Metric Name"]]] = value
    shape[place] = field[column["Grid Size"]] " " field[column["Block Size"]]
    next
}

kind == "ours" {
    fields = split_csv($0, field)
    if (!("subject" in column)) {
        for (k = 1; k <= fields; k++) {
            column[field[k]] = k
            name[k] = field[k]
        }
        next
    }
    is_ours[group, base_of(field[column["kernel"]])] = 1
    place = group SUBSEP (FNR - 1)
    identity = field[1] SUBSEP field[2]
    if (identity in seen) next  # the kernel stands in the table already, with an earlier problem
    seen[identity] = 1
    for (k = 5; k <= fields; k++) {
        if (!(name[k] in hardware_of)) continue
        row++
        subject[row] = field[1]; kernel[row] = field[2]; problem_of[row] = problem
        launched[row] = field[3] " " field[4]; place_of[row] = place
        counter_of[row] = name[k]; count[row] = field[k]
        count_of[field[1], name[k]] = field[k]
    }
}

function find_hardware() {
    why = hardware = instructions = ""
    place = place_of[row]
    if (!(place in shape)) {
        key = subject[row] SUBSEP kernel[row] SUBSEP counter_of[row]
        if (!(key in kept_count) || kept_count[key] != count[row]) return
        hardware = kept_hardware[key]
        instructions = kept_instructions[key]
    } else if (shape[place] != launched[row]) {
        why = "on this GPU another launch: grid and block " shape[place] " instead of " launched[row]
    } else {
        hardware = value_of(place, hardware_of[counter_of[row]])
        instructions = value_of(place, instructions_of[counter_of[row]])
    }
}
# A reason is about one kernel of the subject, with its template arguments or without them, or about all kernels.
function reason_key(    base, key) {
    key = subject[row] SUBSEP kernel[row] SUBSEP counter_of[row]
    if (key in reason) return key
    base = kernel[row]
    sub(/<.*/, "", base)
    key = subject[row] SUBSEP base SUBSEP counter_of[row]
    return key in reason ? key : subject[row] SUBSEP "" SUBSEP counter_of[row]
}
# as_optimised in the reasons: N, so many; +N or -N, so many more or fewer; =NAME, as many as that pattern, which does as
# written what the compiler did
function find_optimised() {
    key = reason_key()
    optimised = optimised_by[key]
    if (optimised ~ /^=/) optimised = count_of[substr(optimised, 2), counter_of[row]]
    else if (optimised ~ /^[+-]/) optimised = count[row] + optimised
}
function agreement() {
    if (hardware == "") return ""
    if (count[row] == hardware) return "yes"
    if (count[row] == instructions) return "by instruction"
    if (optimised == "") return "no"
    return optimised == hardware || optimised == instructions ? "as optimised" : "no"
}

END {
    rows = row
    for (row = 1; row <= rows; row++) {
        find_hardware()
        find_optimised()
        # Of constants only those that the kernel asks for: its arguments pass the same unit.
        is_quiet = hardware == "" || hardware == 0 || counter_of[row] == "constant_requests"
        if (count[row] == 0 && optimised == "" && is_quiet) continue
        agrees = agreement()
        if (why == "") why = reason[reason_key()]
        if (why == "" && agrees != "" && agrees != "yes") why = reason["*" SUBSEP "" SUBSEP counter_of[row]]
        print subject[row], problem_of[row], quoted(kernel[row]), counter_of[row], count[row], optimised, hardware, instructions, agrees, quoted(why)
    }
}
