# Beukman, section 5.8: do filters of one size cost the same, whatever their taps are?
# needs: sweep_kinds
load "common/plot/beukman.gp"
load "common/plot/bars.gp"
methods = four
groups = "box gaussian sharpen edge emboss sobel_x laplacian identity random"
heading = "Time of one convolution of 512 x 512 pixels with 3 x 3 taps"
eval(name_groups)
set xlabel "kind of the filter"
set ylabel "kernel time (ms)"
set yrange [0:*]
draw = bars("sweep_kinds", image . " square filter_width=3", "strcol('filter_kind')", "column('kernel_ms')")
load "common/plot/draw.gp"
