# What did each method of the demo read for one output, and how long did its kernels take?
if (!exists("input")) input = "build/demo/results.csv"
if (!exists("output")) output = "build/demo/chart"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

stats input using 0 name "row" nooutput
# A launch that failed took no time.
stats input using (column("kernel_ms") > 0 ? column("kernel_ms") : NaN) name "ms" nooutput
longest = int(system("awk -F, '/^[0-9]/ { if (length($3) > most) most = length($3) } END { print most }' '" . input . "'")) + 5
set yrange [row_max + 0.6:-0.6]
set style fill solid 0.9
set logscale x  # one load or a hundred, one millisecond or a thousand: both ends have to be seen
set format x "%g"
set format y ""
stretch = row_max > 25 ? row_max / 25.0 : 1
names = 0.0095 * longest  # of the width
middle = (1 + names) / 2
unset key
set grid noytics

# A value is written behind its bar; a texture's fetches have the colour of textures.
reads(row) = column("loads_per_output") + column("fetches_per_output")
shade(row) = column("fetches_per_output") > 0 ? int("0x" . colour("texture_border")[2:*]) : int("0x" . colour("naive")[2:*])
at_least(value, least) = value > least ? value : least
reads_text(row) = strcol("method") eq "serial" ? "on the CPU" \
    : sprintf("%.1f%s", reads(0), column("fetches_per_output") > 0 ? " texture fetches" : "")
time_text(ms) = sprintf(ms < 10 ? "%.2f" : "%.0f", ms)
do for [format in formats] {
    eval(open_chart(output, format))
    set multiplot title sprintf("One filter of 9 taps (1D, row by row) or 9 x 9 taps (2D) over a photograph\n%s, %s", device, date)
    set tmargin at screen 1 - 0.14 / stretch
    set bmargin at screen 0.1 / stretch
    set lmargin at screen names
    set rmargin at screen middle - 0.02
    set title "values that one output reads"
    set xlabel "values"
    set xrange [0.5:20000]
    set xtics (1, 10, 100)
    plot input using (reads(0)):0:(0.5):(at_least(reads(0), 0.5)):($0-0.3):($0+0.3):(shade(0)) with boxxyerror lc rgb variable, \
         input using (at_least(reads(0), 0.5)):0:(reads_text(0)) with labels left offset 0.5,0, \
         input using (0.5):0:(strcol("lab") . " " . strcol("method")) with labels right offset -1,0
    set lmargin at screen middle + 0.02
    set rmargin at screen 0.97
    set title "kernel time (1D: the sum over all rows)"
    set xlabel "ms"
    set xrange [ms_min / 3:ms_max * 8]
    set xtics autofreq
    shown(row) = at_least(column("kernel_ms"), ms_min / 3)
    plot input using (shown(0)):0:(ms_min / 3):(shown(0)):($0-0.3):($0+0.3):(int("0x" . colour("constant")[2:*])) \
             with boxxyerror lc rgb variable, \
         input using (shown(0)):0:(time_text(column("kernel_ms"))) with labels left offset 0.5,0
    unset multiplot
    set output
}
