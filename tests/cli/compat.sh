#!/bin/sh
# The runner of tests/compat gives each program the verdict that it deserves.  The programs here are shell scripts that a
# Makefile "builds", so nvcc is not needed; what they print is what real ones do.
set -eu

for tool in bash make; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
runner=$PTXEMU_SOURCE_DIR/tests/compat/run.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p lib
: >lib/libcudart.so.13
: >list.tsv

# program NAME CHECK BODY: a program of that name, its Makefile and its row in the list.
program() {
    mkdir -p "checkouts/HeCBench/src/$1"
    printf '#!/bin/sh\n%s\n' "$3" >"checkouts/HeCBench/src/$1/main.sh"
    printf 'main: main.sh\n\tcp main.sh main\n\tchmod +x main\n' >"checkouts/HeCBench/src/$1/Makefile"
    printf 'HeCBench\tsrc/%s\tmain\tmake\t%s\t%s\t-\n' "$1" "'two words' 1" "$2" >>list.tsv
}

rm -rf checkouts
# shellcheck disable=SC2016 # what the program is to expand
program passes 'rc=0 && out~^PASS && out!~FAIL' '[ "$1" = "two words" ] && [ $# = 2 ] && echo PASS'
program ran 'rc=0' 'exit 0'
program status 'rc=0 && by-status' 'exit 0'
program counted 'rc=0 && out#2~sum' 'echo sum; echo sum'
program short 'rc=0 && out#2~sum' 'echo sum'
program fails 'rc=0 && out~PASS && out!~FAIL' 'echo PASS; echo FAIL'
program refused 'rc=0 && out~PASS' 'echo "ptxemu: cuFoo is not supported" >&2; exit 1'
program faults 'rc=0 && out~PASS' 'echo "ptxemu: out-of-bounds access: write of 4 bytes at 0x10: kernel '"'k'"', CTA (0,0,0)" >&2; exit 1'
program crashes 'rc=0 && out~PASS' 'kill -SEGV $$'
program hangs 'rc=0 && out~PASS' 'exec sleep 30'
program broken 'rc=0' 'exit 0'
printf 'main:\n\t@echo "main.cu: error: no such thing"; false\n' >checkouts/HeCBench/src/broken/Makefile
printf 'HeCBench\tsrc/library\t-\texcluded\t-\t-\tneeds cuBLAS\n' >>list.tsv
# A program that leaves a file behind sees a clean folder in its next run.
program tidy 'rc=0 && out~PASS' '[ -e left ] || echo PASS; : >left'

run() {
    NVCC=/bin/sh bash "$runner" -r checkouts -c list.tsv -l lib -o "$scratch" -T 2 "$@"
}

verdicts() {
    cut -f2-3 "$scratch/verdicts.tsv" | sed 's|^src/||' | tr '\t' ' ' | sort
}

cat >expected.txt <<'E2'
broken NOBUILD
counted PASS
crashes CRASH
fails WRONG
faults FAULT
hangs TIMEOUT
library EXCLUDED
passes PASS
ran RAN
refused REFUSED
short WRONG
status PASS
tidy PASS
E2
if run -j 4 >first.txt; then
    echo "a wrong answer, a crash and a hang are no success"
    exit 1
fi
verdicts | diff expected.txt -
grep -q 'main.cu: error: no such thing' first.txt
grep -q "write of 4 bytes at ADDRESS: kernel 'k'" first.txt
grep -q 'cuFoo is not supported' first.txt
[ -z "$(find checkouts -name main)" ] || { echo "it wrote into the checkout"; exit 1; }
run -f 'tidy|passes' -d table.md >second.txt
printf 'passes PASS\ntidy PASS\n' >expected.txt
verdicts | diff expected.txt -
grep -q '^| HeCBench | 2 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 100.0 % of 2 |$' table.md
