#!/bin/sh
# Prints compile_commands.json, which tells clangd how to read the labs' kernels: compile_commands.sh FILE.cu...
separator="["
for file; do
    printf '%s\n  {"directory": "%s", "file": "%s", "arguments": ["clang++", "-x", "cuda", "--cuda-host-only",\n' \
        "$separator" "$PWD" "$file"
    printf '    "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version", "-Wno-deprecated-declarations", "-std=c++20",\n'
    printf '    "-isystem", "common/simt/include", "-include", "simt/editor.h", "-Icommon", "-I%s", "%s"]}' \
        "labs/$(basename "$(dirname "$file")")" "$file"
    separator=","
done
printf '\n]\n'
