# Van Werkhoven et al., figure 3: what do bank conflicts cost, and where do blocks of 16 x 16 threads have none?
# needs: 11_conv2d_banks.map
panels = "banks banks_wide"
panel_titles = "'16 x 16 threads' '32 x 32 threads'"
load "common/plot/map.gp"
