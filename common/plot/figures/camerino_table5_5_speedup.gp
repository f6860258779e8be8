# Camerino, tables 5.5 and 5.6: how many times faster than the serial loop are the versions, here and on both cards?
# needs: sweep_images serial
load "common/plot/camerino.gp"
heading = "Kernel beside the serial loop, 3 x 3 taps, blocks of 16 x 16"
set xlabel "side of the image (pixels)"
set ylabel "times faster than the serial loop"
set logscale x 2
set logscale y
set xrange [200:5200]
set yrange [10:20000]
set xtics (256, "" 512, 1024, "" 2048, 4096)
serial_ms(side) = value_of(data . "/serial.csv", sprintf("width=%d height=%d square filter_width=3", side, side), "kernel_ms")
panels = 3
columns = 3
draw_panel(k) = k == 1 ? here("sweep_images", "block=16x16 square filter_width=3 by=width", "column('width')", "serial_ms(column('width')) / column('kernel_ms')") \
    : printed(k, "camerino_image_size", "column('image')", "column('cpu_ms') / column(name_in('camerino', name) . '_ms')")
load "common/plot/draw.gp"
