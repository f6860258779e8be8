# How much of several devices' speed is there, pass by pass and with the exchange beside the interior?
if (!exists("input")) input = "build/bench/19_conv2d_multi_gpu.csv"
if (!exists("output")) output = "build/plots/19_conv2d_multi_gpu"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# A method's name is its way and a number of devices: overlapped_4.
ways = system("echo '" . methods_in(input) . "' | tr ' ' '\\n' | sed 's/_[0-9]*$//' | awk '!seen[$0]++' | paste -sd' '")
is_of(way) = strcol("method")[1:strlen(way) + 1] eq way . "_"
devices(way) = is_of(way) ? real(strcol("method")[strlen(way) + 2:*]) : NaN

# One filter of those that were measured: 9 x 9 taps, or the widest.
stats input using (column("filter_width")) name "widest" nooutput
stats input using (column("filter_width") == 9 ? 9 : NaN) name "nine" nooutput
taps = nine_records > 0 ? 9 : widest_max
ms(method) = column("filter_width") == taps ? of(method, column("kernel_ms")) : NaN
stats input using (ms("in_turn_1")) name "one" nooutput
times(way) = is_of(way) ? one_max / ms(strcol("method")) : NaN  # as fast as one device

set title sprintf("%d x %d pixels, %d x %d taps on several devices; numbers: times as fast as one device\n%s, %s", w_max, h_max, taps, taps, device, date)
set xlabel "devices"
set ylabel "speed, as a share of n times one device (%)"
set xrange [0.9:*]
set yrange [*:102]
set xtics 1
set offsets 0, 0.3, 0, 1
set key bottom left
do for [format in formats] {
    eval(open_chart(output, format))
    plot 100 with lines lw 1 dt 3 lc rgb "#777777" title "ideal", \
        for [name in ways] input using (devices(name)):(100 * times(name) / devices(name)) with linespoints @looks_of_name title label(name), \
        for [name in ways] input using (devices(name) > 1 ? devices(name) : NaN):(100 * times(name) / devices(name)):(sprintf("%.2f", times(name))) \
            with labels left offset 1, 0 tc rgb colour(name) notitle
    set output
}
