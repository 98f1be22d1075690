# Bash completion of ptxemu.

_ptxemu_gpus() {
    "${COMP_WORDS[0]}" --list-gpus 2>/dev/null
}

# Kernels of the PTX file on the command line.
_ptxemu_kernels() {
    local word
    for word in "${COMP_WORDS[@]:1}"; do
        if [[ $word == *.ptx && -r $word ]]; then
            sed -n 's/.*\.entry[[:space:]]\{1,\}\([A-Za-z0-9_$]\{1,\}\).*/\1/p' "$word"
        fi
    done
}

_ptxemu_files() { # PTX files and programs
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$1"))
}

_ptxemu() {
    local current=$2 previous=$3 command=run words=
    COMPREPLY=()
    [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == @(info|extract|embed) ]] && command=${COMP_WORDS[1]}

    # "--gpu=a" arrives in three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    case $previous in
    --kernel) words=$(_ptxemu_kernels) ;;
    --gpu) words=$(_ptxemu_gpus) ;;
    --policy) words="converge minpc serial random" ;;
    --format) words="text json" && [[ $command == info ]] && words+=" csv" ;;
    --dump) words="ir" ;;
    --output | -o) COMPREPLY=($(compgen -d -- "$current")) && return ;;
    --grid | --block | --shared | --arg | --print | --expect | --dump-arg | --threads | --gpus | --seed | --slack | --timeout) return ;;
    *)
        if [[ $current == -* && $command == info ]]; then
            words="--gpu --block --shared --relocatable --format --help"
        elif [[ $current == -* && $command == extract ]]; then
            words="--output --help"
        elif [[ $current == -* && $command == embed ]]; then
            words="--output --c --header --help"
        elif [[ $current == -* ]]; then
            words="--kernel --grid --block --shared --arg --print --expect --dump-arg --stats --format --quiet --gpu --gpus
                --list-gpus --threads --policy --seed --slack --timeout --dump --verbose --help --version"
        else
            _ptxemu_files "$current"
            [[ $COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W "run info extract embed" -- "$current"))
            return
        fi
        ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}

complete -F _ptxemu ptxemu
