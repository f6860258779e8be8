# How fast is each method at every filter width and height? One heat map a method, all on one scale.
# A lab's map.gp may set panels (names of methods) and panel_titles (a quoted text for each), then loads this.
if (!exists("output")) output = input[1:strlen(input) - 4]  # .svg and .png
load "common/plot/style.gp"
eval(read_device)
eval(read_size)

if (!exists("panels")) panels = methods_in(input)
if (!exists("panel_titles")) panel_titles = panels
drawn = titles = ""  # those of them that the file has
do for [k=1:words(panels)] {
    if (has_method(word(panels, k))) {
        drawn = drawn . " " . word(panels, k)
        titles = titles . " '" . word(panel_titles, k) . "'"
    }
}
sides = system("sed -n '/^[0-9]/p' '" . input . "' | cut -d, -f9,10 | tr , '\\n' | sort -nu")
place(side) = (sum [k=1:words(sides)] (int(word(sides, k)) == side ? k : 0))

stats input using (strcol("method") eq "serial" ? NaN : column("gflops")) name "gflops" nooutput
set palette defined (0 "#440154", 0.25 "#3b528b", 0.5 "#21918c", 0.75 "#5ec962", 1 "#fde725")  # viridis
set cbrange [0:gflops_max]
set style fill solid noborder
set xrange [0.5:words(sides) + 0.5]
set yrange [0.5:words(sides) + 0.5]
set xtics () scale 0 rotate
set ytics () scale 0
do for [k=1:words(sides)] {
    set xtics add (word(sides, k) k)
    set ytics add (word(sides, k) k)
}
set grid noxtics noytics
set border 0
set size ratio 1
unset key
rows = words(drawn) > 3 ? 2 : 1
columns = (words(drawn) + rows - 1) / rows
stretch = columns == 1 ? 1 : rows == 1 ? 0.65 : 1.1
blank = system("grep -q '^# left out' '" . input . "' && echo '; white: refused'")
cell(name, value) = strcol("method") eq name ? value : NaN
do for [format in formats] {
    eval(open_chart(output, format))
    set multiplot layout rows,columns title sprintf("GFLOP/s (2 operations a tap) over the sides of the filter, image of %d x %d pixels%s\n%s, %s", \
        w_max, h_max, blank, device, date)
    do for [k=1:words(drawn)] {
        set title word(titles, k)
        set xlabel "filter width (taps)"
        set ylabel "filter height (taps)"
        plot input using (place(column("filter_width"))):(place(column("filter_height"))):(0.5):(0.5): \
            (cell(word(drawn, k), column("gflops"))) with boxxyerror fc palette
    }
    unset multiplot
    set output
}
