# What does a convolution by tensor cores cost in fp16, and how much more when two parts make up for a float?
if (!exists("input")) input = "build/bench/18_conv2d_tensor.csv"
if (!exists("output")) output = "build/plots/18_conv2d_tensor"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

set title sprintf("%d x %d pixels on tensor cores: one fp16 number for a float, and two\n%s, %s", w_max, h_max, device, date)
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
