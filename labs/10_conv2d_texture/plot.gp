# Which way through a texture is the fastest at every filter size, today and in Beukman's table?
if (!exists("input")) input = "build/bench/10_conv2d_texture.csv"
if (!exists("output")) output = "build/plots/10_conv2d_texture"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)

# The numbers of the report (GTX 1060).
beukman = "data/published/beukman_table1_gtx1060.csv"

# The largest image of the file; images of different sizes are compared by the time of one pixel.
stats input using (column("width") * column("height")) name "pixels" nooutput
stats input using (column("width") * column("height") == pixels_max ? column("width") : NaN) name "w" nooutput
per_pixel(name) = strcol("method") eq name && column("width") * column("height") == pixels_max \
    ? column("kernel_ms") * 1e6 / pixels_max : NaN
printed(version) = strcol("method") eq version ? column("kernel_ms") * 1e6 / column("image")**2 : NaN

set title sprintf("2D convolution of %d x %d pixels through textures\n%s, %s", w_max, pixels_max / w_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time per pixel (ns)"
set logscale y
set format y "%g"
set xrange [0:*]
do for [format in formats] {
    eval(open_chart(output, format))
    plot input using (column("filter_width")):(per_pixel("texture_padded")) \
             with linespoints lw 2 pt 7 lc rgb colour_padded title "image padded", \
         input using (column("filter_width")):(per_pixel("texture_border")) \
             with linespoints lw 2 pt 5 lc rgb colour_texture title "image, border from the address mode", \
         input using (column("filter_width")):(per_pixel("texture_filter")) \
             with linespoints lw 2 pt 9 lc rgb colour_naive title "image and filter", \
         input using (column("filter_width")):(per_pixel("texture_shared")) \
             with linespoints lw 2 pt 11 lc rgb colour_shared title "image, to shared memory", \
         beukman using (column("filter")):(printed("Texture without Padding")) \
             with points pt 4 ps 1.5 lw 2 lc rgb colour_texture title "border, as published (GTX 1060)", \
         beukman using (column("filter")):(printed("Texture Image and Filter")) \
             with points pt 8 ps 1.5 lw 2 lc rgb colour_naive title "image and filter, as published", \
         beukman using (column("filter")):(printed("Texture and Shared")) \
             with points pt 10 ps 1.5 lw 2 lc rgb colour_shared title "to shared memory, as published"
    set output
}
