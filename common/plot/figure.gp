# What the figures of the sources share (common/plot/figures). figures.sh gives them `data`, the folder of recorded files,
# `input`, the first file that the figure needs, and `output`, the picture's path without its ending. A figure sets axes, `heading`
# and `draw`, a plot command (or `panels` and draw_panel(k), the commands that draw the k-th of them), then loads draw.gp.
load "common/plot/style.gp"
if (input eq "data/counts.csv") { device = "counted by the inspector"; date = system("sed -n 's/^# date: //p' '" . input . "'") } \
else { eval(read_device) }

# The rows of a file that meet conditions (rows.awk), to be plotted: recorded("sweep_filters", "method=naive width=1024").
selected(file, where) = "< awk -f common/bench/csv.awk -f common/plot/rows.awk -v where='" . where . "' '" . file . "'"
recorded(name, where) = selected(data . "/" . name . ".csv", where)
counted(where) = selected("data/counts.csv", where)
published(name, where) = selected("data/published/" . name . ".csv", where)

# Of the table of looks: our methods that a source has, and its name of one. methods_of("beukman") is "serial constant ...".
in_looks(each) = system("awk -F, '/^#/ { next } !at[\"lab\"] { for (k = 1; k <= NF; k++) at[$k] = k; next } { " . each . " }' " . looks_table)
methods_of(source) = in_looks("if ($at[\"" . source . "\"] != \"\") printf \"%s \", $1")
name_in(source, method) = in_looks("if ($1 == \"" . method . "\") printf \"%s\", $at[\"" . source . "\"]")
underscored(text) = system("echo '" . text . "' | tr ' ' _")  # in a condition

# A column of the only row of `file` that these are conditions of; NaN if there is none.
value_of(file, where, name) = (found = system("awk -f common/bench/csv.awk -f common/plot/rows.awk -v where='" . where . "' -v column=" . name . " '" . file . "'"), \
    found eq "" ? NaN : real(found))

# One logarithmic range for panels that show rows of one file: eval(same_range("recorded('file', 'width=512')", "kernel_ms")).
same_range(rows, name) = "stats " . rows . " using (column('" . name . "')) name 'range' nooutput; set yrange [range_min / 1.5:range_max * 1.5]"

launches = value_of(input, "", "repeats")
measured = device . ", " . date . (launches > 1 ? sprintf(", medians of %d launches", launches) : "")
