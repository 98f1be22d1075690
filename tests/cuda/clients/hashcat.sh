#!/bin/sh
# hashcat.sh: hashcat, as distributions pack it, finds words on our driver.  It compiles its kernels with NVRTC, links them, and
# tests itself before it starts.
set -eu

. "$PTXEMU_SOURCE_DIR/tests/skip_sanitized.sh"
command -v hashcat >/dev/null || { echo "skipped: no hashcat (Debian: hashcat)"; exit 77; }
toolkit=${CUDA_HOME:-/usr/local/cuda}/lib64
[ -e "$toolkit/libnvrtc.so" ] || { echo "skipped: no NVRTC, the compiler that hashcat asks for"; exit 77; }

# crack MODE PROGRAM: PROGRAM makes the hash that MODE is for
crack()
{
    printf 'test' | "$2" | cut -d ' ' -f 1 >"hash"
    rm -f found
    LD_LIBRARY_PATH=$toolkit "$PTXEMU" "$(command -v hashcat)" -m "$1" -a 0 hash words -o found --potfile-disable --session "ptxemu$$" \
        --backend-ignore-opencl --backend-ignore-hip -O >log 2>&1 </dev/null || { cat log; exit 1; }
    [ "$(cat found)" = "$(cat hash):test" ] || { cat log; exit 1; }
}

export XDG_DATA_HOME="$PWD/data" XDG_CACHE_HOME="$PWD/cache" # compiled kernels, and the marks of running instances
rm -rf data cache
mkdir data cache
printf 'foo\ntest\nbar\n' >words
crack 0 md5sum
crack 1400 sha256sum
