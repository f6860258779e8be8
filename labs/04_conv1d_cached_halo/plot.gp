# Does the halo belong into shared memory (lab 03) or into the cache, by filter width?
if (!exists("input")) input = "build/bench/04_conv1d_cached_halo.csv"
if (!exists("output")) output = "build/plots/04_conv1d_cached_halo"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# Lab 03 measured on the same machine lies beside this file, if it was measured.
other = system("dirname '" . input . "'") . "/03_conv1d_tiled_halo.csv"
has_other = system("test -f '" . other . "' && echo yes") eq "yes"
if (!has_other) other = input  # then that line lies under this lab's own

# The longest array of the file; shorter ones are measured too, but a line needs one length.
stats input using (column("width")) name "n" nooutput
longest(name, value) = strcol("method") eq name && column("width") == n_max ? value : NaN

set title sprintf("Tiled 1D convolution of %d elements, tiles of 256\n%s, %s", n_max, device, date)
set xlabel "filter width (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot other using (column("filter_width")):(longest(has_other ? "tiled" : "cached", column("kernel_ms"))) \
             with linespoints lw 2 pt 5 lc rgb colour("tiled") title has_other ? "halo in shared memory (lab 03)" : "", \
         input using (column("filter_width")):(longest("cached", column("kernel_ms"))) \
             with linespoints lw 2 pt 7 lc rgb colour("cached") title "halo through the cache"
    set output
}
