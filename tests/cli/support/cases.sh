# cases.sh FILE: run the cases of a list.  A case is
#
#     case: what it shows
#     run: arguments of ptxemu in shell quoting; $ptx is the folder of the PTX files
#     exit: the exit code
#     out: a fragment of standard output     (any number of these three)
#     err: a fragment of standard error
#     not: a fragment that neither may have
#
# $PTXEMU is the command line to run.  Files are made in the current directory.
set -u

list=$1
# shellcheck disable=SC2034 # the cases use it
ptx=$PTXEMU_SOURCE_DIR/tests/cli/ptx
failed=0
count=0
code=none
arguments=
title=

complain() {
    echo "$list: $title: $1"
    echo "    ptxemu $arguments"
    sed 's/^/    out: /' out.txt
    sed 's/^/    err: /' err.txt
    failed=$((failed + 1))
}

run_case() {
    arguments=$1
    count=$((count + 1))
    eval "set -- $arguments"
    timeout 60 "$PTXEMU" "$@" >out.txt 2>err.txt </dev/null
    code=$?
}

while IFS= read -r line; do
    value=${line#*: }
    case $line in
    "case: "*) title=$value ;;
    "run:") run_case "" ;;
    "run: "*) run_case "$value" ;;
    "exit: "*) [ "$code" = "$value" ] || complain "exit code $code instead of $value" ;;
    "out: "*) grep -qF -e "$value" out.txt || complain "standard output lacks '$value'" ;;
    "err: "*) grep -qF -e "$value" err.txt || complain "standard error lacks '$value'" ;;
    "not: "*) cat out.txt err.txt | grep -qF -e "$value" && complain "'$value' must not be there" ;;
    "" | "#"*) ;;
    *) echo "$list: cannot understand '$line'"; failed=$((failed + 1)) ;;
    esac
done <"$list"

echo "$count cases, $failed failures"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
