# Van Werkhoven et al., figure 3, explained: how many passes does a warp's load from shared memory take, by filter width?
# needs: data/counts
load "common/plot/figure.gp"
methods = "banks banks_padding banks_wide"
heading = "Passes over the 32 banks for one load of a warp (lab 11)"
set xlabel "filter width (taps)"
set ylabel "passes for one request"
set xrange [5:45]
set yrange [0:2.5]
set ytics 1
set xtics (7, 11, 15, 19, 23, 27, 31, 33, 35, 39, 41, 43)
set xtics font ',11'
draw = "plot for [k=1:words(methods)] name = word(methods, k) counted('method=' . name) " \
    . "using (column('filter_width')):(column('shared_load_wavefronts') / column('shared_load_requests')) " \
    . "with linespoints lw 8 - 2 * k pt point(name) ps 2 - 0.3 * k dt dash(name) lc rgb colour(name)"
load "common/plot/draw.gp"
