#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time goes to where it was used in programs of several kinds: C++ with locks, Python with
threads, a pipeline of processes.

usage: weights_programs.py BUILD-DIRECTORY [all | show] [PROGRAM]

Each measures itself what its functions, or its processes, have used (tests/programs). What is
judged and how: weights.py. "all" takes one and two CPUs, loaded and idle, and more rates; "show"
prints the same, beside perf where that runs, and fails nothing.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import weights

# (program, CPUs, busy loops beside it, Hz, seconds)
DEFAULT = (("libraries", 1, 2, 199, 6), ("pipeline", 2, 2, 199, 6))
ALL = tuple((name, cpus, load, rate, 20 if rate < 99 else 12) for name, cpus, load, rate in
            itertools.product(("locks", "libraries", "pipeline"), (2, 1), (0, 2), (49, 99, 999)))
LINES_A_SECOND = 0.7  # millions, of the pipeline on one CPU; it only says how long that takes


class Threads:
    """Threads of one process, whose functions are told by name."""

    names_of = staticmethod(weights.chain_names)
    options = ()

    def __init__(self, names, command):
        self.names, self.command = names, command

    def start(self, prefix, seconds):
        return [*prefix, *self.command, "4", str(seconds + 2)]


class Libraries(Threads):
    """What begins and ends with a library's main function is the program's call of it, too."""

    calls = {"deflate": "deflate", "SHA256": "SHA256_Update", "BZ2_": "BZ2_bzCompress"}

    @classmethod
    def names_of(cls, chain):
        return {name for frame in chain.split(";") for begin, name in cls.calls.items()
                if frame.startswith(begin)}


class Pipeline:
    """Processes, which are told by the first word of a folded line."""

    names = ("seq", "awk", "gzip", "sha512sum")
    options = ("--follow-forks",)

    def __init__(self, command):
        self.command = command

    @staticmethod
    def names_of(chain):
        return {chain.split(";")[0]}

    def start(self, prefix, seconds):
        return [*prefix, *self.command, str(max(1, round(LINES_A_SECOND * seconds)))]


def programs(directory):
    locks = os.path.join(directory, "locks")
    known.check_run(["g++", "-O2", "-g", "-pthread", os.path.join(known.PROGRAMS, "locks.cc"),
                     "-o", locks])
    python = lambda name: [sys.executable, os.path.join(known.PROGRAMS, name)]
    return {"locks": Threads(("counting", "sorting", "reading", "allocating"), [locks]),
            "libraries": Libraries(("deflate", "SHA256_Update", "BZ2_bzCompress"),
                                   python("libraries.py")),
            "pipeline": Pipeline(python("pipeline.py"))}


def by_cgsnap(tools, program, pid, rate, seconds, path):
    return [os.path.join(tools, "cgsnap"), "-q", "-p", str(pid), "-F", str(rate), "--overhead",
            "100", "-d", str(seconds), *program.options, "-o", path]


def by_perf(tools, program, pid, rate, seconds, path):
    return ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(rate), "--call-graph",
            "dwarf,4096", "-p", str(pid), "-o", path, "--", "sleep", str(seconds)]


def record(tools, program, case, by, path):
    """Runs it, and what captures it; its own amounts of CPU time."""
    _, cpus, load, rate, seconds = case
    prefix = ["taskset", "-c", "0"] if cpus == 1 else []
    with weights.Load(prefix, load), \
         subprocess.Popen(program.start(prefix, seconds), stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as target:
        try:
            if target.stdout.readline() != "ready\n":
                raise known.Failure(case[0] + ": not ready")
            limit = 600 if program.options else seconds  # a pipeline is captured to its end
            with subprocess.Popen(by(tools, program, target.pid, rate, limit, path),
                                  stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as capture:
                if program.options:
                    known.wait_until(lambda: captured_by(target.pid, capture), "the capture")
                    target.stdin.write("go\n")
                    target.stdin.flush()
                told = target.stdout.read().splitlines()
                error = capture.communicate()[1].decode()
                if capture.returncode:
                    raise known.Failure("%s: exit status %d: %s"
                                        % (capture.args[0], capture.returncode, error))
        finally:
            target.kill()
    return {line.split()[0]: int(line.split()[1]) for line in told}


def captured_by(pid, capture):
    """Is it traced, or has whoever looks in another way had the time to begin?"""
    if capture.args[0] == "perf":
        return os.path.exists(capture.args[capture.args.index("-o") + 1])
    with open("/proc/%d/status" % pid, encoding="ascii") as status:
        return "TracerPid:\t%d\n" % capture.pid in status.read()


def measure(tools, program, case, by, directory):
    """(samples, points by CPU time); perf has samples on a CPU only."""
    path = os.path.join(directory, by.__name__)
    told = record(tools, program, case, by, path)
    if tuple(told) != program.names:
        raise known.Failure("%s: it told %s" % (case[0], told))
    running = ["--state", "running"] if by is by_cgsnap else []
    weight = "cpu" if by is by_cgsnap else "samples"
    find = lambda *arguments: weights.captured(tools, path, *arguments, names_of=program.names_of)
    count = weights.tick_count(tools, path) if by is by_cgsnap else None
    if count is None:
        count = sum(find("samples", program.names, *running).values())
    points = weights.off_by(told, find(weight, program.names))
    os.unlink(path)
    return count, points


def check(tools, program, case, directory):
    count, points = measure(tools, program, case, by_cgsnap, directory)
    title = "%s on %d CPUs beside %d busy loops at %d Hz for %d s" % case
    chance = weights.chance(count)
    print("%s: off by %.1f points (%.1f by chance, %d samples)" % (title, points, chance, count), flush=True)
    if points > weights.BOUND["CPU"] + chance:
        yield "%s: CPU shares are wrong by %.1f points" % (title, points)


def test(tools, what="default", only=None):
    known.need("taskset", "g++")
    failures = []
    perf = what == "show" and shutil.which("perf")
    with tempfile.TemporaryDirectory(prefix="cg-weights-") as directory:
        found = programs(directory)
        for case in DEFAULT if what == "default" else ALL:
            if len(os.sched_getaffinity(0)) < case[1] or (only and case[0] != only):
                continue
            wrong = lambda seconds: check(tools, found[case[0]], (*case[:4], seconds), directory)
            failures += wrong(case[4]) if what == "show" else weights.confirm(wrong, case[4])
            if perf:
                count, points = measure(tools, found[case[0]], case, by_perf, directory)
                print("    perf: off by %.1f points (%.1f by chance, %d samples)"
                      % (points, weights.chance(count), count), flush=True)
    return [] if what == "show" else failures


if __name__ == "__main__":
    known.main(test)
