#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""deadlocks.py of i386 programs: here, or in an emulated machine (i386.py).

usage: i386_deadlocks.py BUILD-DIRECTORY
"""

import sys

sys.dont_write_bytecode = True
import deadlocks
import i386
import known

if __name__ == "__main__":
    known.main(lambda tools: i386.test_of(deadlocks, tools))
