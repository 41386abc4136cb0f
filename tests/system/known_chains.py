#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Known chains: what the source of tests/programs/chains.c says it shows is what cgunwind shows.

usage: known_chains.py BUILD-DIRECTORY [--regenerate]

First with all row sources: exactly the chain of the source, by call frame information, to the
thread's start. Then with `--method prologue`: which chains come out exactly is written in
tests/golden/prologue-chains.txt, one line a chain; --regenerate writes that file anew.
"""

import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import known

GOLDEN = os.path.join(known.GOLDEN, "prologue-chains.txt")
STOP = "thread-start"
GOLDEN_HEAD = """\
# Chains by prologue analysis alone (cgunwind --method prologue) against the same snapshot's by CFI:
# exact, or `right N of M: F`, N being the frames until the first that is missing or wrong, F the
# name of the last right one.
# Regenerate: tests/system/known_chains.py BUILD-DIRECTORY --regenerate
"""


def check_expected(title, sample, program, expected):
    """What is wrong with a chain by all row sources."""
    name = sample["name"]
    shown = known.shown_runs(sample, program)
    if shown != known.expected_runs(expected):
        yield "%s: %s shows %s instead of %s" % (title, name, known.runs_text(shown), expected)
    trusts = [frame["trust"] for frame in known.real_frames(sample)]
    if trusts[0] != "context" or not set(trusts[1:]) <= set(known.CFI):
        yield "%s: %s: not all frames are by CFI: %s" % (title, name, sorted(set(trusts)))
    if sample["stop"] != STOP:
        yield "%s: %s ends with %s" % (title, name, sample["stop"])


def frame_of(sample, function):
    return next(frame for frame in known.real_frames(sample) if frame.get("function") == function)


def check_program(title, samples, program, level):
    """Whether the program is as hard as it means to be."""
    by_name = {sample["name"]: sample for sample in samples.values()}
    if known.real_frames(by_name["vdso"])[0].get("module") != "[vdso]":
        yield title + ": the vdso thread is not in the vDSO"
    if level == 0:
        return
    starts = {}
    for line in known.check_run(["readelf", "-sW", program]).splitlines():
        field = line.split()
        if len(field) >= 8 and field[3] == "FUNC":
            starts[field[7]] = (int(field[1], 16), int(field[2], 0))
    start, size = starts["noreturn_caller"]
    if int(frame_of(by_name["noreturn"], "noreturn_caller")["vaddr"], 16) != start + size:
        yield title + ": noreturn_caller's return address is not at its end"
    if int(frame_of(by_name["altstack"], "alt_touch")["vaddr"], 16) != starts["alt_touch"][0]:
        yield title + ": the fault is not at alt_touch's first instruction"


def prologue_result(exact, sample):
    """How far a chain by prologue analysis agrees with the exact one, as in the golden file."""
    truth = known.real_frames(exact)
    frames = known.real_frames(sample)
    right = 0
    for ours, theirs in zip(frames, truth):
        if ours["pc"] != theirs["pc"]:
            break
        right += 1
    if right == len(truth) == len(frames):
        return "exact"
    callee = truth[right - 1].get("function", "?") if right else "?"
    return "right %d of %d: %s" % (right, len(truth), callee)


def check_trust(title, sample):
    trusts = {frame["trust"] for frame in known.real_frames(sample)[1:]}
    if not trusts <= {"prologue"}:
        yield "%s: %s: --method prologue used %s" % (title, sample["name"], sorted(trusts))


def prologue_lines(title, tools, target, reference, directory):
    """[(key, result)] for each thread, and failures. CFI comes from the file `reference`."""
    snapshot = known.capture(tools, target.pid, os.path.join(directory, "prologue.bin"))
    # Without separate debug files, so that it makes no difference whether libc's are installed.
    options = ("--debug-dir", directory)
    exact = known.unwind(tools, snapshot, "-e", reference, *options)
    samples = known.unwind(tools, snapshot, "--method", "prologue", *options)
    lines, failures = [], []
    for tid, sample in samples.items():
        key = "%s %s" % (title, sample["name"])
        if exact[tid]["stop"] != STOP:
            failures.append("%s: no exact chain to compare with: %s" % (key, exact[tid]["stop"]))
        failures += check_trust(title, sample)
        lines.append((key, prologue_result(exact[tid], sample)))
    return sorted(lines), failures


def variants(program):
    """The program as built, stripped, and stripped with its call frame information removed."""
    stripped, bare = program + "-stripped", program + "-no-cfi"
    known.check_run(["strip", "-s", "-o", stripped, program])
    removed = ["--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr"]
    known.check_run(["objcopy", *removed, stripped, bare])
    return program, stripped, bare


def right_frames(result):
    return sys.maxsize if result == "exact" else int(result.split()[1])


def compare_golden(lines):
    golden = {}
    with open(GOLDEN) as file:
        for line in file:
            if not line.startswith("#"):
                key, _, result = line.rstrip("\n").partition(": ")
                golden[key] = result
    gone = sorted(set(golden) - set(dict(lines)))
    failures = ["%s: is in the golden list only" % key for key in gone]
    for key, result in lines:
        wanted = golden.get(key)
        if wanted is None:
            failures.append("%s: %s: not in the golden list" % (key, result))
        elif right_frames(result) < right_frames(wanted):
            failures.append("%s: was %s, now %s" % (key, wanted, result))
        elif right_frames(result) > right_frames(wanted):
            print("better than the golden list: %s: was %s, now %s" % (key, wanted, result))
    return failures


def write_golden(lines):
    with open(GOLDEN, "w") as file:
        file.write(GOLDEN_HEAD)
        file.writelines("%s: %s\n" % line for line in lines)


def check_variant(tools, variant, program, directory):
    title = os.path.basename(variant)
    with known.start_chains(variant) as target:
        lines, failures = prologue_lines(title, tools, target, program, directory)
    exact = sum(result == "exact" for _, result in lines)
    print("%s: %d of %d chains exact by prologue analysis" % (title, exact, len(lines)))
    return lines, failures


def check_prologue(tools, directory, regenerate):
    lines, failures = [], []
    for compiler in known.COMPILERS:
        for level in (2, 3):
            program = os.path.join(directory, "%s-O%d" % (compiler, level))
            for variant in variants(program):
                more = check_variant(tools, variant, program, directory)
                lines += more[0]
                failures += more[1]
    if regenerate:
        write_golden(lines)
        return failures
    return failures + compare_golden(lines)


def check_matrix(tools, directory):
    failures = []
    for compiler in known.COMPILERS:
        for level in (0, 2, 3):
            program = known.build(compiler, level, directory)
            title = os.path.basename(program)
            with known.start_chains(program) as target:
                snapshot = known.capture(tools, target.pid, os.path.join(directory, "snap.bin"))
            samples = known.unwind(tools, snapshot)
            if sorted(sample["name"] for sample in samples.values()) != sorted(target.expected):
                failures.append(title + ": not the threads that were expected")
                continue
            for sample in samples.values():
                expected = target.expected[sample["name"]]
                failures += check_expected(title, sample, program, expected)
            failures += check_program(title, samples, program, level)
            print("%s: %d chains checked" % (title, len(samples)))
    return failures


def test(tools, option=None):
    known.need("readelf", "strip", "objcopy", *known.COMPILERS)
    directory = tempfile.mkdtemp(prefix="cg-known-chains-")
    try:
        failures = check_matrix(tools, directory)
        return failures + check_prologue(tools, directory, option == "--regenerate")
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
