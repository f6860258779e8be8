# Ichimura, figure 6 and his gradient filter: do global, constant and shared memory give the same pictures?
heading = "Ichimura, figure 6: Gaussian with sigma 3.2 and the gradient, three kinds of memory"
pictures = "coffee.gaussian_27x27 coffee.gradient_3x3 camera.gaussian_27x27 camera.gradient_3x3"
methods = "naive constant subblocks"
load "common/plot/sheet.gp"
