# All methods of the workbook: does every one of them give the same picture?
heading = "Every method of the workbook"
pictures = "camera.gaussian_7x7 coffee.edge_3x3"
methods = "naive padded constant tiled shared_rows subblocks texture_border banks_padding tiling_4 adaptive_tiling adaptive"
cell_width = 170
load "common/plot/sheet.gp"
