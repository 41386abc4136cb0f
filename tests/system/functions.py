#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgrules --functions beside the FDEs and symbols that readelf shows.

usage: functions.py BUILD-DIRECTORY

With tables and symbols every function that these tell of must be there. With --code-only, as many as the floors say, and a file
and its stripped copy must be the same. Instruction sets are compared where a cross compiler for Arm is installed.
"""

import bisect
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import known
from cfi_readelf import readelf_functions

LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
# Of the starts that FDEs tell of, and of those found: a little below what is reached.
RECALL, PRECISION = 0.95, 0.90
LINE = re.compile(r"^([0-9a-f]{8}|[0-9a-f]{16}) (\d+) (A32|T32|-) ([a-z-]+) (\S+)$")
ORIGINS = {"fde", "exidx", "gopclntab", "symtab", "dynsym", "debug-file", "mini-debuginfo", "entry", "init", "call", "jump",
           "pointer", "constant", "pattern", "gap", "fragment"}
CROSS = "arm-linux-gnueabihf-gcc"
SOURCE = """
int other(int n);
__attribute__((noinline, target("arm"))) int in_a32(int n) { return other(n) + 1; }
__attribute__((noinline, target("thumb"))) int in_t32(int n) { return other(n) + 2; }
"""


def functions(cgrules, path, *options):
    """{start: (size, mode, origin, name)}"""
    found, last_end = {}, 0
    for line in known.check_run([cgrules, "--functions", *options, path]).splitlines():
        match = LINE.match(line)
        if not match or match[4] not in ORIGINS:
            raise known.Failure("not a line as documented: " + line)
        start, size = int(match[1], 16), int(match[2])
        if start < last_end or size == 0:
            raise known.Failure("not ascending and disjoint: " + line)
        last_end = start + size
        found[start] = (size, match[3], match[4], match[5])
    return found


def symbols(path):
    """{address: {name, …}} of functions with a size."""
    found = {}
    for line in known.check_run(["readelf", "-sW", path]).splitlines():
        field = line.split()
        if len(field) >= 8 and field[3] == "FUNC" and field[6] != "UND" and field[2] != "0":
            found.setdefault(int(field[1], 16), set()).add(known.without_version(field[7]))
    return found


def plts(path):
    sections = []
    for line in known.check_run(["readelf", "-SW", path]).splitlines():
        field = line.partition("]")[2].split()
        if len(field) > 5 and field[0].startswith(".plt"):
            sections.append((int(field[2], 16), int(field[2], 16) + int(field[4], 16)))
    return sections


def fde_starts(path):
    """Starts of FDEs that begin as functions do."""
    stubs = plts(path)
    for start, (_, rows) in readelf_functions(path).items():
        first = rows.get(start)
        if (first is None or first.cfa == "rsp+8") and not any(low <= start < high for low, high in stubs):
            yield start


def check_with_tables(cgrules, path):
    found = functions(cgrules, path)
    names = symbols(path)
    expected = set(fde_starts(path))
    missing = sorted(expected - set(found))
    print("%s: %d functions, %d FDEs, %d symbols" % (path, len(found), len(expected), len(names)))
    if missing:
        yield "%s: of %d FDEs %d are not there: %#x" % (path, len(expected), len(missing), missing[0])
    for start, (_, mode, _, name) in found.items():
        if mode != "-":
            yield "%s: %#x: mode %s" % (path, start, mode)
        if start in names and name not in names[start]:
            yield "%s: %#x: named %s, not %s" % (path, start, name, "/".join(sorted(names[start])))


def check_code_only(cgrules, path):
    found = functions(cgrules, path, "--code-only")
    expected = set(fde_starts(path))
    extents = sorted((start, end) for start, (end, _) in readelf_functions(path).items())
    right = judged = 0
    for start, (_, _, origin, _) in found.items():
        index = bisect.bisect_right(extents, (start, 1 << 64)) - 1
        if origin != "fragment" and index >= 0 and start < extents[index][1]:
            judged += 1
            right += start in expected
    recall, precision = right / len(expected), right / judged
    print("%s by its code: recall %.2f%%, precision %.2f%%" % (path, 100 * recall, 100 * precision))
    if recall < RECALL or precision < PRECISION:
        yield "%s by its code: recall %.4f, precision %.4f" % (path, recall, precision)


def check_stripped(cgrules, path, directory):
    stripped = os.path.join(directory, "stripped")
    known.check_run(["strip", "-s", "-R", ".eh_frame", "-R", ".eh_frame_hdr", "-o", stripped, path])
    whole, bare = functions(cgrules, path, "--code-only"), functions(cgrules, stripped, "--code-only")
    if any(function[3] != "-" for function in whole.values()):
        yield "--code-only shows names"
    if whole != bare:
        different = sorted(set(whole.items()) ^ set(bare.items()))
        yield "--code-only: a file and its stripped copy differ, %d lines: %#x %s" % (
            len(different), different[0][0], different[0][1])
    rows = [known.check_run([cgrules, "-m", "prologue", "--code-only", file]) for file in (path, stripped)]
    if rows[0] != rows[1]:
        yield "--code-only: the rows of a file and of its stripped copy differ"
    if rows[0] != known.check_run([cgrules, "--code-only", path]):
        yield "--code-only does not mean prologue analysis"


def check_modes(cgrules, directory):
    if shutil.which(CROSS) is None:
        print("modes not compared: %s not found" % CROSS)
        return
    source, library = os.path.join(directory, "modes.c"), os.path.join(directory, "modes.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    known.check_run([CROSS, "-O2", "-shared", "-nostdlib", "-fPIC", source, "-o", library])
    modes = {name: mode for _, mode, _, name in functions(cgrules, library).values()}
    if (modes.get("in_a32"), modes.get("in_t32")) != ("A32", "T32"):
        yield "modes: %s" % modes


def test(tools):
    known.need("readelf", "strip")
    cgrules = os.path.join(tools, "cgrules")
    program = os.path.join(tools, "cgunwind")
    failures = list(check_with_tables(cgrules, program))
    if os.path.exists(LIBC):
        failures += check_with_tables(cgrules, LIBC)
        failures += check_code_only(cgrules, LIBC)
    with tempfile.TemporaryDirectory() as directory:
        failures += check_stripped(cgrules, program, directory)
        failures += check_modes(cgrules, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
