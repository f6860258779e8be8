# How many GFLOP/s does adaptive tiling reach at each filter size, beside one output a thread (labs 05 and 06)?
if (!exists("input")) input = "build/bench/13_conv2d_adaptive.csv"
if (!exists("output")) output = "build/plots/13_conv2d_adaptive"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The other labs' files from the same folder, if they were measured there; else their lines stay empty.
folder = input[1:strstrt(input, "13_conv2d_adaptive") - 1]
beside(lab) = system("test -f '" . folder . lab . ".csv' && echo yes") eq "yes" ? folder . lab . ".csv" : input

# The largest image of the file; a line needs one size.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
rate(name) = strcol("method") eq name && column("width") * column("height") == pixels_max \
    ? column("gflops") : NaN

set title sprintf("2D convolution of %d x %d pixels\n%s, %s", w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "two operations per tap and pixel, kernel only (GFLOP/s)"
set xrange [0:*]
set yrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot beside("05_conv2d_naive") using (column("filter_width")):(rate("naive")) \
             with linespoints lw 2 pt 7 lc rgb colour_naive title "naive (lab 05)", \
         beside("06_conv2d_constant") using (column("filter_width")):(rate("constant")) \
             with linespoints lw 2 pt 7 lc rgb colour_constant title "constant (lab 06)", \
         input using (column("filter_width")):(rate("adaptive")) \
             with linespoints lw 2 pt 7 lc rgb colour_adaptive title "adaptive"
    set output
}
