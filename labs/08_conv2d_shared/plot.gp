# Who should load the tile, and what does it save that the compiler knows the width of the filter?
if (!exists("input")) input = "build/bench/08_conv2d_shared.csv"
if (!exists("output")) output = "build/plots/08_conv2d_shared"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The largest image of the file; a line needs one size.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
point(name) = strcol("method") eq name && column("width") * column("height") == pixels_max ? column("kernel_ms") : NaN

# The four ways to load are shades of one colour, the swept one is the method that other charts show.
label(name) = name eq "shared" ? "swept" : name eq "shared_one_thread" ? "halo by one thread" : \
    name eq "shared_edge_threads" ? "halo by edge threads" : name eq "shared_rows" ? "row after row" : \
    "swept, width known to the compiler"
shade(name) = name eq "shared" ? colour("shared") : name eq "shared_one_thread" ? "#f7c8a4" : \
    name eq "shared_edge_threads" ? "#f09a5e" : name eq "shared_rows" ? "#8f3f00" : "#2e1400"

set title sprintf("2D convolution of %d x %d pixels from shared memory, blocks of 32 x 8\n%s, %s", \
    w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in "shared_one_thread shared_edge_threads shared shared_rows shared_unrolled"] input \
        using (column("filter_width")):(point(name)) \
        with linespoints lw 2 pt 7 lc rgb shade(name) title label(name)
    set output
}
