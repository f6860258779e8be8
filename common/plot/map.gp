# How fast is each method at every filter width and height? One heat map a method.
# A lab's map.gp or a figure may set panels (names of methods, or of other values of the column `series`) and panel_titles (a
# quoted text for each), then loads this. It may also set own_scales: colours then tell of one panel alone. And more_panels, a
# number, with draw_panel(k), the commands that draw the k-th of these.
if (!exists("output")) output = input[1:strlen(input) - 4]  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

if (!exists("series")) series = "method"
values_in(file) = system("awk -v name=" . series . " -f common/bench/csv.awk -f common/plot/values.awk '" . file . "'")
there = values_in(input)
if (!exists("panels")) panels = there
if (!exists("panel_titles")) panel_titles = panels
drawn = titles = ""  # those of them that the file has; whatever it has, if none
do for [k=1:words(panels)] {
    if (strstrt(" " . there . " ", " " . word(panels, k) . " ") > 0) {
        drawn = drawn . " " . word(panels, k)
        titles = titles . " '" . word(panel_titles, k) . "'"
    }
}
if (words(drawn) == 0) { drawn = titles = there }
sides = system("sed -n '/^[0-9]/p' '" . input . "' | cut -d, -f9,10 | tr , '\\n' | sort -nu")
place(side) = (sum [k=1:words(sides)] (int(word(sides, k)) == side ? k : 0))

of_panel(name, value) = strcol(series) eq name ? value : NaN
shown(value) = strstrt(" " . drawn . " ", " " . strcol(series) . " ") > 0 ? value : NaN
set style fill solid noborder
set grid noxtics noytics
set border 0
set size ratio 1
unset key
if (!exists("own_scales")) own_scales = 0
if (!exists("more_panels")) more_panels = 0
all_panels = words(drawn) + more_panels
rows = all_panels > 3 ? 2 : 1
columns = (all_panels + rows - 1) / rows
stretch = columns == 1 ? 1 : rows == 1 ? 1.3 / columns + 0.2 : 1.1
# Colours go from the slowest to the fastest filter: the differences between them are small beside the speed.
array lowest[words(drawn)]
array highest[words(drawn)]
do for [k=1:words(drawn)] {
    if (own_scales) { stats input using (of_panel(word(drawn, k), column("gflops"))) name "gflops" nooutput } \
    else { stats input using (shown(column("gflops"))) name "gflops" nooutput }
    lowest[k] = gflops_min
    highest[k] = gflops_max > gflops_min ? gflops_max : gflops_min + 1
}
blank = system("grep -q '^# left out' '" . input . "' && echo '; white: refused'")
do for [format in formats] {
    eval(open_chart(output, format))
    set palette maxcolors 0 defined (0 "#440154", 0.25 "#3b528b", 0.5 "#21918c", 0.75 "#5ec962", 1 "#fde725")  # viridis
    set cbtics autofreq
    set xrange [0.5:words(sides) + 0.5]
    set yrange [0.5:words(sides) + 0.5]
    set xtics () scale 0 rotate font ',11'
    set ytics () scale 0 font ',11'
    do for [k=1:words(sides)] {
        set xtics add (word(sides, k) k)
        set ytics add (word(sides, k) k)
    }
    set multiplot layout rows,columns title sprintf("GFLOP/s (2 operations a tap) over the sides of the filter, image of %d x %d pixels%s%s\n%s, %s", \
        w_max, h_max, own_scales ? "; each panel with its own colours" : "", blank, device, date)
    do for [k=1:words(drawn)] {
        set cbrange [lowest[k]:highest[k]]
        set title word(titles, k)
        set xlabel "filter width (taps)"
        set ylabel "filter height (taps)"
        plot input using (place(column("filter_width"))):(place(column("filter_height"))):(0.5):(0.5): \
            (of_panel(word(drawn, k), column("gflops"))) with boxxyerror fc palette
    }
    do for [k=1:more_panels] { eval(draw_panel(k)) }
    unset multiplot
    set output
}
