# Van Werkhoven et al., figure 8d: panels for map.gp, one a device, of the factor that adaptive tiling chooses at every filter width and
# height; from the table that is written beside the file `input`: "GTX 480",49152,43,43,4 for each filter.
factors = beside("13_conv2d_adaptive.factors")
each_device(text) = factors eq "" ? "" : system("awk -F'\"' '/^\"/ && !seen[$2]++ " \
    . "{ split($3, column, \",\"); printf \"\\047%s\\047 \", " . text . " }' '" . factors . "'")
devices = each_device("$2")
device_titles = each_device("$2 \", \" column[2] / 1024 \" KB a block\"")
more_panels = words(devices)
log2(factor) = factor > 0 ? log(factor) / log(2) : NaN  # white: no factor fits
factor_at(k) = strcol("device") eq word(devices, k) ? log2(column("factor")) : NaN
draw_panel(k) = "set title 'outputs of a thread: " . word(device_titles, k) . "'; " \
    . "set palette maxcolors 4 defined (0 '#fee6ce', 1 '#fdae6b', 2 '#e6550d', 3 '#7f2704'); " \
    . "set cbrange [-0.5:3.5]; set cbtics ('1' 0, '2' 1, '4' 2, '8' 3); " \
    . "set xrange [0:44]; set yrange [0:44]; set xtics 3,8; set ytics 3,8; " \
    . "plot factors using (column('filter_width')):(column('filter_height')):(1):(1):(factor_at(" . k . ")) " \
    . "with boxxyerror fc palette"
