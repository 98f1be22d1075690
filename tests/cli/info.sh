#!/bin/sh
# The cases of info.txt.
exec sh "$PTXEMU_SOURCE_DIR/tests/cli/support/cases.sh" "$PTXEMU_SOURCE_DIR/tests/cli/info.txt"
