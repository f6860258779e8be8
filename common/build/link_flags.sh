#!/bin/sh
# Prints what programs and workers are linked with besides our own libraries, for g++ @FILE and xargs nvcc.
escaped() { printf '%s\n' "$1" | sed "s/[\\\\\"' ]/\\\\&/g"; }
for folder in "$DEPS/lib" "$DEPS/lib64"; do
    [ -d "$folder" ] || continue
    escaped "-L$folder"
    echo -Xlinker
    escaped "-rpath=$folder"
    # (A library there may need others there: the older kind of path is for these, too.)
    echo "-Xlinker --disable-new-dtags"
done
# Without libdw crashes and findings name no line. Who asks for no line is not linked with it.
[ -n "$(common/build/missing.sh lines)" ] || echo "-Xlinker --as-needed -ldw -Xlinker --no-as-needed"
# Without FFTW there are no transforms (simt/transform). Who asks for none is not linked with it.
[ -n "$(common/build/missing.sh fft)" ] || echo "-Xlinker --as-needed -lfftw3f -Xlinker --no-as-needed"
echo "-lpthread -ldl"
