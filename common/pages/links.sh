#!/bin/sh
# Says which links of the PDF files below a folder lead to no file there or to no place in it: links.sh FOLDER
common/build/need.sh pages || exit
status=0
cd "$1" || exit
for file in $(find . -name '*.pdf' | sort); do
    for link in $(pdfinfo -url "$file" | awk 'NR > 1 && $3 !~ /^[a-z]+:/ {print $3}' | sort -u); do
        to=$(dirname "$file")/${link%%#*}
        [ "${link#\#}" = "$link" ] || to=$file
        place=${link#"${link%%#*}"}
        if [ -f "$to" ]; then
            [ -z "$place" ] && continue
            pdfinfo -dests "$to" | grep -qF "\"${place#\#}\"" && continue
        fi
        echo "${file#./}: the link to $link leads nowhere" >&2
        status=1
    done
done
exit $status
