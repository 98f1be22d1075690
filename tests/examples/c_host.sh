#!/bin/sh
# The programs of examples/c_host, built as its README says, but against the build tree.
# shellcheck disable=SC2086 # lists of options are several words
set -eu

source=$PTXEMU_SOURCE_DIR/examples/c_host
libraries=$PTXEMU_BUILD_DIR/cuda
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
flags="-std=c11 -Wall -Wextra -Werror -O2"

# says EXPECTED COMMAND...: the program's whole output
says() {
    expected=$1
    shift
    got=$("$@")
    [ "$got" = "$expected" ] || { echo "$*: '$got' instead of '$expected'"; exit 1; }
}

cc $flags "-I$PTXEMU_SOURCE_DIR/include" -o functions "$source/functions.c" -L"$PTXEMU_BUILD_DIR" -lptxemu \
    -Wl,-rpath,"$PTXEMU_BUILD_DIR" -lm
says "values[63] = 66.9686" ./functions "$source/ptx/sample.ptx"

case $(uname -m) in
x86_64) form="-o saxpy.o" ;;
*) form="--c saxpy.c" ;;
esac
"$PTXEMU" embed "$PTXEMU_SOURCE_DIR/examples/saxpy/saxpy.ptx" $form --header saxpy.h
cc $flags -I. "-I$PTXEMU_SOURCE_DIR/include/ptxemu/cuda" -o embed "$source/embed.c" "saxpy.${form##*.}" -L"$libraries" -lcudart
for gpu in h200 a100; do
    says "y[999] = 1999" "$PTXEMU" --gpu $gpu ./embed
done
echo "as the README says"
