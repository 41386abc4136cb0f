#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU and wall time go to the functions that have used them, on idle and on contended CPUs.

usage: weights.py BUILD-DIRECTORY [all | show]

The program measures what share of its time each of its functions has (tests/programs/shares.c).
Half the sum of the differences between these shares and the captured ones is what is wrong, in
points; right samples have some of that by chance, the less the more there are. "all" takes more
threads, rates and loads; "show" prints how far they are off, and fails nothing.
"""

import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

FUNCTIONS = ("alpha", "wake", "beta", "locked", "yield", "gamma_rays")
BOUND = {"CPU": 3.0, "wall": 6.0}  # points
CHANCE = 70.0  # points, of one sample; less by the root of their number
BUSY = "while :; do :; done"
# (threads, CPUs, busy loops beside them, Hz, seconds)
DEFAULT = ((6, 2, 0, 199, 10), (4, 1, 2, 199, 10))
ALL = tuple((threads, cpus, load, rate, 20 if rate < 99 else 12)
            for threads, cpus in ((1, 2), (6, 2), (4, 1)) for load in (0, 2) for rate in (49, 99, 999))


class Load:
    """Busy loops on the same CPUs."""

    def __init__(self, prefix, count):
        self.loops = [subprocess.Popen(prefix + ["sh", "-c", BUSY]) for _ in range(count)]

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        for loop in self.loops:
            loop.kill()
            loop.wait()


def shares_of(amounts):
    total = sum(amounts.values()) or 1
    return {name: 100 * amounts.get(name, 0) / total for name in FUNCTIONS}


def captured(tools, path, weight, *options):
    """What each function has of the weight of all of them."""
    amounts = dict.fromkeys(FUNCTIONS, 0)
    folded = known.check_run([os.path.join(tools, "cgunwind"), "-f", "folded", "--weight", weight,
                              *options, path])
    for line in folded.splitlines():
        chain, _, amount = line.rpartition(" ")
        for name in set(chain.split(";")) & set(FUNCTIONS):
            amounts[name] += int(amount)
    return amounts


def off_by(one, other):
    return sum(abs(one[name] - other[name]) for name in FUNCTIONS) / 2


def compare(tools, path, told, *options):
    """(samples on a CPU, points by CPU time, by wall time) of a snapshot and what the program told"""
    told = [line.split() for line in told]
    if [line[0] for line in told] != list(FUNCTIONS):
        raise known.Failure("shares: it told %s" % told)
    cpu = {name: int(amount) for name, amount, _ in told}
    wall = {name: int(amount) for name, _, amount in told}
    running = sum(captured(tools, path, "samples", "--state", "running", *options).values())
    found = shares_of(captured(tools, path, "cpu", *options))
    if os.environ.get("CG_WEIGHTS_VERBOSE"):
        print("    told ", {name: round(share, 1) for name, share in shares_of(cpu).items()})
        print("    found", {name: round(share, 1) for name, share in found.items()})
    return (running, off_by(shares_of(cpu), found),
            off_by(shares_of(wall), shares_of(captured(tools, path, "wall", *options))))


def chance(running):
    return CHANCE / math.sqrt(max(running, 1))


def judge(title, running, by_cpu, by_wall):
    print("%s: off by %.1f points of CPU time (%.1f by chance, %d samples), %.1f of wall time"
          % (title, by_cpu, chance(running), running, by_wall), flush=True)
    for what, points in (("CPU", by_cpu), ("wall", by_wall)):
        if points > BOUND[what] + chance(running):
            yield "%s: %s shares are wrong by %.1f points" % (title, what, points)


def measure(tools, directory, threads, cpus, load, rate, seconds):
    """As compare, and cgsnap's last line."""
    path = os.path.join(directory, "snap")
    prefix = ["taskset", "-c", "0"] if cpus == 1 else []
    program = prefix + [os.path.join(directory, "shares"), str(threads), str(seconds + 1)]
    with Load(prefix, load), known.Target(program) as target:
        if target.process.stdout.readline() != "ready\n":
            raise known.Failure("shares: not ready")
        done = known.run([os.path.join(tools, "cgsnap"), "-p", str(target.pid), "-F", str(rate), "--overhead", "100",
                          "-d", str(seconds), "-o", path])
        if done.returncode:
            raise known.Failure("cgsnap: " + done.stderr.decode())
        told = target.process.stdout.read().splitlines()
    return *compare(tools, path, told), done.stderr.decode().splitlines()[-1]


def test(tools, what="default"):
    known.need("taskset")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-weights-") as directory:
        known.program(tools, "shares", directory)
        for case in DEFAULT if what == "default" else ALL:
            if len(os.sched_getaffinity(0)) < case[1]:
                continue
            *points, line = measure(tools, directory, *case)
            title = "%d threads on %d CPUs beside %d busy loops at %d Hz for %d s" % case
            failures += judge(title, *points)
            print("    " + line)
    return [] if what == "show" else failures


if __name__ == "__main__":
    known.main(test)
