# Van Werkhoven et al., figure 6: what do two and four outputs a thread reach with padded rows?
# needs: 12_conv2d_tiling.map
panels = "tiling_narrow_padded_2 tiling_narrow_padded_4"
panel_titles = "'1x2 tiling, padded rows' '1x4 tiling, padded rows'"
load "common/plot/map.gp"
