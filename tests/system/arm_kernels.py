#!/usr/bin/env python3
"""Boots ARM kernels, captures the corpus there afresh and demands the known chains.

usage: arm_kernels.py BUILD-DIRECTORY

An arm64 and an armhf kernel of Debian are emulated. In each, `cgsnap -p` captures the programs of the corpus (stripped, without unwind
tables but for those in C++), stopped at any instruction; cgunwind's chains here have to be those that the sources tell:
99.5 % of the samples of each instruction set under each kernel, of at least 200 samples at 60 places.
"""

import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus"))
import cases
import emulator
import known
import tools as corpus_tools

SAMPLES, PLACES = 200, 60
DEMANDED = [("a64", "arm64"), ("a32", "arm64"), ("t32", "arm64"), ("a32", "armhf"), ("t32", "armhf")]


def capture_all(output):
    capture = corpus_tools.capture
    capture.build(output)
    for kernel in cases.KERNELS:
        chosen = [case for case in cases.all_cases() if kernel in cases.kernels(case)]
        seconds = capture.capture(kernel, chosen, output, capture.agent(kernel))
        print("%s: %d programs captured in %d s" % (kernel, len(chosen), seconds))


def test(tools):
    reason = emulator.available()
    if reason:
        known.skip(reason)
    known.need("cmake", "ninja", "clang", "arm-linux-gnueabihf-g++", "aarch64-linux-gnu-g++")
    begin = time.monotonic()
    check = corpus_tools.check
    output = tempfile.mkdtemp(prefix="cg-arm-")
    try:
        capture_all(output)
        results = check.check(os.path.join(tools, "cgunwind"), output, compare=False)
        failures = [] if check.report(results, 20) else ["not the known chains"]
    except (cases.Failure, emulator.Failure) as failure:
        return [str(failure)]
    finally:
        shutil.rmtree(output)
    tallies = check.tallies(results)
    for key in DEMANDED:
        tally = tallies.get(key, check.Tally())
        if tally.samples < SAMPLES or len(tally.pcs) < PLACES:
            failures.append("%s under %s: %d samples at %d places" % (*key, tally.samples, len(tally.pcs)))
    print("%d s" % (time.monotonic() - begin))
    return failures


if __name__ == "__main__":
    known.main(test)
