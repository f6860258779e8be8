#!/bin/sh
# Guards the calls of a student's object to functions of other files: outside_calls.sh OBJECT.o PART
#   PART.renamed   for objcopy --redefine-syms: each goes to its guard
#   PART.guards.s  the guards, past which no kernel gets (simt/engine/branches.cpp)
# An address of a function is even, or it says in a pointer to a member that the member is virtual.
# Not guarded is what kernels may call: the CPU backend's own functions, but for the host's (cuda...), mathematics that
# stores nothing, and the compiler's helpers (__divti3). Copies that the compiler makes up are the backend's.
object=$1 part=$2
: >"$part.renamed"
: >"$part.guards.s"
{
    cat build/lib/free.names
    readelf -sW "$object" | awk '$7 == "UND" { print "outside", $8 }'
    objdump -r "$object" | awk '$2 == "R_X86_64_PLT32" { sub(/[-+]0x[0-9a-f]+$/, "", $3); print "called", $3 }'
} | awk -v renamed="$part.renamed" -v guards="$part.guards.s" '
    BEGIN {
        split("acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp10 exp2 expm1 fabs " \
              "fdim floor fma fmax fmin fmod hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb " \
              "lrint lround nearbyint nextafter pow remainder rint round scalbln scalbn sin sinh sqrt tan tanh tgamma " \
              "trunc y0 y1 yn __isnan __isinf __finite __signbit __fpclassify", names, " ")
        for (k in names) is_free[names[k]] = is_free[names[k] "f"] = is_free[names[k] "l"] = 1
        copies["memcpy"] = copies["memmove"] = copies["memset"] = 1
    }
    $1 == "free" { is_free[$2] = 1 }
    $1 == "outside" { is_outside[$2] = 1 }
    $1 == "called" { is_called[$2] = 1 }
    END {
        for (name in is_called) {
            if (!(name in is_outside) || name in is_free || name ~ /^__[a-z]+[hsdtx][ifc]([hsdtx]f)?[0-9]$/) continue
            if (name in copies) {
                print name, "simt_" name >renamed
                continue
            }
            print name, "guarded_" name >renamed
            print ".p2align 4\nguarded_" name ": pushq " name "@GOTPCREL(%rip)\n jmp simt_call_outside" >guards
            print ".globl guarded_" name "\n.hidden guarded_" name >guards
        }
        print ".section .note.GNU-stack,\"\",@progbits" >guards
    }'
