#!/bin/sh
# refused.sh: the functions of $PTXEMU_CUDA/libcuda.so.1 that nobody implements are those that runtime/driver/README.md lists.
set -eu

export LC_ALL=C
nm -D --defined-only "$PTXEMU_CUDA/libcuda.so.1" | awk '$2 == "W" { print $3 }' | grep '^cu[A-Z]' |
    sed -E 's/_(ptsz|ptds)$//; s/_v[0-9]+$//' | sort -u >refused
sed -n '/^## Refused by name/,$p' "$PTXEMU_SOURCE_DIR/runtime/driver/README.md" | grep '^|' | grep -oE '\bcu[A-Z][A-Za-z0-9]*' |
    sort -u >listed
[ -s refused ] || {
    echo "libcuda.so.1 has no weak names"
    exit 1
}
cat refused
diff listed refused
