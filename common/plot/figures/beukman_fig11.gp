# Beukman, figure 11: how does the time of each memory follow the filter, block size by block size?
# needs: sweep_blocks
load "common/plot/beukman.gp"
methods = four
heading = "Time of one convolution of 512 x 512 pixels"
set ylabel "kernel time (ms)"
set logscale y
eval(same_range("recorded('sweep_blocks', image . ' square')", "kernel_ms"))
panels = 4
stretch = 1.5
draw_panel(k) = "set title 'blocks of " . word(blocks, k) . " threads'; " . by_filter_of("sweep_blocks", "block=" . word(blocks, k), "column('kernel_ms')")
load "common/plot/draw.gp"
