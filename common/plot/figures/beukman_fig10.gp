# Beukman, figure 10: which size of a block is best for each memory, with a small filter and with a large one?
# needs: sweep_blocks
load "common/plot/beukman.gp"
load "common/plot/bars.gp"
methods = four
groups = "4x4 8x8 16x16 32x32"
heading = "Time of one convolution of 512 x 512 pixels by size of the block"
eval(name_groups)
set xlabel "threads of a block"
set ylabel "kernel time (ms)"
set yrange [0:*]
panels = 2
draw_panel(k) = "set title '" . word("11 61", k) . " x " . word("11 61", k) . " taps'; " \
    . bars("sweep_blocks", image . " square filter_width=" . word("11 61", k), "strcol('block')", "column('kernel_ms')")
load "common/plot/draw.gp"
