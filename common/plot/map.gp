# How fast is each method at every filter width and height? One heat map a method, all on one scale.
# A lab's map.gp may set panels (names of methods) and panel_titles (a quoted text for each), then loads this. It may also set
# more_panels, a number, and define draw_panel(k), the commands that draw the k-th of these.
if (!exists("output")) output = input[1:strlen(input) - 4]  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

if (!exists("panels")) panels = methods_in(input)
if (!exists("panel_titles")) panel_titles = panels
drawn = titles = ""  # those of them that the file has; whatever it has, if none
do for [k=1:words(panels)] {
    if (has_method(word(panels, k))) {
        drawn = drawn . " " . word(panels, k)
        titles = titles . " '" . word(panel_titles, k) . "'"
    }
}
if (words(drawn) == 0) { drawn = titles = methods_in(input) }
sides = system("sed -n '/^[0-9]/p' '" . input . "' | cut -d, -f9,10 | tr , '\\n' | sort -nu")
place(side) = (sum [k=1:words(sides)] (int(word(sides, k)) == side ? k : 0))

is_drawn(name) = strstrt(" " . drawn . " ", " " . name . " ") > 0
stats input using (is_drawn(strcol("method")) ? column("gflops") : NaN) name "gflops" nooutput
set style fill solid noborder
set grid noxtics noytics
set border 0
set size ratio 1
unset key
if (!exists("more_panels")) more_panels = 0
all_panels = words(drawn) + more_panels
rows = all_panels > 3 ? 2 : 1
columns = (all_panels + rows - 1) / rows
stretch = columns == 1 ? 1 : rows == 1 ? 0.65 : 1.1
blank = system("grep -q '^# left out' '" . input . "' && echo '; white: refused'")
cell(name, value) = strcol("method") eq name ? value : NaN
do for [format in formats] {
    eval(open_chart(output, format))
    set palette maxcolors 0 defined (0 "#440154", 0.25 "#3b528b", 0.5 "#21918c", 0.75 "#5ec962", 1 "#fde725")  # viridis
    set cbrange [0:gflops_max]
    set cbtics autofreq
    set xrange [0.5:words(sides) + 0.5]
    set yrange [0.5:words(sides) + 0.5]
    set xtics () scale 0 rotate
    set ytics () scale 0
    do for [k=1:words(sides)] {
        set xtics add (word(sides, k) k)
        set ytics add (word(sides, k) k)
    }
    set multiplot layout rows,columns title sprintf("GFLOP/s (2 operations a tap) over the sides of the filter, image of %d x %d pixels%s\n%s, %s", \
        w_max, h_max, blank, device, date)
    do for [k=1:words(drawn)] {
        set title word(titles, k)
        set xlabel "filter width (taps)"
        set ylabel "filter height (taps)"
        plot input using (place(column("filter_width"))):(place(column("filter_height"))):(0.5):(0.5): \
            (cell(word(drawn, k), column("gflops"))) with boxxyerror fc palette
    }
    do for [k=1:more_panels] { eval(draw_panel(k)) }
    unset multiplot
    set output
}
