# shellcheck shell=sh
# Sourced by tests whose programs are built by others: a library that was built with sanitizers needs a program that was, too.
if grep -q '^CMAKE_C_FLAGS:.*-fsanitize' "$PTXEMU_BUILD_DIR/CMakeCache.txt"; then
    echo "skipped: a library built with sanitizers needs a program that is"
    exit 77
fi
