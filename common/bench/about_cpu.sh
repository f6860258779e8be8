#!/bin/sh
# The comment lines of what is recorded of the CPU backend: about_cpu.sh COMMAND
printf '# device: %s, the CPU backend\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
printf '# date: %s\n# command: %s\n' "$(date -u +%F)" "$1"
