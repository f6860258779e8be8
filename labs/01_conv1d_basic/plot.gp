# From which filter width on does the kernel take longer than the copies?
if (!exists("input")) input = "build/bench/01_conv1d_basic.csv"
if (!exists("output")) output = "build/plots/01_conv1d_basic"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

set title sprintf("1D convolution of %d elements\n%s, %s", w_max, device, date)
set xlabel "filter width (taps)"
set ylabel "time of one call (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot input using (column("filter_width")):(of("basic", column("kernel_ms"))) \
             with linespoints lw 2 pt point("basic") dt dash("basic") lc rgb colour("basic") title "kernel (basic)", \
         input using (column("filter_width")):(of("basic", column("copy_ms"))) \
             with linespoints lw 2 pt 5 lc rgb colour("copies") title "copies to the device and back"
    set output
}
