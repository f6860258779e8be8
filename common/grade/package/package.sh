#!/bin/sh
# Makes packages of what students get: package.sh RELEASE FOLDER LAB...
#   FOLDER/gradescope.zip   an autograder of Gradescope for these labs
#   FOLDER/classroom        what goes into a template repository of GitHub Classroom
set -e
release=$1 folder=$2
shift 2
mkdir -p "$folder"

# The judges, the grader, and no solution: in a container without a box a student's code could read it.
new=$folder/gradescope.tmp
rm -rf "$new"
mkdir -p "$new/workbook/labs" "$new/workbook/tests" "$new/workbook/data"
cp -p "$release/Makefile" "$new/workbook/"
cp -Rp "$release/common" "$new/workbook/"
cp -Rp common/grade "$new/workbook/common/"
cp -Rp "$release/data/images" "$new/workbook/data/"
for lab; do
    cp -Rp "$release/labs/$lab" "$new/workbook/labs/"
    cp -p "$release/tests/$lab.cpp" "$new/workbook/tests/"
    questions=handouts/questions/$lab.txt
    if [ -f "$release/$questions" ]; then
        mkdir -p "$new/workbook/${questions%/*}"
        cp -p "$release/$questions" "$new/workbook/$questions"
    fi
done
cp common/grade/package/setup.sh common/grade/package/run_autograder "$new/"
build/bin/pack "$new" "$folder/gradescope.zip"
rm -rf "$new"

new=$folder/classroom.tmp
rm -rf "$new"
cp -Rp "$release" "$new"
mkdir -p "$new/.github/workflows" "$new/.github/classroom"
cp common/grade/package/classroom.yml "$new/.github/workflows/classroom.yml"
cp common/grade/package/classroom.sh "$new/.github/classroom/grade.sh"
printf '%s\n' "$@" >"$new/.github/classroom/labs"
rm -rf "$folder/classroom"
mv "$new" "$folder/classroom"
echo "for labs$(printf ' %.2s' "$@"): $folder/gradescope.zip and, for a template repository, $folder/classroom"
