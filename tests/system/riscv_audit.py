#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgrules --audit over RISC-V code: floors for libraries, programs and firmware's C library.

usage: riscv_audit.py BUILD-DIRECTORY [--all]

In CI two libraries of Debian's for riscv64, a program by gcc and by clang at a few levels, and picolibc for RV32; --all: of all
that there are. Also: rows of __attribute__((interrupt)) functions are those of handlers, whatever their tables say.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known
from audit import tables

LINUX = "/usr/riscv64-linux-gnu/lib/"
PICOLIBC = "/usr/lib/picolibc/riscv64-unknown-elf/lib/release"
# Per cent of agreement at any instruction, and of wrong answers, a little below what is reached: with tables and symbols, then by
# the code alone.
LIBRARIES = {
    "libstdc++.so.6": ((99.9, 0.01), (99.9, 0.05)),
    "libgfortran.so.5": ((99.9, 0.01), (99.9, 0.05)),
}
MORE_LIBRARIES = {
    # What lacks is longjmp, which has overwritten its return address.
    "ld-linux-riscv64-lp64d.so.1": ((98.4, 0.0), (98.4, 0.0)),
    "libc.so.6": ((99.8, 0.05), (99.7, 0.1)),
    "libgcc_s.so.1": ((99.9, 0.0), (99.9, 0.0)),
    "libasan.so.8": ((99.9, 0.01), (99.9, 0.06)),
}
# gcc says too early that a frame is gone, with -msave-restore.
PROGRAMS = {"gcc": (99.99, 0.0), "clang": (99.99, 0.0), "save-restore": (97.0, 3.0)}
FIRMWARE = ((99.9, 0.01), (99.9, 0.1))
BUILDS = ("rv32imac/ilp32", "rv64imafdc/lp64d")
HANDLERS = """
extern void g(int);
volatile int x;
__attribute__((interrupt)) void leaf(void) { x++; }
__attribute__((interrupt)) void calls(void) { g(x); }
__attribute__((noipa)) void g(int a) { x = a; if (a > 3) g(a - 1); }
int main(void) { g(3); return 0; }
"""


def check(tools, path, floors, *options):
    """Findings, and how many instructions were compared."""
    text = known.check_run([os.path.join(tools, "cgrules"), "--audit", *options, path])
    eligible, agree, wrong = tables(text)[0]["total"][:3]
    name = os.path.basename(path) + "".join(" " + option for option in options)
    print("%s: %d, %.2f %% agree, %d wrong" % (name, eligible, agree, wrong))
    if eligible < 100 or agree < floors[0] or wrong * 100 > floors[1] * eligible:
        return ["%s: of %d instructions %.2f %% agree, %d are wrong" % (name, eligible, agree, wrong)], eligible
    return [], eligible


def programs(directory, levels):
    """(kind, path): chains.c by both compilers, with call frame information of every instruction."""
    sources = [os.path.join(known.PROGRAMS, name) for name in ("chains.c", "park.c")]
    common = ["-std=c11", "-D_GNU_SOURCE", "-pthread", "-fasynchronous-unwind-tables"]
    for level in levels:
        for kind, options in (("gcc", ["-fomit-frame-pointer"]), ("gcc", ["-fno-omit-frame-pointer"]),
                              ("save-restore", ["-msave-restore"]), ("clang", ["-fomit-frame-pointer"]),
                              ("clang", ["-fno-omit-frame-pointer"])):
            if kind == "save-restore" and level == "0":
                continue  # as without
            path = os.path.join(directory, "%s-O%s%s" % (kind, level, options[0]))
            objects = [path + ".%d.o" % i for i in range(len(sources))]
            compiler = ["riscv64-linux-gnu-gcc"]
            if kind == "clang":
                compiler = ["clang", "--target=riscv64-linux-gnu", "-march=rv64gc", "-mabi=lp64d",
                            "-I/usr/riscv64-linux-gnu/include"]
            for source, made in zip(sources, objects):
                known.check_run([*compiler, *common, *options, "-O" + level, "-c", source, "-o", made])
            known.check_run(["riscv64-linux-gnu-gcc", "-pthread", *objects, "-o", path])
            yield kind, path


def firmware(directory, build):
    """All of picolibc's C library as one file; what it lacks are functions that return, but for _exit."""
    arch, abi = build.split("/")
    path = os.path.join(directory, arch)
    gcc = ["riscv64-unknown-elf-gcc", "-march=" + arch, "-mabi=" + abi]
    libgcc = known.check_run([*gcc, "-print-libgcc-file-name"]).strip()
    link = ["riscv64-unknown-elf-ld", "-m", "elf%slriscv" % arch[2:4], "-Ttext=0x10000", "--allow-multiple-definition", "-e", "0",
            "--whole-archive", os.path.join(PICOLIBC, build, "libc.a"), "--no-whole-archive", libgcc]
    lacking = subprocess.run([*link, "-o", path, "--noinhibit-exec"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    names = sorted(set(re.findall(r"undefined reference to `(\w+)'", lacking.stdout.decode())))
    with open(path + ".s", "w", encoding="ascii") as file:
        for name in names:
            body = "j ." if name == "_exit" else "ret"
            file.write(".globl %s\n.type %s,@function\n%s: %s\n.size %s,.-%s\n" % (*(name,) * 3, body, *(name,) * 2))
    known.check_run([*gcc, "-c", path + ".s", "-o", path + ".o"])
    known.check_run([*link, path + ".o", "-o", path])
    return path


def check_handlers(tools, directory, abi):
    """CFI says of handlers that they return by ra. With lp64 they save doubles (c.fsdsp) in a file whose flags have none."""
    path = os.path.join(directory, "handlers")
    with open(path + ".c", "w", encoding="ascii") as file:
        file.write(HANDLERS)
    known.check_run(["riscv64-unknown-elf-gcc", "-march=rv64gc", "-mabi=" + abi, "-mcmodel=medany", "-O2", "-g", path + ".c",
                     "-nostdlib", "-Wl,-e,main", "-o", path])
    table = tables(known.check_run([os.path.join(tools, "cgrules"), "--audit", path]))[0]["total"]
    rows = known.check_run([os.path.join(tools, "cgrules"), "-m", "prologue", path]).splitlines()
    handlers = [row for row in rows if row.endswith(" signal-frame")]
    if table[2] != 0 or table[3] != 0 or table[4] == 0:
        yield "handlers %s: %d wrong, %d unknown, %d not compared" % (abi, *table[2:])
    if len(handlers) < 8 or not all("ra=mepc" in row for row in handlers):
        yield "handlers %s: rows are not those of handlers: %s" % (abi, "; ".join(rows))


def test(tools, *options):
    known.need("riscv64-linux-gnu-gcc", "riscv64-unknown-elf-gcc", "clang")
    everything = "--all" in options
    failures, total = [], 0
    with tempfile.TemporaryDirectory() as directory:
        checks = [(LINUX + name, floors) for name, floors in LIBRARIES.items()]
        if everything:
            checks += [(LINUX + name, floors) for name, floors in MORE_LIBRARIES.items()]
        for build in BUILDS if everything else BUILDS[:1]:
            checks.append((firmware(directory, build), FIRMWARE))
        for kind, path in programs(directory, "0123s" if everything else "2"):
            checks.append((path, (PROGRAMS[kind], PROGRAMS[kind])))
        for path, floors in checks:
            for floor, option in zip(floors, ((), ("--code-only",))):
                found, count = check(tools, path, floor, *option)
                failures += found
                total += count
        for abi in ("lp64d", "lp64"):
            failures += check_handlers(tools, directory, abi)
    print("%d instructions compared" % total)
    return failures


if __name__ == "__main__":
    known.main(test)
