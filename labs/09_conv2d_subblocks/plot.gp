# From which filter size on do subblocks beat constant memory alone, today and in Ichimura's tables?
if (!exists("input")) input = "build/bench/09_conv2d_subblocks.csv"
if (!exists("output")) output = "build/plots/09_conv2d_subblocks"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# Images of different sizes are compared by the time of one pixel.
per_pixel(name) = of(name, column("kernel_ms") * 1e6 / pixels_max)
printed(version) = strcol("version") eq version \
    ? column("gpu_ms") * 1e6 / (column("image_w") * column("image_h")) : NaN
as_today(version) = version eq "global" ? "naive" : version eq "constant" ? "constant" : "subblocks"

# A block is as wide as its tile, 32 + taps - 1: only some widths are whole warps.
set arrow from 33, graph 0 to 33, graph 1 nohead dt 2 lc rgb "#999999"
set label "33 taps: rows of 64 threads are two whole warps" at 33, graph 0.04 right offset -0.5,0 textcolor rgb "#777777"
constant = beside("06_conv2d_constant")
ichimura = "data/published/ichimura_gtx1080ti.csv"
set title sprintf("2D convolution of %d x %d pixels, tiles in shared memory\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time per pixel (ns)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [file in constant] file using (column("filter_width")):(per_pixel("constant")) \
             with linespoints lw 2 pt point("constant") dt dash("constant") lc rgb colour("constant") title "constant (lab 06)", \
         input using (column("filter_width")):(per_pixel("subblocks")) \
             with linespoints lw 2 pt point("subblocks") dt dash("subblocks") lc rgb colour("subblocks") title "subblocks", \
         for [version in "global constant shared"] ichimura using (column("filter")):(printed(version)) \
             with points pt 6 ps 1.5 lw 2 lc rgb colour(as_today(version)) \
             title version . ", as published" . (version eq "global" ? " (1920 x 1080, GTX 1080 Ti)" : "")
    set output
}
