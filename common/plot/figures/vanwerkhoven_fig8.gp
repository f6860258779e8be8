# Van Werkhoven et al., figure 8: does adaptive tiling keep its speed at every width and height, with each of three blocks?
# needs: sweep_adaptive 13_conv2d_adaptive.factors
load "common/plot/style.gp"
load "common/plot/factors.gp"
more_panels = 1  # the device with the least memory
series = "block"
own_scales = 1  # blocks of 16 threads in width have bank conflicts and are half as fast
panels = "16x16 16x32 32x16"
panel_titles = "'16 x 16 threads' '16 x 32 threads' '32 x 16 threads'"
load "common/plot/map.gp"
