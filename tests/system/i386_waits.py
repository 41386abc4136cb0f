#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""waits_known.py of i386 programs: here, or in an emulated machine (i386.py).

usage: i386_waits.py BUILD-DIRECTORY
"""

import sys

sys.dont_write_bytecode = True
import i386
import known
import waits_known

if __name__ == "__main__":
    known.main(lambda tools: i386.test_of(waits_known, tools))
