# Looks of every chart: one colour, point and dash per method name, fonts, a grid, SVG and PNG. A chart does, from the repository's root:
#     load "common/plot/style.gp"
#     do for [format in formats] { eval(open_chart(output, format)); plot ... }

set datafile separator comma
set datafile columnheaders    # columns are used by name: column("kernel_ms")
set datafile missing NaN       # rows that a chart leaves out do not cut its lines
# Scripts run gnuplot with LC_ALL=C.UTF-8: in a locale without UTF-8 it warns of a degree sign.
set encoding utf8
set grid lc rgb "#dddddd" lt 1
set border 3 lc rgb "#555555"
set tics nomirror
set key top left reverse Left

formats = exists("format") ? format : "svg png"
stretch = 1.0  # of the height, for a chart with many rows
canvas = 1200  # pixels of the width; what is drawn on fewer has larger words
open_chart(path, format) = \
    (format eq "svg" ? sprintf("set terminal svg noenhanced size %d,%d dynamic font 'sans-serif,15' background '#ffffff'", canvas, int(0.625 * canvas * stretch)) \
                     : sprintf("set terminal pngcairo noenhanced size %d,%d font 'sans-serif,14' background '#ffffff'", canvas, int(0.625 * canvas * stretch))) \
    . "; set output '" . path . "." . format . "'"

# The methods of a file, in its order, but for the serial loop. A chart that names methods draws those that are there:
#     plot for [name in present("naive padded")] ...
methods_in(file) = system("grep -v -e '^#' -e '^lab,' '" . file . "' | cut -d, -f2 | tr -d '\"' | grep -vx serial | awk '!seen[$0]++' | paste -sd' '")
has_method(name) = strstrt(" " . methods_in(input) . " ", " " . name . " ") > 0
present(names) = system("for name in " . names . "; do case ' " . methods_in(input) . " ' in *\" $name \"*) echo $name;; esac; done | paste -sd' '")

# The looks of a method, from the one table that has them: colour(name), point(name), dash(name), fill(name), label(name);
# those of a name that is not there are grey. A chart has: plot ... with linespoints @looks_of_name (or boxes @bars_of_name),
# with the method's name in `name`.
looks_table = "common/plot/methods.csv"
eval(system("awk -F, '!/^#|^method/ { printf \"colour_%s = \\\"%s\\\"; point_%s = %s; dash_%s = %s; fill_%s = %s; label_%s = \\\"%s\\\"; \", " \
    . "$1, $3, $1, $4, $1, $5, $1, $6, $1, $7 }' " . looks_table))
colour_copies = "#999999"
looks(kind, method, default) = exists(kind . "_" . method) ? value(kind . "_" . method) : default
colour(method) = looks("colour", method, "#777777")
point(method) = looks("point", method, 7)
dash(method) = looks("dash", method, 1)
fill(method) = looks("fill", method, 3)
label(method) = looks("label", method, method)
looks_of_name = "lw 2 pt point(name) dt dash(name) lc rgb colour(name)"
bars_of_name = "lc rgb colour(name) fs pattern fill(name) border lc rgb colour(name)"

# Where and when the rows of the benchmark file `input` were measured; the serial loop ran on the host, so its rows do
# not count. A chart does: eval(read_device); set title "..." . "\n" . device . ", " . date
read_device = "stats input using (strcol('method') eq 'serial' ? NaN : (device = strcol('device'), date = strcol('date'), 0)) nooutput"

# The largest image or array of the file, w_max x h_max: a line needs one size. A chart does: eval(read_size)
read_size = "stats input using (column('width') * column('height')) name 'pixels' nooutput; " \
    . "stats input using (column('width') * column('height') == pixels_max ? column('width') : NaN) name 'w' nooutput; " \
    . "stats input using (column('width') * column('height') == pixels_max ? column('height') : NaN) name 'h' nooutput"
# A value of such a row if it is the method's and its filter square (or of one dimension), else nothing:
#     plot input using (column("filter_width")):(of(name, column("kernel_ms")))
of(name, value) = strcol("method") eq name && column("width") * column("height") == pixels_max \
    && (column("height") == 1 || column("filter_width") == column("filter_height")) ? value : NaN

# Another lab's file from the same folder, measured with this one: beside("05_conv2d_naive") is its path, or "" if there is none.
folder_of(path) = strstrt(path, "/") ? system("dirname '" . path . "'") . "/" : ""
beside(lab) = system("test -f '" . folder_of(input) . lab . ".csv' && echo '" . folder_of(input) . lab . ".csv'")

# An axis of filter widths on which small filters have room: eval(filter_axis)
filter_axis = "stats input using (column('filter_width')) name 'widest' nooutput; set logscale x; set xrange [2.7:widest_max * 1.1]; " \
    . "set xtics (3, 5, 7, 9, 13, 17, 21, 27, 33, 43, 65, 129, 255)"
