# How fast is each lab's best method, yours beside the reference's, and what would the reference's GPU allow?
if (!exists("input")) input = "build/plots/staircase.csv"
if (!exists("output")) output = "build/plots/staircase"  # .svg and .png
if (!exists("gpu")) gpu = "GPU of the reference"
load "common/plot/style.gp"
labs = system("tail -n +2 '" . input . "' | cut -d, -f1 | paste -sd' '")
yours_on = system("awk -F, 'NR > 1 && $6 != \"\" { print $6; exit }' '" . input . "'")
set title sprintf("From lab to lab: the fastest method with 9 taps a side\nyours: %s; reference: %s", yours_on, gpu)
set ylabel "GFLOP/s (kernel only)"
set logscale y
set format y "%g"
set xrange [0.5:words(labs) + 0.5]
set xtics () rotate by -25 scale 0
do for [k=1:words(labs)] { set xtics add (word(labs, k) k) }
set rmargin 13  # for the end of the last label
set key outside bottom center horizontal
stretch = 1.1
row(unused) = column(0) + 1
do for [format in formats] {
    eval(open_chart(output, format))
    plot input using (row(0) - 0.4):(column("roofline")):(0.8):(0) with vectors nohead lc rgb "#777777" lw 3 title "roofline", \
         input using (row(0)):(column("reference")) with linespoints lw 2 pt 6 ps 1.3 lc rgb "#e69f00" title "reference", \
         input using (row(0)):(column("yours")) with linespoints lw 3 pt 7 ps 1.5 lc rgb "#0072b2" title "yours"
    set output
}
