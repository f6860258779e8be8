# Looks of every chart: one colour per method name, fonts, a grid, SVG and PNG. A chart does, from the repository's root:
#     load "common/plot/style.gp"
#     do for [format in formats] { eval(open_chart(output, format)); plot ... }

set datafile separator comma
set datafile columnheaders    # columns are used by name: column("kernel_ms")
set datafile missing NaN       # rows that a chart leaves out do not cut its lines
set encoding utf8
set grid lc rgb "#dddddd" lt 1
set border 3 lc rgb "#555555"
set tics nomirror
set key top left reverse Left

formats = "svg png"
stretch = 1.0  # of the height, for a chart with many rows
open_chart(path, format) = \
    (format eq "svg" ? sprintf("set terminal svg noenhanced size 800,%d dynamic font 'sans-serif,14' background '#ffffff'", int(500 * stretch)) \
                     : sprintf("set terminal pngcairo noenhanced size 1200,%d font 'sans-serif,14' background '#ffffff'", int(750 * stretch))) \
    . "; set output '" . path . "." . format . "'"

# The methods of a file, in its order, but for the serial loop. A chart that names methods draws those that are there:
#     plot for [name in present("naive padded")] ...
methods_in(file) = system("grep -v -e '^#' -e '^lab,' '" . file . "' | cut -d, -f2 | tr -d '\"' | grep -vx serial | awk '!seen[$0]++' | paste -sd' '")
has_method(name) = strstrt(" " . methods_in(input) . " ", " " . name . " ") > 0
present(names) = system("for name in " . names . "; do case ' " . methods_in(input) . " ' in *\" $name \"*) echo $name;; esac; done | paste -sd' '")

# Colours that people with colour blindness tell apart (Okabe and Ito), darker and lighter twins where they run out.
# A method keeps its colour in all charts. A family (tiled_8, tiled_32, ...) has the hue of its first word; its members
# are mixed with so much white (positive) or black (negative). A name of no family is grey.
colour_serial   = "#000000"
colour_basic    = "#0072b2"   # 1D
colour_constant = "#e69f00"
colour_tiled    = "#009e73"
colour_cached   = "#cc79a7"
colour_naive    = "#0072b2"   # 2D
colour_padded   = "#56b4e9"
colour_pitched  = "#004c78"
colour_shared   = "#d55e00"
colour_shared_no_tile = colour_constant  # which it is
colour_subblocks = "#a34700"
colour_texture  = "#cc79a7"
colour_banks    = "#b8a900"
colour_tiling   = "#7f3f98"
colour_adaptive = "#d40000"
colour_copies   = "#999999"
shades_tiled   = "tiled_8 0.7 tiled_32 0.45 tiled_64 -0.35 tiled_1024 -0.55 tiled_colour -0.75"
shades_cached  = "cached_32 0.45 cached_1024 -0.45"
shades_shared  = "shared_one_thread 0.65 shared_edge_threads 0.35 shared_rows -0.35 shared_unrolled -0.75"
shades_texture = "texture_padded 0.5 texture_border 0 texture_filter -0.4 texture_shared -0.75"
shades_banks   = "banks_padding 0.5 banks_wide -0.45"
shades_adaptive = "adaptive_tiling 0.5"
shades_tiling  = "tiling_1 0.6 tiling_2 0.2 tiling_4 -0.4 tiling_narrow_2 0.4 tiling_narrow_4 -0.2 tiling_narrow_padded_2 0.5 tiling_narrow_padded_4 -0.1 tiling_square_2 0.1 tiling_square_4 -0.6"

family(method) = strstrt(method, "_") > 0 ? method[1:strstrt(method, "_") - 1] : method
channel(hex, k) = int("0x" . hex[2 * k:2 * k + 1])  # k = 1, 2, 3: red, green, blue
mixed(value, share) = int(share > 0 ? value + share * (255 - value) : value * (1 + share))
shaded(hex, share) = sprintf("#%02x%02x%02x", mixed(channel(hex, 1), share), mixed(channel(hex, 2), share), mixed(channel(hex, 3), share))
shades_of(method) = exists("shades_" . family(method)) ? value("shades_" . family(method)) : ""
share(method) = (sum [k=1:words(shades_of(method))] (word(shades_of(method), k) eq method ? real(word(shades_of(method), k + 1)) : 0))
colour(method) = exists("colour_" . method) ? value("colour_" . method) \
    : exists("colour_" . family(method)) ? shaded(value("colour_" . family(method)), share(method)) : "#777777"

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

# Lines that lie on each other are told apart by their width: the k-th of n is drawn thinner, upon the one before.
line_width(k, n) = 2 + 1.5 * (n - k)
point_size(k, n) = 1 + 0.3 * (n - k)
