#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The decoder of RISC-V and binutils' read the same instructions: length, name, registers, immediate.

usage: riscv_objdump.py BUILD-DIRECTORY [--all]

Compares every instruction of libraries of Debian's for riscv64 (gcc-riscv64-linux-gnu) and of
picolibc, for RV32 and RV64. In CI that of a few; --all: of all that are installed.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
import known

LINUX = "/usr/riscv64-linux-gnu/lib"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/lib/release"
# 12,000 to 90,000 instructions each
QUICK = (
    (64, os.path.join(LINUX, "libgcc_s.so.1")),
    (64, os.path.join(LINUX, "libm.so.6")),
    (32, os.path.join(PICOLIBC, "rv32imac/ilp32/libc.a")),
    (32, os.path.join(PICOLIBC, "rv32imafc/ilp32f/libc.a")),
)
LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f]+) *\t([^\t\n]+)(?:\t([^\n]*))?$", re.MULTILINE)
SYMBOL = re.compile(r" (?:<.*|# .*)$")
# Instructions that are shown as data, which is what objdump calls what it does not know.
DATA = re.compile(r"^\.(?:[248]?byte|insn|short|word|half)|^0x")


def everything():
    for name in sorted(os.listdir(LINUX)):
        path = os.path.join(LINUX, name)
        if ".so" in name and os.path.isfile(path) and not os.path.islink(path):
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield 64, path
    for directory, _, files in sorted(os.walk(PICOLIBC)):
        for name in sorted(files):
            if name == "libc.a":
                part = os.path.relpath(directory, PICOLIBC)
                yield 32 if part.startswith("rv32") else 64, os.path.join(directory, name)


def expected(path):
    """(address, number as hexadecimal digits, text) of each instruction by objdump."""
    tool = "riscv64-linux-gnu-objdump" if path.startswith(LINUX) else "riscv64-unknown-elf-objdump"
    out = known.check_run([tool, "-d", "-M", "no-aliases", path])
    for address, number, name, operands in LINE.findall(out):
        text = name + (" " + SYMBOL.sub("", operands).strip() if operands else "")
        yield address, number, SYMBOL.sub("", text)


def decoded(tools, xlen, instructions):
    lines = "".join("%s %s\n" % (address, number) for address, number, _ in instructions)
    done = subprocess.run([os.path.join(tools, "tests", "riscv_text"), str(xlen)],
                          input=lines.encode(), stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().splitlines()


def same(ours, theirs):
    return ours == theirs or (theirs == "c.addi zero,0" and ours == "c.nop")


def compare(tools, xlen, path):
    """How many instructions, how many that objdump does not know, and what differs."""
    instructions = list(expected(path))
    answers = decoded(tools, xlen, instructions)
    differences, unknown = {}, 0
    if len(answers) != len(instructions):
        return len(instructions), 0, {"answers missing": 1}
    for (address, number, text), answer in zip(instructions, answers):
        size, _, ours = answer.partition(" ")
        if DATA.match(text):
            unknown += 1
        elif int(size) != len(number) // 2 or not same(ours, text):
            what = "%s: %s: %s bytes, %s" % (number, text, size, ours)
            differences.setdefault(text.split(" ")[0], []).append(address + " " + what)
    return len(instructions), unknown, differences


def test(tools, *options):
    known.need("riscv64-linux-gnu-objdump", "riscv64-unknown-elf-objdump")
    failures, total, not_known = [], 0, 0
    for xlen, path in everything() if "--all" in options else QUICK:
        count, unknown, differences = compare(tools, xlen, path)
        total += count
        not_known += unknown
        if count < (40 if options else 1000):
            failures.append("%s: %d instructions" % (path, count))
        for name, places in sorted(differences.items()):
            failures.append("%s: %s: %d, as %s" % (path, name, len(places), places[0]))
    print("%d instructions, of which objdump knows %d not; %d kinds differ" %
          (total, not_known, len(failures)))
    return failures


if __name__ == "__main__":
    known.main(test)
