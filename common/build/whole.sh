#!/bin/sh
# Makes a file whole or not at all: whole.sh FILE COMMAND... runs COMMAND, in which @ stands for a name that nobody else
# uses, and renames what it wrote; a list of dependencies, @.d, comes first. Killed at any moment, FILE is the old one.
file=$1
shift
part=$file.part$$
for word; do
    shift
    case $word in
        @) word=$part ;;
        @.d) word=$part.d ;;
    esac
    set -- "$@" "$word"
done
trap 'rm -f "$part" "$part.d"' EXIT
trap 'exit 130' INT TERM HUP
mkdir -p "${file%/*}" || exit
said=$("$@" 2>&1)
status=$?
# A full disk makes an assembler say so a thousand times.
case $said in *"No space left on device"* | *"Disk quota exceeded"*) said="$file: no space left on this disk" ;; esac
[ -z "$said" ] || printf '%s\n' "$said" >&2
[ $status = 0 ] || exit $status
[ ! -f "$part.d" ] || mv "$part.d" "$file.d"
mv "$part" "$file"
