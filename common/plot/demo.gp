# What did each method of the demo load, and how long did its kernel take?
if (!exists("input")) input = "build/demo/results.csv"
if (!exists("output")) output = "build/demo/chart"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

label(row) = strcol("lab") . " " . strcol("method")
set style fill solid 0.9
set boxwidth 0.6
stats input using 0 name "row" nooutput
set yrange [row_max + 0.5:-0.5]
set ytics nomirror
set format x "%g"
unset key
do for [format in formats] {
    eval(open_chart(output, format))
    set multiplot layout 1,2 title sprintf("The demo's methods\n%s, %s", device, date)
    set title "global loads per output"
    set xlabel "loads"
    set xrange [0:*]
    plot input using (column("loads_per_output")):0:(0):(column("loads_per_output")):($0-0.3):($0+0.3):ytic(label(0)) \
         with boxxyerror lc rgb colour_naive
    set title "kernel time"
    set xlabel "ms"
    plot input using (column("kernel_ms")):0:(0):(column("kernel_ms")):($0-0.3):($0+0.3):ytic(label(0)) \
         with boxxyerror lc rgb colour_constant
    unset multiplot
    set output
}
