#!/bin/sh
# What SRC= names: source.sh FILE prints "name NAME", a name for what is made of this file and of no other, or
# "error SENTENCE". Two ways to write one file's name give the same NAME.
file=$1
case $file in -*) file=./$file ;; esac
trouble=""
if [ -d "$file" ]; then
    trouble="a folder, not a .cu file"
elif [ ! -e "$file" ]; then
    trouble="no such file"
elif [ ! -f "$file" ] || [ "${file%.cu}" = "$file" ]; then
    trouble="not a .cu file"
elif [ ! -r "$file" ]; then
    trouble="cannot be read"
elif [ ! -s "$file" ]; then
    trouble="is empty"
fi
[ -z "$trouble" ] || { echo "error $trouble"; exit; }
last=${file##*/}
folder=$(cd "${file%"$last"}./" && pwd -P)
readable=$(printf %s "${last%.cu}" | LC_ALL=C tr -c 'A-Za-z0-9-' '[-*]' | cut -c1-40)
echo "name $readable-$(printf %s "$folder/$last" | sha256sum | cut -c1-12)"
