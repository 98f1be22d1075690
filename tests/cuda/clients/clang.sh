#!/bin/sh
# clang.sh SOURCE: a CUDA program, built by each clang that is here, without NVIDIA's toolkit, runs on our libraries.  It must print
# "ok".
set -eu

. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
found=
for clang in clang++-14 clang++-19; do
    command -v $clang >/dev/null || continue
    found=$clang
    for level in -O0 -O2; do
        CLANG=$clang PTXEMU_CUDA=$PTXEMU_BUILD_DIR/cuda "$PTXEMU_SOURCE_DIR/scripts/clang-cuda" $level -o program "$1"
        for gpu in h200 a100; do
            answer=$("$PTXEMU" --gpu $gpu ./program 2>log) || { echo "$clang $level, $gpu: it ended with $? and said: $answer"; exit 1; }
            [ "$answer" = ok ] || { echo "$clang $level, $gpu: it said: $answer"; exit 1; }
        done
    done
done
[ -n "$found" ] || { echo "skipped: neither clang++-14 nor clang++-19"; exit 77; }
