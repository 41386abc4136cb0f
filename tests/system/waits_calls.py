#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers of the system calls that threads block in are those of the C libraries' headers.

usage: waits_calls.py BUILD-DIRECTORY
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

# In the order of the architectures.
COMPILERS = ("x86_64-linux-gnu-gcc", "i686-linux-gnu-gcc", "arm-linux-gnueabihf-gcc",
             "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc",
             "riscv64-linux-gnu-gcc -march=rv32gc -mabi=ilp32d")
# Calls of a kernel that is younger than the headers may be; their numbers are the same everywhere.
LATER = {"futex_wait": 455}


# i386's select takes the address of its arguments, which no C library uses any more.
LEFT_OUT = {("select", "i686-linux-gnu-gcc")}


def numbers_of(compiler, names, directory):
    """As its preprocessor expands them: {name: number}, of those that there are."""
    source = os.path.join(directory, "names.c")
    with open(source, "w") as file:
        file.write("#include <asm/unistd.h>\n")
        file.writelines("number_of %s = __NR_%s\n" % (name, name) for name in names)
    text = known.check_run([*compiler.split(), "-E", "-P", source])
    found = re.findall(r"^number_of (\w+) = ([\d ()+]+)$", text, re.M)
    return {name: sum(map(int, re.findall(r"\d+", number))) for name, number in found}


def test(tools):
    known.need(*(compiler.split()[0] for compiler in COMPILERS))
    failures, checked = [], 0
    text = known.check_run([os.path.join(tools, "tests", "waittool"), "--calls"])
    table = [line.split("\t") for line in text.splitlines()]
    with tempfile.TemporaryDirectory() as directory:
        headers = [numbers_of(compiler, [line[0] for line in table], directory)
                   for compiler in COMPILERS]
    for name, *numbers in table:
        for compiler, header, number in zip(COMPILERS, headers, map(int, numbers)):
            if (name, compiler) in LEFT_OUT:
                continue
            wanted = header.get(name, LATER.get(name, -1))
            checked += 1
            if wanted != number:
                failures.append("%s: %s is %d, not %d" % (compiler, name, wanted, number))
        if len(numbers) != len(COMPILERS):
            failures.append("%s: on %d architectures, of %d" % (name, len(numbers), len(COMPILERS)))
    print("%d numbers" % checked)
    return failures if checked else ["no numbers"]


if __name__ == "__main__":
    known.main(test)
