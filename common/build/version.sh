#!/bin/sh
# Sums of the files of a lab, which its report is about: version.sh NN_name
find "labs/$1" -type f -exec sha256sum {} + | sort | sha256sum
