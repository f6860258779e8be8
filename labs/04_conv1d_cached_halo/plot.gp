# Does the halo belong into shared memory (lab 03) or into the cache, by filter width?
if (!exists("input")) input = "build/bench/04_conv1d_cached_halo.csv"
if (!exists("output")) output = "build/plots/04_conv1d_cached_halo"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

other = beside("03_conv1d_tiled_halo")
set title sprintf("Tiled 1D convolution of %d elements, tiles of 256\n%s, %s", w_max, device, date)
set xlabel "filter width (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [file in other] file using (column("filter_width")):(of("tiled", column("kernel_ms"))) \
             with linespoints lw 2 pt point("tiled") dt dash("tiled") lc rgb colour("tiled") title "halo in shared memory (lab 03)", \
         input using (column("filter_width")):(of("cached", column("kernel_ms"))) \
             with linespoints lw 2 pt point("cached") dt dash("cached") lc rgb colour("cached") title "halo through the cache"
    set output
}
