# Beukman, figure 9: how much of the time does a kernel take, and how much do the copies, at every filter size?
# needs: sweep_filters
load "common/plot/beukman.gp"
methods = five
heading = "Share of the kernel in the time of kernel and copies, 512 x 512 pixels in blocks of 32 x 32"
set ylabel "share of the kernel (%)"
set yrange [0:100]
draw = by_filter("100 * column('kernel_ms') / column('total_ms')")
load "common/plot/draw.gp"
