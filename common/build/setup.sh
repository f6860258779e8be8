#!/bin/sh
# Finds out which Debian or Ubuntu packages are missing and installs them.
#   setup.sh install     with apt, as root or through sudo; else prints the line to run
#   setup.sh check       only prints one line and fails if something is missing
#   setup.sh check grade the same, and of what graders need besides
# CXX in the environment is the compiler to look for.
CXX=${CXX:-g++}
missing=""

need_command() {  # COMMAND PACKAGE
    command -v "$1" >/dev/null 2>&1 || missing="$missing $2"
}
need_header() {  # HEADER PACKAGE: asked of the compiler, so that a hand-installed copy counts too
    echo "#include <$1>" | "$CXX" -x c++ -M - >/dev/null 2>&1 || missing="$missing $2"
}

need_command "$CXX" g++
if [ -z "$missing" ]; then
    need_header doctest/doctest.h doctest-dev
    need_header stb/stb_image.h libstb-dev
    need_header nlohmann/json.hpp nlohmann-json3-dev
    need_header CLI/CLI.hpp libcli11-dev
    need_header elfutils/libdwfl.h libdw-dev
    need_header fmt/format.h libfmt-dev
else
    missing="$missing doctest-dev libstb-dev nlohmann-json3-dev libcli11-dev libdw-dev libfmt-dev"
fi
need_command gnuplot gnuplot-nox
case "$1 $2" in
    install* | *" grade")
        # Students do not have the grader.
        if [ -d common/grade ]; then
            need_header archive.h libarchive-dev
            need_command bwrap bubblewrap
        fi ;;
esac
# What graders write is read back in their tests, which students do not have.
if [ -d tests/grade ]; then
    need_command xmllint libxml2-utils
    need_command unzip unzip
fi

too_old() {
    command -v "$CXX" >/dev/null 2>&1 || return 1
    [ "$(echo __GNUC__ | "$CXX" -x c++ -E -P - 2>/dev/null)" -lt 11 ] 2>/dev/null
}
if too_old; then
    echo "$CXX is version $("$CXX" -dumpversion), 11 or newer is needed: install g++-12 and say make CXX=g++-12" >&2
    exit 2
fi
[ -z "$missing" ] && exit 0

missing=${missing# }
if [ "$1" != install ]; then
    echo "missing: $missing; run: make setup" >&2
    exit 2
fi
if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing: $missing (Debian's names); install them with this system's package manager" >&2
    exit 2
fi
as_root=""
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
        as_root=sudo
    else
        echo "missing: $missing; run as root: apt-get install $missing" >&2
        exit 2
    fi
fi
echo "installing $missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
install() {
    # shellcheck disable=SC2086  # the names are words
    $as_root apt-get install -y --no-install-recommends $missing </dev/null >"$log" 2>&1
}
# A fresh machine has no package lists yet; where they are there, reading them again would only cost time.
install || { $as_root apt-get update >>"$log" 2>&1 && install; } || {
    tail -n 3 "$log" >&2
    echo "could not install: $missing; run as root: apt-get update && apt-get install $missing" >&2
    exit 2
}
