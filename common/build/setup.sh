#!/bin/sh
# Gets the packages that are missing: with apt as root, or by sudo where that asks for no password; else fetch.sh gets them
# into build/deps. Elsewhere it names them. Exit code 2 if something is still missing without which nothing can be built.
# setup.sh GROUP...: those of these groups of packages.txt, and exit code 2 if one is still missing.
[ $# != 0 ] && required=$* || required=build
rows=$(common/build/missing.sh "$@")
# shellcheck disable=SC2086  # groups are words
[ -n "$rows" ] || exec common/build/need.sh $required
names() {  # COLUMN of packages.txt
    echo "$rows" | awk -v column="$1" '$column !~ /^-|:/ { printf "%s%s", blank, $column; blank = " " }'
}
packages=$(names 3)
deps=${DEPS:-build/deps}
[ "$deps" != "$(pwd -P)/build/deps" ] || deps=build/deps

# shellcheck disable=SC2086  # here and below: names are words
install() {  # COMMAND...: that makes us root
    echo "installing $packages"
    set -- "$@" env DEBIAN_FRONTEND=noninteractive apt-get
    # A fresh machine has no package lists yet; where they are there, reading them again would only cost time.
    "$@" install -y --no-install-recommends $packages >/dev/null 2>&1 </dev/null && return
    said=$({ "$@" update && "$@" install -y --no-install-recommends $packages; } 2>&1 </dev/null) && return
    echo "$said" | tail -n 3 >&2
    return 1
}
tell() {
    REMEDY='' common/build/need.sh "$@"
    for manager in 'apt-get install:3' 'dnf install:4' 'pacman -S:5' 'zypper install:6'; do
        ! command -v "${manager%% *}" >/dev/null || echo "as root:      ${manager%:*} $(names "${manager#*:}")"
    done
    verb=create
    [ ! -d "$deps/conda-meta" ] || verb=install
    echo "without root: conda $verb -y -p $deps -c conda-forge $(names 7)"
    echo "$rows" | awk -v to="$deps/include/" '
        $7 ~ /:/ { sub("/.*", "", $1); print "              git clone --depth 1 " $7 " " to $1 }'
    echo "or make DEPS=/path, a folder with include/ and lib/ in which they are"
}

if command -v apt-get >/dev/null; then
    if [ "$(id -u)" = 0 ]; then
        install
    elif ! { sudo -n true 2>/dev/null && install sudo; } && [ "$deps" = build/deps ] && [ "$required" = build ]; then
        common/build/fetch.sh "$(names 3 | sed 's/g++[^ ]* *//')"
    fi
fi
rows=$(common/build/missing.sh "$@")
[ -z "$rows" ] || tell "$@" >&2
# shellcheck disable=SC2086
[ -z "$(common/build/missing.sh $required)" ] || exit 2
# shellcheck disable=SC2086
exec common/build/need.sh $required
