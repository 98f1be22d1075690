#!/bin/sh
# ptxemu embed: what the object and the C source hand to a CUDA runtime, and whether arguments arrive.
# shellcheck disable=SC2086 # lists of options are several words
set -eu

here=$PTXEMU_SOURCE_DIR/tests/cli/embed
ptx=$PTXEMU_SOURCE_DIR/tests/cli/ptx
command -v cc >/dev/null || { echo "skipped: no C compiler"; exit 77; }
flags="-std=c11 -Wall -Wextra -Werror -O2 -I$here/include -I."

fail() {
    echo "$1"
    cat "$2"
    exit 1
}

cat >expected.txt <<END
register 466243b1, version 1, container
function mixed
function nothing
end
launch mixed (4 5 6) (7 8 9) 100 (nil)
launch mixed (4 5 6) (7 8 9) 4096 0xSTREAM
launch nothing (7 8 9) (4 5 6) 0 (nil)
codes 0, without a configuration 52
text of $(wc -c <"$here/kernels.ptx") bytes, $(wc -c <"$here/kernels.ptx"), .version 7.0
unregister
END

# says PROGRAM: run it, compare what the runtime said.
says() {
    "$1" >raw.txt || fail "$1 failed" raw.txt
    sed 's/ 0x[0-9a-f]*$/ 0xSTREAM/' raw.txt >got.txt
    diff expected.txt got.txt || fail "$1 says something else" raw.txt
}

"$PTXEMU" embed "$here/kernels.ptx" --c kernels.c --header kernels.h
cc $flags -o from_source "$here/host.c" "$here/runtime.c" kernels.c
says ./from_source
if command -v c++ >/dev/null; then
    c++ -std=c++17 -Wall -Wextra "-I$here/include" -fsyntax-only kernels.h || { echo "the header is no C++"; exit 1; }
fi

if [ "$(uname -m)" = x86_64 ]; then
    "$PTXEMU" embed "$here/kernels.ptx"
    for mode in -pie -no-pie; do
        cc $flags $mode -o from_object "$here/host.c" "$here/runtime.c" kernels.o
        says ./from_object
    done
    # What was embedded comes out again.
    "$PTXEMU" info from_object >info.txt
    grep -q "mixed" info.txt || fail "info does not see the kernels" info.txt
    "$PTXEMU" extract from_object -o out >/dev/null
    cmp "$here/kernels.ptx" out/from_object.1.sm_80.ptx

    # In a library, and of several texts, which are linked.
    echo 'void check_arguments(const char *k, void **a); void check_arguments(const char *k, void **a) { (void)k, (void)a; }' >none.c
    echo 'int main(void) { return 0; }' >main.c
    "$PTXEMU" embed "$ptx/part.ptx" "$ptx/elsewhere.ptx" -o parts.o --header parts.h
    cc $flags -shared -fPIC -o libparts.so parts.o "$here/runtime.c" none.c
    cc $flags -Wl,--no-as-needed -o linked main.c ./libparts.so
    ./linked >linked.txt
    grep -qx "register 466243b1, version 2, container, container, container" linked.txt || fail "not linked" linked.txt
    "$PTXEMU" info libparts.so >info.txt
    grep -q "yes  no" info.txt || fail "parts are not marked as such" info.txt
fi

# refused WORDS ARGUMENT...
refused() {
    words=$1
    shift
    "$PTXEMU" embed "$@" >out.txt 2>&1 && fail "embed $* is taken" out.txt
    grep -qF -e "$words" out.txt || fail "embed $*: no '$words'" out.txt
}
refused "no file given"
refused "cannot open" nowhere.ptx
refused "unresolved extern" "$ptx/part.ptx"
mkdir -p other
cp "$ptx/elsewhere.ptx" other/part.ptx
refused "would both be called part_ptx: rename one" "$ptx/part.ptx" other/part.ptx
echo "as they were passed"
