# Beukman, figure 9: how much of the time does a kernel take, and how much do the copies, at every filter size?
# needs: sweep_filters
load "common/plot/beukman.gp"
heading = "Where the time goes, 512 x 512 pixels in blocks of 32 x 32"
set ylabel "share of the time (%)"
set yrange [0:100]
set xrange [3:75]
set xtics (3, 15, 31, 51, 75)
shown = five . " texture_shared"
panels = 6
columns = 3
gap = 0.07
stretch = 1.3
key_lines = 1
more_names = ", NaN with boxes fs solid 0.6 lc rgb '#777777' title 'kernel (in the colour of its method)', " \
    . "NaN with boxes fs solid 0.35 lc rgb colour_copies title 'copies to the device and back'"
share = "(100 * column('kernel_ms') / column('total_ms'))"
draw_panel(k) = "name = word(shown, " . k . "); set title label(name); file = recorded('sweep_filters', 'method=' . name . ' square ' . image); " \
    . "plot file using (column('filter_width')):(100) with filledcurves x1 fs solid 0.35 lc rgb colour_copies, " \
    . "file using (column('filter_width')):" . share . " with filledcurves x1 fs solid 0.6 lc rgb colour(name), " \
    . "file using (column('filter_width')):" . share . " with linespoints @looks_of_name"
load "common/plot/draw.gp"
