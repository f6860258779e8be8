# What Camerino's figures share: his three versions, and a panel for this device beside one for each of his cards.
load "common/plot/figure.gp"
methods = "naive constant shared_unrolled"
right = 0.98
gap = 0.09
set format y "%g"
card(k) = k == 2 ? "Tesla T4" : "GTX 1050 Ti"
where_of(k) = k == 1 ? device : card(k) . " (printed)"
here(file, where, x, y) = "set title where_of(1); plot for [name in methods] recorded('" . file . "', 'method=' . name . ' " . where . "') " \
    . "using (" . x . "):(" . y . ") with linespoints @looks_of_name"
printed(k, file, x, y) = "set title where_of(" . k . "); plot for [name in methods] published('" . file . "', 'gpu=" . underscored(card(k)) . "') " \
    . "using (" . x . "):(" . y . ") with linespoints @looks_of_name"
