#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of Arm's exception tables beside `readelf -u`, and beside .debug_frame where a file has both.

usage: exidx_readelf.py BUILD-DIRECTORY [ELF...]

The instructions that readelf prints are run here, and every register's place is compared with that in our row; the same
entries have to be there, with the same ranges. readelf leaves out the instructions of an entry whose personality routine it
cannot name: of those only the range is compared. Then, in programs compiled for the purpose, CFA and return address at each
call are compared with those of .debug_frame. Without files: the cross libraries libstdc++ and libgcc_s, and the programs.
Exit status: 0 all agree, 1 some differ, 77 nothing to compare with.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from known import Failure, check_run, skip

LIBRARIES = "/usr/arm-linux-gnueabihf/lib/"
FILES = {"libstdc++6-armhf-cross": LIBRARIES + "libstdc++.so.6",
         "libgcc-s1-armhf-cross": LIBRARIES + "libgcc_s.so.1"}
CROSS = "arm-linux-gnueabihf-"
SHOWN = 10  # differences printed for each file

SECTION = re.compile(r"Unwind section '.*' at offset 0x[0-9a-f]+ contains (\d+) entr")
ENTRY = re.compile(r"0x([0-9a-f]+)(?: <[^>]*>)?: (0x1 \[cantunwind\]|0x[0-9a-f]+|@0x[0-9a-f]+)$")
INSTRUCTION = re.compile(r"  ((?:0x[0-9a-f]{2} )+) *(.*)$")
PLACE = re.compile(r"(\w+?)([+-]\d+)$")
REGISTERS = {"r%d" % n: "r%d" % n for n in range(13)} | {"r13": "sp", "r14": "lr", "r15": "pc"}

# Calls with frames of every kind: saved registers, large and dynamic frames, variable arguments, floating-point registers.
PROGRAM = r"""
#include <cstdarg>
#include <cstdio>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

volatile int sink;
__attribute__((noinline)) int leaf(const char *text) { return sink += text[0]; }
__attribute__((noinline)) int large(int n)
{
    char text[5000];
    snprintf(text, sizeof(text), "%d", n);
    return leaf(text) + n;
}
__attribute__((noinline)) int dynamic(int n)
{
    char *text = static_cast<char *>(__builtin_alloca(n + 1));
    snprintf(text, n, "%d", n);
    return leaf(text) + large(n);
}
__attribute__((noinline)) int variable(const char *format, ...)
{
    char text[100];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    return leaf(text) + dynamic(text[0]);
}
__attribute__((noinline)) double floats(double a, double b, double c)
{
    double sum = a * large(1) + b * large(2);
    return sum + c * variable("%f %f", sum, a) - b;
}
struct thing {
    std::vector<int> numbers;
    std::map<std::string, int> names;
    virtual ~thing() {}
    virtual int work(int n)
    {
        if (n < 0)
            throw std::runtime_error("negative " + std::to_string(n));
        for (int i = 0; i < n; i++) {
            numbers.push_back(large(i));
            names[std::to_string(i)] += i;
        }
        return static_cast<int>(floats(n, numbers.size(), names.size()));
    }
};
int main(int argc, char **argv)
{
    thing t;
    try {
        for (int i = argc; i > -2; i--)
            std::cout << t.work(i) << '\n';
    } catch (const std::exception &e) {
        std::cout << e.what() << '\n';
    }
    return t.numbers.size() == 3;
}
"""


class Frame:
    """Where a row has things: a place is (base, offset), the base a register's value at entry or "[place]"."""

    def __init__(self, cfa, places, ra):
        self.cfa, self.places, self.ra = cfa, places, ra

    def __eq__(self, other):
        return (self.cfa, self.places, self.ra) == (other.cfa, other.places, other.ra)

    def __str__(self):
        show = lambda place: "%s%+d" % place if place else "same"
        saved = " ".join("%s@%s" % (reg, show(self.places[reg])) for reg in sorted(self.places))
        return "cfa=%s ra=%s %s" % (show(self.cfa), show(self.ra), saved)


class Entry:
    def __init__(self, start, cantunwind):
        self.start, self.end, self.cantunwind = start, start, cantunwind
        self.instructions = []
        self.named = True  # readelf knows where the instructions are


def run_instructions(instructions):
    """A Frame by what readelf printed; None where it refuses."""
    vsp, places = ("sp", 0), {}

    def pop(registers, size=4):
        nonlocal vsp
        loaded = None
        for register in registers:
            if size == 4 and register in REGISTERS:
                places[REGISTERS[register]] = vsp
                loaded = vsp if register == "r13" else loaded
            vsp = (vsp[0], vsp[1] + size)
        if loaded:
            del places["sp"]
            vsp = ("[%s%+d]" % loaded, 0)

    for code, text in instructions:
        words = text.split()
        if text == "finish":
            break
        if text == "Refuse to unwind":
            return None
        if text.startswith("vsp = vsp "):
            vsp = (vsp[0], vsp[1] + int(words[3] + words[4]))
        elif text.startswith("vsp = r"):
            place = places.get(REGISTERS[words[2]])
            vsp = ("[%s%+d]" % place if place else words[2], 0)
        elif text.startswith("pop {r"):
            pop(text[5:-1].split(", "))
        elif text.startswith("pop {D"):
            ends = [int(name[1:]) for name in re.split(r"[-,] ?", text[5:-1])]
            pop(["D"] * (ends[-1] - ends[0] + 1), 8)
            if code[0] == 0xb3 or 0xb8 <= code[0] <= 0xbf:  # FSTMFDX's word of format
                vsp = (vsp[0], vsp[1] + 4)
        else:
            raise Failure("this evaluator does not know readelf's: " + text)
    return Frame(vsp, places, places.pop("pc", None) or places.get("lr"))


def code_sections(path):
    """(start, end) of each executable section."""
    sections = []
    for line in check_run(["readelf", "-SW", path]).splitlines():
        field = line.partition("]")[2].split()
        if len(field) >= 10 and "X" in field[6] and "A" in field[6]:
            start = int(field[2], 16)
            sections.append((start, start + int(field[4], 16)))
    return sorted(sections)


def readelf_entries(path):
    entries, entry, count = [], None, None
    # It also complains of places it has no symbol for.
    text = subprocess.run(["readelf", "-uW", path], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        section, start, code = SECTION.match(line), ENTRY.match(line), INSTRUCTION.match(line)
        if section:
            count = int(section[1])
        elif start:
            entry = Entry(int(start[1], 16) & ~1, start[2].endswith("[cantunwind]"))
            entries.append(entry)
        elif code:
            entry.instructions.append(([int(byte, 16) for byte in code[1].split()], code[2].strip()))
        elif "Personality routine" in line:
            entry.named = "_personality_v0>" in line
        elif line.strip() and "Compact model" not in line:
            raise Failure("cannot read this line of readelf's: " + line)
    if count != len(entries):
        raise Failure("%s: readelf tells of %s entries and shows %d" % (path, count, len(entries)))
    set_ends(entries, code_sections(path))
    return entries


def set_ends(entries, sections):
    """An entry ends where the next begins, or its section does. One outside of code holds nothing."""
    for i, entry in enumerate(entries):
        for start, end in sections:
            if start <= entry.start < end:
                entry.end = min([end] + [other.start for other in entries[i + 1:i + 2]])


def parse_place(text, cfa):
    match = PLACE.match(text.strip("[]"))
    if not match:
        raise Failure("cannot read this place of cgrules: " + text)
    base, offset = (cfa[0], cfa[1] + int(match[2])) if match[1] == "c" else (match[1], int(match[2]))
    return base, offset


def our_frames(cgrules, path):
    """{start: (end, Frame)}"""
    rows = {}
    for line in check_run([cgrules, "--method", "exidx", path]).splitlines():
        start, end, cfa, *rules = [word for word in line.split() if word != "signal-frame"]
        base, offset = re.match(r"(\[.*\]|[a-z]+\d*)([+-]\d+)$", cfa).groups()
        cfa = base, int(offset)
        rules = dict(rule.split("=") for rule in rules)
        ra = rules.pop("ra")
        if int(start, 16) in rows:
            raise Failure("two rows at " + start)
        places = {name: parse_place(rule, cfa) for name, rule in rules.items()}
        rows[int(start, 16)] = int(end, 16), Frame(cfa, places, None if ra == "s" else parse_place(ra, cfa))
    return rows


def compare_entry(entry, row):
    """What differs, or None. cgrules does not print where lr is: the return address says it."""
    if entry.cantunwind or entry.start == entry.end:
        return "we have a row where readelf has none" if row else None
    frame = run_instructions(entry.instructions) if entry.named else None
    if row is None:
        return "we have no row" if frame or not entry.named else None
    if row[0] != entry.end:
        return "we end it at %#x, not %#x" % (row[0], entry.end)
    if not entry.named:
        return None
    if frame is None:
        return "we have a row where readelf refuses"
    frame.places.pop("lr", None)
    return None if frame == row[1] else "readelf: %s, we: %s" % (frame, row[1])


def compare_with_readelf(cgrules, path):
    rows = our_frames(cgrules, path)
    entries = readelf_entries(path)
    compared = [entry for entry in entries if entry.named and not entry.cantunwind and entry.start < entry.end]
    different = []
    for entry in entries:
        # Of entries with one start only the last has code.
        row = rows.pop(entry.start, None) if entry.start < entry.end else None
        what = compare_entry(entry, row)
        if what:
            different.append("%#x: %s" % (entry.start, what))
    different += ["%#x: a row of ours where readelf has no entry" % start for start in rows]
    for line in different[:SHOWN]:
        print("%s: %s" % (path, line))
    print("%s: %d entries, of %d the instructions, %d differences"
          % (path, len(entries), len(compared), len(different)))
    return len(compared) > 0 and not different


def answers(cgrules, method, path, pcs):
    done = subprocess.run([cgrules, "--method", method, "--pcs", "-", path], input="".join("%x\n" % pc for pc in pcs),
                          stdout=subprocess.PIPE, text=True, check=True)
    return [line.split()[1:] for line in done.stdout.splitlines()]


CALL = re.compile(r"^ *([0-9a-f]+):\t[0-9a-f ]+\tblx?\t")


def compare_with_cfi(cgrules, path):
    """CFA and return address at each call that .debug_frame knows. Gives the registers that the CFAs count from."""
    disassembly = check_run([CROSS + "objdump", "-d", "-w", path])
    pcs = [int(match[1], 16) for match in map(CALL.match, disassembly.splitlines()) if match]
    different = without = same = 0
    bases = set()
    for pc, cfi, exidx in zip(pcs, answers(cgrules, "debug_frame", path, pcs), answers(cgrules, "exidx", path, pcs)):
        if cfi[0] == "-":
            continue
        if exidx[0] == "-":
            without += 1
        elif cfi == exidx:
            same += 1
            bases.add(exidx[0])
        else:
            different += 1
            if different <= SHOWN:
                print("%s: %#x: .debug_frame: %s, we: %s" % (path, pc, " ".join(cfi), " ".join(exidx)))
    print("%s: %d calls, %d as in .debug_frame, %d not, %d without a row" %
          (path, len(pcs), same, different, without))
    if same < 40 or different or without:
        raise Failure("%s: exidx and .debug_frame differ" % path)
    return bases


def compile_programs(directory):
    """One file for each way of compiling."""
    source = os.path.join(directory, "program.cc")
    with open(source, "w") as file:
        file.write(PROGRAM)
    for name, flags in (("O2", ["-O2"]), ("O0", ["-O0"]), ("O2-arm", ["-O2", "-marm"]),
                        ("O2-frame-pointer", ["-O2", "-marm", "-fno-omit-frame-pointer"]),
                        ("Os-static", ["-Os", "-static"])):
        path = os.path.join(directory, name)
        # Without -funwind-tables functions that cannot throw are marked "cannot be unwound".
        check_run([CROSS + "g++", "-g", "-funwind-tables", *flags, source, "-o", path])
        yield path


def check(cgrules, files):
    """Whether all that is here agrees."""
    compiled = not files and shutil.which(CROSS + "g++")
    files = files or [path for path in FILES.values() if os.path.exists(path)]
    good = [compare_with_readelf(cgrules, path) for path in files]
    if compiled:
        bases = set()
        with tempfile.TemporaryDirectory() as directory:
            for path in compile_programs(directory):
                good.append(compare_with_readelf(cgrules, path))
                bases |= compare_with_cfi(cgrules, path)
        if bases != {"sp", "r7", "r11"}:
            raise Failure("the programs have frames by %s only" % ", ".join(sorted(bases)))
    return all(good)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: exidx_readelf.py BUILD-DIRECTORY [ELF...]")
    cgrules = os.path.join(sys.argv[1], "cgrules")
    if not os.access(cgrules, os.X_OK):
        sys.exit("exidx_readelf: no %s: build first" % cgrules)
    if not shutil.which("readelf"):
        skip("readelf is not installed")
    missing = []
    if not sys.argv[2:]:
        missing = [package for package, path in FILES.items() if not os.path.exists(path)]
        missing += [] if shutil.which(CROSS + "g++") else ["g++-arm-linux-gnueabihf"]
    try:
        good = check(cgrules, sys.argv[2:])
    except Failure as failure:
        print("FAILED: %s" % failure)
        good = False
    if good and missing:
        skip("not installed: " + " ".join(missing))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
