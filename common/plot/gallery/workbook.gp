# All methods of the workbook: does every one of them give the same picture? (The last two give its edges.)
heading = "Every method of the workbook (the last two find edges)"
pictures = "camera.gaussian_7x7 coffee.sobel_x_3x3"
methods = "naive padded constant tiled shared_rows subblocks texture_border banks_padding tiling_4 adaptive_tiling adaptive" \
    . " two_passes separable low_rank chain fused"
cell_width = 170
load "common/plot/sheet.gp"
