#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two builds of cgunwind write the same bytes.

usage: same_bytes.py BUILD-DIRECTORY OTHER-DIRECTORY [PART-OF-INPUTS-NAME]

OTHER-DIRECTORY has a cgunwind that may be of another host, or a script that runs it in an emulator. Inputs are snapshots of the corpus,
the seeds of the fuzz targets that are whole files, of which many are damaged, and what is made here of a program with threads and locks:
a snapshot, a core, a perf.data, and both of the latter with a gap of 3 GiB in the file. What is on standard output and on standard error has to be the same, and the exit status.
"""

import base64
import concurrent.futures
import glob
import gzip
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests", "system"), os.path.join(ROOT, "corpus")]
import cases
import known

FORMATS = ("tree", "top", "chains", "folded", "json", "pprof", "callgrind", "html", "dot")
OF_THREADS = ("waits", "threads", "stats", "timeline-svg", "chrome")
CASES = ("signals-rv64-gcc-O2", "threads-a32-gcc-O2", "threads-a64-gcc-O2-pac", "throw-t32-clang-Os")
SEEDS = (("fuzz_reader", 1, ("chains", "json")), ("fuzz_core", 1, ("chains", "json")), ("fuzz_perf", 1, ("chains", "json")),
         ("fuzz_pprof", 0, ("tree", "pprof")), ("fuzz_zephyr", 0, ("chains", "json")))
PAGE_DATA = re.compile(rb'(?<=id="data">)([^<]+)')
PICTURE = re.compile(rb'"svg":\[(\d+),(\d+),\d+,"text"\]')
NO_PICTURE = re.compile(rb'"svg_problem":"(?:[^"\\]|\\.)*",')
GAP = 3 << 30
PERF_AUXTRACE, AUXTRACE_SIZE = 71, 48
# Options that tell more: of frames, of variables, of rarer choices.
WITH = {"chains": ["--variables"], "tree": ["--by", "line"], "json": ["--variables"]}


def copy_with_gap(source, target, size, pieces):
    """A sparse file of this size; `pieces`: (offset in the source, size, offset in the target)."""
    with open(source, "rb") as old, open(target, "wb") as new:
        for off, length, to in pieces:
            old.seek(off)
            new.seek(to)
            new.write(old.read(length))
        new.truncate(size)


def core_with_gap(core, target):
    """All that its program headers lead to lies further back."""
    with open(core, "rb") as file:
        head = bytearray(file.read(1 << 20))
    size = os.path.getsize(core)
    phoff, = struct.unpack_from("<Q", head, 32)
    phentsize, phnum = struct.unpack_from("<HH", head, 54)
    segments = {at: struct.unpack_from("<Q", head, at + 8)[0] for at in range(phoff, phoff + phentsize * phnum, phentsize)}
    first = min(off for off in segments.values() if off > 0)
    copy_with_gap(core, target, size + GAP, [(0, first, 0), (first, size - first, first + GAP)])
    with open(target, "r+b") as file:
        for at, off in segments.items():
            file.seek(at + 8)
            file.write(struct.pack("<Q", off + GAP))


def perf_with_gap(perf, target):
    """Halfway a record of an event that is passed over, AUXTRACE, has the gap behind it."""
    with open(perf, "rb") as file:
        data = file.read()
    data_off, data_size = struct.unpack_from("<QQ", data, 40)
    features = int.from_bytes(data[72:104], "little")
    at, end = data_off, data_off + data_size
    while at < data_off + data_size // 2:
        at += struct.unpack_from("<H", data, at + 6)[0]
    shift = AUXTRACE_SIZE + GAP
    copy_with_gap(perf, target, len(data) + shift, [(0, at, 0), (at, len(data) - at, at + shift)])
    with open(target, "r+b") as file:
        file.seek(48)
        file.write(struct.pack("<Q", data_size + shift))
        file.seek(at)
        file.write(struct.pack("<IHHQ", PERF_AUXTRACE, 0, AUXTRACE_SIZE, GAP))
        for i in range(bin(features).count("1")):
            off, = struct.unpack_from("<Q", data, end + 16 * i)
            file.seek(end + 16 * i + shift)
            file.write(struct.pack("<Q", off + shift))


def make_inputs(tools, directory):
    """{name: path} of what is made of a running program."""
    program = os.path.join(directory, "shop")
    known.check_run(["gcc", "-g", "-O2", "-pthread", "-o", program, os.path.join(ROOT, "docs/pictures/shop.c")])
    made = {name: os.path.join(directory, name) for name in ("snapshot", "core", "perf")}
    target = subprocess.Popen([program], stdout=subprocess.DEVNULL)
    try:
        known.check_run([tools + "/cgsnap", "-p", str(target.pid), "-d", "2", "-o", made["snapshot"]])
        known.check_run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "99", "--call-graph", "dwarf", "-o", made["perf"],
                         "-p", str(target.pid), "sleep", "2"])
        known.check_run(["gcore", "-o", os.path.join(directory, "gcore"), str(target.pid)])
    finally:
        target.kill()
        target.wait()
    os.rename(os.path.join(directory, "gcore.%d" % target.pid), made["core"])
    made["core-gap"] = os.path.join(directory, "core-gap")
    core_with_gap(made["core"], made["core-gap"])
    made["perf-gap"] = os.path.join(directory, "perf-gap")
    perf_with_gap(made["perf"], made["perf-gap"])
    return made


def runs_of_made(tools, directory):
    """(name, options, path) for each run with what is made here."""
    for name, path in make_inputs(tools, directory).items():
        for form in FORMATS + (OF_THREADS if name == "snapshot" else ()):
            yield name, ["-f", form], path
            if form in WITH:
                yield name, ["-f", form, *WITH[form]], path


def runs_of_corpus():
    """The same of snapshots of the corpus."""
    for case in cases.all_cases():
        if case.name not in CASES:
            continue
        directory = os.path.join(ROOT, "corpus", "cases", case.name)
        files = [os.path.join(directory, "program"), *filter(os.path.exists, cases.libraries(case))]
        elf = [option for path in files for option in ("-e", path)]
        for path in sorted(glob.glob(os.path.join(directory, "*.snap"))):
            for form in FORMATS + OF_THREADS:
                yield case.name, ["-f", form, *elf], path


def runs_of_seeds(directory):
    """The same of files that are small, and damaged in many ways. The first byte of most tells the fuzz target what to do with it."""
    for target, begin, forms in SEEDS:
        for seed in sorted(glob.glob(os.path.join(ROOT, "tests/fuzz/seeds", target, "*"))):
            path = os.path.join(directory, target + "-" + os.path.basename(seed))
            with open(seed, "rb") as old, open(path, "wb") as new:
                new.write(old.read()[begin:])
            for form in forms:
                yield target, ["-f", form], path


def without_picture(data):
    """Of a page's data (docs/formats/page.md): a picture is Graphviz's, which differs by its version and fonts, and may not be there."""
    data = gzip.decompress(base64.b64decode(data))
    size, = struct.unpack_from("<I", data)
    head, columns = data[4:4 + size], data[4 + size:]
    found = PICTURE.search(head)
    if found:
        begin, length = int(found[1]), int(found[2])
        head, columns = head.replace(b"," + found[0], b""), columns[:begin] + columns[begin + length:]
    return NO_PICTURE.sub(b"", head) + columns


def written(directory, options, path, **environment):
    done = known.run([os.path.join(directory, "cgunwind"), "-j", "1", "--no-cache", *options, path],
                     env={**os.environ, "LC_ALL": "C", **environment})
    out = re.sub(rb'("(?:unwind|symbolize)_ns": ?)\d+', rb"\1", done.stdout)
    if "html" in options:
        out = PAGE_DATA.sub(lambda found: without_picture(found[1]), out)
    return done.returncode, out, done.stderr


def first_difference(one, other):
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    return "at byte %d: %r, not %r" % (at, other[max(0, at - 60):at + 60], one[max(0, at - 60):at + 60])


def compare(name, options, path, one, other):
    where = "%s %s %s" % (name, os.path.basename(path), " ".join(options))
    if one[0] != other[0]:
        return ["%s: exit status %d, not %d: %s" % (where, other[0], one[0], other[2].decode(errors="replace"))]
    return ["%s: %s %s" % (where, stream, first_difference(a, b))
            for stream, a, b in (("stdout", one[1], other[1]), ("stderr", one[2], other[2])) if a != b]


def check(runs, tools, others, **environment):
    """All differences. The environment is for the others."""
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        ours = pool.map(lambda run: written(tools, *run[1:]), runs)
        theirs = pool.map(lambda run: written(others, *run[1:], **environment), runs)
        for run, one, other in zip(runs, ours, theirs):
            wrong += compare(*run, one, other)
    return wrong


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    known.need("gcc", "gcore", "perf")
    with tempfile.TemporaryDirectory() as directory:
        runs = [*runs_of_made(sys.argv[1], directory), *runs_of_corpus(), *runs_of_seeds(directory)]
        runs = [run for run in runs if "".join(sys.argv[3:]) in run[0]]
        wrong = check(runs, sys.argv[1], sys.argv[2])
    for line in wrong[:40]:
        print("FAIL " + line)
    print("%d of %d outputs differ" % (len(wrong), len(runs)))
    sys.exit(1 if wrong or not runs else 0)


if __name__ == "__main__":
    main()
