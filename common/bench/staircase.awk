# Joins the benchmark files of a staircase's steps and says of each row its share of the roofline and how many times faster it
# is than the step before. Run with csv.awk: kind=ceilings FILE kind=step step=NAME FILE step=NAME FILE ...

BEGIN { FS = "\n" }
FNR == 1 { in_head = 1 }
kind == "ceilings" {
    split_csv($0, fields)
    ceiling[fields[1]] = fields[2]
    next
}
in_head {  # the first file's stands for all; it ends with the names of the columns
    if (!/^#/) in_head = 0
    if (!has_head) print $0 (in_head ? "" : ",step,roofline_share,times_faster")
    if (!in_head) has_head = 1
    next
}
/^#/ { print; next }  # left out, and why
{
    split_csv($0, fields)
    width = fields[6]; height = fields[7]; filter = fields[9] "x" fields[10]; ms = fields[11]
    problem = width "x" height " " filter
    print $0 ",\"" step "\"," share() "," faster()
    before[problem] = ms
}

# Nothing between the commas where it is not known. A method's copy reads and writes the image once.
function share(    copy, arithmetic) {
    copy = ceiling["copy_" width "x" height]
    if (copy == "" || ceiling["ffma"] == "") return ""
    arithmetic = 2e-6 * width * height * fields[9] * fields[10] / ceiling["ffma"]
    return sprintf("%.4f", (copy > arithmetic ? copy : arithmetic) / ms)
}
function faster() { return problem in before ? sprintf("%.3f", before[problem] / ms) : "" }
