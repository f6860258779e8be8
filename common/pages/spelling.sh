#!/bin/sh
# Says which words of the pages are neither in hunspell's British dictionary nor in words.txt: spelling.sh [PAGE...]
# Code, comments and the addresses of links are left out. Exit code 1 if there is one.
common/build/need.sh words || exit
# The answers are made of questions, which name code and formulas as they are.
# shellcheck disable=SC2046  # names of ours
[ $# != 0 ] || set -- $(find README.md common/ARCHITECTURE.md handouts -name '*.md' ! -name answers.md)
LC_ALL=C.UTF-8
export LC_ALL
status=0

# An address, the name of a file and what has a digit in it are no prose either.
# shellcheck disable=SC2016  # backquotes of Markdown
prose() {  # PAGE
    sed -Ez 's/<!--[^>]*-->//g; s/\n```[^\n]*\n([^`]|`[^`]|``[^`])*```/\n/g; s/``[^`]*``//g; s/`[^`]*`//g; s/\]\([^)]*\)//g;
        s/\n\n    [^\n]*(\n+    [^\n]*)*//g; s@https?://[^ )]*@@g; s@[A-Za-z0-9_.-]*[_/][A-Za-z0-9_./-]*@@g; s/[A-Za-z]+\.[a-z]+//g;
        s/[A-Za-z]*[0-9][A-Za-z0-9]*//g; s/\x27s([^a-z])/\1/g' "$1"
}
for page; do
    unknown=$(prose "$page" | hunspell -d en_GB -p common/pages/words.txt -l | sort -u | tr '\n' ' ')
    [ -z "$unknown" ] || { echo "$page: $unknown"; status=1; }
done
[ $status = 0 ] || echo "mend them, or add a term to common/pages/words.txt"
exit $status
