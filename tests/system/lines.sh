#!/bin/bash
# SPDX-License-Identifier: MIT
# Functions, lines and inlined functions as src/symbol finds them, against other tools. See lines.py.
# usage: lines.sh BUILD-DIRECTORY
. "$(dirname "$0")/lib.sh"

for tool in gcc clang addr2line eu-addr2line readelf objcopy strip python3; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done
python3 -B "$here/lines.py" "$build/tests/symtool" "$here/../programs/inlined.c" "$work" || failed=1
finish
