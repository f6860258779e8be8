#!/bin/sh
# Makes a worker of a student's file: worker.sh KIND CONTRACT_FOLDER GLUE.o FILE.cu WORKER [own-case]
# own-case: FILE.cu is a known-wrong case or a mutant of ours, which may say which solution's lines it has.
#   inspect  CPU backend with the inspector
#   plain    CPU backend at full speed
#   gpu      nvcc; WORKER's name with .registers keeps what ptxas says of the kernels
# CXX, NVCC and NVCC_FLAGS come from the makefile. Libraries are linked as a whole: a student's own main() or any other
# doubled name is then an error of the linker, not a silent replacement.
#
# WORKER.key holds sums of all that WORKER was made of, and of WORKER: while they are the same it is left alone, whatever
# the times of files are. WORKER.refused holds the first error, where the file is to blame.
kind=$1 contract=$2 glue=$3 file=$4 worker=$5
directives=--${6:-directives}
case $file in -* | @*) file=./$file ;; esac  # no option, nor a list of options, of a compiler
cxx=${CXX:-g++} part=$worker.part$$
object=$part.o text=$part.ii
export LC_ALL=C  # what the linker says is read below
libraries="build/lib/libworker.a build/lib/liblab.a" transforms=build/lib/libcufft.a cufft=""
inspection=build/obj/worker/inspection_off.o
case $kind in
    inspect)
        inspect=--inspect inspection=build/obj/worker/inspection_on.o
        libraries="$libraries build/lib/libinspect.a build/lib/libsimt.a" ;;
    plain) inspect="" libraries="$libraries build/lib/libsimt.a" ;;
    gpu) inspection="" libraries=build/gpu/libworker.a transforms="" ;;
    *) echo "worker.sh: no such kind of worker: $kind" >&2; exit 2 ;;
esac

simtcc() { common/simt/simtcc -Icommon -include worker/standard.h -I"$contract" "$@"; }

# What may not be asked of the preprocessor is refused before it is. (What else may not be said is seen on the CPU
# backend, which every file goes through: there the inspector is.)
#
# What the compiler will read: on the CPU backend the text after the preprocessor, which then is what is compiled; for
# nvcc the names of all files.
# shellcheck disable=SC2086  # here and below: lists of options and files, split on purpose
read_file() {
    build/bin/rewrite "$directives" "$file" "$contract" || return
    if [ "$kind" = gpu ]; then
        "$NVCC" $NVCC_FLAGS -I"$contract" -M -x cu "$file" >"$text"
    else
        simtcc -E "$file" -o "$text"
    fi
}

# shellcheck disable=SC2086
sums() {
    if [ "$kind" = gpu ]; then
        sed -e '1s/^.* : //' -e 's/ *\\$//' -e 's/^ *//' -e 's/\\ / /g' "$text" | xargs -d '\n' sha256sum
        echo "$NVCC $NVCC_FLAGS"
        sha256sum build/gpu/compiler build/bin/rewrite
    else
        sha256sum <"$text"
        sha256sum common/simt/simtcc build/bin/rewrite build/compiler build/lib/free.names
        # The assembler reads what no preprocessor has seen.
        ! grep -q incbin "$text" || date +%s.%N
    fi
    sha256sum common/build/worker.sh common/build/symbols.sh common/build/outside_calls.sh build/link.flags "$glue" \
        $inspection $libraries $transforms
}

# Of the student's object file others see what the contract asks for, and main(), which they have themselves. Templates
# and inline functions of the C++ library or of a header of ours, which every object file has and of which the linker
# takes the first, could be others there: now each side has its own. (objcopy leaves unique symbols as they are.) Its
# code has a section of its own, in which a kernel's branches and calls stay (simt/engine/branches.cpp).
# shellcheck disable=SC2046  # options, split on purpose
keep_to_itself() {
    { readelf -sW "$glue" | awk '$7 == "UND" { print $8 }'; echo main; } >"$part.global" &&
        ld -r --force-group-allocation "$object" -o "$part.whole.o" &&
        common/build/outside_calls.sh "$part.whole.o" "$part" && as "$part.guards.s" -o "$part.guards.o" &&
        objcopy --keep-global-symbols="$part.global" --redefine-syms="$part.renamed" \
            --rename-section .init_array=student_constructors \
            $(objdump -h "$part.whole.o" | awk '$2 ~ /^\.text/ { print "--rename-section", $2 "=student_code" }' | sort -u) \
            "$part.whole.o" "$object"
}

# nvcc would link a GPU's worker with FFTW, needed or not.
# shellcheck disable=SC2086
build() {
    if [ "$kind" = gpu ]; then
        common/build/nvcc_report.sh "${worker%.*}.registers" \
            "$NVCC" $NVCC_FLAGS -I"$contract" -x cu -c "$file" -o "$object" &&
            grep -v -e -lfftw3f build/link.flags |
            xargs "$NVCC" $NVCC_FLAGS "$object" "$glue" $cufft -o "$part" -Xlinker --wrap=__cudaPushCallConfiguration \
                -Xlinker --wrap=cudaMalloc -Xlinker --wrap=cudaMallocPitch \
                -Xlinker --whole-archive,$libraries,--no-whole-archive
    else
        simtcc --judged $inspect "$text" -o "$object" && common/build/symbols.sh "$object" "$file" &&
            keep_to_itself &&
            "$cxx" "$object" "$part.guards.o" "$glue" $inspection -Wl,--whole-archive $libraries -Wl,--no-whole-archive \
                $transforms @build/link.flags -o "$part"
    fi
}

# What the linker misses, in words: a function of the contract, or one of the file's own.
missing_function() {
    missed=$(say | sed -n "s/.*undefined reference to \`\(.*\)'.*/\1/p" | head -n 1 |
        sed -e 's/, 18446744073709551615ul//g' -e 's/ const>/ const>/g')
    [ -n "$missed" ] || return 0
    name=${missed%%(*}
    if grep -qsw -- "$name" "$contract"/*.h; then
        said=$(printf '%s\n' "$file: error: $name is missing: the contract has it as" \
            "$(printf '  %s' "$missed" | fold -s -w 78)" "(another name, or other parameters, make it another one)")
    else
        said="$file: error: $missed is declared and used, but has no body"
    fi
}

say() { [ -z "$said" ] || printf '%s\n' "$said"; }
fail() {  # EXIT_CODE: what was said is told, and kept where it is no accident of this machine
    missing_function
    case $said in
        *"No space left on device"* | *"Disk quota exceeded"*) said="$worker: no space left on this disk" ;;
        *"signal terminated program"* | *"terminated with signal"* | *"Read-only file system"* | *"allocate memory"*) ;;
        *)
            [ "$1" -ge 126 ] || { say | grep -m 1 'error: forbidden: ' ||
                say | grep -m 1 -E 'error|undefined reference|multiple definition' ||
                say | head -n 1; } >"$worker.refused" ;;
    esac
    say >&2
    exit "$1"
}

mkdir -p "${worker%/*}" || exit 2
trap 'rm -f "$part" "$part".*' EXIT
trap 'exit 130' INT TERM HUP
# One at a time, and not while a judge calls it (call/worker_process.cpp).
exec 8<>"$worker.lock"
if ! flock -w 0.5 8; then
    echo "waiting for $(cat "$worker.lock"), which uses $worker" >&2
    flock 8
fi
echo "${WHO:-another make}" >"$worker.lock"

rm -f "$worker.refused"
if [ -f "$file" ] && [ ! -s "$file" ]; then
    said="$file: error: the file is empty"
    fail 1
fi
said=$(read_file 2>&1 8>&-) || fail $?
if grep -q '/cufft\.h\>' "$text"; then
    cufft=-lcufft  # nvcc's; on the CPU backend FFTW computes
    [ "$kind" = gpu ] || grep -qe -lfftw3f build/link.flags || common/build/need.sh fft || exit 2
fi
sums=$(sums) || exit 2
sum_of() { sha256sum "$1" 2>/dev/null | cut -c1-64; }
known=$(cat "$worker.key" 2>/dev/null)
[ "$known" != "$sums $(sum_of "$worker")" ] || exit 0
say >&2
said=$(build 2>&1 8>&-) || fail $?
say >&2
echo "$sums $(sum_of "$part")" >"$part.key" && mv "$part" "$worker" && mv "$part.key" "$worker.key"
