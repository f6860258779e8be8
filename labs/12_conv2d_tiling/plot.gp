# What is a thread with two or four outputs worth at every filter width, with wide blocks and with narrow ones?
if (!exists("input")) input = "build/bench/12_conv2d_tiling.csv"
if (!exists("output")) output = "build/plots/12_conv2d_tiling"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The largest image of the file; a line needs one size.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
speed(name) = strcol("method") eq name && column("width") * column("height") == pixels_max ? column("gflops") : NaN
narrow(name) = strstrt(name, "narrow") > 0
dash(name) = narrow(name) ? 2 : 1
factor(name) = int(name[strlen(name):*])
label(name) = sprintf("%s threads, %d output%s each", narrow(name) ? "16 x 16" : "32 x 16", factor(name), factor(name) > 1 ? "s" : "")
shade(name) = factor(name) == 1 ? "#c9a3d9" : factor(name) == 2 ? "#a46bbd" : colour("tiling")

set title sprintf("2D convolution of %d x %d pixels, several outputs per thread\n%s, %s", w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "2 operations a tap (GFLOP/s)"
set key bottom right
set xrange [0:*]
set yrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in "tiling_1 tiling_2 tiling_4 tiling_narrow_2 tiling_narrow_4"] input \
        using (column("filter_width")):(speed(name)) \
        with linespoints lw 2 pt (narrow(name) ? 6 : 7) dt dash(name) lc rgb shade(name) title label(name)
    set output
}
