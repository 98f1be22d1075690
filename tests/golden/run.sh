#!/bin/sh
# run.sh FILE.ptx POLICY: a kernel does what its file says: the `//!` lines launch it and check its results, and
#   // exit: N      is the exit code (0 without such a line)
#   // says: TEXT   is contained in what ptxemu prints, one line for each text
# $PTXEMU is the command line to run.
set -u

file=$1
policy=$2
expected=$(sed -n 's/^\/\/ exit: //p' "$file")
expected=${expected:-0}

"$PTXEMU" "$file" -q --policy "$policy" --timeout 20 >output.txt 2>&1
code=$?
if [ $code -ne "$expected" ]; then
    echo "ptxemu $file -q --policy $policy: exit code $code, expected $expected"
    cat output.txt
    exit 1
fi
sed -n 's/^\/\/ says: //p' "$file" | while read -r text; do
    if ! grep -qF -- "$text" output.txt; then
        echo "ptxemu $file -q --policy $policy: does not say '$text'"
        cat output.txt
        exit 1
    fi
done
