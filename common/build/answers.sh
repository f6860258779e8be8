#!/bin/sh
# Writes the answers.txt of labs, without answers, where the lab has questions: answers.sh FOLDER NN_name...
set -e
folder=$1
shift
for lab; do
    questions=handouts/questions/$lab.txt
    [ ! -f "$questions" ] ||
        build/bin/questions skeleton "$questions" | common/build/changed.sh "$folder/$lab/answers.txt"
done
