#!/bin/sh
# Runs a command that ends when the process that started it does, even if that is killed: leash.sh COMMAND...
command -v setpriv >/dev/null || exec "$@"
exec setpriv --pdeathsig TERM "$@"
