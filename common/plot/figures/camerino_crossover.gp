# Camerino, section 5.6.4: where does V2, the tile in shared memory, overtake V1, here and on both cards?
# needs: sweep_images
load "common/plot/camerino.gp"
heading = "V1 (bounds tested) divided by V2 (shared, unrolled), 1024 x 1024 pixels"
set xlabel "filter width and height (taps)"
set ylabel "V1's kernel time divided by V2's"
set yrange [0:*]
set xrange [2.5:7.5]
set xtics 3, 2
v1_ms(taps) = value_of(data . "/sweep_images.csv", sprintf("method=naive block=16x16 width=1024 square filter_width=%d", taps), "kernel_ms")
set arrow from graph 0, first 1 to graph 1, first 1 nohead dt 2 lc rgb "#777777"
set label "above this line V2 is faster" at graph 0.98, first 1 right offset 0, -0.7 textcolor rgb "#555555"
methods = ""
key_lines = 1
key_columns = 3
more_names = ", NaN with linespoints lw 2 pt 7 lc rgb colour('shared_unrolled') title device" \
    . ", NaN with linespoints lw 2 dt 2 pt 6 lc rgb '#0072b2' title 'Tesla T4 (printed)'" \
    . ", NaN with linespoints lw 2 dt 3 pt 4 lc rgb '#cc79a7' title 'GTX 1050 Ti (printed)'"
draw = "plot recorded('sweep_images', 'method=shared_unrolled block=16x16 width=1024 square') " \
    . "using (column('filter_width')):(v1_ms(column('filter_width')) / column('kernel_ms')) with linespoints lw 2 pt 7 lc rgb colour('shared_unrolled'), " \
    . "published('camerino_kernel_size', 'gpu=Tesla_T4') using (column('filter')):(column('v1_ms') / column('v2_ms')) with linespoints lw 2 dt 2 pt 6 lc rgb '#0072b2', " \
    . "published('camerino_kernel_size', 'gpu=GTX_1050_Ti') using (column('filter')):(column('v1_ms') / column('v2_ms')) with linespoints lw 2 dt 3 pt 4 lc rgb '#cc79a7'"
load "common/plot/draw.gp"
