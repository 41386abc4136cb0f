#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cgsnap --with-code`: the snapshot holds the code of every frame, before the sample that needs it.

usage: with_code.py BUILD-DIRECTORY

This interpreter at work, and a program with code made at run time in a mapping that grows, whose
stack points into 16 TiB of executable memory: for every frame that cgunwind finds (with the target's
files) the code around its address is in CODE records that precede the sample, from 16 KiB before it,
or its mapping's start, on. The bytes are those of the process's memory, no unit of a mapping is
written twice, and cgsnap stays small.
"""

import json
import os
import platform
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known
import snapfile

UNIT, BEFORE = 4096, 16384
PRIVATE_MAX_KB = 2048  # 1.1 to 1.3 MB, with the C library of any build; of those for targets it is less: agents.sh
WORK = "import json, zlib\nwhile True: zlib.compress(json.dumps([{'a': i} for i in range(999)]).encode())"


def read_memory(pid, address, size):
    with open("/proc/%d/mem" % pid, "rb", 0) as file:
        file.seek(address)
        return file.read(size)


def frames_of(tools, path):
    """Samples in the file's order, each as the addresses at which its frames are looked up."""
    out = known.check_run([os.path.join(tools, "cgunwind"), "-f", "json", path])
    for line in out.splitlines():
        item = json.loads(line)
        if item["type"] == "sample":
            yield [int(frame["pc"], 16) - (level > 0)
                   for level, frame in enumerate(f for f in item["frames"] if not f.get("inline"))]


def check(tools, pid, directory, what):
    path = os.path.join(directory, "snap")
    cgsnap = os.path.join(tools, "cgsnap")
    with subprocess.Popen([cgsnap, "-q", "-F", "500", "--overhead", "100", "-d", "1", "--with-code", "-p", str(pid), "-o",
                           path]) as writer:
        time.sleep(0.8)
        kb = private_kb(writer.pid)
    if writer.returncode != 0:
        yield "%s: cgsnap ended with status %d" % (what, writer.returncode)
        return
    with open(cgsnap, "rb") as file:
        if kb > PRIVATE_MAX_KB and b"__asan_init" not in file.read():
            yield "%s: %d kB of private memory" % (what, kb)
    with open(path, "rb") as file:
        snapshot = snapfile.Snapshot(file.read())
    samples = frames_of(tools, path)
    maps, units, missing, frames = [], {}, set(), 0
    for item in snapshot.records:
        if item.kind == snapfile.MAP:
            skip = 8 + item.payload[7]
            maps.append(struct.unpack_from("<QQ", item.payload, skip))
        elif item.kind == snapfile.UNMAP:
            start, end = struct.unpack_from("<QQ", item.payload, 4)
            maps.remove((start, end))
            units = {at: data for at, data in units.items() if not start <= at < end}
        elif item.kind == snapfile.CODE:
            start, size = struct.unpack_from("<QI", item.payload, 4)
            if start in units:
                yield "%s: the code at %#x was written twice" % (what, start)
            units[start] = item.payload[16:]
            if len(units[start]) != size or read_memory(pid, start, size) != units[start]:
                yield "%s: the code at %#x is not what is in memory" % (what, start)
        elif item.kind in (snapfile.SAMPLE, snapfile.REPEAT):
            for pc in next(samples):
                frames += 1
                missing.update(lacking(maps, units, pc))
        elif item.kind == snapfile.IDLE:
            yield "%s: an IDLE record, which this test does not know" % what
            return
    if missing:
        yield "%s: no code at %s" % (what, ", ".join(map(hex, sorted(missing)[:8])))
    if frames < 300 or len(units) < 6:
        yield "%s: only %d frames, %d units" % (what, frames, len(units))
    print("%s: %d frames, %d units, %d bytes in all, %d kB of private memory" % (
        what, frames, len(units), len(snapshot.data), kb))


def private_kb(pid):
    with open("/proc/%d/smaps_rollup" % pid) as file:
        return sum(int(line.split()[1]) for line in file if line.startswith("Private"))


def lacking(maps, units, pc):
    """The units before and at `pc` that are not there; the vDSO is one piece."""
    for start, end in maps:
        if start <= pc < end and len(units.get(start, b"")) < end - start:
            for unit in range(max(start, (pc - BEFORE) & -UNIT), pc + 1, UNIT):
                if unit not in units:
                    yield unit


def main():
    tools = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        targets = {"python3": [sys.executable, "-c", WORK]}
        if platform.machine() == "x86_64":
            targets["growing"] = [known.program(tools, "growing", directory)]
        for what, command in targets.items():
            target = subprocess.Popen(command)
            try:
                time.sleep(0.5)
                failures += check(tools, target.pid, directory, what)
            finally:
                target.kill()
                target.wait()
    print("\n".join(failures) or "all is well")
    return bool(failures)


sys.exit(main())
