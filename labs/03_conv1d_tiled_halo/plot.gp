# Which tile size is best, and from which filter width on does the choice matter?
if (!exists("input")) input = "build/bench/03_conv1d_tiled_halo.csv"
if (!exists("output")) output = "build/plots/03_conv1d_tiled_halo"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The longest array of the file; shorter ones are measured too, but a line needs one length.
stats input using (column("width")) name "n" nooutput
longest(name, value) = strcol("method") eq name && column("width") == n_max ? value : NaN
label(name) = name eq "tiled" ? "tile of 256" : "tile of " . name[7:*]
shade(name) = name eq "tiled" ? colour("tiled") : name eq "tiled_32" ? "#7fd1b9" : "#00523c"

set title sprintf("Tiled 1D convolution of %d elements, halo in shared memory\n%s, %s", n_max, device, date)
set xlabel "filter width (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in "tiled_32 tiled tiled_1024"] input \
        using (column("filter_width")):(longest(name, column("kernel_ms"))) \
        with linespoints lw 2 pt 7 lc rgb shade(name) title label(name)
    set output
}
