# Van Werkhoven et al., figure 8: does a factor that follows the filter keep its speed at every width and height?
if (!exists("input")) input = "build/bench/13_conv2d_adaptive.map.csv"
load "common/plot/map.gp"
