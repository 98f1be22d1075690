#!/bin/sh
# The cases of bad_input.txt.
exec sh "$PTXEMU_SOURCE_DIR/tests/cli/support/cases.sh" "$PTXEMU_SOURCE_DIR/tests/cli/bad_input.txt"
