# Ichimura's pipeline: what becomes of a colour photograph? As it is read, in grey, filtered and clamped to 0 to 255.
heading = "Ichimura, the pipeline: a photograph, its grey values, and two filters, clamped to 0 to 255"
pictures = "coffee camera"
methods = "photograph identity_3x3 gaussian_27x27 gradient_3x3"
column_titles = "photograph grey 'Gaussian, 27 x 27' 'gradient, 3 x 3'"
file = "column == 1 ? 'data/images/' . word(pictures, row) . '.png'" \
    . " : folder . '/' . word(pictures, row) . '.' . word(methods, column) . '.naive.png'"
load "common/plot/sheet.gp"
