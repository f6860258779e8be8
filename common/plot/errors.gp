# Where are the wrong results, and how do they lie to the borders of the blocks?
load "common/plot/picture.gp"
border_colour = "#777777"
set title title . sprintf("\n%s: %d of %d, %d of them NaN", what, wrong + nans, values, nans) . "\n" . first . (likely eq "" ? "" : "\nlikely: " . likely)
eval(draw_borders)
set xlabel x_text
set xrange [-0.5:width - 0.5]
if (flat) {
    set yrange [0:1]
    set ylabel "one bar an element"
    unset ytics
    set style fill solid 1
} else {
    set ylabel y_text
    set yrange [height - 0.5:-0.5]
}
unset colorbox
set cbrange [0:2]
set palette maxcolors 3 defined (0 "#e8eef2", 1 "#e69f00", 2 "#8b0000")
shade(state) = state == 0 ? 0xe8eef2 : state == 1 ? 0xe69f00 : 0x8b0000
block = flat ? sprintf("%d", tile_width) : sprintf("%d x %d", tile_width, tile_height)
legend = 'NaN with points pt 5 ps 2 lc rgb "#e8eef2" title "right", NaN with points pt 5 ps 2 lc rgb "#e69f00" title "wrong number", ' \
    . 'NaN with points pt 5 ps 2 lc rgb "#8b0000" title "NaN: never written, or made from unset memory", ' \
    . 'NaN with lines lw 2 lc rgb border_colour title "border of a block''s outputs (" . block . ")"'
cells = flat ? 'input using (column("x")):(0.5):(0.5):(0.5):(shade(column("state"))) with boxxyerror lc rgb variable notitle' \
             : 'input using (column("x")):(column("y")):(column("state")) with image notitle'
do for [format in formats] {
    eval(open_chart(output, format))
    eval("plot " . cells . ", " . legend)
    set output
}
