# Camerino, tables 5.5 and 5.6: how does the time of the three versions follow the size of the image, here and on both cards?
# needs: sweep_images
load "common/plot/camerino.gp"
heading = "Time of one convolution with 3 x 3 taps, blocks of 16 x 16"
set xlabel "side of the image (pixels)"
set ylabel "kernel time (ms)"
set logscale x 2
set logscale y
set xrange [200:5200]
set yrange [0.001:10]
set xtics (256, "" 512, 1024, "" 2048, 4096)
panels = 3
columns = 3
draw_panel(k) = k == 1 ? here("sweep_images", "block=16x16 square filter_width=3 by=width", "column('width')", "column('kernel_ms')") \
    : printed(k, "camerino_image_size", "column('image')", "column(name_in('camerino', name) . '_ms')")
load "common/plot/draw.gp"
