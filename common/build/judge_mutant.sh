#!/bin/sh
# Judges a mutant of a lab's solution: judge_mutant.sh LAB FILE.cu prints what became of it:
#   stillborn   it does not compile
#   equivalent  its machine code is the solution's
#   judged      FILE.json is the judge's report, up to the first check that lost points (but not if $WHOLE is 1)
# judge_mutant.sh LAB SOLUTION.cu FOLDER leaves in FOLDER what mutants are compared with; they lie there too.
lab=$1 file=$2 base=${2%.cu}
[ -z "$3" ] || base=$3/solution
original=$(dirname "$base")/solution
export SIMT_THREADS=1  # a mutant a processor
trap 'rm -f "$base.inspect" "$base.plain"' EXIT

make_worker() {
    common/build/worker.sh "$1" "labs/$lab" "build/glue/$lab.o" "$file" "$base.$1" own-case >"$base.log" 2>&1
}
# The program alone: no names of files, no numbers of lines.
code_of() { objcopy --strip-all --remove-section=.note.gnu.build-id "$1" "$1.code"; }
same_code() {
    code_of "$base.$1"
    cmp -s "$base.$1.code" "$original.$1.code"
    same=$?
    rm -f "$base.$1.code"
    return $same
}

if [ -n "$3" ]; then
    mkdir -p "$3"
    make_worker inspect && make_worker plain && code_of "$base.inspect" && code_of "$base.plain"
    exit
fi
make_worker inspect || { echo stillborn; exit; }
if same_code inspect; then echo equivalent; exit; fi
first=--first-loss
[ "$WHOLE" != 1 ] || first=""
judge() {
    # shellcheck disable=SC2086  # empty or one word
    timeout 600 "build/tests/$lab" --worker="$base.inspect" --json="$base.json" $first check >"$base.log" 2>&1 </dev/null
}
# Without a loss it may still be the same program, once it is optimized.
if judge && make_worker plain && same_code plain; then
    echo equivalent
else
    echo judged
fi
