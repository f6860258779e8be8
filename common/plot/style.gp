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
open_chart(path, format) = \
    (format eq "svg" ? "set terminal svg noenhanced size 800,500 dynamic font 'sans-serif,14' background '#ffffff'" \
                     : "set terminal pngcairo noenhanced size 1200,750 font 'sans-serif,14' background '#ffffff'") \
    . "; set output '" . path . "." . format . "'"

# Colours that people with colour blindness tell apart (Okabe and Ito), darker and lighter twins where they run out.
# A method keeps its colour in all charts; a method that is not listed is grey.
colour_serial   = "#000000"
colour_basic    = "#0072b2"   # 1D
colour_constant = "#e69f00"
colour_tiled    = "#009e73"
colour_cached   = "#cc79a7"
colour_naive    = "#0072b2"   # 2D
colour_padded   = "#56b4e9"
colour_pitched  = "#004c78"
colour_shared   = "#d55e00"
colour_subblocks = "#a34700"
colour_texture  = "#cc79a7"
colour_banks    = "#b8a900"
colour_tiling   = "#7f3f98"
colour_adaptive = "#d40000"
colour_copies   = "#999999"
colour(method) = exists("colour_" . method) ? value("colour_" . method) : "#777777"

# Where and when the rows of the benchmark file `input` were measured; the serial loop ran on the host, so its rows do
# not count. A chart does: eval(read_device); set title "..." . "\n" . device . ", " . date
read_device = "stats input using (strcol('method') eq 'serial' ? NaN : (device = strcol('device'), date = strcol('date'), 0)) nooutput"
