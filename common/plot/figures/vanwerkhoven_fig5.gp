# Van Werkhoven et al., figure 5: what do two and four outputs a thread reach with bank conflicts?
# needs: 12_conv2d_tiling.map
panels = "tiling_narrow_2 tiling_narrow_4"
panel_titles = "'1x2 tiling, 16 x 16 threads' '1x4 tiling, 16 x 16 threads'"
load "common/plot/map.gp"
