#!/bin/sh
# The cases of programs.txt, with programs made here by the C compiler; those of nvcc are samples in the tree.
set -eu

host=$PTXEMU_SOURCE_DIR/tests/cli/programs/host.c
samples=$PTXEMU_SOURCE_DIR/tests/unit/fatbin

if ! command -v cc >/dev/null || ! command -v strip >/dev/null; then
    echo "skipped: no C compiler, or no strip"
    exit 77
fi

carry="-DFATBIN=\"$samples/balance.fatbin\""
cc "$carry" -DHAS -o static "$host"
strip -o hidden static
cc "$carry" -o plain "$host"
cc "$carry" -DCALLS -shared -fPIC -o library.so "$host"
cc "$carry" -DCALLS -c -o object.o "$host"
cc -DOPENS -o driver "$host"

# A library by the name of CUDA's, to link with.
echo 'int cudaGetLastError(void) { return 0; }' >runtime.c
cc -shared -fPIC -Wl,-soname,libcudart.so.12 -o libcudart.so runtime.c
cc "$carry" -DCALLS -o shared "$host" ./libcudart.so
strip -o bare shared

# Damage: cut inside the device code, which is at the start of this one.
head -c 300 "$samples/balance.fatbin" >cut.fatbin
printf '\120\355\125\272\001\0\020\0\0\0\0\0\0\0\0\0' >empty.fatbin
head -c 5000 static >cut_program

exec sh "$PTXEMU_SOURCE_DIR/tests/cli/support/cases.sh" "$PTXEMU_SOURCE_DIR/tests/cli/programs.txt"
