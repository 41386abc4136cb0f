#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The kernel's core files, as core.py has gdb's: the same program with known chains, ended by a
signal.

usage: core_kernel.py BUILD-DIRECTORY [i386]

The thread that the signal has ended says so. With all private mappings in the core the chains are
found without any file. Cut off at several sizes the chains are beginnings of the same. Skipped
where the kernel does not write cores into the current directory.
"""

import json
import os
import resource
import shutil
import signal
import sys
import tempfile

sys.dont_write_bytecode = True
import i386
import known
from core import check_i386, check_program, check_same, pcs


def unable():
    """Why the kernel cannot write cores into the current directory; None: it can."""
    with open("/proc/sys/kernel/core_pattern") as file:
        pattern = file.read().strip()
    if not pattern or pattern[0] == "|" or "/" in pattern:
        return "the kernel writes no core into the current directory: core_pattern is '%s'" % pattern
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    if hard != resource.RLIM_INFINITY and os.geteuid() != 0:
        return "the limit of a core's size is %d and cannot be raised" % hard
    return None


def need_cores():
    if unable():
        known.skip(unable())


def by_kernel(program, directory, coredump_filter=None):
    """(core, expected chains) of a program that a signal has ended."""
    before = os.getcwd()
    os.chdir(directory)  # where the kernel writes it
    try:
        with known.Target([program]) as target:
            target.wait_ready(spinning=("vdso",))
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(target.pid, resource.RLIMIT_CORE, unlimited)
            if coredump_filter is not None:
                with open("/proc/%d/coredump_filter" % target.pid, "w") as file:
                    file.write("%#x" % coredump_filter)
            there = set(os.listdir())
            target.stop_in_vdso("vdso")
            os.kill(target.pid, signal.SIGABRT)  # what it does when it goes on
            target.go_on()
            if target.process.wait(60) != -signal.SIGABRT:
                raise known.Failure("the program has not ended by its signal")
            cores = [name for name in set(os.listdir()) - there if os.path.getsize(name)]
            if len(cores) != 1:
                raise known.Failure("the kernel has written %d cores" % len(cores))
            os.rename(cores[0], program + ".kernel")
            return program + ".kernel", target.expected
    finally:
        os.chdir(before)


def check_with_code(tools, directory):
    """With all private mappings in the core no file is needed."""
    bare = os.path.join(directory, "gcc-O2-bare")
    empty = os.path.join(directory, "empty")
    os.mkdir(empty)
    core, _ = by_kernel(bare, directory, 0x7F)
    exact = known.unwind(tools, core)
    alone = known.unwind(tools, core, "--sysroot", empty)
    yield from check_same("without files", alone, exact)
    print("without files: %d chains by the code in the core" % len(alone))


def without_vdso_callers(whole):
    frames = known.real_frames(whole)
    return [frame["pc"] for i, frame in enumerate(frames) if i == 0 or frame.get("module") != "[vdso]"]


def beginning(sample, whole):
    """Is the sample's chain the whole one's, or an inner part of it that says so?"""
    ours, theirs = pcs(sample), pcs(whole)
    if len(ours) == len(theirs):
        return ours == theirs
    # What is in the vDSO when that was cut off has no rows, and by the frame pointer, which says so, a function that
    # has not made its frame passes over its caller there.
    inner = sample["frames"][0]
    if inner.get("module") == "[vdso]" and "vaddr" not in inner and len(ours) > 1 and sample["frames"][1]["trust"] == "fp":
        theirs = without_vdso_callers(whole)
        if ours == theirs:
            return sample["stop"] == whole["stop"]
    return ours == theirs[:len(ours)] and sample["stop"] in ("truncated", "no-rule")


def check_cut(tools, core, whole):
    size, short = os.path.getsize(core), core + ".cut"
    shutil.copy(core, short)
    deepest, lines = sum(len(pcs(sample)) for sample in whole.values()), []
    for part in (0.999, 0.9, 0.5, 0.2, 0.05):
        known.check_run(["truncate", "-s", str(int(size * part)), short])
        done = known.run([os.path.join(tools, "cgunwind"), "-f", "json", short])
        error = done.stderr.decode()
        if done.returncode != 0 or "the core is cut short" not in error:
            yield "cut to %g: status %d: %s" % (part, done.returncode, error)
            continue
        samples = [json.loads(line) for line in done.stdout.splitlines()]
        samples = {item["tid"]: item for item in samples if item["type"] == "sample"}
        wrong = [tid for tid in whole if tid not in samples or
                 not beginning(samples[tid], whole[tid])]
        frames = sum(len(pcs(sample)) for sample in samples.values())
        lines.append("%g: %d of %d frames" % (part, frames, deepest))
        if wrong or not 0 < frames <= deepest:
            yield "cut to %g: threads %s are not beginnings" % (part, wrong)
        deepest = frames
    print("cut to " + ", ".join(lines))


def check_signal(tools, core):
    """The thread that the kernel's signal has ended, and no other, says so."""
    text = known.check_run([os.path.join(tools, "cgunwind"), "-f", "chains", core])
    lines = [line for line in text.splitlines() if line.startswith("TID ")]
    if [line.endswith(", signal SIGABRT") for line in lines] != [True] + [False] * 8:
        yield "signals: " + "; ".join(lines)


def test(tools, part=None):
    known.need("gcc", "i686-linux-gnu-gcc", "objcopy", "eu-stack", "truncate")
    need_cores()
    no_i386 = i386.unable()
    with tempfile.TemporaryDirectory(prefix="cg-core-") as directory:
        if part == "i386":
            return list(check_i386(tools, directory, "kernel", by_kernel))
        core, samples, failures = check_program(tools, directory, "kernel", by_kernel)
        signals = [sample.get("signal") for sample in samples.values()]
        if sorted(filter(None, signals)) != [signal.SIGABRT]:
            failures.append("signals %s" % signals)
        failures += check_signal(tools, core)
        failures += check_with_code(tools, directory)
        failures += check_cut(tools, core, samples)
        if not no_i386:
            failures += i386.anywhere(__file__, tools, lambda: check_i386(tools, directory, "kernel", by_kernel))
    if no_i386 and not failures:
        known.skip(no_i386)
    return failures


if __name__ == "__main__":
    known.main(test)
