# Beukman, figure 13 and table 1: the time of every method at every filter size, beside the times that he prints for 75 x 75.
# needs: sweep_filters serial
load "common/plot/beukman.gp"
methods = methods_of("beukman")
image = "width=1024 height=1024"
heading = "All methods, 1024 x 1024 pixels in blocks of 32 x 32"
set ylabel "kernel time (ms)"
set logscale xy
set xrange [2.7:120]
set xtics (3, 5, 9, 15, 23, 31, 41, 51, 61, 75, "Beukman" 98)
set arrow from 84, graph 0 to 84, graph 1 nohead dt 3 lc rgb "#999999"
stretch = 1.3
more_names = ", NaN with points ps 0 title 'Beukman: 75 x 75 taps, GTX 1060'"
draw = by_filter("column('kernel_ms')") . ", for [name in methods] " \
    . "published('beukman_table1_gtx1060', 'method=' . underscored(name_in('beukman', name))) " \
    . "using (98):(column('kernel_ms')) with points pt point(name) ps 1.3 lw 2 lc rgb colour(name)"
load "common/plot/draw.gp"
