#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program of one thread stays on its CPU while it is captured: let go on another one, it would
find nothing of its data in that one's caches.

stays.py BUILD"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SAMPLES = 300
# The kernel moves it, too: most often beside other programs. Each second sample and more did so
# when cgsnap was on its CPU.
MOVES_MAX = SAMPLES / 5


def moves(pid):
    with open("/proc/%d/sched" % pid, encoding="ascii") as file:
        return int(re.search(r"nr_migrations\s*:\s*(\d+)", file.read())[1])


def capture(tools, path, clock, loop):
    before = moves(loop.pid)
    known.check_run([tools + "/cgsnap", "-p", str(loop.pid), "-n", str(SAMPLES), "-F", "199", "--overhead", "100",
                     "--clock", clock, "--force", "-o", path])
    count = moves(loop.pid) - before
    print("--clock %s: moved %d times in %d samples" % (clock, count, SAMPLES))
    if count > MOVES_MAX:
        yield "--clock %s moved it" % clock


def test(tools):
    if len(os.sched_getaffinity(0)) < 2:
        known.skip("there is one CPU")
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as loop, tempfile.TemporaryDirectory() as directory:
        try:
            if not os.path.exists("/proc/%d/sched" % loop.pid):
                known.skip("this kernel does not count moves between CPUs (CONFIG_SCHED_DEBUG)")
            return [fault for clock in ("auto", "ptrace") for fault in capture(tools, directory + "/snap", clock, loop)]
        finally:
            loop.kill()


if __name__ == "__main__":
    known.main(test)
