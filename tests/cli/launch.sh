#!/bin/sh
# The cases of launch.txt.
exec sh "$PTXEMU_SOURCE_DIR/tests/cli/support/cases.sh" "$PTXEMU_SOURCE_DIR/tests/cli/launch.txt"
