#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""USAGE tells what a process has used in all, of which samples tell a part.

usage: usage.py BUILD-DIRECTORY

A program's processes are captured from their beginning to their end, and one that runs on is
captured for a while. Each has a USAGE behind its PROCESS and one that is no less at its end; the
difference holds what its samples have used, and the kernel's own sum, told to whoever waited for
the program, holds that.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

HERE = os.path.dirname(os.path.abspath(__file__))
LOOP = "x=0; while [ $x -lt 60000 ]; do x=$((x+1)); done"


def records(path):
    text = known.check_run([sys.executable, "-B", os.path.join(HERE, "snapdump.py"), path])
    return [json.loads(line) for line in text.splitlines()]


def check_process(all_records, pid, has_ended):
    """What it has used, by its USAGEs; it may have ended between its last sample and a look at it."""
    own = [item for item in all_records if item.get("pid") == pid]
    usages = [item for item in own if item["type"] == "usage"]
    sampled = [item["cpu"] for item in own if item["type"] == "sample"]
    sampled = sum(sampled[:-1] if has_ended else sampled)
    at = own.index(usages[0]) if usages else len(own)
    if len(usages) < 2 or any(item["type"] == "sample" for item in own[:at]):
        raise known.Failure("process %d: %d USAGEs, or a sample before them" % (pid, len(usages)))
    used = usages[-1]["cpu"] - usages[0]["cpu"]
    if used < sampled:
        raise known.Failure("process %d has used %d ns, and its samples %d" % (pid, used, sampled))
    if not all(item["period"] for item in usages):
        raise known.Failure("process %d: no period" % pid)
    return used


def whole_programs(cgsnap, path):
    """The second process is made by a fork: it begins with nothing."""
    before = os.times()
    known.check_run([cgsnap, "-q", "--follow-forks", "-o", path, "--", "sh", "-c",
                     LOOP + "; (" + LOOP + "); " + LOOP])
    after = os.times()
    all_records = records(path)
    pids = [item["pid"] for item in all_records if item["type"] == "process"]
    if len(set(pids)) != 2:
        raise known.Failure("%d processes for 2" % len(set(pids)))
    used = sum(check_process(all_records, pid, True) for pid in dict.fromkeys(pids))
    waited = (after.children_user + after.children_system - before.children_user -
              before.children_system) * 1e9
    if used > waited + 2e9 / os.sysconf("SC_CLK_TCK"):
        raise known.Failure("%d ns were used, of %d with cgsnap" % (used, waited))
    made = [item for item in all_records if item["type"] == "usage" and item["pid"] == pids[1]]
    if made[0]["cpu"] != 0:
        raise known.Failure("what was made begins with %d ns" % made[0]["cpu"])


def running_program(cgsnap, path):
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as program:
        try:
            known.check_run([cgsnap, "-q", "-d", "1.2", "-o", path, "-p", str(program.pid)])
        finally:
            program.kill()
    all_records = records(path)
    check_process(all_records, program.pid, False)
    kinds = [item["type"] for item in all_records]
    if "usage" not in kinds[len(kinds) - 1 - kinds[::-1].index("sample"):kinds.index("summary")]:
        raise known.Failure("no USAGE between the last sample and the summary")


def test(build):
    cgsnap = os.path.join(build, "cgsnap")
    with tempfile.TemporaryDirectory() as work:
        whole_programs(cgsnap, os.path.join(work, "whole.bin"))
        running_program(cgsnap, os.path.join(work, "running.bin"))
    return []


if __name__ == "__main__":
    known.main(test)
