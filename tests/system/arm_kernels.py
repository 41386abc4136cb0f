#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Boots ARM and RISC-V kernels, captures the corpus there afresh and demands the known chains.

usage: arm_kernels.py BUILD-DIRECTORY

An arm64, an armhf and a riscv64 kernel of Debian are emulated. In each, `cgsnap -p` captures the programs of the corpus (stripped, without unwind
tables but for those in C++), stopped at any instruction; cgunwind's chains here have to be those that the sources tell:
99.5 % of the samples of each instruction set under each kernel, of at least 200 samples at 60 places.

Some are captured a second time, with --with-code. From such a snapshot and no file cgunwind has to make the chains, by PC, that it makes
with the files: 98 % of them for each instruction set; the others are shorter, another one is at most one in 500.
"""

import collections
import concurrent.futures
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
DEMANDED = [("a64", "arm64"), ("a32", "arm64"), ("t32", "arm64"), ("a32", "armhf"), ("t32", "armhf"), ("rv64", "riscv64")]

WITH_CODE = """
    leaves-a32-gcc-O2 recurse-a32-clang-O0 dynamic-a32-clang-Os pointers-a32-gcc-Os threads-a32-gcc-O2
    leaves-t32-clang-O2 recurse-t32-gcc-O2-fp tail-t32-clang-O0 pointers-t32-gcc-O2 threads-t32-gcc-Os
    leaves-a64-gcc-O2-pac recurse-a64-clang-Os-nofp dynamic-a64-gcc-O2-pac pointers-a64-clang-O2 threads-a64-gcc-O2-pac
    leaves-rv64-gcc-O2 leaves-rv64-gcc-Os-msave-restore recurse-rv64-clang-Os dynamic-rv64-clang-O2 pointers-rv64-gcc-Os
    threads-rv64-gcc-O2
""".split()
ALONE, ALONE_SAMPLES, ALONE_WRONG = 98.0, 300, 0.2


def capture_all(output):
    capture = corpus_tools.capture
    capture.build(output)

    def in_kernel(kernel):
        chosen = [case for case in cases.all_cases() if kernel in cases.kernels(case)]
        with_code = [case for case in chosen if case.name in WITH_CODE]
        seconds = capture.capture(kernel, chosen, output, capture.agent(kernel), with_code=with_code)
        return "%s: %d programs captured in %d s" % (kernel, len(chosen) + len(with_code), seconds)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        print("\n".join(pool.map(in_kernel, cases.KERNELS)))


def compare(exact, alone):
    """What the chain without files is to the one with them. Where that was refused, this may go on."""
    ours, theirs = ([frame["pc"] for frame in sample["frames"]] for sample in (alone, exact))
    shared = min(len(ours), len(theirs))
    if ours[:shared] != theirs[:shared]:
        return "wrong"
    if len(ours) > len(theirs):
        return "wrong" if exact["stop"] == cases.STOP else "longer"
    if len(ours) < len(theirs):
        return "wrong" if alone["stop"] == cases.STOP else "short"
    return "same"


def check_alone(cgunwind, output):
    """The chains by the snapshots with code alone: what is not right."""
    counts = collections.defaultdict(collections.Counter)
    empty = os.path.join(output, "empty")
    os.mkdir(empty)
    for case in cases.all_cases():
        for kernel in cases.kernels(case) if case.name in WITH_CODE else ():
            directory = os.path.join(output, "cases", case.name)
            snapshot = os.path.join(directory, kernel + "-code.snap")
            alone = cases.unwind_alone(cgunwind, case, snapshot, empty)
            exact = cases.unwind(cgunwind, case, directory, snapshot)
            if len(alone) != len(exact):
                yield "%s %s: %d samples without files, %d with them" % (case.name, kernel, len(alone), len(exact))
            symbols = cases.Symbols(directory)
            for pair in zip(exact, alone):
                result = compare(*pair)
                counts[case.isa][result] += 1
                if result in ("wrong", "short"):
                    shown, stop = cases.frames_of(pair[0], symbols), pair[1]["stop"]
                    text = "%s: %s %s without files: %d frames [%s] of %s" % (
                        result, case.name, kernel, len(pair[1]["frames"]), stop,
                        cases.run_length(map(cases.frame_text, shown)))
                    print(text)
    for isa in ("a32", "t32", "a64", "rv64"):
        count, total = counts[isa], sum(counts[isa].values())
        print("%s by the snapshot alone: %d samples, %s" % (isa, total, dict(count)))
        if (total < ALONE_SAMPLES or (count["same"] + count["longer"]) * 100 < ALONE * total or
                count["wrong"] * 100 > ALONE_WRONG * total):
            yield "%s: by the snapshot alone %d of %d chains" % (isa, count["same"] + count["longer"], total)


def test(tools):
    reason = emulator.available(*cases.KERNELS)
    if reason:
        known.skip(reason)
    known.need("cmake", "ninja", "clang", "arm-linux-gnueabihf-g++", "aarch64-linux-gnu-g++", "riscv64-linux-gnu-g++")
    begin = time.monotonic()
    check = corpus_tools.check
    output = tempfile.mkdtemp(prefix="cg-arm-")
    try:
        capture_all(output)
        cgunwind = os.path.join(tools, "cgunwind")
        results = check.check(cgunwind, output, compare=False)
        failures = [] if check.report(results, 20, check.Tally.is_enough) else ["not the known chains"]
        failures += check_alone(cgunwind, output)
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
