#!/bin/sh
# Programs and fat binaries made now, by the nvcc that is installed: what they carry and need, and that the text that comes
# out is the one that nvcc wrote, but for comments and blanks.
set -eu

samples=$PTXEMU_SOURCE_DIR/tests/unit/fatbin
nvcc=${NVCC:-nvcc}
command -v "$nvcc" >/dev/null || nvcc=/usr/local/cuda/bin/nvcc
command -v "$nvcc" >/dev/null || { echo "skipped: no nvcc"; exit 77; }
ptx80="-gencode arch=compute_80,code=compute_80"

# What nvcc's tools leave of a text when they put it into a fat binary.
normalised() {
    sed -e 's|//.*||' -e 's/[ \t][ \t]*/ /g' -e 's/^ //' -e 's/ $//' -e '/^$/d' "$1"
}

# same_text NAME.cu OPTION...
same_text() {
    source=$samples/$1
    shift
    rm -rf out
    # shellcheck disable=SC2086 # two words
    "$nvcc" -fatbin $ptx80 "$@" -o kernel.fatbin "$source"
    case " $* " in *" --compress-mode="*) shift ;; esac
    "$nvcc" -ptx -arch=compute_80 "$@" -o kernel.ptx "$source"
    "$PTXEMU" extract kernel.fatbin -o out
    normalised kernel.ptx >expected.txt
    normalised out/kernel.fatbin.1.sm_80.ptx >got.txt
    [ -s expected.txt ]
    diff expected.txt got.txt
}

# says FILE TEXT: that `info` prints the text.
says() {
    "$PTXEMU" info "$1" >info.txt
    grep -qF -e "$2" info.txt || { echo "$1: no '$2'"; cat info.txt; exit 1; }
}

same_text add.cu
modes=$("$nvcc" --help | grep -q -e --compress-mode && echo "none speed balance size" || true)
for mode in $modes; do
    same_text add.cu --compress-mode="$mode"
done
same_text add.cu -lineinfo
same_text add.cu -G
same_text part1.cu -rdc=true

# shellcheck disable=SC2086
"$nvcc" $ptx80 -o static "$samples/scale.cu"
says static "contains the static CUDA runtime"
says static "scale"
strip -o hidden static
says hidden "contains the static CUDA runtime, stripped of its names"
# shellcheck disable=SC2086
"$nvcc" $ptx80 -cudart shared -o shared "$samples/scale.cu"
says shared "needs the shared CUDA runtime (libcudart.so."
# shellcheck disable=SC2086
"$nvcc" $ptx80 -cudart shared -rdc=true -o parts "$samples/part1.cu" "$samples/part2.cu"
says parts "both"
says parts "alone"
echo "as nvcc wrote them"
