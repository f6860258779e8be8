# Which way through a texture is the fastest at every filter size? Beukman's times stand in his figure 13 (make figures).
if (!exists("input")) input = "build/bench/10_conv2d_texture.csv"
if (!exists("output")) output = "build/plots/10_conv2d_texture"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# Images of different sizes are compared by the time of one pixel.
per_pixel(name) = of(name, column("kernel_ms") * 1e6 / pixels_max)

label(name) = name eq "texture_padded" ? "image padded" : name eq "texture_border" ? "image, border from the address mode" : \
    name eq "texture_filter" ? "image and filter" : "image, to shared memory"
methods = present("texture_padded texture_border texture_filter texture_shared")
set title sprintf("2D convolution of %d x %d pixels through textures\n%s, %s", w_max, h_max, device, date)
set xlabel "filter width and height (taps)"
set ylabel "kernel time per pixel (ns)"
set logscale y
set format y "%g"
eval(filter_axis)
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [name in methods] input using (column("filter_width")):(per_pixel(name)) \
             with linespoints @looks_of_name title label(name)
    set output
}
