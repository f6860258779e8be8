#!/bin/sh
# Sums of the files of a lab, which its report is about, so not of answers: version.sh NN_name
find "labs/$1" -type f ! -name answers.txt -exec sha256sum {} + | sort | sha256sum
