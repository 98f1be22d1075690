#!/bin/sh
# run.sh FILE.ptx POLICY THREADS: one example gives the output that stands beside it, whatever the schedule.
# $PTXEMU is the command line to run.
set -u

file=$1
policy=$2
threads=$3
expected=$(dirname "$file")/expected.txt

"$PTXEMU" "$file" -q --policy "$policy" --threads "$threads" --timeout 100 >output.txt 2>errors.txt
code=$?
if [ $code -ne 0 ]; then
    echo "ptxemu $file -q --policy $policy --threads $threads: exit code $code"
    cat output.txt errors.txt
    exit 1
fi
if ! diff -u "$expected" output.txt; then
    echo "ptxemu $file -q --policy $policy --threads $threads: output differs from $expected"
    exit 1
fi
