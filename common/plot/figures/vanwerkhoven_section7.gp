# Van Werkhoven, section 7: up to which filter does a direct convolution beat the Fourier transform?
# needs: sweep_large fft
load "common/plot/figure.gp"
methods = "adaptive_tiling adaptive fft"
key_columns = 3
heading = "Direct convolution beside cuFFT, square filters"
set format y "%g"
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set logscale xy
set xrange [2.7:85]
set xtics (3, 5, 7, 9, 13, 17, 21, 27, 33, 43, 51, 75) rotate by -60
tic_lines = 0.5
panels = 2
side(k) = word("1024 4096", k)
draw_panel(k) = crossing(side(k)) . "set title '" . side(k) . " x " . side(k) . " pixels'; " \
    . "plot for [name in methods] recorded(name eq 'fft' ? 'fft' : 'sweep_large', 'method=' . name . ' square width=" . side(k) . "') " \
    . "using (column('filter_width')):(column('kernel_ms')) with linespoints @looks_of_name"
# A line where the Fourier transform is ahead of the fast version for the first time.
at(file, method, k, taps) = value_of(data . "/" . file . ".csv", "method=" . method . " square width=" . k . " filter_width=" . taps, "kernel_ms")
tried = "3 5 7 9 13 17 21 27 33 43 51 65 75"
ahead(k) = (first = "", (sum [i=1:words(tried)] (first eq "" && at("fft", "fft", k, word(tried, i)) < at("sweep_large", "adaptive", k, word(tried, i)) \
    ? (first = word(tried, i), 0) : 0)), first)
crossing(k) = (taps = ahead(k), "unset arrow; unset label; " . (taps eq "" ? "" \
    : "set arrow from " . taps . ", graph 0 to " . taps . ", graph 1 nohead dt 2 lc rgb '#777777'; " \
    . "set label 'FFT ahead from " . taps . "' at " . taps . ", graph 0.95 right offset -0.5,0 textcolor rgb '#555555'; "))
load "common/plot/draw.gp"
