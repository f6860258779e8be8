# Ichimura, tables 1 to 4: who still pays for the transfer, with pageable and with pinned arrays?
# needs: sweep_copies
load "common/plot/figure.gp"
heading = "Constant memory, 9 x 9 taps"
set format y "%g"
set xlabel "width and height of the image (pixels)"
set ylabel "time (ms)"
set logscale x 2
set logscale y
set xtics (512, 1024, 2048, 4096)
set xrange [450:4700]
key_columns = 3
key_lines = 1
copies(where) = "recorded('sweep_copies', 'method=constant filter_width=9 square by=width memory=" . where . "') using (column('width'))"
more_names = ", NaN with linespoints lw 2 pt 4 dt 2 lc rgb colour_copies title 'copies, pageable arrays', " \
    . "NaN with linespoints lw 2 pt 5 lc rgb colour_copies title 'copies, pinned arrays', " \
    . "NaN with linespoints lw 2 pt point('constant') lc rgb colour('constant') title 'kernel (constant memory)'"
draw = "plot " . copies("pageable") . ":(column('copy_ms')) with linespoints lw 2 pt 4 dt 2 lc rgb colour_copies, " \
    . copies("pinned") . ":(column('copy_ms')) with linespoints lw 2 pt 5 lc rgb colour_copies, " \
    . copies("pinned") . ":(column('kernel_ms')) with linespoints lw 2 pt point('constant') lc rgb colour('constant')"
load "common/plot/draw.gp"
