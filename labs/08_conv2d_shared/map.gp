# Van Werkhoven et al., figure 2: how fast are the taps in constant memory alone, and where is a tile worth its loading?
if (!exists("input")) input = "build/bench/08_conv2d_shared.map.csv"
panels = "shared_no_tile shared"
panel_titles = "'no tile' 'a tile in shared memory'"
load "common/plot/map.gp"
