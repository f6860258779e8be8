# Is a tile worth its loading, who should load it, and what does it save that the compiler knows the width of the filter?
if (!exists("input")) input = "build/bench/08_conv2d_shared.csv"
if (!exists("output")) output = "build/plots/08_conv2d_shared"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

label(name) = name eq "shared_no_tile" ? "no tile" : name eq "shared" ? "swept" : name eq "shared_one_thread" ? "halo by one thread" : \
    name eq "shared_edge_threads" ? "halo by edge threads" : name eq "shared_rows" ? "row after row" : \
    "swept, width known to the compiler"
methods = present("shared_no_tile shared_one_thread shared_edge_threads shared shared_rows shared_unrolled")
set title sprintf("2D convolution of %d x %d pixels from shared memory, blocks of 32 x 8\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods] input using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints @looks_of_name title label(name)
    set output
}
