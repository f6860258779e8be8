# Camerino, tables 3.1 and 5.4: do the three versions give the same picture with every filter?
heading = "Camerino, table 3.1: every filter with V1, V1 const and V2"
pictures = "camera.gaussian_3x3 camera.gaussian_5x5 camera.gaussian_7x7 camera.sobel_x_3x3 camera.sobel_y_3x3" \
    . " camera.laplacian_3x3 camera.box_3x3 camera.box_5x5 camera.sharpen_3x3 camera.emboss_3x3 camera.identity_3x3"
methods = "naive constant shared_unrolled"
cell_width = 165
load "common/plot/sheet.gp"
