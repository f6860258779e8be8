# Van Werkhoven et al., figure 8: does a factor that follows the filter keep its speed at every width and height, and which
# factor is that?
if (!exists("input")) input = "build/bench/13_conv2d_adaptive.map.csv"
load "common/plot/style.gp"

load "common/plot/factors.gp"  # figure 8d
own_scales = 1  # W's version is a quarter as fast as the other
load "common/plot/map.gp"
