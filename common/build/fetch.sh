#!/bin/sh
# Gets packages of Debian or Ubuntu without being root: fetch.sh "PACKAGE..."
# They, and what they need that this machine lacks, lie in build/deps/packages as on a system of their own. In build/deps
# are include/, lib/ and bin/, as DEPS has them.
packages=$1
[ -n "$packages" ] || exit 1
deps=$PWD/build/deps
root=$deps/packages

apt() {  # with package lists of our own, where the system has none
    [ ! -d "$deps/apt" ] || set -- -o Dir::State::Lists="$deps/apt/lists" -o Dir::Cache="$deps/apt" "$@"
    apt-get "$@"
}
# Another C library or compiler than the ones that are here would not fit them.
all_of() {
    # shellcheck disable=SC2086  # here and below: names are words
    apt -s install --no-install-recommends $packages |
        awk '$1 == "Inst" && $2 !~ /^(libc6|libc-|libcrypt|linux-libc|libstdc|lib.*gcc|gcc|g[+]|cpp)/ { print $2 }'
}
download() {
    wanted=$(all_of)
    # shellcheck disable=SC2086
    [ -n "$wanted" ] && apt download $wanted
}
trap 'rm -rf "$deps/downloads" "$deps/apt"; rmdir "$deps/bin" "$deps" 2>/dev/null' EXIT
trap 'exit 130' INT TERM
echo "fetching $packages into build/deps"
mkdir -p "$deps/downloads" "$deps/bin" && cd "$deps/downloads" || exit
# The system's lists may be none, or too old for what the servers have.
if ! download >/dev/null 2>&1; then
    mkdir -p "$deps/apt/lists/partial" "$deps/apt/archives/partial"
    said=$({ apt update && download; } 2>&1) || { echo "$said" | tail -n 3; exit 1; } >&2
fi
for package in *.deb; do
    dpkg -x "$package" "$root" || exit
done
cd "$deps" || exit
# Older systems have some libraries in /lib.
[ ! -d packages/lib ] || { cp -a packages/lib/. packages/usr/lib/ && rm -r packages/lib; }
# A library that the machine has was not fetched: what a linker looks for is a link to it.
for link in packages/usr/lib/*-linux-gnu*/*.so; do
    [ -L "$link" ] || continue
    [ ! -e "$link" ] || continue
    folder=${link#packages} target=$(readlink "$link")
    folder=${folder%/*}
    for file in "$folder/$target" "${folder#/usr}/$target"; do
        [ ! -e "$file" ] || { ln -sf "$file" "$link"; break; }
    done
done
ln -sfn packages/usr/include include
for folder in packages/usr/lib/*-linux-gnu*; do ln -sfn "$folder" lib; done

# A program finds its libraries here, and its fonts where there are no others.
cat >fonts.conf <<END
<?xml version="1.0"?>
<fontconfig><dir>/usr/share/fonts</dir><dir>$root/usr/share/fonts</dir><cachedir>$deps/fonts.cache</cachedir></fontconfig>
END
for program in packages/usr/bin/*; do
    [ -x "$program" ] || continue
    name=${program##*/}
    name=${name%-nox}  # gnuplot-nox, for which root has another name
    cat >"bin/$name" <<END
#!/bin/sh
deps=\$(cd "\$(dirname "\$0")/.." && pwd)
export LD_LIBRARY_PATH="\$deps/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}"
[ -f /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="\$deps/fonts.conf"
exec "\$deps/$program" "\$@"
END
    chmod +x "bin/$name"
done
