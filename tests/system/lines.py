#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions, lines and inlined functions against other tools, for every byte of code.

usage: lines.py SYMTOOL SOURCE WORK-DIRECTORY

Builds SOURCE with gcc and clang for DWARF 2 to 5 and asks SYMTOOL and addr2line about every address of
.text. addr2line (binutils 2.40) loses inlined functions where clang writes DW_FORM_rnglistx, so the
answers for clang's DWARF 5 must be those for its DWARF 4, which is of the same code. Then the file
is stripped and its debug file found by .gnu_debuglink and by build-id: the same answers. With split
DWARF 4 and 5 two sources have the answers that they have without, from .dwo files where the compiler
wrote them and beside the program, and from packages; without these files, or with those of another
build, functions and lines of the program's own, which is told; damaged ones do no harm, and of those
that are cut no other function's name comes. At last function names of Debian's libc and ld.so against
eu-addr2line: elfutils's choice among symbols.
"""

import os
import random
import re
import shutil
import struct
import subprocess
import sys

# A second unit, whose parts of a package are not the first ones; `both` has two ranges.
OTHER = """
volatile int other_count;
static inline __attribute__((always_inline)) int add(int a) { other_count += a; return a * 3; }
static inline __attribute__((always_inline)) int both(int a)
{
    if (__builtin_expect(a > 1000, 0)) { other_count += add(a); __builtin_trap(); }
    return add(a) + add(a + other_count);
}
static int apart(int a) { other_count++; return both(a); }
int (*volatile other_hook)(int) = apart;
int other(int a) { return both(a) - other_hook(both(a + 1)); }
"""
ADDRESS = re.compile(r"^0x[0-9a-f]+$")
# What the symbol table says of a function and its DWARF does not.
CLONE = re.compile(r"\.(cold|part|constprop|isra)(\.\d+)?")
failed = 0


def verdict(good, what):
    global failed
    print("%s %s" % ("PASS" if good else "FAIL", what))
    failed += not good


def output(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=True,
                          timeout=120).stdout


def code_addresses(path, step):
    for line in output("readelf", "-SW", path).splitlines():
        match = re.match(r"\s*\[\s*\d+\]\s+\.text\s+PROGBITS\s+(\S+)\s+\S+\s+(\S+)", line)
        if match:
            start, size = int(match[1], 16), int(match[2], 16)
            return range(start, start + size, step)
    sys.exit("FAIL no .text in %s" % path)


def ask(command, addresses):
    """{address: [(function, file, line), …]}, innermost first; None for what is not known."""
    answers, rows = {}, None
    text = "".join("0x%x\n" % address for address in addresses)
    for line in output(*command, text=text).splitlines():
        if ADDRESS.match(line):
            rows = answers[int(line, 16)] = []
        else:
            rows.append(line)
    return {address: [frame(*pair) for pair in zip(rows[::2], rows[1::2])]
            for address, rows in answers.items()}


def frame(function, place):
    path, _, line = re.sub(r" \(discriminator \d+\)", "", place).rpartition(":")
    known = path != "??" and line not in ("?", "0")
    function = CLONE.sub("", function.split("@")[0])
    return (None if function == "??" else function, os.path.normpath(path) if known else None,
            int(line) if known else 0)


def functions(path):
    """The addresses that symbols say are a function's."""
    extents = re.findall(r"^(\w+) (\w+) [tT] ", output("nm", "-S", path), re.MULTILINE)
    return {address for start, size in extents for address in range(int(start, 16), int(start, 16) + int(size, 16))}


def is_padding(mine, frames):
    """addr2line names what is between two functions after the one before, we do not."""
    return len(mine) == 1 and len(frames) == 1 and mine[0][1:] == frames[0][1:] and not mine[0][0]


def compare(what, ours, theirs, inside):
    """`inside`: where they have to be the same; the rest may be padding."""
    wrong = ["%#x: %s instead of %s" % (address, ours[address], theirs[address])
             for address in theirs if ours[address] != theirs[address] and
             (address in inside or not is_padding(ours[address], theirs[address]))]
    inlined = sum(len(frames) > 1 for frames in theirs.values())
    good = not wrong and inlined > 20  # a test that compares nothing proves nothing
    verdict(good, "%s: %d addresses, %d with inlined functions" % (what, len(theirs), inlined))
    for line in wrong[:5]:
        print("    " + line)


def check_compiler(compiler, symtool, source, work):
    answers = {}
    for version in (2, 3, 4, 5):
        path = os.path.join(work, "%s-%d" % (compiler, version))
        output(compiler, "-O2", "-gdwarf-%d" % version, source, "-o", path)
        addresses = code_addresses(path, 1)
        answers[version] = ask([symtool, path], addresses)
        if compiler == "clang" and version == 5:
            compare("clang DWARF 5 and DWARF 4", answers[5], answers[4], functions(path))
        else:
            theirs = ask(["addr2line", "-a", "-i", "-f", "-e", path], addresses)
            compare("%s DWARF %d" % (compiler, version), answers[version], theirs, functions(path))


def build_id(path):
    return re.search(r"Build ID: (\w+)", output("readelf", "-n", path))[1]


def check_separate(symtool, source, work):
    path = os.path.join(work, "whole")
    stripped, debug = os.path.join(work, "stripped"), os.path.join(work, "stripped.debug")
    output("gcc", "-O2", "-g", source, "-o", path)
    addresses = code_addresses(path, 1)
    whole, inside = ask([symtool, path], addresses), functions(path)
    output("objcopy", "--only-keep-debug", path, debug)
    output("strip", "-o", stripped, path)
    output("objcopy", "--add-gnu-debuglink=" + debug, stripped)
    compare("stripped, debug file by link", ask([symtool, stripped], addresses), whole, inside)
    identity = build_id(path)
    place = os.path.join(work, "debug", ".build-id", identity[:2])
    os.makedirs(place)
    os.rename(debug, os.path.join(place, identity[2:] + ".debug"))
    directory = os.path.join(work, "debug")
    compare("stripped, debug file by build-id", ask([symtool, stripped, directory], addresses), whole, inside)
    output("objcopy", "--compress-debug-sections=zlib", path)
    compare("compressed sections", ask([symtool, path], addresses), whole, inside)


def build_split(compiler, options, source, work, place):
    """Objects and .dwo files in a folder of their own, which is where the compiler ran."""
    objects, program = os.path.join(work, place + "-objects"), os.path.join(work, place, "program")
    os.makedirs(objects, exist_ok=True)
    os.makedirs(os.path.dirname(program), exist_ok=True)
    shutil.copy(source, os.path.join(objects, "first.c"))
    with open(os.path.join(objects, "second.c"), "w") as file:
        file.write(OTHER)
    for unit in ("first", "second"):
        subprocess.run([compiler, "-O2", *options, "-c", unit + ".c"], cwd=objects, check=True)
    output(compiler, *(os.path.join(objects, unit + ".o") for unit in ("first", "second")), "-o", program)
    return program, [os.path.join(objects, unit + ".dwo") for unit in ("first", "second")]


def told_by(symtool, path, addresses):
    text = "".join("0x%x\n" % address for address in addresses)
    return subprocess.run([symtool, path], input=text, capture_output=True, text=True, errors="replace",
                          check=True, timeout=120).stderr


def check_absent(what, symtool, program, addresses, whole, message):
    """Symbols name functions, the skeletons' tables give lines; one message says what is not there."""
    told, ours = told_by(symtool, program, addresses), ask([symtool, program], addresses)
    wrong = ["%#x: %s instead of %s" % (address, ours[address], frames) for address, frames in whole.items()
             if ours[address] != [(frames[-1][0], *frames[0][1:])]]
    verdict(not wrong and re.fullmatch(message, told), "%s: %s" % (what, told.strip()))
    for line in wrong[:5]:
        print("    " + line)


def cut_sections(sound, chance):
    """The file with a smaller size of one section: of a file that is itself cut no section is found."""
    headers, = struct.unpack_from("<Q", sound, 0x28)
    size, count = struct.unpack_from("<HH", sound, 0x3a)
    for at in (headers + i * size + 0x20 for i in range(1, count)):
        whole, = struct.unpack_from("<Q", sound, at)
        for _ in range(8 if whole else 0):
            cut = bytearray(sound)
            struct.pack_into("<Q", cut, at, chance.randrange(whole))
            yield cut


def flip(sound, chance, count):
    flipped = bytearray(sound)
    for _ in range(count):
        flipped[chance.randrange(64, len(flipped))] = chance.choice((0, 1, 0x7f, 0xff, chance.randrange(256)))
    return flipped


def wrong_names(ours, whole):
    """Where the function is another one than with all sound, or what is inlined is of another one."""
    for address, frames in ours.items():
        names, known = [frame[0] for frame in frames], [frame[0] for frame in whole[address]]
        if names[-1] not in (known[-1], None) or not {*names} <= {*known, None}:
            yield "%#x: %s instead of %s" % (address, frames, whole[address])


def check_damaged(what, symtool, program, files, addresses, whole):
    """Flipped bytes: an answer, whichever, and an end. Cuts: no name of another function."""
    chance = random.Random(what)
    wrong = []
    for path in files:
        with open(path, "rb") as file:
            sound = file.read()
        cuts = [sound[:chance.randrange(64, len(sound))] for _ in range(8)]
        cuts += cut_sections(sound, chance)
        flips = [flip(sound, chance, 1 << i % 8) for i in range(16)]
        for i, damaged in enumerate(cuts + flips):
            with open(path, "wb") as file:
                file.write(damaged)
            if i < len(cuts):
                wrong += wrong_names(ask([symtool, program], addresses), whole)
            else:
                told_by(symtool, program, addresses)
        with open(path, "wb") as file:
            file.write(sound)
    verdict(not wrong, "%s: damaged" % what)
    for line in wrong[:5]:
        print("    " + line)


def check_split(compiler, version, symtool, source, work):
    what, option = "%s split DWARF %d" % (compiler, version), "-gdwarf-%d" % version
    place = os.path.join(work, what.replace(" ", "-"))
    # In the same folder one after the other: the paths of sources are the same.
    program, _ = build_split(compiler, [option], source, work, place)
    addresses = code_addresses(program, 1)
    whole, inside = ask([symtool, program], addresses), functions(program)
    program, split = build_split(compiler, [option, "-gsplit-dwarf"], source, work, place)
    compare(what, ask([symtool, program], addresses), whole, inside)
    verdict(told_by(symtool, program, addresses) == "", what + ": nothing is missing")
    beside = [os.path.join(os.path.dirname(program), os.path.basename(path)) for path in split]
    for tool in ["llvm-dwp"] + ["dwp"] * (version == 4):  # binutils 2.40's dies of DWARF 5
        if not shutil.which(tool):
            continue
        # llvm-dwp 14 does not come to an end with gcc's first.dwo of DWARF 5, which stays a file of its own.
        packed = split[1:] if (compiler, version) == ("gcc", 5) else split
        subprocess.run([tool, *packed, "-o", program + ".dwp"], timeout=60, check=True)
        for path in packed:
            os.rename(path, path + ".away")
        compare("%s, package by %s" % (what, tool), ask([symtool, program], addresses), whole, inside)
        check_damaged("%s, package by %s" % (what, tool), symtool, program, [program + ".dwp"],
                      addresses[::7], whole)
        os.remove(program + ".dwp")
        for path in packed:
            os.rename(path + ".away", path)
    for path, moved in zip(split, beside):
        os.rename(path, moved)
    compare(what + ", beside", ask([symtool, program], addresses), whole, inside)
    check_damaged(what, symtool, program, beside, addresses[::7], whole)
    build_split(compiler, [option, "-gsplit-dwarf", "-Dsum=total", "-Dapart=far"], source, work, place + "-new")
    for path, moved in zip(split, beside):
        os.remove(moved)
        shutil.move(path.replace("-objects", "-new-objects"), moved)
    check_absent(what + ", of another build", symtool, program, addresses, whole,
                 r"symtool: \S+/program: 2 split files not found, or of another build: first\.dwo among them; .*\n")
    for moved in beside:
        os.remove(moved)
    check_absent(what + ", absent", symtool, program, addresses, whole,
                 r"symtool: \S+/program: 2 split files not found, first\.dwo among them; .*\n")


def check_names(symtool, path, work):
    """Names by symbol alone: without build-id and link no debug file is found."""
    bare = os.path.join(work, os.path.basename(path))
    output("objcopy", "-R", ".note.gnu.build-id", "-R", ".gnu_debuglink", path, bare)
    addresses = code_addresses(bare, 61)
    ours = ask([symtool, bare], addresses)
    theirs = ask(["eu-addr2line", "-a", "-f", "-e", bare], addresses)
    wrong = ["%#x: %s instead of %s" % (address, ours[address], frames)
             for address, frames in theirs.items() if ours[address] != frames]
    named = sum(frames[0][0] is not None for frames in theirs.values())
    verdict(not wrong and named > 50, "names in %s: %d addresses, %d with a name"
            % (path, len(theirs), named))
    for line in wrong[:5]:
        print("    " + line)


def main():
    symtool, source, work = sys.argv[1:]
    check_compiler("gcc", symtool, source, work)
    check_compiler("clang", symtool, source, work)
    check_separate(symtool, source, work)
    for compiler in ("gcc", "clang"):
        for version in (4, 5):
            check_split(compiler, version, symtool, source, work)
    for path in ("/lib/x86_64-linux-gnu/libc.so.6", "/lib64/ld-linux-x86-64.so.2"):
        if os.path.exists(path):
            check_names(symtool, path, work)
    sys.exit(1 if failed else 0)


main()
