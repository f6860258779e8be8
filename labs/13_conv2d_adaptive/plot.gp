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
set title sprintf("2D convolution of %d x %d pixels\n%s, %s", w_max, h_max, device, date)
set key outside bottom center horizontal Left reverse maxcols 2
set xlabel "filter width and height (taps)"
set ylabel "two operations per tap and pixel, kernel only (GFLOP/s)"
set xrange [0:*]
set yrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [file in naive] file using (column("filter_width")):(of("naive", column("gflops"))) \
             with linespoints lw line_width(1, 2) pt 7 ps point_size(1, 2) lc rgb colour("naive") title "naive (lab 05)", \
         for [file in constant] file using (column("filter_width")):(of("constant", column("gflops"))) \
             with linespoints lw 2 pt 7 lc rgb colour("constant") title "constant (lab 06)", \
         for [name in methods_in(input)] input using (column("filter_width")):(of(name, column("gflops"))) \
             with linespoints lw 2 pt 7 lc rgb colour(name) title name, \
         known ? lower(ffma, rate(x, copy_ms)) : NaN with lines lw 2 dt 2 lc rgb "#000000" title sprintf("roofline: one copy of the image, %.0f TFLOP/s", ffma / 1000), \
         best using (column("filter_width") == column("filter_height") && known ? column("filter_width") : NaN):(rate(column("filter_width"), column("ms"))) \
             with points pt 2 ps 1.5 lw 2 lc rgb "#000000" title "best published kernel of each size"
    set output
}
