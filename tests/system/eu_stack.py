#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Side by side with elfutils: the frames of stopped programs are those that eu-stack prints, all
of them.

usage: eu_stack.py BUILD-DIRECTORY

Programs: tests/programs/chains.c by each compiler at each level, with symbols and stripped, and
Debian's python3 on a recursive script. Compared are the number of frames, each PC, and each
function's name, where two names of one place are the same and a function that has a name for
eu-stack has one for us.
"""

import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import known

PYTHON = "/usr/bin/python3"


def compare_name(frame, name, symbols):
    """None, or what is wrong with the name of a frame."""
    ours = frame.get("function")
    if name is None:
        # What has no symbol may be called module+0xoffset, but nothing that claims to be a name.
        return None if ours is None or "+0x" in ours else "we say %s, eu-stack nothing" % ours
    if ours is None or not symbols.same(frame, name):
        return "we say %s, eu-stack %s" % (ours, name)
    return None


def compare_chain(sample, theirs, symbols):
    """What differs first between a sample and eu-stack's frames of the same thread, or None."""
    ours = known.real_frames(sample)
    for index, (frame, (pc, name)) in enumerate(zip(ours, theirs)):
        if int(frame["pc"], 16) != pc:
            return "#%d: we are at %s, eu-stack at %#x %s" % (index, frame["pc"], pc, name)
        wrong = compare_name(frame, name, symbols)
        if wrong:
            return "#%d %#x: %s" % (index, pc, wrong)
    if len(ours) != len(theirs):
        return "%d frames (stop: %s), eu-stack has %d" % (len(ours), sample["stop"], len(theirs))
    return None


def compare(title, target, tools, directory):
    snapshot = known.capture(tools, target.pid, os.path.join(directory, "snap.bin"))
    # Let go, a thread enters its stop anew, which takes a moment and runs none of its code.
    known.wait_until(target.is_stopped, "%s to be stopped as before the capture" % title)
    failures = []
    samples = known.unwind(tools, snapshot)
    stacks = known.eu_stack(target.pid)
    if set(samples) != set(stacks):
        failures.append("%s: threads %s, eu-stack %s" % (title, sorted(samples), sorted(stacks)))
    symbols = known.Symbols(directory)
    frames = same = 0
    for tid in sorted(set(samples) & set(stacks)):
        frames += len(stacks[tid])
        wrong = compare_chain(samples[tid], stacks[tid], symbols)
        same += wrong is None
        if wrong:
            failures.append("%s: thread %s: %s" % (title, samples[tid]["name"], wrong))
    print("%s: %d of %d chains as eu-stack, %d frames" % (title, same, len(stacks), frames))
    return failures


def check_chains(tools, directory):
    failures = []
    for compiler in known.COMPILERS:
        for level in (0, 2, 3):
            programs = [known.build(compiler, level, directory)]
            if level == 2:
                programs.append(programs[0] + "-stripped")
                known.check_run(["strip", "-s", "-o", programs[1], programs[0]])
            for program in programs:
                title = os.path.basename(program)
                with known.start_chains(program) as target:
                    if len(target.expected) < 9:
                        failures.append(title + ": not all threads are there")
                    failures += compare(title, target, tools, directory)
    return failures


def check_python(tools, directory):
    sections = known.check_run(["readelf", "-SW", PYTHON])
    title = "python3" if ".symtab" in sections else "python3 (stripped)"
    script = os.path.join(known.PROGRAMS, "recursive.py")
    with known.Target([PYTHON, "-I", script]) as target:
        target.wait_ready()
        target.stop()
        failures = compare(title, target, tools, directory)
        deepest = max(len(frames) for frames in known.eu_stack(target.pid).values())
        if deepest < 100:
            failures.append("%s: the deepest chain has only %d frames" % (title, deepest))
    return failures


def test(tools):
    known.need("eu-stack", "readelf", "strip", *known.COMPILERS)
    if not os.access(PYTHON, os.X_OK):
        known.skip(PYTHON + " not found")
    directory = tempfile.mkdtemp(prefix="cg-eu-stack-")
    try:
        return check_chains(tools, directory) + check_python(tools, directory)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
