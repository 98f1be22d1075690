#!/bin/sh
# offload.sh FLAGS EXPECTED SOURCE: build a program with GCC's OpenMP or OpenACC for nvptx, and run it on our driver, for several
# GPUs.  FLAGS is one word list; EXPECTED is what the program prints.
set -eu

flags=$1 expected=$2 source=$3
. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
. "$PTXEMU_SOURCE_DIR/tests/cuda/clients/gcc_offload.sh"
# shellcheck disable=SC2086 # several words
gcc_offload -O2 -Wall -Wextra $flags -o program "$source" -lm
for gpu in h200 a100-80gb; do
    answer=$("$PTXEMU" --gpu $gpu ./program 2>&1) || { echo "$gpu: the program ended with $? and said: $answer"; exit 1; }
    [ "$answer" = "$expected" ] || { echo "$gpu: the program said: $answer"; exit 1; }
done
