#!/bin/sh
# Puts together what students get: release.sh FOLDER ROOM... No solutions, no instructor's pages, and none of these
# rooms of common/, which are instructors' alone.
set -e
folder=$1
shift
new=$folder.tmp
rm -rf "$new"
mkdir -p "$new/tests" "$new/handouts"
cp -Rp Makefile README.md LICENSE .gitignore .clang-format .vscode labs common data "$new/"
for room; do rm -rf "$new/common/${room:?}"; done
rm "$new/common/ARCHITECTURE.md"
# Of scripts those stay that a makefile or a program names, an autograder's, too, or another one that stays.
left=$(cd "$new/common" && ls build/*.sh build/*.awk bench/*.sh bench/*.awk bench/*.cu pages/*.sh)
by=$(find "$new/Makefile" "$new/common" "$new/.vscode" common/grade -type f ! -name '*.sh' ! -name '*.awk')
while [ -n "$by" ]; do
    now='' by_now=''
    for script in $left; do
        # shellcheck disable=SC2086  # names are words
        if grep -qF "$script" $by; then by_now="$by_now $new/common/$script"; else now="$now $script"; fi
    done
    left=$now by=$by_now
done
for script in $left; do rm "$new/common/$script"; done
sed -Ez 's:<!-- instructors -->.*<!-- /instructors -->\n::; s:<!-- /?labs[^<>]*-->\n::g' README.md >"$new/README.md"
cp -p tests/[0-9][0-9]_*.cpp "$new/tests/"
for handout in handouts/*.md; do  # without the marks of measured numbers and tables (author/quoted_values.h)
    [ ! -f "$handout" ] ||
        sed -Ez 's:<!--[=?/!][^<>]*-->::g; s:<!-- /?(steps|peers|times|chosen|source)[^<>]*-->\n::g' "$handout" >"$new/$handout"
done
mkdir -p "$new/handouts/questions"  # without their keys
for questions in handouts/questions/*.txt; do
    [ ! -f "$questions" ] || build/bin/questions release "$questions" >"$new/$questions"
done
for solution in solutions/[0-9][0-9]_*/; do
    lab=$(basename "$solution")
    # The skeleton as it is cut, whatever stands in labs/ by now; the second copy is for make resetNN, the
    # causes for the hints of make watch.
    mkdir -p "$new/labs/$lab/.skeleton"
    rm -f "$new/labs/$lab/${lab#??_}.cu"
    build/bin/cut skeleton "$solution${lab#??_}.cu" "$new/labs/$lab/${lab#??_}.cu" >/dev/null
    cp "$new/labs/$lab/${lab#??_}.cu" "$new/labs/$lab/.skeleton/"
    [ ! -f "handouts/questions/$lab.txt" ] ||
        build/bin/questions skeleton "handouts/questions/$lab.txt" >"$new/labs/$lab/answers.txt"
    common/build/causes.sh "$lab" >"$new/labs/$lab/.skeleton/causes"
done
rm -rf "$folder"
mv "$new" "$folder"
echo "students get $folder ($(find "$folder" -type f | wc -l) files)"
