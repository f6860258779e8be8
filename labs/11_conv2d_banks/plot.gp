# How much do bank conflicts cost at every filter width, and do both cures lift the others to the peak at 33?
if (!exists("input")) input = "build/bench/11_conv2d_banks.csv"
if (!exists("output")) output = "build/plots/11_conv2d_banks"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

label(name) = name eq "banks" ? "16 x 16 threads, no cure" : name eq "banks_padding" ? "16 x 16 threads, padded rows" \
    : "32 x 32 threads"
methods = present("banks banks_padding banks_wide")
set title sprintf("2D convolution of %d x %d pixels out of shared memory\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "2 operations a tap (GFLOP/s)"
set key bottom right
set xrange [0:*]
set yrange [0:*]
set arrow from 33, graph 0 to 33, graph 1 nohead dt 2 lc rgb "#999999"
set label "33: no conflicts" at 33, graph 0.3 rotate by 90 offset -1.2,0 textcolor rgb "#777777"
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods] input using (column("filter_width")):(of(name, column("gflops"))) \
        with linespoints @looks_of_name title label(name)
    set output
}
