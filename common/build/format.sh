#!/bin/sh
# Formats every source with clang-format; `format.sh check` only names the files that need it and fails.
# The skeletons in labs/ are left alone: they are cut from formatted solutions.
tool=$(command -v clang-format-14 || command -v clang-format) || {
    echo "missing: clang-format; run as root: apt-get install clang-format" >&2
    exit 2
}
version=$("$tool" --version | sed -n 's/.*version \([0-9]*\).*/\1/p')
[ "$version" = 14 ] || echo "clang-format $version is here, the sources are formatted with 14: some lines may differ" >&2
files=$(find common solutions tests labs -name '*.h' -o -name '*.cpp' -o -name '*.cuh' -o -name '*.cu' | grep -v '^labs/.*\.cu$' | sort)
if [ "$1" != check ]; then
    echo "$files" | xargs "$tool" -i
    exit
fi
status=0
for file in $files; do
    "$tool" --dry-run -Werror "$file" >/dev/null 2>&1 || { echo "$file needs: make format"; status=1; }
done
exit $status
