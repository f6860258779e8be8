# What does the filter in constant memory save against the filter in global memory (lab 01), by filter width?
if (!exists("input")) input = "build/bench/02_conv1d_constant.csv"
if (!exists("output")) output = "build/plots/02_conv1d_constant"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# Lab 01 measured on the same machine lies beside this file, if it was measured.
other = system("dirname '" . input . "'") . "/01_conv1d_basic.csv"
has_other = system("test -f '" . other . "' && echo yes") eq "yes"
if (!has_other) other = input  # then that line lies under this lab's own

# The longest array of the file; shorter ones are measured too, but a line needs one length.
stats input using (column("width")) name "n" nooutput
longest(name, value) = strcol("method") eq name && column("width") == n_max ? value : NaN

set title sprintf("1D convolution of %d elements\n%s, %s", n_max, device, date)
set xlabel "filter width (taps)"
set ylabel "kernel time (ms)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot other using (column("filter_width")):(longest(has_other ? "basic" : "constant", column("kernel_ms"))) \
             with linespoints lw 2 pt 5 lc rgb colour("basic") title has_other ? "filter in global memory (lab 01)" : "", \
         input using (column("filter_width")):(longest("constant", column("kernel_ms"))) \
             with linespoints lw 2 pt 7 lc rgb colour("constant") title "filter in constant memory"
    set output
}
