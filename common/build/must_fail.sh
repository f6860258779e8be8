#!/bin/sh
# Succeeds if a command fails and says so in these words: must_fail.sh PATTERN COMMAND
said=$(mktemp)
trap 'rm -f "$said"' EXIT
if eval "$2" >"$said" 2>&1; then
    echo "succeeded, but must fail with '$1'"
    exit 1
fi
grep -q "$1" "$said" || { cat "$said"; exit 1; }
