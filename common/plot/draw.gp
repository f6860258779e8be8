# Draws what a figure has set, in one format: `draw`, or `panels` in `columns` columns by draw_panel(k). Below stand the
# names of `methods` as lines and of `more_names`, a further element of a plot command, in `key_columns` columns; with
# more than one of these a figure sets `key_lines`.
if (!exists("format")) format = "png"
if (!exists("panels")) { panels = 1; columns = 1; draw_panel(k) = draw }
if (!exists("columns")) columns = 2
if (!exists("methods")) methods = ""
if (!exists("more_names")) more_names = ""
if (!exists("names_as")) names_as = "linespoints @looks_of_name"  # or "boxes @bars_of_name"
if (!exists("key_columns")) key_columns = 2
if (!exists("tic_lines")) tic_lines = 0  # more than one, for names that are turned
if (!exists("gap")) gap = 0.09     # between panels, for the numbers of the right one
if (!exists("right")) right = 0.97
line = 22.0 / (750 * stretch)  # of text, as a share of the height
elements = words(methods) + (more_names ne "")
if (!exists("key_lines")) key_lines = (elements + key_columns - 1) / key_columns
below = (key_lines + (key_lines > 0) * 0.6) * line
eval(open_chart(output, format))
set multiplot layout (panels + columns - 1) / columns, columns title heading . "\n" . measured \
    margins screen 0.1, screen right, screen below + (3.2 + tic_lines) * line, screen 1 - 4.6 * line \
    spacing screen gap, screen (6.2 + tic_lines) * line
unset key
do for [k=1:panels] { eval(draw_panel(k)) }
if (elements > 0) {
    set lmargin at screen 0.02
    set rmargin at screen 0.98
    set bmargin at screen 0
    set tmargin at screen below
    set key center center horizontal Left reverse maxcols key_columns samplen 3 width 1
    unset border
    unset tics
    unset title
    unset xlabel
    unset ylabel
    unset logscale
    unset label
    unset arrow
    unset grid
    unset colorbox
    eval("plot [0:1][0:1] for [name in methods] NaN with " . names_as . " title label(name)" . more_names)
}
unset multiplot
set output
