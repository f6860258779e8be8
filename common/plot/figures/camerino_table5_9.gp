# Camerino, tables 5.9 and 5.10: which shape of a block is best, here and on both cards?
# needs: sweep_configurations
load "common/plot/camerino.gp"
load "common/plot/bars.gp"
heading = "Time of one convolution of 2048 x 2048 pixels with 5 x 5 taps"
groups = "8x8 16x16 32x8 32x16 32x32"
eval(name_groups)
set xtics rotate by -30
tic_lines = 1
set xlabel "threads of a block"
set ylabel "kernel time (ms)"
set yrange [0:*]
panels = 3
columns = 3
draw_panel(k) = "set title '" . where_of(k) . "'; " . (k == 1 ? bars("sweep_configurations", "", "strcol('block')", "column('kernel_ms')") \
    : "plot for [m=1:words(methods)] name = word(methods, m) published('camerino_block_size', 'gpu=" . underscored(card(k)) . "') " \
    . "using (beside_others(place_in(groups, sprintf('%dx%d', column('block_x'), column('block_y'))), m, words(methods)))" \
    . ":(column(name_in('camerino', name) . '_ms')):(0.8 / words(methods)) with boxes @bars_of_name")
load "common/plot/draw.gp"
