#!/bin/sh
# Makes pages to hand out of Markdown, or decks of slides: handouts.sh page|slides FROM TO FIGURES NAME... makes of FROM/NAME.md
# TO/NAME.html, which needs no other file, and TO/NAME.pdf. FIGURES are folders of pictures, between colons (page.lua); for
# slides FIRST/NAME/inspect.txt in the first of them holds counts.
here=common/pages look=$1 from=$2 to=$3
export PAGE_FIGURES="$4"
shift 4
common/build/need.sh pages || exit

one() {  # NAME
    mkdir -p "$(dirname "$to/$1")"
    [ "$look" = page ] || export PAGE_COUNTS="${PAGE_FIGURES%%:*}/$1/inspect.txt"
    for ending in html pdf; do
        PAGE_ENDING=$ending pandoc --from=gfm --to=html5 $slides --lua-filter=$here/page.lua --css="$here/$look.css" \
            --self-contained --variable=lang:en "$from/$1.md" -o "$to/$1.$ending.html" || return
    done
    # Without an address of its own a PDF keeps its links to other pages as they are written.
    weasyprint --quiet --base-url '' - "$to/$1.pdf" <"$to/$1.pdf.html" || return
    rm "$to/$1.pdf.html" && mv "$to/$1.html.html" "$to/$1.html" || return
    [ "$look" = page ] || fits "$1"
}
fits() {  # NAME: each slide has one page
    slides_there=$(grep -o 'class="slide[" ]' "$to/$1.html" | wc -l)
    pages=$(pdfinfo "$to/$1.pdf" | awk '$1 == "Pages:" { print $2 }')
    [ "$pages" = "$slides_there" ] || { echo "$from/$1.md: $slides_there slides take $pages pages" >&2; return 1; }
}
slides=
[ "$look" = page ] || slides=--lua-filter=$here/slides.lua
status=0
for name; do one "$name" || { echo "$from/$name.md: no page was made of it" >&2; status=1; }; done
exit $status
