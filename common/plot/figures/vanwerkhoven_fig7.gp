# Van Werkhoven et al., figure 7: what do two and four outputs a thread reach with wide blocks?
# needs: 12_conv2d_tiling.map
panels = "tiling_square_2 tiling_square_4"
panel_titles = "'1x2 tiling, 32 x 32 threads' '1x4 tiling, 32 x 32 threads'"
load "common/plot/map.gp"
