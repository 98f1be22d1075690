#!/usr/bin/env bash
# Builds CUDA programs that nobody here wrote and runs them, unmodified, under ptxemu.
#
#   run.sh -r CHECKOUTS [-p PTXEMU | -l LIBDIR] [-c LIST] [-o SCRATCH] [-f REGEX] [-j JOBS] [-T SECONDS] [-b] [-B] [-n]
#          [-v] [-d FILE]
#
#   -r CHECKOUTS  folder with cuda-samples, HeCBench or both, as git checked them out
#   -p PTXEMU     the command; programs run as `PTXEMU ./program arguments` (default: ptxemu on PATH)
#   -l LIBDIR     instead: run the program itself, with this folder first in LD_LIBRARY_PATH
#   -c LIST       another list of programs than programs.tsv
#   -o SCRATCH    where programs are built and run; what is built there is used again (default: a new folder)
#   -f REGEX      only programs whose "repository/folder" matches
#   -j JOBS       programs at a time (1)
#   -T SECONDS    time limit of a run (60); BUILD_SECONDS is that of a build (600)
#   -b            build only
#   -B            try again to build what did not build before
#   -n            build nothing: what is not built yet is not run either
#   -v            show the last lines of what a program that did not pass printed
#   -d FILE       write docs/compatibility.md to FILE
#
# programs.tsv says how each program is built, run and judged; README.md explains its columns and the verdicts.
# NVCC names the compiler (default: nvcc on PATH, else /usr/local/cuda/bin/nvcc).
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/build.sh"
. "$here/judge.sh"
. "$here/report.sh"

usage() {
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
    exit 2
}

die() {
    echo "run.sh: $*" >&2
    exit 2
}

# parse_options ARGUMENTS: sets the variables below.
parse_options() {
    local option

    checkouts='' ptxemu='' libdir='' list=$here/programs.tsv scratch='' filter='' jobs=1 limit=60 build_only=0 rebuild=0 no_build=0 verbose=0 document=''
    while getopts r:p:l:c:o:f:j:T:bBnvd:h option; do
        case $option in
            r) checkouts=$OPTARG ;;
            p) ptxemu=$OPTARG ;;
            l) libdir=$OPTARG ;;
            c) list=$OPTARG ;;
            o) scratch=$OPTARG ;;
            f) filter=$OPTARG ;;
            j) jobs=$OPTARG ;;
            T) limit=$OPTARG ;;
            b) build_only=1 ;;
            B) rebuild=1 ;;
            n) no_build=1 ;;
            v) verbose=1 ;;
            d) document=$OPTARG ;;
            *) usage ;;
        esac
    done
    [ -n "$checkouts" ] || usage
}

# check_options: makes paths absolute and refuses what cannot work before the first build.
check_options() {
    checkouts=$(cd "$checkouts" 2>/dev/null && pwd) || die "no such folder of checkouts"
    PTXEMU_NVCC=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
    [ -x "$PTXEMU_NVCC" ] || die "no nvcc: put it on PATH or name it in NVCC"
    export PTXEMU_NVCC
    if [ $build_only = 0 ] && [ -n "$libdir" ]; then
        libdir=$(cd "$libdir" 2>/dev/null && pwd) || die "no such folder of libraries"
        [ -e "$libdir/libcudart.so.13" ] || die "no libcudart.so.13 in $libdir"
    elif [ $build_only = 0 ]; then
        ptxemu=$(command -v "${ptxemu:-ptxemu}") || die "no ptxemu: name it with -p"
        ptxemu=$(readlink -f "$ptxemu")
    fi
    [ -r "$list" ] || die "cannot read $list"
    [ -n "$scratch" ] || scratch=$(mktemp -d "${TMPDIR:-/tmp}/ptxemu-compat.XXXXXX")
    mkdir -p "$scratch/programs" || die "cannot write to the scratch folder"
    scratch=$(cd "$scratch" && pwd)
    if git -C "$scratch" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        die "the scratch folder lies inside a git work tree; name one outside it with -o"
    fi
}

# one_program REPOSITORY FOLDER PROGRAM BUILD ARGUMENTS CHECK NOTE: builds and runs one row of programs.tsv, and leaves
# its verdict in $verdicts/ID.
one_program() {
    local repository=$1 folder=$2 program=$3 build=$4 arguments=$5 check=$6 note=$7
    local id=${1}_${2//[^A-Za-z0-9._+-]/_} place

    place=$scratch/programs/$id
    mkdir -p "$place"
    verdict='' seconds=0 why=''
    if [ "$build" = excluded ]; then
        verdict=EXCLUDED why=$note
    elif [ ! -d "$checkouts/$repository/$folder" ]; then
        verdict=ABSENT why="no such folder in the checkout"
    elif [ $no_build = 1 ] && [ ! -x "$place/tree/$folder/$program" ]; then
        verdict=UNBUILT
    elif ! build_program "$place" "$checkouts/$repository" "$folder" "$program" "$build"; then
        verdict=NOBUILD why=$(build_reason "$place/build.log")
    elif [ $build_only = 1 ]; then
        verdict=BUILT
    else
        run_program "$place" "$folder" "$program" "$arguments" "$note"
        judge "$place" "$check"
    fi
    printf '%s\t%s\t%s\t%s\t%s\n' "$repository" "$folder" "$verdict" "$seconds" "$why" >"$verdicts/$id"
    printf '%-9s %-64s %6.1fs%s\n' "$verdict" "$repository/$folder" "$seconds" "${why:+  $why}"
    if [ $verbose = 1 ] && [ -e "$place/output" ] && [[ $verdict != PASS && $verdict != RAN ]]; then
        tail -n 6 "$place/output" | cut -c1-160 | sed 's/^/    | /'
    fi
}

# all_programs: every row that the filter lets through, $jobs at a time.
all_programs() {
    local repository folder program build arguments check note

    while IFS=$'\t' read -r repository folder program build arguments check note; do
        [[ -z $repository || $repository = '#'* || ! -d $checkouts/$repository ]] && continue
        [[ -z $filter || $repository/$folder =~ $filter ]] || continue
        [ "$arguments" = - ] && arguments=''
        while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
            wait -n
        done
        one_program "$repository" "$folder" "$program" "$build" "$arguments" "$check" "$note" &
    done <"$list"
    wait
}

parse_options "$@"
check_options
verdicts=$(mktemp -d "$scratch/verdicts.XXXXXX")
all_programs
cat "$verdicts"/* >"$scratch/verdicts.tsv"
rm -r "$verdicts"
report_summary "$scratch/verdicts.tsv"
[ -z "$document" ] || report_document "$scratch/verdicts.tsv" >"$document"
echo "logs in $scratch/programs"
report_exit_status "$scratch/verdicts.tsv"
