#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgunwind and cgrules when allocations and system calls fail: no crash, no hang, no wrong status.

usage: failures.py BUILD-DIRECTORY [--all | --distinct] [--seed N] [--seconds S] [--only RE]
                   [--kind allocations|calls]

One failure a run, over each kind of input and each format. Allocations fail by a library that is
preloaded (failing_alloc.c), one at each distinct chain of callers; system calls by strace, each
occurrence of those that read, write and map, with the errors that they may have.

A run is right when it ends with 0 and its output is the one without failures, or with 1 and says
why on standard error. By default some of each command are tried, which ones says the seed, until
the time is over; --distinct tries each chain of callers once, with whichever command comes to it
first (two minutes, with --kind allocations), and --all each with every command (an hour and more).
A finding is printed with what repeats it.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known
import pagefile

TIMEOUT = 60  # of a run, which takes 0.1 s
IN_CHILD_MAX = 40
# Graphviz goes on without what it was not given, and does not tell: another picture is allowed.
IN_GRAPHVIZ, CALLS_OF_GRAPHVIZ = "allocations of Graphviz", "system calls with Graphviz"
DRAWN = {"svg", "png", "threads-svg", "waits-svg", "graph.svg", "html"}
JOB_MAX = 30  # failures of a job that are tried of a sample
CORPUS = os.path.join(os.path.dirname(known.TESTS), "corpus", "cases")
SEEDS = os.path.join(known.TESTS, "fuzz", "seeds")

FORMATS = (
    "tree top chains flame folded dot svg png json pprof callgrind perf-script threads threads-json "
    "threads-dot threads-svg stats waits waits-dot waits-svg timeline-svg chrome html"
).split()
TRACE_FORMATS = "tree top flame folded dot svg html".split()

# Of system calls: the errors that they are made to fail with.
ERRORS = {
    "access": ("EACCES", "EIO", "ENOMEM"),
    "openat": ("EACCES", "EMFILE", "ENOMEM", "EIO"),
    "readlinkat": ("EIO", "EACCES"),
    "read": ("EIO",),
    "pread64": ("EIO",),
    "write": ("EIO", "ENOSPC"),
    "mmap": ("ENOMEM", "EACCES"),
    "newfstatat": ("EIO", "EACCES"),
    "fstat": ("EIO",),
    "lseek": ("EIO",),
    "close": ("EIO",),
    "munmap": ("ENOMEM",),
    "madvise": ("ENOMEM",),
    "mprotect": ("ENOMEM",),
    "getdents64": ("EIO",),
    "readlink": ("EIO", "EACCES"),
    "pipe2": ("EMFILE",),
    "clone": ("EAGAIN", "ENOMEM"),
    "clone3": ("EAGAIN", "ENOMEM"),
    "poll": ("ENOMEM",),
    "wait4": ("EINTR",),
    "ftruncate": ("EIO", "ENOSPC"),
    "memfd_create": ("EMFILE",),
}

# What differs from run to run: how long the work took.
TIMES = re.compile(rb'"(unwind|symbolize)(_ns|_ms|_seconds|_s)?": ?[0-9.e+-]+')


class Job:
    """A command whose failures are tried."""

    def __init__(self, name, program, arguments, stdin=None):
        self.name, self.program, self.arguments, self.stdin = name, program, arguments, stdin
        self.output = None


def is_same(job, output):
    """Of a page Graphviz may fail, in a process of its own that allocates as well: the page says
    so, and the rest is the same."""
    if output == job.output or "html" not in job.arguments:
        return output == job.output
    pages = [pagefile.Page(text.decode()) for text in (output, job.output)]
    if "svg_problem" not in pages[0].head:
        return False
    for page in pages:
        page.head.pop("svg_problem", None)
        page.head.pop("columns")
        page.columns.pop("svg", None)
    return pages[0].head == pages[1].head and pages[0].columns == pages[1].columns


class Tries:
    """Runs the jobs with failures, and collects what goes wrong."""

    def __init__(self, tools, directory, jobs, options):
        self.tools, self.directory, self.jobs = tools, directory, jobs
        self.seed, self.share, self.seen = options.seed, not options.all, set()
        self.library = os.path.join(tools, "tests", "failing_alloc.so")
        self.findings = []
        self.runs = collections.Counter()
        self.outcomes = collections.Counter()

    @staticmethod
    def draws(job):
        return not DRAWN.isdisjoint(job.arguments)

    def command(self, job):
        return [os.path.join(self.tools, job.program), *job.arguments]

    def run(self, job, prefix=(), environment=None):
        """(status, what it wrote to standard output and files, standard error); None: a hang."""
        where = tempfile.mkdtemp(dir=self.directory)
        try:
            with open(job.stdin or os.devnull, "rb") as stdin:
                done = subprocess.run(
                    [*prefix, *self.command(job)],
                    stdin=stdin,
                    capture_output=True,
                    cwd=where,
                    timeout=TIMEOUT,
                    env={**os.environ, **(environment or {})},
                )
            output = TIMES.sub(b"", done.stdout)
            for name in sorted(os.listdir(where)):
                with open(os.path.join(where, name), "rb") as file:
                    output += file.read()
            return done.returncode, output, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            return None, b"", ""
        finally:
            shutil.rmtree(where)

    def whole(self, job):
        """The output without failures."""
        if job.output is None:
            status, job.output, error = self.run(job)
            if status != 0 or self.run(job)[1] != job.output:
                raise known.Failure("%s: status %s, or no two outputs are the same: %s" % (job.name, status, error))
        return job.output

    def check(self, kind, job, how, prefix=(), environment=None):
        status, output, error = self.run(job, prefix, environment)
        wrong = None
        self.runs[kind] += 1
        told = any(line.startswith(job.program + ": ") and ": warning: " not in line
                   for line in error.splitlines())
        if status is None:
            wrong = "hangs"
        elif status not in (0, 1):
            wrong = "ends with %d" % status
        elif status == 0 and kind not in (IN_GRAPHVIZ, CALLS_OF_GRAPHVIZ) and not is_same(job, output):
            wrong = "ends with 0, but its output differs"
        elif status == 1 and not told:
            wrong = "ends with 1 and does not say why"
        elif status == 0 and told:
            wrong = "ends with 0 and tells an error"
        else:
            self.outcomes["told" if status else "the same output"] += 1
        if wrong:
            env = " ".join("%s=%s" % item for item in (environment or {}).items())
            again = " ".join(filter(None, (env, shlex.join([*prefix, *self.command(job)]))))
            self.findings.append(
                "%s, %s: %s: %s\n  %s" % (job.name, how, wrong, error.strip()[-300:], again))
            print("FAILED: " + self.findings[-1], flush=True)

    def allocations(self, job):
        """The first allocation of each chain of callers that no job before had."""
        log = tempfile.mktemp(dir=self.directory)
        self.run(job, environment={"LD_PRELOAD": self.library, "FAIL_LOG": log})
        with open(log, encoding="ascii") as file:
            lines = [line.split() for line in file]
        os.unlink(log)
        first, in_child = [], []  # numbers
        for process, number, callers in lines:
            key = (job.program, callers) if self.share else (job.name, callers)
            if key not in self.seen:
                self.seen.add(key)
                (first if process == lines[0][0] else in_child).append(int(number))
        # Graphviz has thousands, all of which end the same way.
        random.Random(self.seed).shuffle(in_child)
        # A child goes on counting where it was made, and so does its parent.
        children = {int(number) for process, number, _ in lines if process != lines[0][0]}
        chosen = {number: IN_GRAPHVIZ for number in in_child[:IN_CHILD_MAX]}
        for number in first:
            chosen[number] = IN_GRAPHVIZ if number in children else "allocations"
        for number, kind in sorted(chosen.items()):
            for every in ({}, {"FAIL_ALL": "1"}):
                environment = {"LD_PRELOAD": self.library, "FAIL_AT": str(number), **every}
                how = "allocation %d %s" % (number, "and all later ones fail" if every else "fails")
                yield kind, job, how, (), environment

    def calls(self, job):
        """Each system call that is in the table, behind the one that starts the program."""
        log = tempfile.mktemp(dir=self.directory)
        trace = "trace=" + ",".join(ERRORS)
        self.run(job, ("strace", "-f", "-qq", "-o", log, "-e", trace))
        with open(log, encoding="utf-8", errors="replace") as file:
            called = re.findall(r"^\d+ +(\w+)\((.*)", file.read(), re.M)
        os.unlink(log)
        # The dynamic linker, which begins, has its own messages, or none.
        cache = [i for i, (_, rest) in enumerate(called) if "/ld.so.cache" in rest]
        names = [call for call, _ in called]
        start = names.index("munmap", cache[0]) + 1 if cache else 0
        before, counts = collections.Counter(names[:start]), collections.Counter(names)
        for call, count in sorted(counts.items()):
            for number in range(before[call] + 1, count + 1):
                for error in ERRORS[call]:
                    inject = "inject=%s:error=%s:when=%d" % (call, error, number)
                    prefix = ("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call,
                              "-e", inject)
                    kind = CALLS_OF_GRAPHVIZ if self.draws(job) else "system calls"
                    yield kind, job, "%s %d: %s" % (call, number, error), prefix, None


def corpus_jobs():
    """Snapshots of ARM programs, and their ELF files."""
    def case(name, kernel):
        path = os.path.join(CORPUS, name)
        return ["-j1", "-e", os.path.join(path, "program"), os.path.join(path, kernel + ".snap")]

    t32, a64 = case("leaves-t32-gcc-O2-symbols", "armhf"), case("threads-a64-gcc-O2-pac", "arm64")
    for form in FORMATS:
        yield Job("threads-a64 " + form, "cgunwind", ["-f", form, *a64])
    for options in (["-f", "json"], ["--stats"], ["--by", "line"], ["--by", "module"],
                    ["--by-thread", "-f", "dot"], ["--method", "prologue,fp,lr,scan"],
                    ["--focus", "main", "--hide", "x"], ["--label-calls", "-f", "dot"]):
        yield Job("leaves-t32 " + " ".join(options), "cgunwind", options + t32)
    yield Job("two snapshots", "cgunwind", t32 + t32[-1:])
    yield Job("--diff-base", "cgunwind", ["--diff-base", t32[-1], *t32])
    yield Job("standard input", "cgunwind", [*t32[:-1], "-"], t32[-1])
    for program in (t32[2], a64[2]):
        name = os.path.basename(os.path.dirname(program)).rpartition("/")[2]
        for task in ([], ["--functions"], ["-m", "prologue"]):
            yield Job("cgrules %s %s" % (name, " ".join(task)), "cgrules", [*task, program])


def unseeded(name, directory):
    """A seed of the fuzz targets' without the byte that says how it is read."""
    path = os.path.join(directory, os.path.basename(name))
    with open(os.path.join(SEEDS, name), "rb") as file, open(path, "wb") as out:
        out.write(file.read()[1:])
    return path


def seed_jobs(directory):
    """Small recordings of perf's, cores and profiles, as files and as streams."""
    for name in ("file-x86_64", "pipe-x86_64", "compressed", "two-events"):
        path = unseeded("fuzz_perf/" + name, directory)
        for form in ("json", "threads") if name == "file-x86_64" else ("json",):
            yield Job("perf.data %s %s" % (name, form), "cgunwind", ["-j1", "-f", form, path])
    path = unseeded("fuzz_perf/pipe-x86_64", directory)
    yield Job("perf.data by a pipe", "cgunwind", ["-j1", "-"], path)
    for name in ("x86-64", "arm"):
        path = unseeded("fuzz_core/" + name, directory)
        yield Job("core " + name, "cgunwind", ["-j1", "-f", "json", path])
    profiles = [os.path.join(SEEDS, "fuzz_pprof", name) for name in ("ours-compressed", "go")]
    for form in ("folded", "dot", "pprof"):
        yield Job("profiles " + form, "cgunwind", ["-j1", "-f", form, *profiles])
    yield Job("profile from a pipe", "cgunwind", ["-j1", "-"], profiles[0])


def native_jobs(tools, directory):
    """What is made here: a snapshot, a core, a recording of perf's, and a trace."""
    program = known.build("gcc", 0, directory)
    snapshot = os.path.join(directory, "chains.snap")
    with known.start_chains(program) as target:
        known.capture(tools, target.pid, snapshot)
        if shutil.which("gcore"):
            prefix = os.path.join(directory, "core")
            known.check_run(["gcore", "-o", prefix, str(target.pid)])
            core = "%s.%d" % (prefix, target.pid)
            for form in ("tree", "json", "waits"):
                yield Job("core " + form, "cgunwind", ["-j1", "-f", form, core])
            yield Job("core from a pipe", "cgunwind", ["-j1", "-"], core)
    for form in ("chains", "json", "threads", "dot"):
        yield Job("snapshot " + form, "cgunwind", ["-j1", "-f", form, snapshot])
    yield Job("snapshot --by line", "cgunwind", ["-j1", "--by", "line", snapshot])
    yield Job("snapshot, two jobs", "cgunwind", ["-j2", snapshot])
    yield Job("snapshot to a file", "cgunwind", ["-j1", "-o", "tree.txt", snapshot])
    yield Job("snapshot to a picture", "cgunwind", ["-j1", "-o", "graph.svg", snapshot])
    for task in ([], ["--audit"], ["--functions"], ["--explain", "main"], ["--functions", "--code-only"]):
        yield Job("cgrules chains " + " ".join(task), "cgrules", [*task, program])
    trace = os.path.join(directory, "calls.trace")
    functions = []
    for line in known.check_run(["nm", program]).splitlines():
        field = line.split()
        if len(field) == 3 and field[1] in "tT" and not field[2].startswith("_"):
            functions.append(int(field[0], 16))
    with open(trace, "w", encoding="ascii") as file:
        for addr in functions[1:20]:
            file.write("E%#x\nE%#x\nX%#x\nX%#x\n" % (functions[0], addr, addr, functions[0]))
    for form in TRACE_FORMATS:
        yield Job("trace " + form, "cgunwind", ["-j1", "-e", program, "-f", form, trace])
    yield Job("trace --sequence", "cgunwind", ["-j1", "-e", program, "--sequence", "-f", "dot", trace])


def all_tries(tries, job, options):
    tries.whole(job)
    if options.kind != "calls":
        yield from tries.allocations(job)
    if options.kind != "allocations":
        yield from tries.calls(job)


def sweep(tries, options):
    """Tries failures of every job, or of one job after the other some until the time is over."""
    end = time.monotonic() + options.seconds
    chance = random.Random(options.seed)
    jobs, found = list(tries.jobs), 0
    if not options.all:
        chance.shuffle(jobs)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for job in jobs:
            chosen = list(all_tries(tries, job, options))
            found += len(chosen)
            if not options.all and not options.distinct:
                chosen = chance.sample(chosen, min(JOB_MAX, len(chosen)))
            list(pool.map(lambda one: tries.check(*one), chosen))
            if not options.all and not options.distinct and time.monotonic() > end:
                break
    print("%d failures to choose from" % found)


def test(tools, *arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--distinct", action="store_true")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--only", default="", help="jobs whose names this is found in")
    parser.add_argument("--kind", choices=("allocations", "calls"))
    options = parser.parse_args(arguments)
    known.need("strace", "gcc", "nm")
    directory = tempfile.mkdtemp(prefix="cg-failures-")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        jobs = [*corpus_jobs(), *seed_jobs(directory), *native_jobs(tools, directory)]
        jobs = [job for job in jobs if re.search(options.only, job.name)]
        tries = Tries(tools, directory, jobs, options)
        print("seed %d" % options.seed, flush=True)
        sweep(tries, options)
        for counter in (tries.runs, tries.outcomes):
            print(", ".join("%d %s" % (count, what) for what, count in sorted(counter.items())))
        return ["%d failures ended wrongly" % len(tries.findings)] if tries.findings else []
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
