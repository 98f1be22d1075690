#!/bin/sh
# run.sh alone                         each header compiles by itself, in each language, without a warning
# run.sh sizes                         sizes.c holds, under each compiler that is installed
# run.sh nvidia                        every fact of NVIDIA's own headers is one of ours, and the other way round
#
# CUDA_HEADERS names folders of NVIDIA's headers, separated by colons; without it those beside nvcc are taken.  Ours describe
# 13.0 and 12.8: a set of another release is skipped, and the script says so.
set -u

here=$PTXEMU_SOURCE_DIR/tests/cuda_headers
ours=$PTXEMU_SOURCE_DIR/include/ptxemu/cuda
failed=0
ran=0

# compiles LANGUAGE COMPILER OPTION... <SOURCE
compiles()
{
    language=$1
    shift
    ran=$((ran + 1))
    if ! "$@" -Wall -Wextra -Werror -I"$ours" -x "$language" -fsyntax-only - 2>log.txt; then
        echo "FAILED: $header: $*"
        sed 's/^/    /' log.txt
        failed=$((failed + 1))
    fi
}

# compiler NAME: is it there?  Says so if not.
compiler()
{
    command -v "$1" >/dev/null || { echo "skipped: no $1"; return 1; }
}

# includes TEXT OPTION...: writes a source that includes a header twice, and sets the words for messages
includes()
{
    header="$*"
    printf '#include <%s>\n#include <%s>\nint used;\n' "$1" "$1" >source
}

# every_language COMPILER OPTION...: as in `alone`
every_language()
{
    compiles c "$@" -std=c90 -pedantic -Wno-long-long <source
    compiles c "$@" -std=c11 -pedantic <source
    compiles c "$@" -std=gnu17 <source
    compiles c++ "$@" -std=c++14 <source
}

alone()
{
    for cc in gcc clang clang-19; do
        compiler $cc || continue
        for name in $(cd "$ours" && ls -- *.h); do
            includes "$name"
            every_language $cc
            every_language $cc -DPTXEMU_CUDA_VERSION=12080
        done
        for name in cuda.h cuda_runtime.h; do
            includes "$name"
            every_language $cc -DCUDA_API_PER_THREAD_DEFAULT_STREAM
            every_language $cc -DCUDA_API_PER_THREAD_DEFAULT_STREAM -DPTXEMU_CUDA_VERSION=12080
        done
        includes cuda.h
        compiles c $cc -std=c11 -D__CUDA_API_VERSION_INTERNAL <source
        includes runtime_api/earlier.h
        compiles c $cc -std=c11 -DPTXEMU_CUDA_VERSION=12080 <source
        header=typed.cpp
        compiles c++ $cc -std=c++14 <"$here/typed.cpp"
    done
    for name in $(cd "$ours" && ls -- driver_api/*.h runtime_api/*.h | grep -v earlier.h); do
        includes "$name"
        compiles c clang -std=c11 -pedantic <source
    done
}

sizes()
{
    header=sizes.c
    for cc in gcc clang clang-19; do
        compiler $cc || continue
        compiles c $cc -std=gnu17 <"$here/sizes.c"
        compiles c $cc -std=gnu17 -DPTXEMU_CUDA_VERSION=12080 <"$here/sizes.c"
    done
}

# facts INCLUDE OPTION...: the facts that the headers in a folder declare, sorted
facts()
{
    folder=$1
    shift
    sed -n -e '/^#include <.*\.h>/p' -e '/^#if/p' -e '/^#endif/p' "$here/facts.cpp" >headers.c
    gcc -E -P -w -I"$folder" "$@" headers.c | awk -f "$here/facts.awk" >found.txt
    gcc -E -dM -w -I"$folder" "$@" headers.c | awk '
        $2 !~ /^(cu|CU)/ || $2 ~ /\(/ || $2 ~ /^CUDA_API/ || NF < 3 || $3 == "__device__" { next } # attributes
        $3 ~ /^(cu|__CUDA)/ { print "renamed " $2; next }
        { print "constant " $2 }' >>found.txt
    sort -u found.txt
}

# same OPTION...: our headers and those in $theirs say the same
same()
{
    ran=$((ran + 1))
    facts "$ours" -DPTXEMU_CUDA_VERSION="$release" "$@" >ours.txt
    facts "$theirs" "$@" >theirs.txt
    # What 13.0 added stays declared when our headers stand for 12.8.
    if [ "$release" -lt 13000 ]; then
        comm -13 ours.txt theirs.txt >missing.txt
    else
        comm -3 ours.txt theirs.txt >missing.txt
    fi
    if [ -s missing.txt ]; then
        echo "FAILED: facts of one set only ($theirs, $*): ours are at the left"
        sed 's/^/    /' missing.txt
        failed=$((failed + 1))
    fi
    comm -12 ours.txt theirs.txt | awk '
        { kind = toupper($1); name = $2; type = $3 " " $4; sub(/ $/, "", type) }
        $1 == "record" { print kind "(" substr($0, 8) ")"; next }
        $1 == "member" || $1 == "aggregate" { print kind "(" type ", " name ")"; next }
        { print kind "(" name ")" }' >facts.inc
    for side in ours theirs; do
        folder=$ours
        [ $side = theirs ] && folder=$theirs
        if ! g++ -std=c++14 -w -I. -I"$folder" -DPTXEMU_CUDA_VERSION="$release" "$@" "$here/facts.cpp" -o $side 2>log.txt; then
            echo "FAILED: $side do not compile ($*)"
            sed 's/^/    /' log.txt | head -n 40
            failed=$((failed + 1))
            return
        fi
        ./$side >$side.said
    done
    echo "$release $*: $(wc -l <facts.inc) facts compared"
    if ! cmp -s ours.said theirs.said; then
        echo "FAILED: ours (<) and theirs (>) differ ($*)"
        diff ours.said theirs.said
        failed=$((failed + 1))
    fi
}

nvidia()
{
    compiler gcc && compiler g++ || exit 77
    nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
    for theirs in $(echo "${CUDA_HEADERS:-$(dirname "$(dirname "$nvcc")")/include}" | tr : ' '); do
        if ! [ -e "$theirs/cuda.h" ]; then
            echo "skipped: no headers of NVIDIA in $theirs"
            continue
        fi
        release=$(awk '$1 == "#define" && $2 == "CUDA_VERSION" { print $3 }' "$theirs/cuda.h")
        if [ "$release" != 13000 ] && [ "$release" != 12080 ]; then
            echo "skipped: $theirs is of release $release; our headers describe 13000 and 12080"
            continue
        fi
        same
        same -DCUDA_API_PER_THREAD_DEFAULT_STREAM
        [ "$release" -ge 13000 ] && same -D__CUDA_API_VERSION_INTERNAL -D__CUDA_API_VERSION_INTERNAL_ODR
    done
}

"$@"
[ $failed -eq 0 ] || exit 1
[ $ran -gt 0 ] || exit 77
