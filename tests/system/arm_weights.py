#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU and wall time go to the functions that have used them, on emulated ARM machines of one CPU.

usage: arm_weights.py BUILD-DIRECTORY [arm64|armhf]

The program and what is wrong with its shares: weights.py. Several threads have one CPU here, whose
time is the number of its instructions, eight nanoseconds each: a slow board.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
import arm
import known
import weights

THREADS, RATES, SECONDS = 4, (99,), 24
SCRIPT = """
/{name} {threads} {seconds} >/out/{name}-{rate}.told & target=$!
sleep 0.5
/{agent} -F {rate} --overhead 100 -d {capture} -p $target -o /out/{name}-{rate}
echo "status {name} {rate} $?"
wait $target
"""


def build(directory, isa):
    path = os.path.join(directory, "shares-" + isa)
    known.check_run([*arm.COMPILE[isa], "-std=gnu11", "-O1", "-g", "-pthread", "-static",
                     os.path.join(known.PROGRAMS, "shares.c"), "-o", path])
    return path


def check(emulator, tools, arch, directory, seconds):
    files = {name: path for name, path in arm.build_agents().items() if name in arm.NATIVE[arch]}
    script = ""
    for isa in arm.NATIVE[arch]:
        files["shares-" + isa] = build(directory, isa)
        for rate in RATES:
            script += SCRIPT.format(agent=isa, name="shares-" + isa, threads=THREADS, rate=rate,
                                    seconds=seconds + 2, capture=seconds)
    out, log = arm.run(emulator, arch, files, script, directory)
    for isa in arm.NATIVE[arch]:
        for rate in RATES:
            path = os.path.join(out, "shares-%s-%d" % (isa, rate))
            if "status shares-%s %d 0\n" % (isa, rate) not in log:
                yield "%s, %d Hz: cgsnap failed" % (isa, rate)
                continue
            with open(path + ".told", encoding="ascii") as file:
                told = [line for line in file.read().splitlines() if line != "ready"]
            title = "%s: %d threads on 1 CPU at %d Hz for %d s" % (isa, THREADS, rate, seconds)
            options = ("-e", files["shares-" + isa])
            yield from weights.judge(title, *weights.compare(tools, path, told, *options))


def test(tools, *archs):
    emulator = arm.need_emulator(tools)
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for arch in archs or arm.NATIVE:
            failures += weights.confirm(lambda seconds: check(emulator, tools, arch, directory, seconds), SECONDS)
    return failures


if __name__ == "__main__":
    known.main(test)
