# Beukman, figure 8: how many operations a second does each memory allow, of the kernel and with the copies?
# needs: sweep_filters
load "common/plot/beukman.gp"
methods = five
heading = "Two operations a tap, convolution of 512 x 512 pixels in blocks of 32 x 32"
set ylabel "GFLOP/s"
set yrange [0:*]
panels = 2
draw_panel(k) = alone_or_with_copies(k, "column('gflops')", "column('gflops') * column('kernel_ms') / column('total_ms')")
load "common/plot/draw.gp"
