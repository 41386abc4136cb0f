#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stack budget of -f stats, where thread stacks lie next to each other: in a capture and in a core.

usage: stacks.py BUILD-DIRECTORY

The program (stacks.c) says itself how many bytes each thread uses. Whose stack has a mapping of its own has that one's size; of others
nobody knows how large they are, and what others use is not counted as theirs.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

EACH = 4
SMALL_SIZE = 256 << 10
MAPPED = {"own": (SMALL_SIZE,), "pool": (None,), "unguarded": (None, SMALL_SIZE)}  # where the kernel put one apart it has a mapping
MORE_MAX = 12 << 10  # than the program counts: libc's frames at both ends, control block and TLS


def start(program):
    process = subprocess.Popen([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    truth = {}
    for line in iter(process.stdout.readline, "ready\n"):
        if not line:
            raise known.Failure("the program ended")
        name, tid, used = line.split()
        truth[int(tid)] = name, int(used)
    return process, truth


def stacks(tools, path):
    """{tid: (bytes used, mapped)}, None for what is not known."""
    text = known.check_run([tools + "/cgunwind", "-q", "-v", "-f", "stats", path])
    table = text.split("\nstack, at the most", 1)[1].split("\n\n")[0]
    rows = [line.split() for line in table.splitlines() if line.startswith("    ") and line.split()[0].isdigit()]
    return {int(row[0]): tuple(None if cell == "-" else int(cell) for cell in row[-3:-1]) for row in rows}


def check(what, found, truth):
    for tid, (name, least) in truth.items():
        used, mapped = found.get(tid, (None, None))
        if used is None or not least <= used <= least + MORE_MAX:
            yield "%s: %s: %s bytes used, not %d" % (what, name, used, least)
        if mapped not in MAPPED[name]:
            yield "%s: %s: mapped %s" % (what, name, mapped)
    print("%s: %s" % (what, {name: found.get(tid) for tid, (name, _) in truth.items()}))


def test(tools):
    known.need("gcore")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        program = known.program(tools, "stacks", directory)
        snapshot, core = (os.path.join(directory, name) for name in ("snap", "core"))
        process, truth = start(program)
        try:
            known.check_run([tools + "/cgsnap", "-q", "-n", "5", "-o", snapshot, "-p", str(process.pid)])
            known.check_run(["gcore", "-o", core, str(process.pid)])
        finally:
            process.kill()
            process.wait()
        if len(truth) != 3 * EACH:
            failures.append("the program says of %d threads" % len(truth))
        failures += check("capture", stacks(tools, snapshot), truth)
        failures += check("core", stacks(tools, "%s.%d" % (core, process.pid)), truth)
    return failures


if __name__ == "__main__":
    known.main(test)
