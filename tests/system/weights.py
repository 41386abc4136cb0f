#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU and wall time go to the functions that have used them, on idle and on contended CPUs.

usage: weights.py BUILD-DIRECTORY [more | all | show]

The program measures what share of its time each of its functions has (tests/programs/shares.c).
Half the sum of the differences between these shares and the captured ones is what is wrong, in
points; right samples have some of that by chance, the less the more there are. What is more than
that is measured once more, three times as long: chance has a part of it then. "more" takes other
cases, "all" more threads, rates and loads, by both clocks; "show" prints how far they are off, and
fails nothing.
"""

import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

FUNCTIONS = ("alpha", "wake", "beta", "locked", "yield", "gamma_rays")
BOUND = {"CPU": 3.0, "wall": 6.0}  # points
CHANCE = 70.0  # points, of one sample; less by the root of their number
BUSY = "while :; do :; done"
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
# How it is captured: (by root if we are, cgsnap's clock). Without privileges auto is ptrace.
ROOT, ROOT_PTRACE, NOBODYS = (True, "auto"), (True, "ptrace"), (False, "auto")
# (threads, CPUs, busy loops beside them, Hz, seconds, how)
DEFAULT = ((6, 2, 0, 199, 6, ROOT), (4, 1, 2, 199, 6, ROOT), (6, 2, 0, 199, 6, NOBODYS))
MORE = ((4, 1, 2, 199, 6, ROOT_PTRACE), (4, 1, 2, 199, 6, NOBODYS), (1, 2, 2, 99, 8, ROOT))
ALL = tuple((threads, cpus, load, rate, 20 if rate < 99 else 12, how)
            for how in (ROOT, ROOT_PTRACE, NOBODYS) for threads, cpus in ((1, 2), (6, 2), (4, 1))
            for load in (0, 2) for rate in (49, 99, 999))


class Load:
    """Busy loops on the same CPUs, for as long as this process at most."""

    def __init__(self, prefix, count):
        self.loops = [subprocess.Popen(prefix + ["sh", "-c", BUSY], preexec_fn=known.die_with_parent)
                      for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def shares_of(amounts):
    """In percent of the sum, by name."""
    total = sum(amounts.values()) or 1
    return {name: 100 * amount / total for name, amount in amounts.items()}


def chain_names(chain):
    return set(chain.split(";"))


def captured(tools, path, weight, names, *options, names_of=chain_names):
    """What each of these functions, or what else `names_of` finds in a chain, has of the weight."""
    amounts = dict.fromkeys(names, 0)
    folded = known.check_run([os.path.join(tools, "cgunwind"), "-f", "folded", "--weight", weight,
                              *options, path])
    for line in folded.splitlines():
        chain, _, amount = line.rpartition(" ")
        for name in names_of(chain) & set(names):
            amounts[name] += int(amount)
    return amounts


def off_by(one, other):
    one, other = shares_of(one), shares_of(other)
    if os.environ.get("CG_WEIGHTS_VERBOSE"):
        for name in one:
            print("    %-16s %5.1f %% by its own clock, %5.1f %% found"
                  % (name, one[name], other[name]))
    return sum(abs(one[name] - other[name]) for name in one) / 2


def tick_count(tools, path):
    """Of the CPUs' clocks; None: they have not told where CPU time went."""
    done = known.run([os.path.join(tools, "cgunwind"), "-f", "folded", "--stats", path])
    ticks = re.search(rb"told by (\d+) ticks", done.stderr)
    return int(ticks[1]) if ticks else None


def has_clock(tools):
    """Are the CPUs' clocks permitted to us?"""
    capture = [os.path.join(tools, "cgsnap"), "-q", "--clock", "perf", "-n", "2", "-o", os.devnull]
    done = known.run([*capture, "--force", "--", "true"])
    if done.returncode:
        print(done.stderr.decode().strip())
    return done.returncode == 0


def check_clock(tools, path, rate):
    """There are as many ticks as there was CPU time, about."""
    count = tick_count(tools, path)
    used = sum(captured(tools, path, "cpu", FUNCTIONS).values()) / 1e9
    if count is None or not 0.7 * used * rate <= count <= 1.3 * used * rate:
        yield "%s ticks at %d Hz in %.2f s of CPU time" % (count, rate, used)


def compare(tools, path, told, *options):
    """(samples on a CPU, points by CPU time, by wall time) of a snapshot and what the program told"""
    lines = [line.split() for line in told]
    if tuple(line[0] for line in lines) != FUNCTIONS:
        raise known.Failure("shares: it told %s" % told)
    cpu, wall = ({line[0]: int(line[k]) for line in lines} for k in (1, 2))
    find = lambda *what: captured(tools, path, *what, *options)
    running = tick_count(tools, path)
    if running is None:
        running = sum(find("samples", FUNCTIONS, "--state", "running").values())
    return (running, off_by(cpu, find("cpu", FUNCTIONS)), off_by(wall, find("wall", FUNCTIONS)))


def chance(running):
    return CHANCE / math.sqrt(max(running, 1))


def judge(title, running, by_cpu, by_wall):
    print("%s: off by %.1f points of CPU time (%.1f by chance, %d samples), %.1f of wall time"
          % (title, by_cpu, chance(running), running, by_wall), flush=True)
    for what, points in (("CPU", by_cpu), ("wall", by_wall)):
        if points > BOUND[what] + chance(running):
            yield "%s: %s shares are wrong by %.1f points" % (title, what, points)


def confirm(found, seconds):
    """FOUND(seconds): what is wrong in a capture of that length. In two where the first has more than it may."""
    first = list(found(seconds))
    for what in first:
        print("%s; once more, for %d s" % (what, 3 * seconds), flush=True)
    return first and list(found(3 * seconds))


def may_trace_others():
    try:
        with open("/proc/sys/kernel/yama/ptrace_scope", encoding="ascii") as scope:
            return scope.read().strip() == "0"
    except FileNotFoundError:
        return True


def capture_own(capture, program):
    """What the program printed, and what cgsnap did, which has started it."""
    done = known.run([*capture, "--", *program])
    return done.stdout.decode(), done.stderr.decode(), done.returncode


def capture_other(capture, user, program):
    """
    The same of a program that runs already, in another session, as a daemon does. Where the kernel
    divides CPUs among sessions (autogroup), a cgsnap without privileges that shares its own with
    many threads is let in only when it suits them, if others want the CPUs, too.
    """
    with subprocess.Popen([*user, *program], stdout=subprocess.PIPE, text=True,
                          start_new_session=True) as running:
        ready = running.stdout.readline()
        done = subprocess.run([*capture, "-p", str(running.pid)], start_new_session=True,
                              stderr=subprocess.PIPE, check=False)
        return ready + running.stdout.read(), done.stderr.decode(), done.returncode


def measure(tools, directory, threads, cpus, load, rate, seconds, how):
    """As compare, and cgsnap's last line."""
    path = os.path.join(directory, "snap")
    prefix = ["taskset", "-c", "0"] if cpus == 1 else []
    root, clock = how
    user = NOBODY if os.geteuid() == 0 and not root else []
    program = [*prefix, os.path.join(directory, "shares"), str(threads), str(seconds + 1)]
    capture = [*user, os.path.join(directory, "cgsnap"), "-F", str(rate), "--overhead", "100",
               "--clock", clock, "-d", str(seconds), "-o", path]
    if os.path.exists(path):
        os.unlink(path)
    with Load(prefix, load):
        if root:
            told, errors, status = capture_own(capture, program)
        else:
            told, errors, status = capture_other(capture, user, program)
    if status:
        raise known.Failure("cgsnap: " + errors)
    return *compare(tools, path, told.splitlines()[1:]), errors.splitlines()[-1]


def check(tools, directory, case, clock):
    *points, line = measure(tools, directory, *case)
    title = "%d threads on %d CPUs beside %d busy loops at %d Hz for %d s" % case[:-1]
    title += ", clock %s%s" % (case[-1][1], "" if case[-1][0] else " without privileges")
    yield from judge(title, *points)
    if clock and case[-1] == ROOT:
        yield from check_clock(tools, os.path.join(directory, "snap"), case[3])
    print("    " + line)


def test(tools, what="default"):
    known.need("taskset")
    failures = []
    clock = has_clock(tools)
    if not clock and os.geteuid() == 0 and os.environ.get("CI"):
        failures.append("no clock of the CPUs")
    with tempfile.TemporaryDirectory(prefix="cg-weights-") as directory:
        known.program(tools, "shares", directory)
        shutil.copy(os.path.join(tools, "cgsnap"), directory)
        os.chmod(directory, 0o777)
        for case in {"default": DEFAULT, "more": MORE}.get(what, ALL):
            if len(os.sched_getaffinity(0)) < case[1]:
                continue
            if not case[5][0] and not may_trace_others():
                print("without privileges: left out, as the kernel permits no tracing of others")
                continue
            found = lambda seconds: check(tools, directory, (*case[:4], seconds, case[5]), clock)
            failures += found(case[4]) if what == "show" else confirm(found, case[4])
    return [] if what == "show" else failures


if __name__ == "__main__":
    known.main(test)
