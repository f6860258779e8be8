# Beukman, figure 6: how far ahead of the serial loop are the methods on a GPU, without the copies and with them?
# needs: sweep_filters serial
load "common/plot/beukman.gp"
methods = "serial " . five
heading = "Time of one convolution of 512 x 512 pixels in blocks of 32 x 32"
set ylabel "time (ms)"
set logscale y
panels = 2
draw_panel(k) = alone_or_with_copies(k, "column('kernel_ms')", "column('total_ms')")
load "common/plot/draw.gp"
