#!/bin/sh
# Succeeds if a command fails and says so in these words: must_fail.sh PATTERN COMMAND
if eval "$2" >/tmp/must_fail.$$ 2>&1; then
    echo "succeeded, but must fail with '$1'"
    status=1
else
    grep -q "$1" /tmp/must_fail.$$
    status=$?
    [ $status = 0 ] || cat /tmp/must_fail.$$
fi
rm -f /tmp/must_fail.$$
exit $status
