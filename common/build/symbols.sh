#!/bin/sh
# Fails if a student's object file defines a function that would be taken for one of the system or of the program around
# it: symbols.sh FILE.o FILE.cu. In C++ these are names without types (extern "C", or declared so in a header) that the
# system's libraries have or that look as if they did, operator new and delete, and functions of std and of the
# workbook. main is the linker's to refuse.
object=$1 file=$2
foreign() {  # OPTION...: symbol, and with -l the place; W are inline functions and templates, which headers have too
    nm --defined-only "$@" "$object" | awk '
        $2 !~ /^[TWi]$/ || $3 == "main" { next }
        { place = $0; sub(/^[^\t]*\t?/, "", place) }  # may hold blanks
        $3 ~ /^_Z(n[wa]mPv|d[la]PvS_)$/ { next }  # at a place
        $3 !~ /^_Z/ || $3 ~ /^_Z(n[wa]|d[la])/ { print $3, place; next }
        $2 != "W" && ($3 ~ /^_ZS/ || $3 ~ /^_ZNK?(S|4simt|7inspect|6worker|5check|7channel|3lab)/) { print $3, place }'
}
names_of_system() {
    for library in libc.so.6 libm.so.6 libstdc++.so.6 libgcc_s.so.1 libdw.so.1 libelf.so.1; do
        nm -D --defined-only "$("${CXX:-g++}" ${DEPS:+-B"$DEPS/lib/"} -print-file-name=$library)" 2>/dev/null
    done | awk '{ sub(/@.*/, "", $3); print $3 }'
}
suspects=$(foreign | cut -d ' ' -f 1)
[ -n "$suspects" ] || exit 0
refused=$(echo "$suspects" | grep -E '^(_|cuda|cufft|simt)'; names_of_system | grep -Fx "$suspects")
[ -n "$refused" ] || exit 0
foreign -l | while read -r symbol place; do
    echo "$refused" | grep -Fqx "$symbol" || continue
    printf '%s: error: forbidden: %s is the name of a function of the system or of the program around this file: %s\n' \
        "$file:${place##*:}" "$(c++filt "$symbol")" "use another, or a namespace of your own"
done | sort -t: -k1,1 -k2,2n >&2
exit 1
