# How does the time that a value costs grow with the filter for the three naive kernels, and is testing or padding cheaper?
if (!exists("input")) input = "build/bench/05_conv2d_naive.csv"
if (!exists("output")) output = "build/plots/05_conv2d_naive"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

per_value(time) = time * 1e6 / (pixels_max * column("channels"))
label(name) = name . (name eq "naive" ? " (bounds tested)" : name eq "pitched" ? " (3 channels)" : " (nothing tested)")
set title sprintf("2D convolution of %d x %d pixels, one thread per pixel\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time of one value (ns)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in present("naive padded pitched")] input using (column("filter_width")):(of(name, per_value(column("kernel_ms")))) \
        with linespoints @looks_of_name title label(name)
    set output
}
