# Van Werkhoven et al., figure 3: where do bank conflicts cost speed, and what do padding and wide blocks make of it?
if (!exists("input")) input = "build/bench/11_conv2d_banks.map.csv"
panels = "banks banks_padding banks_wide"
panel_titles = "'16 x 16 threads, no cure' '16 x 16 threads, padded rows' '32 x 32 threads'"
load "common/plot/map.gp"
