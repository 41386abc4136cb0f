#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Attaching succeeds, and harms nobody, while a program makes threads and processes all the time,
beside two busy loops: a thread that has just ended is no missing permission, and a number that was
given anew is no thread of the program.

attaches.py BUILD [COUNT]: 40 by default; 1,000 for a release. The second half follows forks.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known

LOOPS = 2
ROUNDS = "3"


def attach(tools, pid, path, *options):
    """What was wrong."""
    done = subprocess.run([tools + "/cgsnap", "-p", str(pid), "-n", ROUNDS, "--force", "-o", path, *options],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    told = re.search(r"^cgsnap: (\d+) samples .*", done.stderr, re.MULTILINE)  # warnings may follow
    if done.returncode or not told:
        yield "status %d: %s" % (done.returncode, done.stderr)
    elif told[1] == "0":
        yield "no sample: " + told[0]


def test(tools, count=40):
    failures, count = [], int(count)
    tools = os.path.abspath(tools)
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(LOOPS)]
    makers = subprocess.Popen([tools + "/tests/programs/makers"], stdout=subprocess.PIPE, text=True)
    try:
        makers.stdout.readline()
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as directory:
            for number in range(count):
                options = ["--follow-forks"] if number >= count / 2 else []
                failures += attach(tools, makers.pid, directory + "/snap", *options)
        took = time.monotonic() - begin
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        makers.terminate()
        told = makers.communicate(timeout=60)[0].split()
    print("%d attaches in %.0f s, %d failed; %s threads and %s processes were made, %s not as they should"
          % (count, took, len(failures), *told))
    if makers.returncode or told[2] != "0":
        failures.append("the program ended with %d" % makers.returncode)
    return failures


if __name__ == "__main__":
    known.main(test)
