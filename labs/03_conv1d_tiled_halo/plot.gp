# Which tile size is best, and from which filter width on does the choice matter?
if (!exists("input")) input = "build/bench/03_conv1d_tiled_halo.csv"
if (!exists("output")) output = "build/plots/03_conv1d_tiled_halo"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

label(name) = name eq "tiled" ? "tile of 256" : "tile of " . name[7:*]
set title sprintf("Tiled 1D convolution of %d elements, halo in shared memory\n%s, %s", w_max, device, date)
set xlabel "filter width (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in present("tiled_32 tiled tiled_1024")] input \
        using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints @looks_of_name title label(name)
    set output
}
