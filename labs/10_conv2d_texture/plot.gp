# Which way through a texture is the fastest at every filter size, today and in Beukman's table?
if (!exists("input")) input = "build/bench/10_conv2d_texture.csv"
if (!exists("output")) output = "build/plots/10_conv2d_texture"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# Images of different sizes are compared by the time of one pixel.
per_pixel(name) = of(name, column("kernel_ms") * 1e6 / pixels_max)
printed(version) = strcol("method") eq version ? column("kernel_ms") * 1e6 / column("image")**2 : NaN

# The report has numbers for a filter of 75 x 75 and an image of 1024 x 1024 (GTX 1060).
beukman = "data/published/beukman_table1_gtx1060.csv"
label(name) = name eq "texture_padded" ? "image padded" : name eq "texture_border" ? "image, border from the address mode" : \
    name eq "texture_filter" ? "image and filter" : "image, to shared memory"
row_of(name) = name eq "texture_border" ? "Texture without Padding" : name eq "texture_filter" ? "Texture Image and Filter" : \
    name eq "texture_shared" ? "Texture and Shared" : "Texture with Padding"
methods = present("texture_padded texture_border texture_filter texture_shared")
set title sprintf("2D convolution of %d x %d pixels through textures\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time per pixel (ns)"
set logscale xy
set format y "%g"
set xtics (3, 5, 7, 9, 11, 13, 17, 21, 27, 33, 43, 75)
set xrange [2.7:85]
do for [format in formats] {
    eval(open_chart(output, format))
    n = words(methods)
    plot for [k=1:n] input using (column("filter_width")):(per_pixel(word(methods, k))) \
             with linespoints lw line_width(k, n) pt 7 ps point_size(k, n) lc rgb colour(word(methods, k)) title label(word(methods, k)), \
         for [k=1:n] beukman using (column("filter")):(printed(row_of(word(methods, k)))) \
             with points pt 6 ps 1.5 lw 2 lc rgb colour(word(methods, k)) \
             title label(word(methods, k)) . ", as published" . (k == 1 ? " (1024 x 1024, GTX 1060)" : "")
    set output
}
