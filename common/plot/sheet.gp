# A contact sheet of the gallery: a row for each photograph and filter in `pictures` ("camera.box_3x3"), a column for each of
# `methods`. The scripts of common/plot/gallery set these and `heading`; gallery.sh gives `folder` (with gallery.csv) and
# `output`. Where the columns are something else, `file` is a formula of the cell's picture and `column_titles` a list.
# A PNG and no SVG, which would write every pixel as a number.
load "common/plot/style.gp"
input = folder . "/gallery.csv"
eval(read_device)
if (!exists("cell_width")) cell_width = 230
cell_height = 160
rows = words(pictures)
columns = words(methods)
if (!exists("file")) file = "folder . '/' . word(pictures, row) . '.' . word(methods, column) . '.png'"
if (!exists("column_titles")) column_titles = methods
shown(picture) = (dot = strstrt(picture, "."), dot == 0 ? picture : \
    picture[1:dot - 1] . ", " . system("echo '" . picture[dot + 1:*] . "' | tr _ ' '"))
same = int(system("awk -F, '$7 == \"yes\"' '" . input . "' | grep -c ."))
all = int(system("grep -c ',right$\\|,wrong$' '" . input . "'"))
unset key
unset tics
unset border
unset colorbox
unset grid
width = columns * cell_width + 180
height = rows * cell_height + 110
set terminal pngcairo noenhanced size width, height font "sans-serif,11" background "#ffffff"
set output output . ".png"
set multiplot title sprintf("%s\n%d of %d pictures of the gallery have the serial loop's bits\n%s, %s", heading, same, all, device, date)
do for [row=1:rows] {
    do for [column=1:columns] {
        left = (180.0 + (column - 1) * cell_width) / width
        top = 1 - (100.0 + (row - 1) * cell_height) / height
        set lmargin at screen left
        set rmargin at screen left + (cell_width - 6.0) / width
        set tmargin at screen top
        set bmargin at screen top - (cell_height - 8.0) / height
        unset label
        if (row == 1) { set label 1 word(column_titles, column) at graph 0.5, graph 1.05 center font ",10" }
        if (column == 1) { set label 2 shown(word(pictures, row)) at graph -0.03, graph 0.5 right font ",10" }
        set size ratio -1
        set autoscale fix
        eval("shown_file = " . file)
        # A student has begun some labs.
        if (system("test -f '" . shown_file . "' && echo there") eq "there") {
            plot shown_file binary filetype=png with rgbimage
        } else {
            set label 3 "not there" at graph 0.5, graph 0.5 center font ",10" textcolor rgb "#888888"
            plot [0:1][0:1] 2 notitle
        }
    }
}
unset multiplot
set output
