# Beukman, figure 12: how does the time of each memory follow the size of the image, block size by block size?
# needs: sweep_blocks
load "common/plot/beukman.gp"
methods = four
heading = "Time of one convolution with 61 x 61 taps"
set xlabel "width and height of the image (pixels)"
set ylabel "kernel time (ms)"
set logscale xy 2
set logscale y 10
set xrange [220:2400]
set xtics (256, 512, 1024, 2048)
eval(same_range("recorded('sweep_blocks', 'filter_width=61 square')", "kernel_ms"))
panels = 4
stretch = 1.5
draw_panel(k) = "set title 'blocks of " . word(blocks, k) . " threads'; plot for [name in methods] " \
    . "recorded('sweep_blocks', 'method=' . name . ' square filter_width=61 by=width block=" . word(blocks, k) . "') " \
    . "using (column('width')):(column('kernel_ms')) with linespoints @looks_of_name"
load "common/plot/draw.gp"
