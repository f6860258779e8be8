# From which filter size on do subblocks beat constant memory alone, today and in Ichimura's tables?
if (!exists("input")) input = "build/bench/09_conv2d_subblocks.csv"
if (!exists("output")) output = "build/plots/09_conv2d_subblocks"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# Lab 06's file from the same folder, if it was measured there, and the numbers of the article (GTX 1080 Ti).
constant = input[1:strstrt(input, "09_conv2d_subblocks") - 1] . "06_conv2d_constant.csv"
if (system("test -f '" . constant . "' && echo yes") ne "yes") constant = input
ichimura = "data/published/ichimura_gtx1080ti.csv"

# The largest image of the file; images of different sizes are compared by the time of one pixel.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
per_pixel(name) = strcol("method") eq name && column("width") * column("height") == pixels_max \
    ? column("kernel_ms") * 1e6 / pixels_max : NaN
printed(version) = strcol("version") eq version \
    ? column("gpu_ms") * 1e6 / (column("image_w") * column("image_h")) : NaN

set title sprintf("2D convolution of %d x %d pixels, tiles in shared memory\n%s, %s", w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time per pixel (ns)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot constant using (column("filter_width")):(per_pixel("constant")) \
             with linespoints lw 2 pt 7 lc rgb colour_constant title "constant (lab 06)", \
         input using (column("filter_width")):(per_pixel("subblocks")) \
             with linespoints lw 2 pt 7 lc rgb colour_subblocks title "subblocks", \
         for [version in "global constant shared"] ichimura using (column("filter")):(printed(version)) \
             with points pt 6 ps 1.5 lw 2 lc rgb (version eq "global" ? colour_naive \
             : version eq "constant" ? colour_constant : colour_subblocks) \
             title version . ", as published (GTX 1080 Ti)"
    set output
}
