# Beukman, figures 1 to 5: do all kinds of memory give the same pictures?
heading = "Beukman, figures 1 to 5: one photograph, one filter, five kinds of memory"
pictures = "camera.identity_3x3 camera.box_3x3 camera.box_23x23 coffee.sharpen_3x3 camera.edge_3x3"
methods = "texture_filter constant shared padded texture_padded"
load "common/plot/sheet.gp"
