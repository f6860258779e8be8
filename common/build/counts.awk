# The counts of two reports of a lab, of which the first is the older: those that differ where the same is right, else
# they are of different cases.
function value() {
    sub(/^[^:]*: "?/, "")
    sub(/"?,?$/, "")
    return $0
}
function short(number) { return number == int(number) ? sprintf("%d", number) : sprintf("%.2f", number) }
/^ *"what":/ { what = value() }
/^ *"now":/ { now = value() + 0 }
/^ *"right":/ { right = value() + 0 }
/^ *"met":/ {
    met = value()
    key = what " " right
    if (FILENAME == ARGV[1]) before[key] = now
    else if (!(key in told) && key in before && before[key] != now) {
        told[key] = 1
        if (shown++ < 8)
            printf "  %s\n    %s -> %s%s\n", what, short(before[key]), short(now),
                met == "true" ? "" : ", right is " short(right)
    }
}
END { if (shown > 8) print "  and " shown - 8 " more" }
