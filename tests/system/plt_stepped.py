#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The chains at every instruction of the PLTs of several linkers, and on the way through the resolver.

usage: plt_stepped.py BUILD-DIRECTORY

gdb steps through the first call of a library's function and writes a core of each instruction.
"""

import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import i386
import known
from plt import plt_ranges

EXT = "volatile long sum_of_ext;\nvoid ext(int a) { sum_of_ext += a; }\n"
# The linkers of the programs that are stepped, their options, and those of the compiler.
LINKERS = {
    "bfd": ("x86_64-linux-gnu-ld.bfd", "i686-linux-gnu-ld.bfd", [[], ["-z", "ibtplt"]]),
    "gold": ("x86_64-linux-gnu-ld.gold", "i686-linux-gnu-ld.gold", [[]]),
    "lld": ("ld.lld", "ld.lld", [["-z", "force-ibt"], ["-z", "retpolineplt"]]),
    "mold": ("mold", "mold", [[]]),
}
STEPPED = """
void ext(int);
volatile long sum;
__attribute__((noinline)) void w1(int a)
{
    volatile char b[140];
    b[a & 31] = (char)a;
    ext(a);
    sum += b[a & 31];
}
__attribute__((noinline)) void w2(int a)
{
    volatile char b[240];
    b[a & 31] = (char)a;
    w1(a);
    sum += b[a & 31];
}
int main(int argc, char **argv)
{
    (void)argv;
    w2(argc);
    w2(argc + 1);
    return 0;
}
"""
STEPS = """
import os
import gdb

def run(command):
    return gdb.execute(command, to_string=True)

# From `w1` to `ext`, the first time: cores of all instructions in the PLT and the first ones behind it.
ranges = [tuple(int(bound, 16) for bound in word.split("-")) for word in os.environ["RANGES"].split()]
run("set confirm off")
run("break w1")
run("run")
run("delete")
ext = int(gdb.parse_and_eval("(unsigned long)&ext"))
bias = int(gdb.parse_and_eval("(unsigned long)&main")) - int(os.environ["MAIN"], 16)
count = behind = 0
for _ in range(200):
    pc = int(gdb.parse_and_eval("(unsigned long)$pc"))
    in_plt = any(start <= pc - bias < end for start, end in ranges)
    behind += not in_plt and count > 0
    if behind > 12:
        break
    if in_plt or behind:
        run("generate-core-file core.%d" % count)
        count += 1
    if count and run("info symbol $pc").startswith("ext "):
        break
    run("stepi")
run("kill")
"""


def linked_by(linker, directory):
    """A directory for gcc's -B in which `ld` is the linker."""
    programs = os.path.join(directory, "by-" + linker)
    if not os.path.isdir(programs):
        os.mkdir(programs)
        os.symlink(shutil.which(linker), os.path.join(programs, "ld"))
    return programs


def check_stepped(tools, title, path, directory):
    """The chains of cores from a PLT's first instruction on, until `ext` is reached."""
    ranges = " ".join("%x-%x" % bounds for bounds in plt_ranges(path))
    main_vaddr = next(
        line.split()[1] for line in known.check_run(["readelf", "-sW", path]).splitlines() if line.endswith(" main")
    )
    for name in os.listdir(directory):
        if name.startswith("core."):
            os.unlink(os.path.join(directory, name))
    steps = os.path.join(directory, "steps.py")
    environment = dict(os.environ, RANGES=ranges, MAIN=main_vaddr)
    known.check_run(["gdb", "-nx", "-batch", "-x", steps, path], cwd=directory, env=environment)
    count = sum(name.startswith("core.") for name in os.listdir(directory))
    if count < 2:
        raise known.Failure("%s: %d cores" % (title, count))
    named = False
    for i in range(count):
        core = os.path.join(directory, "core.%d" % i)
        for method in [], ["--method", "prologue,fp"]:
            (sample,) = known.unwind(tools, core, *method).values()
            names = [frame.get("function") for frame in known.real_frames(sample)]
            named = named or names[0] == "ext@plt"
            if "w1" not in names or sample["stop"] != "thread-start":
                raise known.Failure("%s, core %d, %s: %s, %s" % (title, i, method, names, sample["stop"]))
            if names[names.index("w1") :][:3] != ["w1", "w2", "main"]:
                raise known.Failure("%s, core %d, %s: %s" % (title, i, method, names))
    if not named:
        raise known.Failure(title + ": no stub is named ext@plt")
    print("%s: %d whole chains" % (title, count))


def check_linkers(tools, directory):
    for name, text in (("ext.c", EXT), ("stepped.c", STEPPED), ("steps.py", STEPS)):
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)
    path, library = os.path.join(directory, "stepped"), os.path.join(directory, "libext.so")
    for number, triple in enumerate(("x86_64-linux-gnu", "i686-linux-gnu")):
        known.check_run([triple + "-gcc", "-O1", "-shared", "-fPIC", os.path.join(directory, "ext.c"), "-o", library])
        if triple.startswith("i686") and not i386.runs_here():
            print("i386: this kernel executes none of its programs; plt.py has the rows")
            continue
        for name, linker in LINKERS.items():
            if name == "gold" and not shutil.which(linker[number]):
                print("%s: gold is not here" % triple) # new distributions have none
                continue
            programs = linked_by(linker[number], directory)
            for options in linker[2]:
                for pie in ["-fPIE", "-pie"], ["-fno-pie", "-no-pie"]:
                    for binding in "lazy", "now":
                        link = "-Wl," + ",".join(["-z", binding, *options])
                        command = [triple + "-gcc", "-O1", *pie, "-B" + programs, link]
                        known.check_run([*command, os.path.join(directory, "stepped.c"), library, "-o", path])
                        check_stepped(tools, " ".join([triple, linker[number], pie[-1], link]), path, directory)


def test(tools):
    known.need("gcc", "i686-linux-gnu-gcc", "gdb", "ld.lld", "mold", "readelf")
    with tempfile.TemporaryDirectory(prefix="cg-stepped-") as directory:
        check_linkers(tools, directory)
    return []


if __name__ == "__main__":
    known.main(test)
