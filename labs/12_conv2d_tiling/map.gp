# Van Werkhoven et al., figures 5, 6 and 7: what do two and four outputs a thread reach with bank conflicts, with padding
# and with wide blocks?
if (!exists("input")) input = "build/bench/12_conv2d_tiling.map.csv"
panels = "tiling_narrow_2 tiling_narrow_padded_2 tiling_square_2 tiling_narrow_4 tiling_narrow_padded_4 tiling_square_4"
panel_titles = "'2 outputs, 16 x 16 threads' '2 outputs, 16 x 16, padded' '2 outputs, 32 x 32 threads'" \
    . " '4 outputs, 16 x 16 threads' '4 outputs, 16 x 16, padded' '4 outputs, 32 x 32 threads'"
load "common/plot/map.gp"
