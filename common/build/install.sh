#!/bin/sh
# install.sh PREFIX: puts cucc and all that it works with under PREFIX/lib/cucc, as it stands here, a link into
# PREFIX/bin, and its manual.
[ -n "$1" ] || { echo "make install PREFIX=folder: say where" >&2; exit 2; }
mkdir -p "$1/bin" "$1/lib/cucc" "$1/share/man/man1" || exit 2
tar -c common/simt/cucc common/simt/cucc.cmake common/simt/FindCUDAToolkit.cmake common/simt/simtcc \
    common/simt/include build/bin/rewrite build/lib/libcufft.a build/lib/libsimt.a build/lib/libinspect.a \
    build/obj/inspect/program.o build/link.flags |
    tar -x -C "$1/lib/cucc" || exit 2
cp common/simt/cucc.1 "$1/share/man/man1/" || exit 2
ln -sf ../lib/cucc/common/simt/cucc "$1/bin/cucc" && echo "$1/bin/cucc"
