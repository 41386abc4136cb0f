#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""deadlocks.py of i386 programs, where the kernel executes them: an emulated machine (i386.py) sees
too few rounds for what a deadlock must show.

usage: i386_deadlocks.py BUILD-DIRECTORY
"""

import sys

sys.dont_write_bytecode = True
import deadlocks
import i386
import known


def test(tools):
    if i386.runs_here():
        return deadlocks.test(tools, "i386")
    print("left out: this kernel does not execute i386 programs")
    return []


if __name__ == "__main__":
    known.main(test)
