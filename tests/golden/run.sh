#!/bin/sh
# run.sh FILE.ptx POLICY: a kernel does what its file says: the `//!` lines launch it and check its results, and
#   // with: FILES  are the other parts of the program, in the folder of the file, with blanks between them
#   // exit: N      is the exit code (0 without such a line; `0 or 1`: a fault is allowed, a crash is not)
#   // says: TEXT   is contained in what ptxemu prints, one line for each text
#   // prints: TEXT is what the kernel prints, line for line
#   // gpu: NAME    is the GPU (h200 without such a line)
#   // covers: WORDS names instructions that the file is the test of (tests/support/coverage.h)
#   // policies: NAMES are those that the file is about (all without such a line); others are skipped
#   // timeout: S   stops a launch after S seconds (20 without such a line)
# on one and on two host threads, and under the random policy with several seeds.
# $PTXEMU is the command line to run.
set -u

file=$1
policy=$2

# directive NAME DEFAULT: what the file's line `// NAME: ...` says
directive()
{
    found=$(sed -n "s/^\/\/ $1: //p" "$file" | head -n 1)
    echo "${found:-$2}"
}

expected=$(directive exit 0)
gpu=$(directive gpu h200)
parts=
for part in $(directive with ""); do
    parts="$parts $(dirname "$file")/$part"
done
timeout=$(directive timeout 20)

case " $(directive policies "$policy") " in
*" $policy "*) ;;
*)
    echo "skipped: the file is not about this policy"
    exit 77
    ;;
esac

# fail WHAT: report and end
fail()
{
    echo "ptxemu $file$parts -q --gpu $gpu --policy $policy --threads $threads --seed $seed --timeout $timeout: $1"
    cat output.txt errors.txt
    exit 1
}

case $policy in
random) seeds="1 2 3 4" ;;
*) seeds=1 ;;
esac
sed -n 's/^\/\/ prints: \{0,1\}//p' "$file" >prints.txt
for threads in 1 2; do
    for seed in $seeds; do
        # shellcheck disable=SC2086 # names of parts have no blanks
        timeout --signal=KILL 30 "$PTXEMU" "$file" $parts -q --gpu "$gpu" --policy "$policy" --threads "$threads" --seed "$seed" \
            --timeout "$timeout" >output.txt 2>errors.txt
        code=$?
        case " $expected " in
        *" $code "*) ;;
        *) fail "exit code $code, expected $expected" ;;
        esac
        sed -n 's/^\/\/ says: //p' "$file" >says.txt
        while read -r text; do
            cat output.txt errors.txt | grep -qF -- "$text" || fail "does not say '$text'"
        done <says.txt
        if [ -s prints.txt ] && ! cmp -s prints.txt output.txt; then
            fail "prints something else"
        fi
    done
done
