#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""families.py of an i386 program: here, or in an emulated machine (i386.py).

usage: i386_families.py BUILD-DIRECTORY
"""

import sys

sys.dont_write_bytecode = True
import families
import i386
import known

if __name__ == "__main__":
    known.main(lambda tools: i386.test_of(families, tools))
