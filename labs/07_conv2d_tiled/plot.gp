# How much of the access reduction of PMPP figure 7.22 arrives as a shorter time?
if (!exists("input")) input = "build/bench/07_conv2d_tiled.csv"
if (!exists("output")) output = "build/plots/07_conv2d_tiled"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# The time without a tile is lab 06's, from the same folder, if it was measured there.
untiled = beside("06_conv2d_constant")
published = "data/published/pmpp_fig7_22.csv"
counts = system("ls data/counts.csv 2>/dev/null")  # by the inspector

# The largest image of each file; different sizes are compared by the time of one pixel.
pixels(row) = column("width") * column("height")  # of this row of the file
square(taps) = column("filter_width") == taps && column("filter_height") == taps
alone(taps) = strcol("method") eq "constant" && pixels(0) == alone_max && square(taps) ? column("kernel_ms") / alone_max : NaN
five_max = nine_max = NaN
if (untiled ne "") {
    stats untiled using (strcol("method") eq "constant" ? pixels(0) : NaN) name "alone" nooutput
    stats untiled using (alone(5)) name "five" nooutput
    stats untiled using (alone(9)) name "nine" nooutput
}

tile_of(method) = method eq "tiled_8" ? 8 : method eq "tiled" ? 16 : method eq "tiled_32" ? 32 : method eq "tiled_64" ? 64 : 0
speed_up(taps, before) = tile_of(strcol("method")) > 0 && column("channels") == 1 && pixels(0) == pixels_max \
    && square(taps) ? before / column("kernel_ms") * pixels_max : NaN
counted(taps) = tile_of(strcol("method")) > 0 && column("filter_width") == taps ? untiled_loads(taps) / column("global_load_values") : NaN
untiled_loads(taps) = real(system("awk -F, '$2 == \"\\\"constant\\\"\" && $5 == " . taps . " { print $7 }' data/counts.csv"))
printed(taps) = column("mask_width") == taps ? column("reduction_ratio") : NaN
formula(t, taps) = (taps * t / (t + taps - 1.0)) ** 2

shade_5 = "#7fd1b9"
shade_9 = colour_tiled
set title sprintf("Tiled 2D convolution of %d x %d pixels against lab 06\n%s, %s", w_max, h_max, device, date)
set xlabel "width and height of the output tile (pixels)"
set ylabel "lab 06 divided by lab 07 (times)"
set logscale x 2
set logscale y
set format y "%g"
set xrange [7:72]
set yrange [*:100]
set key at screen 0.5, screen 0.01 center bottom horizontal Left reverse maxcols 2
set bmargin 9
do for [format in formats] {
    eval(open_chart(output, format))
    plot formula(x, 9) with lines lw 2 dt 2 lc rgb shade_9 title "loads, 9x9, closed form", \
         formula(x, 5) with lines lw 2 dt 2 lc rgb shade_5 title "loads, 5x5, closed form", \
         for [file in counts] file using (tile_of(strcol("method"))):(counted(9)) \
             with points pt 5 ps 1 lc rgb shade_9 title "loads, 9x9, counted", \
         for [file in counts] file using (tile_of(strcol("method"))):(counted(5)) \
             with points pt 5 ps 1 lc rgb shade_5 title "loads, 5x5, counted", \
         published using (column("o_tile_width")):(printed(9)) \
             with points pt 6 ps 1.5 lw 2 lc rgb shade_9 title "loads, 9x9, PMPP fig. 7.22", \
         published using (column("o_tile_width")):(printed(5)) \
             with points pt 6 ps 1.5 lw 2 lc rgb shade_5 title "loads, 5x5, PMPP fig. 7.22", \
         input using (tile_of(strcol("method"))):(speed_up(9, nine_max)) smooth unique \
             with linespoints lw 2 pt 7 lc rgb shade_9 title "kernel time, 9x9", \
         input using (tile_of(strcol("method"))):(speed_up(5, five_max)) smooth unique \
             with linespoints lw 2 pt 7 lc rgb shade_5 title "kernel time, 5x5"
    set output
}
