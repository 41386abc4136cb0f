#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cgunwind writes does not depend on the order in which qsort(3) leaves items that compare as equal.

usage: equal_items.py BUILD-DIRECTORY

C libraries differ in that, and so would what is written on their hosts. reversing_sort.c, loaded by LD_PRELOAD, turns the order around.
Inputs are those of tests/hosts/same_bytes.py that are in the tree: snapshots of the corpus, and damaged files.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
import known

sys.path.insert(0, os.path.join(os.path.dirname(known.PROGRAMS), "hosts"))
import same_bytes


def test(tools):
    with tempfile.TemporaryDirectory() as directory:
        return same_bytes.check([*same_bytes.runs_of_corpus(), *same_bytes.runs_of_seeds(directory)], tools, tools,
                                LD_PRELOAD=os.path.join(tools, "tests", "reversing_sort.so"))


if __name__ == "__main__":
    known.main(test)
