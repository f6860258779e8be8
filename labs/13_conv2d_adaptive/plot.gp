# How many GFLOP/s does adaptive tiling reach at each filter size, beside one output a thread (labs 05 and 06)?
if (!exists("input")) input = "build/bench/13_conv2d_adaptive.csv"
if (!exists("output")) output = "build/plots/13_conv2d_adaptive"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

naive = beside("05_conv2d_naive")
constant = beside("06_conv2d_constant")
set title sprintf("2D convolution of %d x %d pixels\n%s, %s", w_max, h_max, device, date)
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
             with linespoints lw 2 pt 7 lc rgb colour(name) title name
    set output
}
