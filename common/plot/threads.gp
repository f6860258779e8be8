# Which thread of one block loads which element of the input, its tile and the halo around it?
load "common/plot/picture.gp"
last_x = first_x + tile_width
last_y = first_y + tile_height
set title title . "\n" . what . sprintf(": block (%d,%d) of %d threads (of several the first)", block_x, block_y, threads)
set xlabel x_text
set xrange [first_x - radius_x - 1.5:last_x + radius_x + 0.5]
set cblabel sprintf("thread (%d in a row)", threads_x)
if (threads > 1000) { set cblabel offset 0, 0 }  # behind numbers of four digits
set cbrange [0:threads - 1]
set palette defined (0 "#440154", 0.25 "#3b528b", 0.5 "#21918c", 0.75 "#5ec962", 1 "#fde725")
# A dark number on a bright cell and a bright one on a dark cell.
ink(t) = t > 0.55 * threads ? 0x000000 : 0xffffff
# Boxes and not an image, which must not have holes.
set style fill solid noborder
labelled = tile_width + 2 * radius_x <= 40 && tile_height + 2 * radius_y <= 40
size = tile_width + 2 * radius_x <= 24 ? 10 : threads <= 1000 ? 8 : 6
if (flat) {
    set ylabel "thread of the block"
    set yrange [-threads * 0.05 - 0.5:threads * 1.05 - 0.5]
    unset colorbox
    set arrow from first_x - 0.5, graph 0 to first_x - 0.5, graph 1 nohead lw 2 lc rgb "#d55e00"
    set arrow from last_x - 0.5, graph 0 to last_x - 0.5, graph 1 nohead lw 2 lc rgb "#d55e00"
} else {
    set ylabel y_text
    set yrange [last_y + radius_y + 0.5:first_y - radius_y - 1.5]
    set object 1 rectangle from first_x - 0.5, first_y - 0.5 to last_x - 0.5, last_y - 0.5 front fillstyle empty border lc rgb "#d55e00" lw 3
    set object 2 rectangle from first_x - radius_x - 0.5, first_y - radius_y - 0.5 to last_x + radius_x - 0.5, last_y + radius_y - 0.5 \
        front fillstyle empty border lc rgb "#d55e00" lw 2 dt 2
}
do for [format in formats] {
    eval(open_chart(output, format))
    if (flat) {
        shade(x) = x < first_x || x >= last_x ? 0xe69f00 : 0x0072b2
        plot input using (column("x")):(column("thread")):(shade(column("x"))) with points pt 7 ps 0.9 lc rgb variable notitle, \
             NaN with points pt 7 ps 0.9 lc rgb 0x0072b2 title "element of the block's own outputs", \
             NaN with points pt 7 ps 0.9 lc rgb 0xe69f00 title "element of the halo", \
             NaN with lines lw 2 lc rgb "#d55e00" title "border of the block's outputs"
    } else {
        plot input using (column("x")):(column("y")):(0.5):(0.5):(column("thread")) with boxxyerror fc palette notitle, \
             input using (column("x")):(column("y")):(labelled ? sprintf("%d", column("thread")) : ""):(ink(column("thread"))) \
                 with labels font sprintf("sans-serif,%d", size) textcolor rgb variable notitle, \
             NaN with lines lw 3 lc rgb "#d55e00" title "the block's outputs", \
             NaN with lines lw 2 dt 2 lc rgb "#d55e00" title "and their halo (white: ghost cells)"
    }
    set output
}
