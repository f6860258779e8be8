#!/bin/sh
# Says which links of the pages below a folder, HTML and PDF, lead to no file there or to no place in it: links.sh FOLDER
common/build/need.sh pages || exit
status=0
cd "$1" || exit

links_of() {  # FILE: the targets that are no addresses
    case $1 in
        *.pdf) pdfinfo -url "$1" | awk 'NR > 1 {print $3}' ;;
        *) grep -oE '<a [^>]*href="[^"]*"' "$1" | sed 's/.*href="//; s/"$//' ;;
    esac | grep -vE '^[a-z]+:' | sort -u
}
has_place() {  # FILE PLACE
    case $1 in
        *.pdf) pdfinfo -dests "$1" | grep -qF "\"$2\"" ;;
        *) grep -qF "id=\"$2\"" "$1" ;;
    esac
}
for file in $(find . -name '*.pdf' -o -name '*.html' | sort); do
    for link in $(links_of "$file"); do
        to=$(dirname "$file")/${link%%#*}
        [ "${link#\#}" = "$link" ] || to=$file
        place=${link#"${link%%#*}"}
        if [ -f "$to" ]; then
            [ -z "$place" ] && continue
            has_place "$to" "${place#\#}" && continue
        fi
        echo "${file#./}: the link to $link leads nowhere" >&2
        status=1
    done
done
exit $status
