#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Job control of a captured process; see jobcontrol.py.
. "$(dirname "$0")/lib.sh"
program worker
python3 "$here/jobcontrol.py" "$cgsnap" "$work/worker" "$work" || failed=1
finish
