#!/bin/sh
# Judges the labs of this repository as make labNN does, and says the points as GitHub Classroom reads them.
# Exit code 0: graded, whatever the points; 1: trouble of the machine, no points are said.
cd "$(dirname "$0")/../.." || exit 1
labs=$(cat .github/classroom/labs)
points=0 of=0
add() { points=$(echo "$points $1" | awk '{ print $1 + $2 }') of=$(echo "$of $2" | awk '{ print $1 + $2 }'); }
# What a student's code prints, or an answer says, is text: no command of the workflow's, no notice of points.
show() {  # TITLE COMMAND...
    echo "::group::$1"
    shift
    word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    echo "::stop-commands::$word"
    "$@" 2>&1
    echo
    echo "::$word::"
    echo "::endgroup::"
}
# Of our own reports, whose outermost lines begin with two blanks.
top() { sed -n "s/^  \"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\$/\1/p" "$report"; }
# The questions of a lab in whose answers.txt something is answered have points of their own.
mark_answers() {  # LAB
    questions=handouts/questions/$1.txt report=build/reports/$1/answers.json
    [ -f "$questions" ] && grep -qsE '^[0-9]+\.[a-z]+:.*[^[:space:]]' "labs/$1/answers.txt" || return 0
    rm -f "$report"
    show "questions of lab $1" make -s "answers${1%%_*}"
    [ -f build/bin/questions ] || { echo "::error::the questions of lab $1 could not be marked"; exit 1; }
    possible=$(sed -n 's/^points: //p' "$questions" | awk '{ all += $1 } END { print all + 0 }')
    got=0
    [ ! -f "$report" ] || got=$(top points)
    echo "lab ${1%%_*}, questions: $got of $possible points"
    add "$got" "$possible"
}
for lab in $labs; do
    show "lab $lab" make "lab${lab%%_*}" BACKEND=cpu
    report=build/reports/$lab/report.json
    # make takes away a report of before. A file that is not there has none, and no points.
    if [ ! -f "$report" ] && [ ! -f "labs/$lab/${lab#*_}.cu" ]; then
        echo "lab ${lab%%_*}: labs/$lab/${lab#*_}.cu was not handed in"
        add 0 100
        mark_answers "$lab"
        continue
    fi
    [ -f "$report" ] || { echo "::error::lab $lab could not be judged on this machine"; exit 1; }
    state=$(top state)
    case $state in
        infrastructure_error | incomplete) echo "::error::lab $lab: $state"; exit 1 ;;
    esac
    echo "lab ${lab%%_*}: $(top points) of $(top of) points ($state)"
    add "$(top points)" "$(top of)"
    mark_answers "$lab"
done
echo "::notice title=Autograding complete::Points $points/$of"
echo "::notice title=Autograding report::{\"totalPoints\":$points,\"maxPoints\":$of}"
