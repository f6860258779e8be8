#!/bin/bash
# A lab's file with other blocks: with_block.sh BLOCK FILE.cu OUT.cu, BLOCK as in 16x16. The two lines that define the
# block, constexpr int BLOCK_WIDTH and BLOCK_HEIGHT, get its numbers; every other line stays as it is.
#   with_block.sh check BLOCK...    says of the first block that cannot be why, in a line
set -euo pipefail
MOST=1024  # threads of a block

why_not() {  # BLOCK
    local width=${1%%x*} height=${1#*x}
    if ! [[ $1 =~ ^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$ ]]; then
        echo "a block is WIDTHxHEIGHT threads, as in BLOCKS=8x8,16x16,32x8"
    elif [ $((width * height)) -gt $MOST ]; then
        echo "a block has at most $MOST threads, not $((width * height)): name a smaller one, as 32x32"
    fi
}

if [ "$1" = check ]; then
    for block in "${@:2}"; do
        trouble=$(why_not "$block")
        [ -z "$trouble" ] || { echo "BLOCKS=$block: $trouble"; exit; }
    done
    exit
fi
block=$1 file=$2 out=$3
for name in BLOCK_WIDTH BLOCK_HEIGHT; do
    lines=$(grep -c "^constexpr int $name = [0-9]*;" "$file" || true)
    [ "$lines" = 1 ] || {
        echo "$file: BLOCKS=$block needs one line 'constexpr int $name = ...;', there are $lines:" \
            "run it without BLOCKS=" >&2
        exit 2
    }
done
mkdir -p "$(dirname "$out")"
sed -E -e "s/^(constexpr int BLOCK_WIDTH =) [0-9]+;/\1 ${block%x*};/" \
    -e "s/^(constexpr int BLOCK_HEIGHT =) [0-9]+;/\1 ${block#*x};/" "$file" | common/build/changed.sh "$out"
