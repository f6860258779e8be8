#!/bin/sh
# Prints the rows of packages.txt of what is missing here: missing.sh [GROUP...]
# Without a group all that this copy can use: students have neither the tests nor the grader. CXX is the compiler, which
# headers are asked of; DEPS a folder with include/, lib/ and bin/ of its own.
cxx=${CXX:-g++} deps=${DEPS:-build/deps}
PATH=$PATH:$deps/bin
if [ $# = 0 ]; then
    set -- build lines fft charts
    [ ! -d tests/grade ] || set -- "$@" test
    [ ! -d common/grade ] || set -- "$@" grade
fi
wanted=" $* "
rows=$(grep -v '^#' common/build/packages.txt)

ask_for_headers() {
    echo "$rows" | sed -nE 's|^([^ ]+\.hp*) .*|#if __has_include(<\1>)\n"\1"\n#endif|p'
}
# shellcheck disable=SC2086  # CXX may hold options
found=$(ask_for_headers | $cxx -isystem "$deps/include" -std=c++20 -x c++ -E -P - 2>/dev/null)

echo "$rows" | while read -r what group others; do
    case $wanted in *" $group "*) ;; *) continue ;; esac
    case $what in
        *.h | *.hpp) case $found in *"\"$what\""*) continue ;; esac ;;
        *.dic) [ -f "/usr/share/hunspell/$what" ] && continue ;;
        g++)
            what=${cxx%% *}
            command -v "$what" >/dev/null && continue
            case $what in g++-*) others="$what ${others#* }" ;; esac ;;
        *) command -v "$what" >/dev/null && continue ;;
    esac
    echo "$what $group $others"
done
