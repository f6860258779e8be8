# What runs beside what: copies, kernels and transforms in the rows of their streams, each as if it took one slot.
load "common/plot/picture.gp"
set xlabel "slot"
set xrange [-0.5:slots - 0.5]
set yrange [streams - 0.5:-0.5]
set style fill solid border rgb "#ffffff"
shade(kind) = kind == 0 ? 0x0072b2 : kind == 1 ? 0xe69f00 : kind == 2 ? 0x009e73 : kind == 4 ? 0xcc79a7 : kind == 5 ? 0xd55e00 : 0x888888
do for [format in formats] {
    eval(open_chart(output, format))
    plot input using (column("slot")):(column("row")):(0.5):(0.35):(shade(column("kind"))):ytic(3) with boxxyerror lc rgb variable notitle, \
         NaN with points pt 5 ps 2 lc rgb 0x0072b2 title "copy to the device", \
         NaN with points pt 5 ps 2 lc rgb 0xe69f00 title "kernel", \
         NaN with points pt 5 ps 2 lc rgb 0x009e73 title "copy to the host", \
         (peers ? NaN : 1/0) with points pt 5 ps 2 lc rgb 0xcc79a7 title (peers ? "copy to another device" : ""), \
         (transforms ? NaN : 1/0) with points pt 5 ps 2 lc rgb 0xd55e00 title (transforms ? "transform" : "")
    set output
}
