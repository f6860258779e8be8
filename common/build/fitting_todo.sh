#!/bin/sh
# The TODOs that a lab's last report is about: fitting_todo.sh NN_name prints "05.3", a second one in a line of its own
# where it may as well be that, or nothing. It is what is next; where something is wrong that of the first diagnosis or
# finding, among those that the report calls wrong or ok so far, or else the first that is wrong.
file=labs/$1/${1#*_}.cu report=build/reports/$1/report.json
[ -f "$report" ] || exit 0
states=$(sed -n '/^  "todos": /,/^  \]/p' "$report" | awk -F'"' '$2 == "id" { id = $4 } $2 == "state" { print $4 ":" id }')
in_state() { echo "$states" | sed -n "s/^$1://p"; }
next=$(in_state next)
[ -z "$next" ] || { echo "$next"; exit; }

line_of() {  # FINDING: the TODO in whose lines the student's line is
    line=${1#*.cu:}
    awk -v line="${line%%:*}" '/^ *\/\/ TODO / { todo = $3 } NR == line + 0 { if (todo) print todo; exit } /^}/ { todo = "" }' "$file"
}
# What the report starts with repeats some of its findings.
first=$(sed '/^  "start_with": /d' "$report" | grep -m 1 -oE '"id": "[a-z-]+"|inspector: [^"]*(writes|written|reads)[^"]*')
todo="" causes=""
case $first in
    '"id": '*) first=${first#*: \"} causes=${first%\"} ;;
    *"has written yet"*) causes="tile-partly-loaded barrier-missing" ;;
    *"written here"*"written on this line"*) todo=$(line_of "$first") ;;
    *"no barrier between"*) causes="barrier-missing" ;;
    *writes*memory* | *reads*) todo=$(line_of "$first") ;;
    *writes*) causes="no-guard square-guard overhang-not-written thread-index-wrong only-first-block" ;;
esac
for cause in $causes; do
    [ -n "$todo" ] || todo=$(common/build/causes.sh "$1" | sed -n "s/^$cause //p")
done
wrong=$(in_state wrong) doubted=$(in_state 'ok so far')
[ -z "$wrong$todo" ] || [ -z "$states" ] || todo=$(echo "$todo" | grep -xF "$wrong
$doubted" || echo "$wrong" | head -n 1)
echo "$todo" | head -n 2 | sort | sed '/^$/d'
