# How many GFLOP/s do adaptive tiling and the fast version reach at each filter size, beside one output a thread (labs 05
# and 06), the best published kernels and what the device allows?
if (!exists("input")) input = "build/bench/13_conv2d_adaptive.csv"
if (!exists("output")) output = "build/plots/13_conv2d_adaptive"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

naive = beside("05_conv2d_naive")
constant = beside("06_conv2d_constant")

# Known for one image and one device. Operations of a square filter over its pixels, in GFLOP/s if `ms` is the time.
best = "data/published/direct_convolution_h200.csv"
ceilings = "data/measurements/nvidia-h200/ceilings.csv"
known = device eq "NVIDIA H200" && w_max == 4096 && h_max == 4096
rate(taps, ms) = 2e-6 * taps ** 2 * w_max * h_max / ms
ceiling(what) = real(system(sprintf("sed -n 's/^%s,\\([0-9.]*\\),.*/\\1/p' %s", what, ceilings)))
copy_ms = known ? ceiling("copy_4096x4096") : NaN
ffma = known ? ceiling("ffma") : NaN
lower(a, b) = a < b ? a : b
measured = device . ", " . date
heading = sprintf("2D convolution of %d x %d pixels", w_max, h_max)
set xlabel "filter width and height (taps)"
set ylabel "two operations per tap and pixel, kernel only (GFLOP/s)"
set yrange [0:*]
eval(filter_axis)
set samples 300
methods = (naive eq "" ? "" : "naive ") . (constant eq "" ? "" : "constant ") . methods_in(input)
file_of(name) = name eq "naive" ? naive : name eq "constant" ? constant : input
more_names = known ? sprintf(", NaN with lines lw 2 dt 2 lc rgb '#000000' title 'roofline (%.0f TFLOP/s)', ", ffma / 1000) \
    . "NaN with points pt 2 ps 1.5 lw 2 lc rgb '#000000' title 'best published kernels'" : ""
key_lines = (words(methods) + 3) / 2
draw = "plot for [name in methods] file_of(name) using (column('filter_width')):(of(name, column('gflops'))) with linespoints @looks_of_name" \
    . (known ? ", lower(ffma, rate(x, copy_ms)) with lines lw 2 dt 2 lc rgb '#000000', " \
    . "best using (column('filter_width') == column('filter_height') ? column('filter_width') : NaN):(rate(column('filter_width'), column('ms'))) " \
    . "with points pt 2 ps 1.5 lw 2 lc rgb '#000000'" : "")
load "common/plot/draw.gp"
