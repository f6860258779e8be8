# What Beukman's figures share: his methods and blocks, an axis of filter sizes, and one line for each method of the
# list `methods`.
load "common/plot/figure.gp"
five = "padded constant shared texture_padded texture_filter"
four = "padded constant texture_border shared"  # at other blocks
blocks = "4x4 8x8 16x16 32x32"
image = "width=512 height=512"
set xlabel "filter width and height (taps)"
set xrange [0:*]
set format y "%g"
by_filter_of(file, where, y) = "plot for [name in methods] recorded(name eq 'serial' ? 'serial' : '" . file . "', " \
    . "'method=' . name . ' square " . image . " ' . (name eq 'serial' ? '' : '" . where . "')) " \
    . "using (column('filter_width')):(" . y . ") with linespoints @looks_of_name"
by_filter(y) = by_filter_of("sweep_filters", "", y)
alone_or_with_copies(k, alone, with_copies) = k == 1 ? "set title 'kernel alone'; " . by_filter(alone) \
    : "set title 'with the copies'; " . by_filter(with_copies)
