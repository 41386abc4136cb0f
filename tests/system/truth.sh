#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The restored stacks of a snapshot are the target's memory; see truth.py.
. "$(dirname "$0")/lib.sh"
program truth
for where in mmap heap; do
    python3 "$here/truth.py" "$cgsnap" "$work/truth" "$work" $where || failed=1
done
finish
