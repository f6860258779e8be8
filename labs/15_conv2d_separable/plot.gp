# What does a separable filter cost at each size in two passes and in one kernel, beside all of its taps (lab 13)?
if (!exists("input")) input = "build/bench/15_conv2d_separable.csv"
if (!exists("output")) output = "build/plots/15_conv2d_separable"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

adaptive = beside("13_conv2d_adaptive")
fast = beside("15_conv2d_separable.fast")
set title sprintf("2D convolution of %d x %d pixels with a column times a row\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
methods = (adaptive eq "" ? "" : "adaptive ") . methods_in(input)
file_of(name) = name eq "adaptive" ? adaptive : input
name_of(name) = name eq "adaptive" ? "all taps, fast version (lab 13)" : label(name)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods] file_of(name) using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints @looks_of_name title name_of(name), \
        for [file in fast] file using (column("filter_width")):(of("separable", column("kernel_ms"))) \
        with linespoints lw 2 pt 3 dt 2 lc rgb colour("separable") title label("separable") . ", faster version"
    set output
}
