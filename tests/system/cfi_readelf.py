#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CFI rows beside those of `readelf -wF`: every row of real files' .eh_frame, CFA, return address and callee-saved registers.

usage: cfi_readelf.py BUILD-DIRECTORY [ELF...]

Without files: libc, libstdc++, bash and python3, as far as they are there (libc must be). A row of either side is compared
with the one the other side has at its first address. Exit status: 0 all agree, 1 some differ, 77 nothing to compare with.
"""

import bisect
import os
import re
import shutil
import subprocess
import sys

CALLEE_SAVED = ("rbx", "rbp", "r12", "r13", "r14", "r15")
LIBRARIES = "/usr/lib/x86_64-linux-gnu/"
FILES = (LIBRARIES + "libc.so.6", LIBRARIES + "libstdc++.so.6", "/bin/bash", "/usr/bin/python3")
SHOWN = 10  # differences printed for each file

FDE = re.compile(r"^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)")
CIE = re.compile(r"^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ (CIE|ZERO)")
ROW = re.compile(r"^([0-9a-f]{16}) (\S+)\s*(.*)$")
# DW_CFA_register is shown as number and name: "r1 (rdx)".
IN_REGISTER = re.compile(r"\br\d+ \((\w+)\)")
# readelf shows "u" for a register that has no rule yet as well as for one that is undefined.
NO_RULE = ("u", "s", "")


class Row:
    def __init__(self, cfa, registers):
        self.cfa = cfa
        self.rules = {}
        for name in CALLEE_SAVED + ("ra",):
            rule = registers.get(name, "")
            self.rules[name] = "" if rule in NO_RULE else rule

    def __eq__(self, other):
        return self.cfa == other.cfa and self.rules == other.rules

    def __str__(self):
        return " ".join([self.cfa] + ["%s=%s" % rule for rule in self.rules.items() if rule[1]])


def readelf_functions(path):
    """The functions of .eh_frame by readelf: {start: (end, {address: row})}."""
    out = subprocess.run(["readelf", "-W", "--debug-dump=frames-interp,no-follow-links", path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    functions, rows, columns, start, end, inside = {}, None, [], 0, 0, False
    for line in out.splitlines():
        if line.startswith("Contents of the "):
            rows, inside = None, ".eh_frame " in line
        match = inside and FDE.match(line)
        if match:
            start, end = int(match[1], 16), int(match[2], 16)
            rows = {}
            # Of two FDEs with one start the longest counts, of equal ones the first.
            if start and start < end and (start not in functions or functions[start][0] < end):
                functions[start] = (end, rows)
            continue
        if CIE.match(line):
            rows = None
        if "LOC" in line and "CFA" in line:
            columns = line.split()[2:]
            continue
        match = ROW.match(line)
        if match and rows is not None:
            address = int(match[1], 16)
            values = IN_REGISTER.sub(r"\1", match[3]).split()
            if len(values) != len(columns):
                sys.exit("cfi_readelf: cannot read this line of readelf's: " + line)
            if start <= address < end:
                rows[address] = Row(match[2], dict(zip(columns, values)))
    return functions


def our_rows(cgrules, path):
    """[(start, end, row)] in the order of cgrules."""
    out = subprocess.run([cgrules, "--method", "eh_frame", path], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    rows = []
    for line in out.splitlines():
        start, end, cfa, *rules = line.split()
        rows.append((int(start, 16), int(end, 16), Row(cfa, dict(r.split("=") for r in rules if "=" in r))))
    return rows


def by_function(rows, functions):
    """Our rows of each of readelf's functions: a row belongs to the function that begins nearest before it."""
    starts = sorted(functions)
    ours = {}
    for row in rows:
        index = bisect.bisect_right(starts, row[0]) - 1
        while index >= 0 and functions[starts[index]][0] <= row[0]:
            index -= 1
        ours.setdefault(starts[index] if index >= 0 else None, []).append(row)
    return ours


def compare_function(start, end, theirs, ours):
    """Yields (address, what differs)."""
    position = start
    for row_start, row_end, _ in ours:
        if row_start != position:
            yield position, "a gap or an overlap in our rows up to %#x" % row_start
        position = row_end
    if position != end:
        yield position, "our rows do not reach the end %#x" % end
    addresses = sorted(theirs)
    for address in addresses:
        for row_start, row_end, row in ours:
            if row_start <= address < row_end and row != theirs[address]:
                yield address, "readelf: %s, we: %s" % (theirs[address], row)
    for row_start, _, row in ours:
        index = bisect.bisect_right(addresses, row_start) - 1
        if index >= 0 and theirs[addresses[index]] != row:
            yield row_start, "readelf: %s, we: %s" % (theirs[addresses[index]], row)


def compare_file(cgrules, path):
    functions = readelf_functions(path)
    ours = by_function(our_rows(cgrules, path), functions)
    count, different = 0, []
    for row in ours.pop(None, []):
        different.append((row[0], "a row of ours where readelf has no function"))
    for start, (end, theirs) in sorted(functions.items()):
        count += max(1, len(theirs))
        different += compare_function(start, end, theirs, ours.get(start, []))
    for address, what in different[:SHOWN]:
        print("%s: %#x: %s" % (path, address, what))
    print("%s: %d functions, %d rows, %d differences" % (path, len(functions), count, len(different)))
    return count > 0 and not different


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: cfi_readelf.py BUILD-DIRECTORY [ELF...]")
    cgrules = os.path.join(sys.argv[1], "cgrules")
    files = sys.argv[2:] or [path for path in FILES if os.path.exists(path)]
    if not shutil.which("readelf"):
        print("skipped: readelf is not installed")
        sys.exit(77)
    if not os.access(cgrules, os.X_OK):
        sys.exit("cfi_readelf: no %s: build first" % cgrules)
    if not sys.argv[2:] and FILES[0] not in files:
        print("skipped: there is no %s" % FILES[0])
        sys.exit(77)
    sys.exit(0 if all([compare_file(cgrules, path) for path in files]) else 1)


if __name__ == "__main__":
    main()
