# What the pictures of make inspectNN share: sizes, a frame around the image, the borders of its tiles. Loaded by loads.gp,
# threads.gp, banks.gp and errors.gp, after the file that the judge wrote: input, output, title, what, width, height, ...
load "common/plot/style.gp"
canvas = 960  # seen small, beside others
unset grid
set border 15 lc rgb "#555555"
set tics nomirror out
set key at screen 0.5, screen 0.01 bottom center horizontal Left reverse samplen 2 width 2
set bmargin 7
set xlabel offset 0, 0.3
set cblabel offset 1.5, 0
set title title . "\n" . what
flat = height == 1
channel_text = channels > 1 ? sprintf(", %d values a pixel", channels) : ""
x_text = (flat ? "element x" : "column x (pixels)")
x_text = channels > 1 ? "value of the row (column x times " . channels . " channels)" : x_text
y_text = "row y (pixels)"

# Borders of the blocks' outputs, in the rows that the launch has, unless there would be more lines than picture.
rows_begin = flat ? "graph 0" : sprintf("first %g", top - 0.5)
rows_end = flat ? "graph 1" : sprintf("first %g", top + rows - 0.5)
columns = width - 2 * margin_x
columns_begin = sprintf("first %g", margin_x - 0.5)
columns_end = sprintf("first %g", margin_x + columns - 0.5)
border_style = " nohead front lw 1.5 lc rgb border_colour"
down(x) = sprintf("set arrow from %g, ", x) . rows_begin . sprintf(" to %g, ", x) . rows_end . border_style
across(y) = "set arrow from " . columns_begin . sprintf(", first %g to ", y) . columns_end . sprintf(", first %g", y) . border_style
draw_borders = "do for [k = 0:(columns / tile_width < 70 ? columns / tile_width : -1)] { eval(down(margin_x + k * tile_width - 0.5)) };" \
    . "do for [k = 0:(!flat && rows / tile_height < 70 ? rows / tile_height : -1)] { eval(across(top + k * tile_height - 0.5)) };" \
    . "if (!flat && rows < height) { eval(across(top + rows - 0.5)); eval(down(margin_x + columns - 0.5)) }"
