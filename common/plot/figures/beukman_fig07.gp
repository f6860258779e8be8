# Beukman, figure 7: which memory is the fastest at every filter size, without the copies and with them?
# needs: sweep_filters
load "common/plot/beukman.gp"
methods = five
heading = "Time of one convolution of 512 x 512 pixels in blocks of 32 x 32"
set ylabel "time (ms)"
set yrange [0:*]
panels = 2
draw_panel(k) = alone_or_with_copies(k, "column('kernel_ms')", "column('total_ms')")
load "common/plot/draw.gp"
