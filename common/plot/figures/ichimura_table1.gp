# Ichimura, tables 1 to 4: what do constant and shared memory bring on 1920 x 1080 pixels, alone and with the transfer, here and in
# his tables?
# needs: sweep_copies serial
load "common/plot/figure.gp"
methods = "naive constant subblocks"
key_columns = 3
heading = "1920 x 1080 pixels, arrays in pageable memory"
set format y "%g"
set xlabel "filter width and height (taps)"
set logscale xy
set xrange [2.6:31]
set xtics (3, 5, 27)
serial_ms(taps) = value_of(data . "/serial.csv", sprintf("width=1920 height=1080 square filter_width=%d", taps), "kernel_ms")
ours(y) = "plot for [name in methods] recorded('sweep_copies', 'method=' . name . ' width=1920 memory=pageable square') " \
    . "using (column('filter_width')):(" . y . ") with linespoints @looks_of_name"
his(y) = "plot for [name in methods] published('ichimura_gtx1080ti', 'version=' . name_in('ichimura', name)) " \
    . "using (column('filter')):(" . y . ") with linespoints @looks_of_name"
times = "set ylabel 'kernel time (ms)'; set yrange [0.01:100]; "
speed_ups = "set ylabel 'with transfer: times faster than the CPU'; set yrange [1:2000]; "
panels = 4
stretch = 1.5
draw_panel(k) = k == 1 ? "set title device; " . times . ours("column('kernel_ms')") \
    : k == 2 ? "set title 'GTX 1080 Ti (printed)'; " . times . his("column('gpu_ms')") \
    : k == 3 ? "set title device; " . speed_ups . ours("serial_ms(column('filter_width')) / column('total_ms')") \
    : "set title 'GTX 1080 Ti (printed)'; " . speed_ups . his("column('speedup_overall')")
load "common/plot/draw.gp"
