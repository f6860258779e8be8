# How many times faster than the first step is each step on the way to the fast version, and what would the device allow?
if (!exists("input")) input = "build/bench/13_conv2d_adaptive.staircase.csv"
if (!exists("output")) output = "build/plots/13_conv2d_adaptive.staircase"  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

# The file has one step after the other, each with all filters. awk is told of its rows, without quotes; $at["step"] is a column.
of_rows(awk) = system("awk -F, '/^lab,/ { for (k = 1; k <= NF; k++) at[$k] = k; next } /^[0-9]/ { gsub(\"\\\"\", \"\"); " \
    . "step = $at[\"step\"]; filter = $at[\"filter_width\"] \"x\" $at[\"filter_height\"]; " . awk . " }' '" . input . "'")
steps = of_rows("if (!seen[step]++) printf \"\\047%s\\047 \", step")
filters = of_rows("if (!seen[filter]++) print filter")
first_ms = of_rows("if (!seen[filter]++) print $at[\"kernel_ms\"]")  # of each filter
has_roofline = words(of_rows("if ($at[\"roofline_share\"] != \"\") print 1")) > 0

place(list, name) = (sum [k=1:words(list)] (word(list, k) eq name ? k : 0))
step(unused) = place(steps, strcol("step"))
faster(filter) = sprintf("%dx%d", column("filter_width"), column("filter_height")) eq filter \
    ? word(first_ms, place(filters, filter)) / column("kernel_ms") : NaN
last(filter) = step(0) == words(steps) ? faster(filter) : NaN
limit(filter) = has_roofline ? last(filter) / column("roofline_share") : last(filter)  # not known: drawn upon the last step
viridis = "#440154 #46327e #365c8d #277f8e #1fa187 #4ac16d #a0da39 #d0b010"
shade(filter) = word(viridis, (place(filters, filter) - 1) % words(viridis) + 1)
last_x = words(steps) + has_roofline

set title sprintf("2D convolution of %d x %d pixels: the steps to the fast version\n%s, %s", w_max, h_max, device, date)
set key top left title "filter (taps)" left maxrows 4
set ylabel "times faster than step 1 (kernel only)"
set logscale y 2
set xrange [0.5:last_x + 0.4]
set xtics () rotate by -25 scale 0
do for [k=1:words(steps)] { set xtics add (sprintf("%d. %s", k, word(steps, k)) k) }
if (has_roofline) { set xtics add ("roofline" last_x) }
set rmargin has_roofline ? 12 : 22  # for the end of the last label
stretch = 1.2
do for [format in formats] {
    eval(open_chart(output, format))
    plot for [filter in filters] input using (step(0)):(faster(filter)) \
             with linespoints lw 2 pt 7 lc rgb shade(filter) title filter, \
         for [filter in filters] input using (words(steps)):(last(filter)):(has_roofline):(limit(filter) - last(filter)) \
             with vectors nohead lw 1 dt 2 lc rgb shade(filter) notitle, \
         for [filter in filters] input using (last_x):(limit(filter)) \
             with points pt 6 lw 2 lc rgb shade(filter) notitle
    set output
}
