#!/bin/sh
# exports.sh MAJOR: libcudart.so.MAJOR of $PTXEMU_CUDA exports every name of symbols.def under its version node, no other.
set -eu

major=$1
library=$PTXEMU_CUDA/libcudart.so.$major
symbols=$PTXEMU_SOURCE_DIR/runtime/cudart/symbols.def

export LC_ALL=C
sed -nE "s/^SYMBOL($major)?\(([A-Za-z0-9_]+),.*/\2@@libcudart.so.$major/p" "$symbols" | sort >wanted
nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort >exported
[ "$(wc -l <wanted)" -ge 400 ] || {
    echo "$symbols has hardly any names"
    exit 1
}
diff wanted exported
readelf -d "$library" | grep -q "SONAME.*\[libcudart.so.$major\]"
readelf -d "$library" | grep -q 'NEEDED.*\[libcuda.so.1\]'
# shellcheck disable=SC2016 # $ORIGIN is what the library says
readelf -d "$library" | grep -q 'RUNPATH.*\[$ORIGIN\]'
