# How much of the chain's time does one kernel save, and at which filter is it the blur alone that counts?
if (!exists("input")) input = "build/bench/16_conv2d_fused.csv"
if (!exists("output")) output = "build/plots/16_conv2d_fused"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

set title sprintf("Edges of %d x %d pixels: blur, gradients, length and threshold\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods_in(input)] input using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints @looks_of_name title label(name)
    set output
}
