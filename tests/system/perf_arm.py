#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perf.data of ARM and AArch64: the snapshots of the corpus, written as perf would have recorded
the same moments, give the chains that the snapshots give.

usage: perf_arm.py BUILD-DIRECTORY

perf copies one stretch of the stack from SP, and of ARM no CPSR. The samples with more memory than
that, or with frames in the vDSO, whose bytes perf does not record, are left out.
"""

import os
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import snapdump

CORPUS = os.path.join(os.path.dirname(known.TESTS), "corpus")
sys.path.insert(0, CORPUS)
import cases

# By ELF machine: uname's name, registers that perf records, their ABI.
ARCHS = {40: (b"armv7l", 16, 1), 183: (b"aarch64", 33, 2)}
IP, TID, TIME, REGS, STACK = 1, 2, 4, 1 << 12, 1 << 13
ROOM = 32768
SAMPLES_MIN = 1000  # of which the test is sure to speak


def record(kind, payload, misc=2):
    return struct.pack("<IHH", kind, misc, 8 + len(payload)) + payload


def text(value):
    value = value.encode() + b"\0"
    return value + bytes(-len(value) % 8)


def times(item):
    return struct.pack("<IIQ", item["pid"], item.get("tid", item["pid"]), item["time"])


def beginning(name, registers):
    attr = struct.pack("<IIQQQQQ", 1, 128, 0, 999, IP | TID | TIME | REGS | STACK, 0, 1 << 10 | 1 << 18)
    attr += bytes(80 - len(attr)) + struct.pack("<QI", (1 << registers) - 1, ROOM)
    feature = struct.pack("<QI", 6, 64) + name + bytes(64 - len(name))
    return (b"PERFILE2" + struct.pack("<Q", 16) + record(64, attr + bytes(128 - len(attr)) + bytes(8))
            + record(80, feature))


def mapping(item):
    identity = struct.pack("<I", len(item["build_id"]) // 2) + bytes.fromhex(item["build_id"]).ljust(20, b"\0")
    body = struct.pack("<IIQQQ", item["pid"], item["pid"], item["start"],
                       item["end"] - item["start"], item["file_off"])
    path = item["path"] + (" (deleted)" if item["flags"] & 1 else "")
    body += identity + struct.pack("<II", item["prot"], 2) + text(path or "//anon")
    return record(10, body + times(dict(item, time=1)), 2 | 1 << 14)


def sample(item, registers, abi):
    stack = bytes.fromhex(item["regions"][0]["bytes"])[:ROOM]
    regs = item["regs"][:registers]
    body = struct.pack("<Q", regs[15 if abi == 1 else 32]) + times(item)
    body += struct.pack("<Q%dQ" % registers, abi, *regs)
    body += struct.pack("<Q", ROOM) + stack.ljust(ROOM, b"\0") + struct.pack("<Q", len(stack))
    return record(9, body)


def convert(snapshot, output):
    """Writes the perf.data; returns which samples of the snapshot may be compared, None: none,
    since it says of threads in one record that they did not run, or is of another architecture."""
    comparable, last = [], {}
    with open(snapshot, "rb") as stream, open(output, "wb") as out:
        reader = snapdump.Reader(stream, stacks=True)
        arch = ARCHS.get(reader.header()["machine"])
        if not arch:
            return None
        name, registers, abi = arch
        out.write(beginning(name, registers))
        for item in reader.records():
            if item["type"] == "map":
                out.write(mapping(item))
            elif item["type"] == "thread":
                body = struct.pack("<II", item["pid"], item["tid"]) + text(item["name"])
                out.write(record(3, body + times(item)))
            elif item["type"] == "idle":
                return None
            elif item["type"] in ("sample", "repeat"):
                item = last[item["tid"]] = dict(last.get(item["tid"], {}), **item)
                out.write(sample(item, registers, abi))
                sp = item["regs"][13 if abi == 1 else 31]
                region = item["regions"][0]
                comparable.append(len(item["regions"]) == 1 and region["start"] == sp
                                  and region["end"] - sp < ROOM)
    return comparable


def chain(found):
    return [(frame["pc"], frame.get("function"), frame["trust"]) for frame in found["frames"]]


def test(tools):
    failures, compared, left_out = [], 0, 0
    cgunwind = os.path.join(tools, "cgunwind")
    with tempfile.TemporaryDirectory() as directory:
        output = os.path.join(directory, "perf.data")
        for case in list(cases.all_cases())[::2]:  # half of them, for the sake of time
            for kernel in cases.kernels(case):
                files = os.path.join(CORPUS, "cases", case.name)
                snapshot = os.path.join(files, kernel + ".snap")
                comparable = convert(snapshot, output)
                if comparable is None:
                    continue
                theirs = cases.unwind(cgunwind, case, files, snapshot)
                ours = cases.unwind(cgunwind, case, files, output)
                if len(ours) != len(theirs):
                    failures.append("%s %s: %d samples of %d" % (case.name, kernel, len(ours), len(theirs)))
                    continue
                # perf.data is in the order of time, snapshots are in that of each thread only.
                by_time = {(one["tid"], one["time_ns"]): one for one in ours}
                for other, sure in zip(theirs, comparable):
                    mine = by_time[other["tid"], other["time_ns"]]
                    if not sure or any(f.get("module") == "[vdso]" for f in other["frames"]):
                        left_out += 1
                        continue
                    compared += 1
                    if chain(mine) != chain(other) or mine["stop"] != other["stop"]:
                        failures.append("%s %s: %s %s instead of %s %s" % (
                            case.name, kernel, chain(mine), mine["stop"], chain(other), other["stop"]))
    print("%d samples compared, %d left out" % (compared, left_out))
    if compared < SAMPLES_MIN:
        failures.append("only %d samples could be compared" % compared)
    return failures


if __name__ == "__main__":
    known.main(test)
