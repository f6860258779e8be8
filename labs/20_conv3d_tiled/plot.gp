# What does a filter of M x M x M taps cost by loads from global memory, by tiles, and by a plane that marches?
if (!exists("input")) input = "build/bench/20_conv3d_tiled.csv"
if (!exists("output")) output = "build/plots/20_conv3d_tiled"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

set title sprintf("A volume of %d rows of %d voxels, cut into slices\n%s, %s", h_max, w_max, device, date)
set xlabel "filter width, height and depth (taps)"
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
