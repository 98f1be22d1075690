# shellcheck shell=bash disable=SC2034,SC2154 # options and verdict are variables of run.sh
# Running one program and deciding what came of it.  A program runs in a copy of the tree that it was built in, so that
# one run never sees what another one wrote.

# run_program PLACE FOLDER PROGRAM ARGUMENTS NOTE: leaves stdout, stderr and both (output) in PLACE; sets status and
# seconds.  A note "gpus=N" asks for a machine of N GPUs; "slack=N" lets kernels touch N bytes behind allocations.
run_program() {
    local place=$1 folder=$2 program=$3 arguments=$4 note=$5 run=$1/run start

    rm -rf "$run"
    cp -a "$place/tree" "$run"
    start=$(date +%s.%N)
    # The outer redirection hides what this shell says itself about a program that a signal ended.
    { (
        cd "$run/$folder" || exit 126
        ulimit -c 0 -f 4000000
        # A program that fills the memory is the one to go, not what else runs on this machine.
        echo 1000 >/proc/self/oom_score_adj
        export PTXEMU_VERBOSE=1
        [[ $note != gpus=* ]] || export PTXEMU_GPUS=${note#gpus=}
        [[ $note != slack=* ]] || export PTXEMU_SLACK=${note#slack=}
        eval "set -- $arguments"
        if [ -n "$libdir" ]; then
            export LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
            exec timeout -k 5 "$limit" "./$program" "$@"
        fi
        exec timeout -k 5 "$limit" "$ptxemu" "./$program" "$@"
    ) >"$place/stdout" 2>"$place/stderr" </dev/null; } 2>/dev/null
    status=$?
    seconds=$(echo "$(date +%s.%N) $start" | awk '{ printf "%.1f", $1 - $2 }')
    cat "$place/stdout" "$place/stderr" >"$place/output"
    rm -rf "$run"
}

# unmet CHECK OUTPUT: prints the first term of CHECK that does not hold; nothing if all do.  The terms, joined by " && ":
#   rc=N     the exit status              out~RE    a line of the output matches RE
#   out!~RE  no line of the output does   out#N~RE  at least N lines match RE
#   by-status  always holds: the exit status is the program's own check
unmet() {
    local rest="$1 && " output=$2 term count

    while [ -n "$rest" ]; do
        term=${rest%% && *} rest=${rest#* && }
        case $term in
            by-status) continue ;;
            rc=*) [ "$status" = "${term#rc=}" ] && continue ;;
            'out~'*) grep -aEq -e "${term#out~}" "$output" && continue ;;
            'out!~'*) grep -aEq -e "${term#out!~}" "$output" || continue ;;
            'out#'*)
                count=${term#out#} count=${count%%~*}
                [ "$(grep -aEc -e "${term#out#"$count"~}" "$output")" -ge "$count" ] && continue
                ;;
        esac
        echo "$term"
        return
    done
}

# refusal OUTPUT: the line in which ptxemu says what it does not support, without file names and numbers that would make
# two messages about the same thing different; or the one in which one of NVIDIA's samples says that the device lacks
# something ("waived", with status 2).
refusal() {
    local said="ptxemu: .*(not supported|unsupported|refused|not available|not implemented)|undefined reference to '__cuda"

    if [ "$status" = 2 ] && grep -aEim1 'waiv' "$1" | cut -c1-140; then
        return
    fi
    grep -aEm1 "$said" "$1" | sed -E 's/.*ptxemu: //; s/^.*[0-9]+:[0-9]+: error: //' | tr '\t' ' ' | cut -c1-140
}

# fault OUTPUT: the message in which ptxemu says what a kernel did wrong, without the numbers that differ between runs.
fault() {
    grep -aEm1 "^ptxemu: .*: kernel '" "$1" | sed -E 's/^ptxemu: //; s/0x[0-9a-f]+/ADDRESS/g' | tr '\t' ' ' | cut -c1-160
}

# judge PLACE CHECK: sets verdict and why from status, seconds and the output.
judge() {
    local output=$1/output check=$2 missing reason fault

    missing=$(unmet "$check" "$output")
    reason=$(refusal "$output")
    fault=$(fault "$output")
    if [ "$status" = 124 ] || { [ "$status" = 137 ] && awk "BEGIN { exit !($seconds >= $limit) }"; }; then
        verdict=TIMEOUT why="longer than $limit s"
    elif [ -z "$missing" ] && [[ $check = rc=[0-9] || $check = rc=[0-9][0-9] ]]; then
        verdict=RAN
    elif [ -z "$missing" ]; then
        verdict=PASS
    elif [ -n "$reason" ]; then
        verdict=REFUSED why=$reason
    elif [ -n "$fault" ]; then
        verdict=FAULT why=$fault
    elif [ "$status" -gt 128 ] && [ "$status" -lt 160 ]; then
        verdict=CRASH why="signal $((status - 128))"
    else
        verdict=WRONG why="exit status $status; not met: $missing"
    fi
}
