# How does the time of the three naive kernels grow with the filter, and is testing or padding cheaper?
if (!exists("input")) input = "build/bench/05_conv2d_naive.csv"
if (!exists("output")) output = "build/plots/05_conv2d_naive"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

label(name) = name . (name eq "naive" ? " (bounds tested)" : name eq "pitched" ? " (3 channels)" : " (nothing tested)")
set title sprintf("2D convolution of %d x %d pixels, one thread per pixel\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in present("naive padded pitched")] input using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints lw 2 pt 7 lc rgb colour(name) title label(name)
    set output
}
