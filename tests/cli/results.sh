#!/bin/sh
# The cases of results.txt.
exec sh "$PTXEMU_SOURCE_DIR/tests/cli/support/cases.sh" "$PTXEMU_SOURCE_DIR/tests/cli/results.txt"
