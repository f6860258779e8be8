# What does it save to read the filter from constant memory, at every filter size, today and in Ichimura's tables?
if (!exists("input")) input = "build/bench/06_conv2d_constant.csv"
if (!exists("output")) output = "build/plots/06_conv2d_constant"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# Images of different sizes are compared by the time of one pixel.
per_pixel(name) = of(name, column("kernel_ms") * 1e6 / pixels_max)
printed(version) = strcol("version") eq version \
    ? column("gpu_ms") * 1e6 / (column("image_w") * column("image_h")) : NaN

naive = beside("05_conv2d_naive")
ichimura = "data/published/ichimura_gtx1080ti.csv"
set title sprintf("2D convolution of %d x %d pixels, one thread per pixel\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time per pixel (ns)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [file in naive] file using (column("filter_width")):(per_pixel("naive")) \
             with linespoints lw 2 pt point("naive") dt dash("naive") lc rgb colour("naive") title "naive (lab 05)", \
         input using (column("filter_width")):(per_pixel("constant")) \
             with linespoints lw 2 pt point("constant") dt dash("constant") lc rgb colour("constant") title "constant", \
         ichimura using (column("filter")):(printed("global")) \
             with points pt 6 ps 1.5 lw 2 lc rgb colour("naive") title "global, as published (1920 x 1080, GTX 1080 Ti)", \
         ichimura using (column("filter")):(printed("constant")) \
             with points pt 6 ps 1.5 lw 2 lc rgb colour("constant") title "constant, as published"
    set output
}
