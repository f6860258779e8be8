# What did each method of the demo load for one output, and how long did its kernels take?
if (!exists("input")) input = "build/demo/results.csv"
if (!exists("output")) output = "build/demo/chart"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

label(row) = strcol("lab") . " " . strcol("method")
stats input using 0 name "row" nooutput
stats input using (column("kernel_ms")) name "ms" nooutput
set yrange [row_max + 0.6:-0.6]
set style fill solid 0.9
set logscale x  # one load or a hundred, one millisecond or a thousand: both ends have to be seen
set format x "%g"
stretch = row_max > 25 ? row_max / 25.0 : 1
set lmargin real(system("awk -F, '/^[0-9]/ { n = length($2); if (n > most) most = n } END { print most }' '" . input . "'")) + 2
set rmargin 6
unset key
do for [format in formats] {
    eval(open_chart(output, format))
    set multiplot layout 1,2 title sprintf("One filter of 9 taps (1D, row by row) or 9 x 9 taps (2D) over a photograph\n%s, %s", device, date)
    set title "global loads per output"
    set xlabel "loads"
    set xrange [0.5:500]
    plot input using (column("loads_per_output")):0:(0.5):(column("loads_per_output")):($0-0.3):($0+0.3):ytic(label(0)) \
             with boxxyerror lc rgb colour_naive, \
         input using (column("loads_per_output") > 0.5 ? column("loads_per_output") : 0.5):0:(sprintf("%.1f", column("loads_per_output"))) with labels left offset 0.5,0
    set title "kernel time (1D: the sum over all rows)"
    set xlabel "ms"
    set xrange [ms_min / 3:ms_max * 5]
    plot input using (column("kernel_ms")):0:(ms_min / 3):(column("kernel_ms")):($0-0.3):($0+0.3):ytic(label(0)) \
             with boxxyerror lc rgb colour_constant, \
         input using (column("kernel_ms")):0:(sprintf("%.2f", column("kernel_ms"))) with labels left offset 0.5,0
    unset multiplot
    set output
}
