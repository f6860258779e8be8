# Beukman, figure 14: what does --use_fast_math gain over --fmad=false, with small blocks and with large ones?
# needs: sweep_builds
load "common/plot/beukman.gp"
load "common/plot/bars.gp"
methods = four
groups = "no-fmad default fast-math"
heading = "Time of one convolution of 512 x 512 pixels with 61 x 61 taps"
eval(name_groups)
set xtics ("--fmad=false" 1, "default" 2, "--use_fast_math" 3)
set xlabel "options of nvcc"
set ylabel "kernel time (ms)"
set yrange [0:*]
panels = 2
draw_panel(k) = "set title 'blocks of " . word("4x4 32x32", k) . " threads'; " \
    . bars("sweep_builds", image . " square filter_width=61 block=" . word("4x4 32x32", k), "strcol('build')", "column('kernel_ms')")
load "common/plot/draw.gp"
