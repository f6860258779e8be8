# What is a thread with two or four outputs worth at every filter width, with wide blocks and with narrow ones?
if (!exists("input")) input = "build/bench/12_conv2d_tiling.csv"
if (!exists("output")) output = "build/plots/12_conv2d_tiling"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

measured = device . ", " . date
heading = sprintf("2D convolution of %d x %d pixels, one output a thread beside two and four", w_max, h_max)
stats input using (column("gflops")) name "rate" nooutput
set xlabel "filter width and height (taps)"
set ylabel "2 operations a tap (GFLOP/s)"
set yrange [0:rate_max * 1.05]
eval(filter_axis)
with_outputs(n) = present(sprintf("tiling_1 tiling_%d tiling_narrow_%d tiling_narrow_padded_%d tiling_square_%d", n, n, n, n))
methods = with_outputs(2) . " " . with_outputs(4)[strlen("tiling_1 ") + 1:*]
panels = 2
gap = 0.11
key_lines = 5
draw_panel(k) = "set title '" . 2 * k . " outputs a thread'; plot for [name in with_outputs(" . 2 * k . ")] input " \
    . "using (column('filter_width')):(of(name, column('gflops'))) with linespoints @looks_of_name"
load "common/plot/draw.gp"
