# What does the filter in constant memory save against the filter in global memory (lab 01), by filter width?
if (!exists("input")) input = "build/bench/02_conv1d_constant.csv"
if (!exists("output")) output = "build/plots/02_conv1d_constant"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

other = beside("01_conv1d_basic")
set title sprintf("1D convolution of %d elements\n%s, %s", w_max, device, date)
set xlabel "filter width (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [file in other] file using (column("filter_width")):(of("basic", column("kernel_ms"))) \
             with linespoints lw 2 pt point("basic") dt dash("basic") lc rgb colour("basic") title "filter in global memory (lab 01)", \
         input using (column("filter_width")):(of("constant", column("kernel_ms"))) \
             with linespoints lw 2 pt point("constant") dt dash("constant") lc rgb colour("constant") title "filter in constant memory"
    set output
}
