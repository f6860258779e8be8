# Van Werkhoven et al., figure 2: how fast is the filter in constant memory, without a tile, at every width and height?
# needs: 08_conv2d_shared.map
panels = "shared_no_tile"
panel_titles = "'taps in constant memory, no tile'"
load "common/plot/map.gp"
