#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The time of short sleeps is not that of long ones from another caller at the same depth of the stack.

usage: naps.py BUILD-DIRECTORY

A blocked thread that a stop has woken blocks again at once, and is not stopped in each round. One that has woken
by itself, and sleeps again where it slept, in the same function called by another, looks much like it. The program
(tests/programs/naps.c) tells how long each of its functions has slept: both sleep at the same place.
"""

import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known

FUNCTIONS = ("first", "second", "third")
CASES = ((30, (200, 40, 200)), (99, (200, 8, 200)), (99, (300, 15, 100)))  # Hz, ms
SECONDS = 5
# Rounds end late on busy machines, and a capture begins and ends within a nap: points
POINTS_MAX = 8


def shares(amounts):
    whole = sum(amounts.values()) or 1
    return {name: 100 * amounts.get(name, 0) / whole for name in FUNCTIONS}


def slept(program):
    """What it has told until it was ended."""
    program.terminate()
    return {name: int(ns) for name, ns in map(str.split, program.communicate()[0].splitlines())}


def found(tools, snapshot):
    amounts = {}
    for line in known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "folded", "--weight", "wall",
                                 snapshot]).splitlines():
        name = re.search(r";(%s);" % "|".join(FUNCTIONS), line)
        if name:
            amounts[name[1]] = amounts.get(name[1], 0) + int(line.rpartition(" ")[2])
    return amounts


def check(tools, path, snapshot, rate, naps):
    """The program counts from just before the capture to just after it."""
    with subprocess.Popen([path, *map(str, naps)], stdout=subprocess.PIPE, text=True) as program:
        program.stdout.readline()
        time.sleep(0.1)
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-F", str(rate), "--overhead", "100", "-p",
                         str(program.pid), "-d", str(SECONDS), "-o", snapshot])
        wanted = shares(slept(program))
    got = shares(found(tools, snapshot))
    off = max(abs(got[name] - wanted[name]) for name in FUNCTIONS)
    print("%d Hz, naps of %s ms: slept %s %%, found %s" % (
        rate, naps, *("/".join("%.1f" % share[name] for name in FUNCTIONS) for share in (wanted, got))))
    if off > POINTS_MAX:
        yield "%d Hz, naps of %s ms: off by %.1f points" % (rate, naps, off)


def test(tools):
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "naps")
        known.check_run(["gcc", "-std=gnu11", "-O2", "-g", "-o", path, os.path.join(known.PROGRAMS, "naps.c")])
        for rate, naps in CASES:
            failures += check(tools, path, os.path.join(directory, "snap"), rate, naps)
    return failures


if __name__ == "__main__":
    known.main(test)
