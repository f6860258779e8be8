# For which filters does the kernel show in the time of a whole call, and for which are the copies all that counts?
if (!exists("input")) input = "build/bench/14_conv2d_pipeline.csv"
if (!exists("output")) output = "build/plots/14_conv2d_pipeline"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

set title sprintf("From host to host: %d x %d pixels, copies and kernels\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "time of copies and kernels (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods_in(input)] input using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints @looks_of_name title label(name)
    set output
}
