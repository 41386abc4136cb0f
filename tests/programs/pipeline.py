#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A pipeline of processes, and what CPU time each has used, by the kernel.

usage: pipeline.py MILLIONS    of lines; "ready", waits for a line, and runs it; at the end a line
                               "NAME CPU-NS" for each process
"""

import os
import subprocess
import sys

STAGES = (["seq", "1", sys.argv[1] + "000000"], ["awk", "{ print $1 * 3 }"], ["gzip", "-1"],
          ["sha512sum"])


def main():
    print("ready", flush=True)
    sys.stdin.readline()
    stages, before = [], None
    for command in STAGES:
        last = len(stages) == len(STAGES) - 1
        stages.append(subprocess.Popen(command, stdin=before,
                                       stdout=subprocess.DEVNULL if last else subprocess.PIPE))
        if before:
            before.close()
        before = stages[-1].stdout
    for command, stage in zip(STAGES, stages):
        _, status, usage = os.wait4(stage.pid, 0)
        stage.returncode = status
        if status:
            sys.exit("%s: status %d" % (command[0], status))
        print(command[0], int((usage.ru_utime + usage.ru_stime) * 1e9))


main()
