# What is a thread with two or four outputs worth at every filter width, with wide blocks and with narrow ones?
if (!exists("input")) input = "build/bench/12_conv2d_tiling.csv"
if (!exists("output")) output = "build/plots/12_conv2d_tiling"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

block(name) = strstrt(name, "narrow") ? "16 x 16" : strstrt(name, "square") ? "32 x 32" : "32 x 16"
factor(name) = int(name[strlen(name):*])
padded(name) = strstrt(name, "padded") > 0
label(name) = sprintf("%s threads%s, %d output%s each", block(name), padded(name) ? ", padded" : "", factor(name), factor(name) > 1 ? "s" : "")
dash(name) = padded(name) ? 3 : block(name) eq "16 x 16" ? 2 : block(name) eq "32 x 32" ? 4 : 1  # the block; the colour is the factor
mark(name) = padded(name) ? 8 : block(name) eq "16 x 16" ? 6 : block(name) eq "32 x 32" ? 4 : 7
shade(name) = colour("tiling_" . factor(name))
methods = present("tiling_1 tiling_2 tiling_4 tiling_narrow_2 tiling_narrow_4" \
    . " tiling_narrow_padded_2 tiling_narrow_padded_4 tiling_square_2 tiling_square_4")
set title sprintf("2D convolution of %d x %d pixels, several outputs per thread\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "2 operations a tap (GFLOP/s)"
set key outside bottom center horizontal Left reverse maxcols 2  # the curves are everywhere
set xrange [0:*]
set yrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods] input \
        using (column("filter_width")):(of(name, column("gflops"))) \
        with linespoints lw 2 pt mark(name) dt dash(name) lc rgb shade(name) title label(name)
    set output
}
