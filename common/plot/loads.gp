# How often is each element of the input loaded from global memory, by all blocks together?
load "common/plot/picture.gp"
border_colour = "#d55e00"
set title title . "\n" . what . sprintf(": %d in all, %.2f for one element", total, 1.0 * total / (width * height))
eval(draw_borders)
set xlabel x_text
set xrange [-0.5:width - 0.5]
if (flat) {
    set ylabel "loads of the element"
    set yrange [0:most * 1.1 + 0.5]
    if (most < 12) { set ytics 1 }
    set style fill solid 0.9
    set boxwidth 0.9
} else {
    set ylabel y_text
    set yrange [height - 0.5:-0.5]
    set cblabel "loads of the element"
    set cbrange [0:most]
    if (most < 12) { set cbtics 1 }
    set palette defined (0 "#440154", 0.25 "#3b528b", 0.5 "#21918c", 0.75 "#5ec962", 1 "#fde725")
}
lines = sprintf("border of a block's outputs (%d x %d)", tile_width, tile_height)
do for [format in formats] {
    eval(open_chart(output, format))
    if (flat) {
        plot input using (column("x")):(column("loads")) with boxes lc rgb colour_basic title "loads", \
             NaN with lines lw 2 lc rgb border_colour title sprintf("border of a block's outputs (%d)", tile_width)
    } else {
        plot input using (column("x")):(column("y")):(column("loads")) with image notitle, \
             NaN with lines lw 2 lc rgb border_colour title lines
    }
    set output
}
