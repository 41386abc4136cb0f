#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ELF core files, gdb's and synthetic ones: their chains are those that the source of the program
with known chains (tests/programs/chains.c) tells. core_kernel.py has the kernel's.

usage: core.py BUILD-DIRECTORY [i386]

By call frame information as it is; stripped and without call frame information the same by
analysis of code; frame by frame what eu-stack finds. From a pipe the output is the same. A heap of
64 GiB that is a hole costs neither memory nor time; thousands of threads are all there, and ten
times as many take about ten times as long. With "i386" the i386 program alone: so the
test runs itself in an emulated machine where this one's kernel does not execute such (i386.py).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import corefile
import i386
import known

STOP = "thread-start"
GROWTH_MAX = 40  # times the CPU time for ten times the input: linear is 10, quadratic 100


def by_gdb(program, directory):
    with known.start_chains(program) as target:
        prefix = os.path.join(directory, "gcore")
        known.check_run(["gcore", "-o", prefix, str(target.pid)])
        os.rename("%s.%d" % (prefix, target.pid), program + ".gdb")
        return program + ".gdb", target.expected


def pcs(sample):
    return [frame["pc"] for frame in known.real_frames(sample)]


def own_runs(sample, names):
    """As known.shown_runs of a static program: what is not of these names is outside."""
    frames = [{"module": "own" if frame.get("function") in names else "other",
               "function": frame.get("function")} for frame in known.real_frames(sample)]
    return known.shown_runs({"frames": frames}, "own")


def check_known(title, samples, program, expected, static=False):
    """The threads have no names in a core: the chains as a whole are to be those of the source."""
    names = {name for chain in expected.values() for name, _ in known.expected_runs(chain)}
    shown = []
    for sample in samples.values():
        runs = own_runs(sample, names) if static else known.shown_runs(sample, program)
        # The vDSO's thread may have been between two calls of it.
        shown.append(runs[1:] if runs[0][0] == ".." else runs)
        if sample["stop"] != STOP:
            yield "%s: a chain ends with %s" % (title, sample["stop"])
    for name, chain in expected.items():
        runs = known.expected_runs(chain)
        runs = runs[1:] if runs[0][0] == ".." else runs
        if runs in shown:
            shown.remove(runs)
        else:
            yield "%s: no chain %s: %s" % (title, name, chain)
    if shown:
        yield "%s: chains that nobody expects: %s" % (title, list(map(known.runs_text, shown)))


def check_same(title, samples, exact):
    if set(samples) != set(exact):
        yield "%s: threads %s instead of %s" % (title, sorted(samples), sorted(exact))
        return
    for tid, sample in samples.items():
        if pcs(sample) != pcs(exact[tid]) or sample["stop"] != STOP:
            yield "%s: thread %d: %s [%s] instead of %s" % (
                title, tid, pcs(sample)[:9], sample["stop"], pcs(exact[tid])[:9])


def check_eu_stack(title, samples, core, program):
    stacks = known.eu_stack_of("--core", core, "-e", program)
    if set(stacks) != set(samples):
        yield "%s: threads %s, eu-stack %s" % (title, sorted(samples), sorted(stacks))
    for tid in set(stacks) & set(samples):
        ours = [int(pc, 16) for pc in pcs(samples[tid])]
        theirs = [pc for pc, _ in stacks[tid]]
        if ours != theirs:
            yield "%s: thread %d: %d frames, eu-stack %d" % (title, tid, len(ours), len(theirs))


def check_program(tools, directory, maker, write):
    """A program and what is left of it when all that helps is taken out."""
    program = known.build("gcc", 2, directory)
    bare = program + "-bare"
    removed = ["--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr"]
    known.check_run(["objcopy", "--strip-all", *removed, program, bare])
    core, expected = write(program, directory)
    samples = known.unwind(tools, core)
    failures = list(check_known(maker, samples, program, expected))
    failures += check_eu_stack(maker, samples, core, program)
    bare_core, _ = write(bare, directory)
    # by the tables of the program before they were taken out: the same code at the same place
    os.rename(bare, bare + "-away")
    exact = known.unwind(tools, bare_core, "-e", link_as(program, bare))
    os.unlink(bare)
    os.rename(bare + "-away", bare)
    failures += check_same(maker + ", bare", known.unwind(tools, bare_core), exact)
    print("%s: %d chains, and as many without tables" % (maker, len(samples)))
    return core, samples, failures


def check_i386(tools, directory, maker, write):
    program = known.build("i686-linux-gnu-gcc", 2, directory, "-static")
    core, expected = write(program, directory)
    samples = known.unwind(tools, core)
    yield from check_known(maker + ", i386", samples, program, expected, True)
    print("%s, i386: %d chains" % (maker, len(samples)))


def link_as(program, path):
    """The program under another name."""
    os.symlink(program, path)
    return path


def check_refused(tools, path, words):
    done = known.run([os.path.join(tools, "cgunwind"), path])
    error = done.stderr.decode()
    if done.returncode != 1 or error.count("\n") != 1 or words not in error or done.stdout:
        yield "%s: status %d: %s" % (path, done.returncode, error)


def check_short(tools, core):
    """Cut off before any thread."""
    short = core + ".cut"
    shutil.copy(core, short)
    for size in (1000, 100, 40, 8):
        known.check_run(["truncate", "-s", str(size), short])
        yield from check_refused(tools, short, "core")


def check_pipe(tools, core):
    cgunwind = os.path.join(tools, "cgunwind")
    for output in ("folded", "chains"):
        file = known.check_run([cgunwind, "-f", output, core])
        with subprocess.Popen(["cat", core], stdout=subprocess.PIPE) as cat:
            done = subprocess.run([cgunwind, "-f", output, "-"], stdin=cat.stdout, check=False,
                                  capture_output=True, timeout=120)
        if done.returncode != 0 or done.stdout.decode() != file or done.stderr:
            yield "from a pipe: %s: %s" % (output, done.stderr.decode() or "another output")


def run_measured(tools, path):
    """(samples, seconds of CPU time, KiB at most) of cgunwind on a file."""
    command = [os.path.join(tools, "cgunwind"), "-f", "json", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as process:
        lines = process.stdout.read().splitlines()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise known.Failure("%s: exit status %d" % (path, process.returncode))
    samples = sum(json.loads(line)["type"] == "sample" for line in lines)
    # some kernels count no less than a tick
    return samples, max(usage.ru_utime + usage.ru_stime, 0.01), usage.ru_maxrss


def many_segments(count):
    """A core of so many segments of one page."""
    core = corefile.Core(corefile.X86_64)
    core.thread(1, 0, [])
    for i in range(count):
        core.load(0x10000000 + i * 8192, 0x10001000 + i * 8192, corefile.RW)
    return core.file()


def many_threads(count):
    """A core of so many threads, each with a stack of its own."""
    core = corefile.Core(corefile.X86_64)
    core.info(1, b"many")
    for tid in range(1, count + 1):
        registers = [0] * 27
        registers[19] = 0x10000000 + tid * 8192 + 256  # rsp
        core.thread(tid, 0, registers)
        core.load(0x10000000 + tid * 8192, 0x10000000 + tid * 8192 + 4096, corefile.RW, bytes(512))
    return core.file()


def one_thread(heap_size):
    """The beginning of a core of one thread, with a heap that is a hole behind it."""
    core = corefile.Core(corefile.X86_64)
    registers = [0] * 27
    registers[19] = 0x10000000
    core.thread(1, 0, registers)
    core.load(0x10000000, 0x10001000, corefile.RW, bytes(4096))
    core.load(0x100000000, 0x100000000 + heap_size, corefile.RW)
    data = bytearray(core.file())
    at = 64 + 2 * 56 + 32  # p_filesz of the third program header: all of it is in the file
    data[at:at + 8] = heap_size.to_bytes(8, "little")
    return data


def check_hole(tools, path):
    seconds = {}
    for size in (4096, 64 << 30):
        data = one_thread(size)
        with open(path, "wb") as file:
            file.write(data)
            file.truncate(len(data) + size)
        samples, seconds[size], kib = run_measured(tools, path)
        print("a heap of %d bytes: %.3f s, %d KiB" % (size, seconds[size], kib))
        # sanitizers have their own idea of memory
        if samples != 1 or kib > 300 * 1024:
            yield "a heap of %d bytes: %d samples, %d KiB" % (size, samples, kib)
    if seconds[64 << 30] > GROWTH_MAX * seconds[4096]:
        yield "a heap of 64 GiB takes %.1f times as long as one of a page" % (
            seconds[64 << 30] / seconds[4096])


def check_growth(tools, path, what, make, counts, want):
    """want(count): the samples that are to be there."""
    seconds = []
    for count in counts:
        with open(path, "wb") as file:
            file.write(make(count))
        samples, taken, kib = run_measured(tools, path)
        seconds.append(taken)
        print("%d %s: %.2f s, %d KiB" % (count, what, taken, kib))
        if samples != want(count):
            yield "%d %s: %d samples" % (count, what, samples)
    if seconds[1] > GROWTH_MAX * seconds[0]:
        yield "%d %s take %.1f times as long as %d" % (
            counts[1], what, seconds[1] / seconds[0], counts[0])


def check_size(tools, directory):
    path = os.path.join(directory, "synthetic")
    yield from check_hole(tools, path)
    yield from check_growth(tools, path, "segments", many_segments, (10000, 100000), lambda n: 1)
    yield from check_growth(tools, path, "threads", many_threads, (2000, 20000), lambda n: n)


def check_weight(tools, core):
    """Of one moment samples are shown, without a word on other weights."""
    for form in ("tree", "top", "flame", "dot"):
        text = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", form, core])
        if "samples: " not in text or "--weight" in text or "CPU time" in text:
            yield "%s of a core: %r" % (form, text[:500])


def test(tools, part=None):
    known.need("gcc", "i686-linux-gnu-gcc", "objcopy", "gcore", "eu-stack", "truncate")
    failures, unable = [], i386.unable()
    directory = tempfile.mkdtemp(prefix="cg-core-")
    try:
        if part == "i386":
            return list(check_i386(tools, directory, "gdb", by_gdb))
        core, _, wrong = check_program(tools, directory, "gdb", by_gdb)
        failures += wrong
        failures += check_weight(tools, core)
        failures += check_short(tools, core)
        failures += check_pipe(tools, core)
        program = os.path.join(directory, "gcc-O2")
        failures += check_refused(tools, program, "is a program or library, not a core")
        failures += check_size(tools, directory)
        if not unable:
            failures += i386.anywhere(__file__, tools, lambda: check_i386(tools, directory, "gdb", by_gdb))
    finally:
        shutil.rmtree(directory)
    if unable and not failures:
        known.skip(unable)
    return failures


if __name__ == "__main__":
    known.main(test)
