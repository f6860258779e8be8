# How does the time of the three naive kernels grow with the filter, and is testing or padding cheaper?
if (!exists("input")) input = "build/bench/05_conv2d_naive.csv"
if (!exists("output")) output = "build/plots/05_conv2d_naive"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The largest image of the file; a line needs one size.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
point(name) = strcol("method") eq name && column("width") * column("height") == pixels_max ? column("kernel_ms") : NaN

set title sprintf("2D convolution of %d x %d pixels, one thread per pixel\n%s, %s", w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in "naive padded pitched"] input using (column("filter_width")):(point(name)) \
        with linespoints lw 2 pt 7 lc rgb colour(name) \
        title name . (name eq "naive" ? " (every tap tested)" : name eq "pitched" ? " (3 channels)" : " (nothing tested)")
    set output
}
