#!/bin/sh
# nvcc.sh OUTPUT FLAGS SOURCE...: build a program with nvcc against the shared runtime, and run it on ours.
# The program must print "ok".  FLAGS is one word list; NVCC names the compiler, PTXEMU_CUDA the folder of the libraries,
# RUNTIME the runtime library to link if it is not the one that nvcc takes.
set -eu

. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
output=$1 flags=$2
shift 2
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ ! -x "$nvcc" ]; then
    echo "skipped: no nvcc"
    exit 77
fi

runtime="-cudart shared"
if [ -n "${RUNTIME:-}" ]; then
    runtime="-cudart none -Xlinker $PTXEMU_CUDA/$RUNTIME"
fi
# shellcheck disable=SC2086 # the flags are several words
"$nvcc" $flags -o "$output" "$@" $runtime
answer=$(LD_LIBRARY_PATH="$PTXEMU_CUDA" "./$output")
[ "$answer" = ok ] || {
    echo "the program said: $answer"
    exit 1
}
