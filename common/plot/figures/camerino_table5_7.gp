# Camerino, tables 5.7 and 5.8: from which filter on is the tile in shared memory worth its loading, here and on both cards?
# needs: sweep_images
load "common/plot/camerino.gp"
heading = "Time of one convolution of 1024 x 1024 pixels, blocks of 16 x 16"
set xlabel "filter width and height (taps)"
set ylabel "kernel time (ms)"
set yrange [0:*]
set xrange [2.5:7.5]
set xtics 3, 2
panels = 3
columns = 3
draw_panel(k) = k == 1 ? here("sweep_images", "block=16x16 square width=1024", "column('filter_width')", "column('kernel_ms')") \
    : printed(k, "camerino_kernel_size", "column('filter')", "column(name_in('camerino', name) . '_ms')")
load "common/plot/draw.gp"
