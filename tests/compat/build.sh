# shellcheck shell=bash disable=SC2034,SC2154 # options and verdict are variables of run.sh
# Building one program in a copy of its folder.  Nothing is written into the checkout: the program's folder is copied,
# and the folders beside it, which some programs read, are links.

# mirror CHECKOUT FOLDER TREE: TREE is to look like CHECKOUT, with a real copy of FOLDER and links to everything else.
mirror() {
    local from=$1 rest=$2/ to=$3 part entry links

    mkdir -p "$to"
    while [ -n "$rest" ]; do
        part=${rest%%/*} rest=${rest#*/} links=()
        for entry in "$from"/*; do
            [ "${entry##*/}" = "$part" ] || links+=("$entry")
        done
        [ ${#links[@]} = 0 ] || ln -s -t "$to" "${links[@]}"
        from=$from/$part to=$to/$part
        if [ -n "$rest" ]; then
            mkdir "$to"
        else
            cp -r "$from" "$to"
        fi
    done
}

# build_command BUILD: what to run in the program's folder for the column "build"; README.md lists its forms.
build_command() {
    local flags="-O3 -std=c++17 --extended-lambda -I\$REPO/Common" kernel file rest

    # shellcheck disable=SC2016 # a command may say itself where $OUT goes
    case $1 in
        'sed '*) echo "${1%% && *} && $(build_command "${1#* && }")" ;;
        make*) echo "make -j1 ARCH=sm_80 ${1#make}" ;;
        'nvcc '*'$OUT'*) echo "$1" ;;
        'nvcc '*) echo "nvcc $flags ${1#nvcc } -o \$OUT" ;;
        'fatbin '*)
            read -r kernel file rest <<<"${1#fatbin }"
            echo "nvcc -fatbin $flags $kernel -o $file && $(build_command "$rest")"
            ;;
        *) echo "$1" ;;
    esac
}

# build_program PLACE CHECKOUT FOLDER PROGRAM BUILD: true if PLACE/tree/FOLDER/PROGRAM is there.  An earlier result, good
# or bad, is kept as long as the build command stays the same.
build_program() {
    local place=$1 checkout=$2 folder=$3 program=$4 command
    local built=$place/tree/$folder/$program cuda=${PTXEMU_NVCC%/bin/*}

    command=$(build_command "$5")
    if [ "$(cat "$place/command" 2>/dev/null)" = "$command" ] && { [ -x "$built" ] || [ "$rebuild" = 0 ]; }; then
        [ -x "$built" ]
        return
    fi
    rm -rf "$place/tree" "$place/command"
    mirror "$checkout" "$folder" "$place/tree"
    (
        cd "$place/tree/$folder" || exit
        export PATH=$here/bin:$PATH OUT=$built REPO=$place/tree LIBRARY_PATH=$cuda/lib64:$cuda/lib64/stubs
        export CPATH=$cuda/include CUDA_HOME=$cuda CUDA_PATH=$cuda
        timeout -k 5 "${BUILD_SECONDS:-600}" bash -c "$command"
    ) >"$place/build.log" 2>&1 </dev/null
    find "$place/tree" -name '*.o' -type f -delete
    printf '%s' "$command" >"$place/command"
    [ -x "$built" ]
}

# build_reason LOG: the line of a build's output that says best why it failed.
build_reason() {
    local line

    line=$(grep -aEm1 'error|cannot find|No such file|undefined reference|not found|No rule' "$1" || tail -n 1 "$1")
    line=${line//$'\t'/ }
    echo "${line:0:140}"
}
