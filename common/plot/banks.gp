# Which words of shared memory does one warp want at once, and which of them share a bank?
load "common/plot/picture.gp"
set xlabel "bank (word modulo 32)"
set ylabel "row of 32 words, from the first touched"
set xrange [-0.5:31.5]
set xtics 0, 2, 31
stats input using (column("row")) name "row" nooutput
set yrange [row_max + 0.7:-0.7]
set ytics 1
if (row_max > 20) set ytics 5
do for [k = 0:32] { set arrow from k - 0.5, graph 0 to k - 0.5, graph 1 nohead back lc rgb "#e4e4e4" }
# The passes in order: one is well, the next ones are the price of the conflict.
shade(pass) = pass == 0 ? 0x56b4e9 : pass == 1 ? 0xe69f00 : pass == 2 ? 0xd55e00 : pass == 3 ? 0xcc79a7 : 0x999999
names = "first second third fourth"
shown = passes < 4 ? passes : 4
do for [format in formats] {
    eval(open_chart(output, format))
    plot input using (column("bank")):(column("row")):(shade(column("pass"))) with points pt 5 ps (row_max > 12 ? 1.6 : 2.6) lc rgb variable notitle, \
         input using (column("bank")):(column("row")):(sprintf("%d", column("lane"))) with labels font "sans-serif,9" notitle, \
         for [k = 1:shown] NaN with points pt 5 ps 2 lc rgb shade(k - 1) title "served in the " . word(names, k) . " pass", \
         NaN with points pt 5 ps (passes > 4 ? 2 : 0) lc rgb shade(4) title passes > 4 ? "later" : "", \
         NaN with points ps 0 title "number: lane of the warp"
    set output
}
