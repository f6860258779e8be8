# From which filter on are Fourier transforms ahead of lab 13's direct convolution, and from which one by operations alone?
if (!exists("input")) input = "build/bench/17_conv2d_fft.csv"
if (!exists("output")) output = "build/plots/17_conv2d_fft"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# Lab 13 was measured with more filters for this.
sweep = beside("sweep_large")
direct = sweep eq "" ? beside("13_conv2d_adaptive") : sweep
methods = (direct eq "" ? "" : "adaptive_tiling adaptive ") . methods_in(input)
is_direct(name) = strstrt(name, "adaptive") == 1
file_of(name) = is_direct(name) ? direct : input

# The least filter of both files with which the fastest transforms take less than lab 13's fast version.
array of_direct[999]
do for [m = 1:999] { of_direct[m] = 0 }
ahead = 0
if (direct ne "") {
    stats direct using (m = int(column("filter_width")), ms = of("adaptive", column("kernel_ms")), ms == ms ? (of_direct[m] = ms) : NaN) nooutput
    stats input using (m = int(column("filter_width")), ms = column("kernel_ms"), m == column("filter_height") && column("width") * column("height") == pixels_max \
        && of_direct[m] > ms && (ahead == 0 || m < ahead) ? (ahead = m) : NaN) nooutput
}

# Operations of an output: a product and a sum a tap; three transforms of 2.5 N log2(N), and 6 of half as many waves.
cells = w_max * h_max
of_taps(m) = 2 * m * m
of_transforms = 3 * 2.5 * log(cells) / log(2) + 3
even = sqrt(of_transforms / 2)

line_at(x, text) = sprintf("set arrow from %g, graph 0 to %g, graph 1 nohead dt 2 lc rgb '#777777'; " \
    . "set label '%s' at %g, graph 0.97 right offset -0.5,0 textcolor rgb '#555555'; ", x, x, text, x)
eval(filter_axis)
set xtics rotate by -60
set xlabel "filter width and height (taps)"
set logscale y
set format y "%g"
set key bottom right
do for [format in formats] {
    eval(open_chart(output, format))
    set multiplot layout 1,2 title sprintf("Convolution of %d x %d pixels by Fourier transforms, and tap by tap\n%s, %s", w_max, h_max, device, date)
    unset arrow; unset label
    if (ahead > 0) { eval(line_at(ahead, sprintf("transforms ahead from %d", ahead))) }
    set ylabel "kernel time (ms)"
    plot for [name in methods] file_of(name) using (column("filter_width")):(of(name, column("kernel_ms"))) \
        with linespoints @looks_of_name title is_direct(name) ? label(name) . " (lab 13)" : label(name)
    unset arrow; unset label
    eval(line_at(even, sprintf("even at %.1f", even)))
    set ylabel "operations an output"
    plot of_taps(x) with lines lw 2 lc rgb colour("adaptive") title "tap by tap", \
         of_transforms with lines lw 2 dt 2 lc rgb colour("fft") title "three transforms"
    unset multiplot
    set output
}
