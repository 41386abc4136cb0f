#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damaged debug information costs variables, and nothing else.

usage: variables_damage.py BUILD-DIRECTORY [FLIPS]

Real programs' .debug_* sections are damaged, FLIPS bytes of them altogether (default 30,000), and
read through the real child. No answer takes longer than the limit, no child is left, each status is
one of those that are promised; and that children die of it at all is seen, too, where there are 100,000
or more.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SOURCE = os.path.join(known.TESTS, "programs", "variables.c")
BUILDS = [("gcc", "-O2", "-gdwarf-5"), ("clang", "-O2", "-gdwarf-5"), ("gcc", "-O2", "-gdwarf-4"),
          ("gcc", "-O0", "-gdwarf-2"), ("clang", "-O1", "-gdwarf-4")]
LIMIT = 2  # seconds of an answer, as variables_flip has it
SLACK = 15  # of a machine that has other things to do


def flip(tool, program, directory, flips, seed):
    run = subprocess.run([tool, program, directory, str(flips), str(seed)], capture_output=True, text=True, timeout=7200)
    if run.returncode != 0:
        sys.exit(f"FAILED: variables_flip {program}: exit status {run.returncode}: {run.stderr}")
    words = run.stdout.split()
    return {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}


def main():
    tool = os.path.join(os.path.abspath(sys.argv[1]), "tests", "variables_flip")
    flips = int(sys.argv[2]) if len(sys.argv) > 2 else 30000
    total = {}
    with tempfile.TemporaryDirectory() as directory:
        for seed, (compiler, *options) in enumerate(BUILDS):
            program = os.path.join(directory, f"program{seed}")
            subprocess.run([compiler, *options, SOURCE, "-o", program], check=True)
            figures = flip(tool, program, directory, flips // len(BUILDS), seed)
            print(compiler, *options, " ".join(f"{name} {value:g}" for name, value in figures.items()))
            for name, value in figures.items():
                total[name] = max(total.get(name, 0), value) if name == "longest" else total.get(name, 0) + value
    print("all:", " ".join(f"{name} {value:.10g}" for name, value in total.items()))
    if total["longest"] > LIMIT + SLACK:
        sys.exit(f"FAILED: an answer took {total['longest']:.1f} s")
    if total["found"] == 0 or total["not-found"] == 0 or (flips >= 100000 and total["deaths"] == 0):
        sys.exit("FAILED: the test does not test what it is to")


if __name__ == "__main__":
    main()
