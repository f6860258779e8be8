# PMPP, figure 7.22: how many times fewer values does a tiled kernel load from global memory, by counters, by formula and in print?
# needs: data/counts
load "common/plot/figure.gp"
heading = "Loads of global memory: lab 06 divided by lab 07, 256 x 256 pixels"
set xlabel "width and height of the output tile (pixels)"
set ylabel "access reduction (times)"
set logscale x 2
set logscale y 2
set xrange [6.5:78]
set yrange [8:80]
set samples 200
tile_of(method) = method eq "tiled" ? 16 : int(method[7:*])
untiled(taps) = value_of("data/counts.csv", "method=constant filter_width=" . taps, "global_load_values")
formula(tile, taps) = (taps * tile / (tile + taps - 1.0)) ** 2
shade(taps) = colour(taps == 5 ? "tiled_32" : "tiled_64")
masks = "5 9"
more_names = ", for [m in masks] NaN with lines lw 2 dt 2 lc rgb shade(m) title 'formula for whole tiles, mask of ' . m, " \
    . "for [m in masks] NaN with points pt (m == 5 ? 7 : 5) lc rgb shade(m) title 'counted, mask of ' . m, " \
    . "for [m in masks] NaN with points pt (m == 5 ? 6 : 4) ps 2.2 lw 2 lc rgb '#000000' title 'printed, mask of ' . m"
key_lines = 3
draw = "plot for [m in masks] formula(x, m) with lines lw 2 dt 2 lc rgb shade(m), " \
    . "for [m in masks] counted('lab=07_conv2d_tiled method=tiled_8|tiled|tiled_32|tiled_64 filter_width=' . m) " \
    . "using (tile_of(strcol('method'))):(untiled(m) / column('global_load_values')) with points pt (m == 5 ? 7 : 5) ps 1.2 lc rgb shade(m), " \
    . "for [m in masks] published('pmpp_fig7_22', 'mask_width=' . m) using (column('o_tile_width')):(column('reduction_ratio')) " \
    . "with points pt (m == 5 ? 6 : 4) ps 2.2 lw 2 lc rgb '#000000'"
load "common/plot/draw.gp"
