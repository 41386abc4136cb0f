#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU and wall time go to the functions that have used them, on emulated ARM machines of one CPU; and
CPU time to the values that a function had (split.py).

usage: arm_weights.py BUILD-DIRECTORY [arm64|armhf]

The program and what is wrong with its shares: weights.py. Several threads have one CPU here, whose
time is the number of its instructions, eight nanoseconds each: a slow board.
"""

import functools
import os
import sys
import tempfile

sys.dont_write_bytecode = True
import arm
import known
import split_shares
import weights

THREADS, RATES, SECONDS = 4, (99,), 24
SPLIT_RATE, SPLIT_UNKNOWN_MAX = 299, 0.03
SCRIPT = """
/{name} {threads} {seconds} >/out/{name}-{rate}.told & target=$!
sleep 0.5
/{agent} -F {rate} --overhead 100 -d {capture} -p $target -o /out/{name}-{rate}
echo "status {name} {rate} $?"
wait $target
"""


SPLIT_SCRIPT = """
/requests-{isa} 2 {seconds} >/out/requests-{isa}.told & target=$!
sleep 0.3
/{isa} -F {rate} --overhead 100 -d {capture} -p $target -o /out/requests-{isa}
echo "status requests-{isa} $?"
wait $target
"""


def build(directory, isa, name="shares", *options):
    path = os.path.join(directory, "%s-%s" % (name, isa))
    known.check_run([*arm.COMPILE[isa], "-std=gnu11", "-O1", "-g", "-pthread", "-static", *options,
                     os.path.join(known.PROGRAMS, name + ".c"), "-o", path])
    return path


def build_requests(directory, isa):
    """Optimized, and without its debug information, which is in a directory by build-id."""
    path = build(directory, isa, "requests", "-O2", "-Wl,--build-id")
    split_shares.separate(path, os.path.join(directory, "debug-" + isa),
                          arm.COMPILE[isa][0].removesuffix("gcc"))
    return path


def check_split(tools, directory, isa, out, log):
    path = os.path.join(out, "requests-" + isa)
    if "status requests-%s 0\n" % isa not in log:
        yield "%s: cgsnap failed" % isa
        return
    with open(path + ".told", encoding="ascii") as file:
        counts = split_shares.Counts(file.read().partition("ready\n")[2])
    snapshot = split_shares.Snapshot(tools, path, os.path.join(directory, "debug-" + isa), "-e",
                                     os.path.join(directory, "requests-" + isa))
    yield from split_shares.judge(snapshot, counts, isa, SPLIT_UNKNOWN_MAX, False)


def check(emulator, tools, arch, directory, seconds):
    files = {name: path for name, path in arm.build_agents().items() if name in arm.NATIVE[arch]}
    script = ""
    for isa in arm.NATIVE[arch]:
        files["shares-" + isa] = build(directory, isa)
        for rate in RATES:
            script += SCRIPT.format(agent=isa, name="shares-" + isa, threads=THREADS, rate=rate,
                                    seconds=seconds + 2, capture=seconds)
        files["requests-" + isa] = build_requests(directory, isa)
        script += SPLIT_SCRIPT.format(isa=isa, rate=SPLIT_RATE, capture=seconds // 6,
                                      seconds=seconds // 6 + 1)
    out, log = arm.run(emulator, arch, files, script, directory)
    for isa in arm.NATIVE[arch]:
        yield from check_split(tools, directory, isa, out, log)
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

    def found(arch, seconds):
        with tempfile.TemporaryDirectory() as directory:
            yield from check(emulator, tools, arch, directory, seconds)

    failures = []
    for arch in archs or arm.NATIVE:
        failures += weights.confirm(functools.partial(found, arch), SECONDS)
    return failures


if __name__ == "__main__":
    known.main(test)
