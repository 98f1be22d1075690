#!/bin/sh
# offload.sh FLAGS EXPECTED SOURCE: build a program with GCC's OpenMP or OpenACC for nvptx, and run it on our driver, for several
# GPUs.  FLAGS is one word list; EXPECTED is what the program prints.
set -eu

flags=$1 expected=$2 source=$3
gcc=${GCC:-gcc}
command -v "$gcc" >/dev/null || { echo "skipped: no $gcc"; exit 77; }
accelerator=$("$gcc" -print-prog-name=accel/nvptx-none/mkoffload)
[ -x "$accelerator" ] || { echo "skipped: $gcc has no nvptx-none (Debian: gcc-12-offload-nvptx)"; exit 77; }
if grep -q '^CMAKE_C_FLAGS:.*-fsanitize' "$PTXEMU_BUILD_DIR/CMakeCache.txt"; then
    echo "skipped: a library built with sanitizers needs a program that is"
    exit 77
fi

# GCC asks a ptxas in PATH, if there is one, to check its PTX, and that of CUDA 13 no longer knows the sm_35 it is asked for.
plain=
for folder in $(echo "$PATH" | tr : ' '); do
    [ -x "$folder/ptxas" ] || plain=$plain:$folder
done
# shellcheck disable=SC2086 # several words; the linker warns of GCC's own table
PATH=${plain#:} "$gcc" -O2 -Wall -Wextra $flags -foffload=nvptx-none -o program "$source" -lm 2>log || { cat log; exit 1; }

for gpu in h200 a100-80gb; do
    answer=$("$PTXEMU" --gpu $gpu ./program 2>&1) || { echo "$gpu: the program ended with $? and said: $answer"; exit 1; }
    [ "$answer" = "$expected" ] || { echo "$gpu: the program said: $answer"; exit 1; }
done
