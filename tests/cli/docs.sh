#!/bin/sh
# Every option that --help names is in the manual page and in the completions, and the other way round.
set -u

docs=$PTXEMU_SOURCE_DIR/docs/ptxemu.1
completion=$PTXEMU_SOURCE_DIR/runtime/cli/completion
failed=0

"$PTXEMU" --help >help.txt && "$PTXEMU" info --help >>help.txt && "$PTXEMU" extract --help >>help.txt &&
    "$PTXEMU" embed --help >>help.txt || exit 1
options_of() {
    sed 's/\\-/-/g' "$1" | grep -o -e '--[a-z][a-z-]*' | sort -u
}
options_of help.txt >options.txt
[ -s options.txt ] || { echo "--help names no options"; exit 1; }

while read -r option; do
    for file in "$docs" "$completion/ptxemu.bash" "$completion/_ptxemu"; do
        if ! options_of "$file" | grep -qx -e "$option"; then
            echo "$file lacks $option"
            failed=1
        fi
    done
    if ! grep -q -e "-l ${option#--} " "$completion/ptxemu.fish"; then
        echo "$completion/ptxemu.fish lacks $option"
        failed=1
    fi
done <options.txt

for option in $(options_of "$docs"); do
    if ! grep -qx -e "$option" options.txt; then
        echo "$docs speaks of $option, which does not exist"
        failed=1
    fi
done
exit $failed
