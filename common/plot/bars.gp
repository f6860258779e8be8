# Groups of bars, one bar for each method of the list `methods` in every group of the list `groups`: bars(file, where, group, y) is a
# plot command; `group` is the expression that has a row's group, `y` its value. Loaded after figure.gp.
names_as = "boxes @bars_of_name"
place_in(list, text) = (sum [k=1:words(list)] (word(list, k) eq text ? k : 0))
beside_others(group, k, n) = group + (k - (n + 1) / 2.0) * 0.8 / n
bars(file, where, group, y) = "plot for [k=1:words(methods)] name = word(methods, k) recorded('" . file . "', 'method=' . name . ' " . where . "') " \
    . "using (beside_others(place_in(groups, " . group . "), k, words(methods))):(" . y . "):(0.8 / words(methods)) with boxes @bars_of_name"
name_groups = "set xtics () scale 0; do for [k=1:words(groups)] { set xtics add (word(groups, k) k) }; set xrange [0.4:words(groups) + 0.6]"
