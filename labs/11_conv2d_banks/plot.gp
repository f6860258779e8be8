# How much do bank conflicts cost at every filter width, and do both cures lift the others to the peak at 33?
if (!exists("input")) input = "build/bench/11_conv2d_banks.csv"
if (!exists("output")) output = "build/plots/11_conv2d_banks"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The largest image of the file; a line needs one size.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
speed(name) = strcol("method") eq name && column("width") * column("height") == pixels_max ? column("gflops") : NaN
label(name) = name eq "banks" ? "16 x 16 threads, no cure" : name eq "banks_padding" ? "16 x 16 threads, padded rows" \
    : "32 x 32 threads"
shade(name) = name eq "banks" ? colour("banks") : name eq "banks_padding" ? "#6b6200" : "#e0d24a"

set title sprintf("2D convolution of %d x %d pixels out of shared memory\n%s, %s", w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "2 operations a tap (GFLOP/s)"
set key bottom right
set xrange [0:*]
set yrange [0:*]
set arrow from 33, graph 0 to 33, graph 1 nohead dt 2 lc rgb "#999999"  # the one width without conflicts
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in "banks banks_padding banks_wide"] input using (column("filter_width")):(speed(name)) \
        with linespoints lw 2 pt 7 lc rgb shade(name) title label(name)
    set output
}
