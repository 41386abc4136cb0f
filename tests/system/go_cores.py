#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cores of stripped Go programs: chains go on from the runtime's stacks to the goroutines, as those of snapshots do.

usage: go_cores.py BUILD-DIRECTORY

The programs are those of go_chains.py, all of which they do at once. While one is stopped, cgsnap captures it and gdb
writes a core: each thread's chain is the same. Then the kernel writes a core, when the runtime has printed a trace for
each thread that runs (GOTRACEBACK=crash): each is the chain of a thread, behind the handler that has printed it. All
chains are complete, and goroutines have numbers: those that the traces tell.
"""

import os
import random
import re
import resource
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import go_chains
import golang
import i386
import known
from core_kernel import need_cores

RUNS = 4  # of each program at least
TRIES = 60  # until the runtime is found on a stack of its own
SWITCHES = {"runtime." + name for name in ("systemstack", "mcall", "morestack", "asmcgocall")}
HANDLERS = {"runtime.sigreturn", "__restore_rt"}  # what called them, as it seems
SECTION = re.compile(r"^-----$", re.M)  # between what threads print
BLOCK = re.compile(r"^(?=goroutine \d+ .*:$|runtime stack:$)", re.M)
RUNNING, RUNS_ON = re.compile(r"\[running"), re.compile(r"\[(running|syscall)")
IN_C = "signal arrived during cgo execution"
REGISTERS = re.compile(r"^[re]ax ", re.M)


def names_of(sample):
    return [frame.get("function") for frame in sample["frames"]]


def functions(frames):
    return [frame[0] for frame in frames]


def switches(samples):
    """How many chains go on behind a switch of stacks."""
    return sum(bool(SWITCHES & set(names_of(sample)[:-1])) for sample in samples.values())


def numbers(samples):
    """How many threads are in a goroutine whose number is told."""
    return sum(sample.get("goroutine") is not None for sample in samples.values())


def incomplete(title, samples):
    for tid, sample in samples.items():
        if sample["stop"] != "thread-start":
            yield "%s: thread %d: %s at %s" % (title, tid, names_of(sample), sample["stop"])


def by_gdb(tools, path, kinds):
    """One stop: how many chains go on behind a switch, how many have a number, what is wrong."""
    title = os.path.basename(path)
    with go_chains.Program(path, *kinds) as program:
        time.sleep(random.uniform(0.1, 0.3))
        program.stop()
        exact = known.unwind(tools, known.capture(tools, program.pid, path + ".bin"))
        known.check_run(["gcore", "-o", path + ".gdb", str(program.pid)])
    core = "%s.gdb.%d" % (path, program.pid)
    samples = known.unwind(tools, core)
    os.remove(core)
    failures = list(incomplete(title + ", gdb", samples))
    if set(samples) != set(exact):
        failures.append("%s, gdb: threads %s, not %s" % (title, sorted(samples), sorted(exact)))
    for tid in set(samples) & set(exact):
        if go_chains.chain_of(samples[tid]) != go_chains.chain_of(exact[tid]):
            failures.append("%s, gdb: thread %d: %s, not %s" % (title, tid, names_of(samples[tid]),
                                                                names_of(exact[tid])))
        if samples[tid].get("goroutine") != exact[tid].get("goroutine"):
            failures.append("%s, gdb: thread %d is in goroutine %s, not %s" % (
                title, tid, samples[tid].get("goroutine"), exact[tid].get("goroutine")))
    return switches(samples), numbers(samples), failures


def crash(tools, path, kinds):
    """The samples of a core of the kernel's, and the traces that threads have printed before."""
    directory, before = os.path.dirname(path), os.getcwd()
    there = set(os.listdir(directory))
    os.chdir(directory)  # where the kernel writes it
    try:
        with go_chains.Program(path, *kinds, GOTRACEBACK="crash") as program:
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(program.pid, resource.RLIMIT_CORE, unlimited)
            time.sleep(random.uniform(0.1, 0.3))
            os.kill(program.pid, signal.SIGQUIT)
            trace = program.process.communicate(timeout=120)[1]
    finally:
        os.chdir(before)
    cores = [name for name in set(os.listdir(directory)) - there if os.path.getsize(os.path.join(directory, name))]
    if len(cores) != 1:
        raise known.Failure("the kernel has written %d cores in %s" % (len(cores), directory))
    core = os.path.join(directory, cores[0])
    samples = known.unwind(tools, core)
    os.remove(core)
    return samples, trace


def own_trace(section):
    """
    As go_chains.trace_of, of the thread that has printed the section: its stack, then its goroutine if it has one,
    which alone is running, or in C code;
    and that one's number. None: it has taken one of the two for the other.
    """
    frames, elided, is_goroutine, number = [], False, False, None
    for block in BLOCK.split(REGISTERS.split(section)[0])[1:]:
        match = go_chains.BLOCK.match(block.splitlines()[0])
        is_goroutine = match[2] not in (None, "0")
        if is_goroutine and not (RUNS_ON if IN_C in section else RUNNING).search(block.splitlines()[0]):
            is_goroutine = False
            break
        more, elided = go_chains.trace_of(block.rstrip() + ("" if is_goroutine else "\n\ngoroutine 1 [sleep]:\n"))
        if frames and frames == more:
            return None, False, None
        frames += more
        number = int(match[2]) if is_goroutine else None
        if is_goroutine or elided:
            break
    # A worker of the collector waits, by its state, while its thread works for it.
    return frames, elided or (not is_goroutine and bool(frames) and frames[-1][0] in SWITCHES), number


def interrupted(sample):
    """The part of the chain behind the handler that has printed a trace."""
    chain = go_chains.chain_of(sample)
    handlers = [i for i, frame in enumerate(chain) if frame[0] in HANDLERS]
    return chain[max(handlers, default=-1) + 1:]


def by_kernel(tools, path, kinds, is_equal):
    """One crash: as by_gdb, of traces that are chains."""
    title = os.path.basename(path)
    samples, text = crash(tools, path, kinds)
    failures, equal = list(incomplete(title + ", kernel", samples)), 0
    chains = [(interrupted(sample), sample.get("goroutine")) for sample in samples.values()]
    for section in SECTION.split(text):
        wanted, elided, number = own_trace(section)
        told = [frame for frame in wanted or [] if frame[0] not in go_chains.UNTOLD]
        if not told or any(go_chains.NO_TRACE.match(frame[0] or "") for frame in told):
            continue
        if not any(is_equal(chain, wanted, elided) and number in (None, own) for chain, own in chains):
            failures.append("%s, kernel: no chain is the trace of %s, %s: %s" % (
                title, number, functions(wanted), [(own, functions(chain)) for chain, own in chains]))
        elif SWITCHES & {frame[0] for frame in wanted[:-1]} or told[0][0] == "runtime.cgocall":
            equal += 1
    return equal, numbers(samples), failures


def several(title, function, *arguments):
    """What is wrong in some runs; chains behind switches, and plain Go's numbers, must be there."""
    found = numbered = 0
    for run in range(1, TRIES + 1):
        switched, told, failures = function(*arguments)
        found += switched
        numbered += told
        yield from failures
        if failures or (run >= RUNS and found):
            break
    print("%s: %d chains of %d cores went on behind a switch, %d had a goroutine's number" % (
        title, found, run, numbered))
    if not numbered and title.startswith("plain"):
        yield "%s: no goroutine had its number" % title
    if not found:
        yield "%s: no chain went on behind a switch" % title


def test(tools):
    known.need("gcore")
    need_cores()
    stripped = ["-s", "-w"]
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for name in ("go", "c"):
            os.mkdir(os.path.join(directory, name))
        go = golang.Go(os.path.join(directory, "go"), go_chains.SOURCE)
        plain = go.build("plain", [], stripped, CGO_ENABLED="0")
        old = go.build("i386", [], stripped, CGO_ENABLED="0", GOARCH="386")
        with_c = golang.Go(os.path.join(directory, "c"), go_chains.WITH_C).build("with-c", ["-buildmode=pie"], stripped)
        kinds = list(go_chains.OWN)
        failures += several("plain, gdb", by_gdb, tools, plain, kinds)
        failures += several("with C, gdb", by_gdb, tools, with_c, [])
        collects = ["garbage"] * 4  # on the stacks of its threads
        for title, path, which, is_equal in (("plain", plain, collects, go_chains.is_chain_of),
                                             ("i386", old, collects, go_chains.is_chain_of),
                                             ("with C", with_c, [], go_chains.is_go_of)):
            if path == old and not i386.runs_here():
                print("i386: left out, this kernel does not execute it")
                continue
            failures += several(title + ", kernel", by_kernel, tools, path, which, is_equal)
    return failures


if __name__ == "__main__":
    known.main(test)
