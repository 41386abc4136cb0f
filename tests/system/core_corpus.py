#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cores of ARM, AArch64 and RISC-V processes: from a core cgunwind finds the chain that it finds from a
snapshot with the same memory and registers.

usage: core_corpus.py BUILD-DIRECTORY

Each sample of some snapshots of the corpus is made a core file, as the kernel would have written
it at that moment: with the first page of each mapped file, without its code.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
import corefile
import known
import snapdump

sys.path.insert(0, os.path.join(known.TESTS, "..", "corpus"))
import cases

FILE, VDSO = 1, 2
SAMPLES_MAX = 16 # of a snapshot
# Each instruction set; libraries that come and go, signal handlers, code of pointer authentication.
SNAPSHOTS = (
    "modules-a32-gcc-O2/armhf", "modules-t32-clang-O2/armhf", "modules-a64-gcc-O2-pac/arm64",
    "signals-a32-gcc-O2/armhf", "signals-a64-gcc-O2-pac/arm64", "recurse-t32-clang-Os/arm64",
    "interwork-mixed-gcc-O2/arm64", "dynamic-a32-clang-Os/arm64",
    "modules-rv64-gcc-O2/riscv64", "signals-rv64-gcc-O2/riscv64",
)


class Reader(snapdump.Reader):
    """As it is, but the code is kept."""

    def code(self, fields):
        record = super().code(snapdump.Fields(fields.data))
        record["code"] = fields.data[16:]
        fields.pos = len(fields.data)
        return record


def moments(path):
    """(machine, process, maps, code, sample) for each sample of a snapshot, in order."""
    with open(path, "rb") as stream:
        reader = Reader(stream, stacks=True)
        machine = reader.header()["machine"]
        process, maps, code = None, {}, {}
        for record in reader.records():
            if record["type"] == "process":
                process, maps, code = record, {}, {}
            elif record["type"] == "map":
                maps[record["start"]] = record
            elif record["type"] == "unmap":
                maps = {start: item for start, item in maps.items()
                        if item["end"] <= record["start"] or start >= record["end"]}
            elif record["type"] == "code":
                code[record["start"]] = record["code"]
            elif record["type"] == "sample":
                yield machine, process, dict(maps), code, record


def first_page(case, directory, item):
    """Of the file of a mapping, where it begins with the file's beginning."""
    name = os.path.basename(item["path"])
    candidates = [os.path.join(directory, name)]
    candidates += [path for path in cases.libraries(case) if os.path.basename(path) == name]
    if item["file_off"] == 0:
        for path in filter(os.path.exists, candidates):
            with open(path, "rb") as file:
                return file.read(corefile.PAGE)
    return b""


def make_core(case, directory, moment):
    machine, process, maps, code, sample = moment
    core = corefile.Core(machine)
    core.thread(sample["tid"], 11, corefile.in_kernels_order(machine, sample["regs"]))
    core.info(process["pid"], b"program")
    vdso = [item["start"] for item in maps.values() if item["kind"] == VDSO]
    core.auxv(page=process["page"], vdso=vdso[0] if vdso else 0)
    core.files([(item["start"], item["end"], item["file_off"], item["path"].encode())
                for _, item in sorted(maps.items()) if item["kind"] == FILE])
    if process["pac"]:
        core.pac_mask(process["pac"])
    segments = []
    for item in maps.values():
        data = code.get(item["start"], b"") if item["kind"] == VDSO else b""
        if item["kind"] == FILE:
            data = first_page(case, directory, item)
        segments.append((item["start"], item["end"], corefile.RX, data))
    for region in sample["regions"]:
        segments.append((region["start"], region["map_end"], corefile.RW,
                         bytes.fromhex(region["bytes"])))
    for segment in sorted(segments):
        core.load(*segment)
    return core.file()


def shown(sample):
    """What is to be equal."""
    frames = [(frame["pc"], frame.get("vaddr"), frame.get("module"), frame["trust"])
              for frame in sample["frames"]]
    return frames, sample["stop"]


def compare(cgunwind, case, directory, snapshot, work):
    """(number of chains that are the same, what is wrong)"""
    samples = [sample for sample in cases.unwind(cgunwind, case, directory, snapshot)
               if not sample.get("repeat")]
    if cases.missing_libraries(samples):
        known.skip("%s: the libraries are not those of the capture" % case.name)
    same, failures = 0, []
    path = os.path.join(work, "core")
    for moment, sample in list(zip(moments(snapshot), samples, strict=True))[:SAMPLES_MAX]:
        with open(path, "wb") as file:
            file.write(make_core(case, directory, moment))
        found = cases.unwind(cgunwind, case, directory, path)
        if len(found) != 1 or found[0].get("signal") != 11:
            failures.append("%s: not one sample with its signal" % case.name)
        elif shown(found[0]) != shown(sample):
            failures.append("%s: %s instead of %s" % (case.name, shown(found[0]), shown(sample)))
        else:
            same += 1
    return same, failures


def test(tools):
    by_name = {case.name: case for case in cases.all_cases()}
    cgunwind = os.path.join(tools, "cgunwind")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-core-corpus-") as work:
        for name in SNAPSHOTS:
            case = by_name[os.path.dirname(name)]
            directory = os.path.join(cases.HERE, "cases", case.name)
            snapshot = os.path.join(cases.HERE, "cases", name + ".snap")
            same, wrong = compare(cgunwind, case, directory, snapshot, work)
            print("%s: %d chains from cores as from the snapshot" % (name, same))
            if same + len(wrong) < 5:
                failures.append(name + ": too few samples")
            failures += wrong
    return failures


if __name__ == "__main__":
    known.main(test)
