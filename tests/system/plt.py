#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of PLT stubs: of programs built for each instruction set, and of a program that is stopped in a stub.

usage: plt.py BUILD-DIRECTORY

A stub is entered like a function. What it or the first entry pushes, and where that leaves the return address, is
told by the instructions that objdump shows, and by the linker's own rows where it has some.
"""

import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SECTIONS = (".plt", ".plt.sec", ".plt.got", ".iplt")
SOURCE = """
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    puts(argv[0]);
    printf("%p %d", (void *)getpid, getpid() + argc);
    return 0;
}
"""
# What its tools are called after, options of its compiler, several of its linker.
X86 = (["-z", "lazy"], ["-z", "lazy", "-z", "ibtplt"])
A64 = (["-z", "lazy"], ["-z", "lazy", "-z", "force-bti"], ["-z", "lazy", "-z", "pac-plt"])
TARGETS = (
    ("x86_64-linux-gnu", [], X86),
    ("i686-linux-gnu", ["-fPIE", "-pie"], X86),
    ("i686-linux-gnu", ["-fno-pie", "-no-pie"], X86),
    ("arm-linux-gnueabihf", ["-marm"], (["-z", "lazy"], ["-z", "lazy", "--long-plt"])),
    ("arm-linux-gnueabihf", ["-mthumb"], (["-z", "lazy"],)),
    ("aarch64-linux-gnu", [], A64),
    ("aarch64-linux-gnu", ["-mbranch-protection=standard"], A64),
)
WORD = {"x86_64-linux-gnu": 8, "i686-linux-gnu": 4}
SP = {"x86_64-linux-gnu": "rsp", "i686-linux-gnu": "esp"}
INSN = re.compile(r"^ *([0-9a-f]+):\t[0-9a-f ]+\t(\S+)(?:\s+(.*))?$")

LIBRARY = "int step(int x) { return x + 1; }\n"
BUSY = """
#include <stdio.h>
extern int step(int x);
static volatile int sum;
__attribute__((noinline)) int innermost(void)
{
    int total = 0;
    for (int i = 0; i < 100000; i++)
        total += step(i);
    return total + 1;
}
__attribute__((noinline)) int middle(void) { return innermost() * 3 + 1; }
__attribute__((noinline)) int outer(void) { return middle() - 7; }
int main(void)
{
    puts("busy");
    fflush(stdout);
    for (;;)
        sum += outer();
}
"""
CHAIN = ["innermost", "middle", "outer", "main"]


def instructions(triple, path, section):
    """[(address, mnemonic, operands)]"""
    found = []
    out = known.run([triple + "-objdump", "-d", "-j", section, path]).stdout.decode(errors="replace")
    for line in out.splitlines():
        match = INSN.match(line)
        if match:
            found.append((int(match[1], 16), match[2], match[3] or ""))
    return found


def expected_x86(code, word):
    """{address: row}: a stub ends with a jump behind which nothing is pushed."""
    rows, off, entry = {}, word, True
    for i, (address, name, operands) in enumerate(code):
        if entry and name.startswith(("nop", "xchg", "add", "data16", "cs")):
            continue
        if entry and i == 0 and name.startswith("push"):
            off = 2 * word  # the stubs have pushed their number
        entry = False
        rows[address] = "%d %d" % (off, -word)
        if name.startswith("push"):
            off += word
        elif name == "jmp" or operands.startswith("jmp"):
            if i + 1 == len(code) or not code[i + 1][1].startswith("push"):
                off, entry = word, True
    return rows


def expected_lr(code):
    rows, off, save, ended = {}, 0, "lr", False
    for address, name, operands in code:
        starts = name in ("adrp", "bti", "stp") or operands.startswith("ip, pc") or name == "bx" or (
            name in ("push", "str") and "lr" in operands)
        if ended and not starts:
            continue
        if ended:
            off, save, ended = 0, "lr", False
        rows[address] = "%d %s" % (off, save)
        if name in ("push", "str") and "lr" in operands:
            off, save = 4, "-4"
        elif name == "stp":
            off, save = 16, "-8"
        ended = name in ("br", "bx") or operands.startswith("pc,")
    return rows


def rows_at(cgrules, path, addresses, *options):
    text = "".join("%x\n" % address for address in addresses)
    command = [cgrules, *options, "--pcs", "-", path]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise known.Failure("cgrules %s: %s" % (path, done.stderr.strip()))
    return {int(line.split()[0], 16): line.split(" ", 1)[1] for line in done.stdout.splitlines()}


def check_rows(title, cgrules, triple, path, *options):
    """Failures of one file, and how many instructions were compared."""
    count = 0
    for section in SECTIONS:
        code = instructions(triple, path, section)
        expected = expected_x86(code, WORD[triple]) if triple in WORD else expected_lr(code)
        rows = rows_at(cgrules, path, expected, "--method", "prologue", *options) if expected else {}
        for address, row in expected.items():
            want = "%s %s" % (SP.get(triple, "sp"), row)
            count += 1
            if rows.get(address) != want:
                seen = rows.get(address)
                raise known.Failure("%s: %s: %x: %s instead of %s" % (title, section, address, seen, want))
    return count


def check_target(cgrules, triple, flags, link, directory):
    path = os.path.join(directory, "program")
    title = " ".join([triple, *flags, *link])
    options = ["-Wl," + ",".join(link)]
    known.check_run([triple + "-gcc", "-O2", *flags, os.path.join(directory, "program.c"), *options, "-o", path])
    bare, stripped = path + "-bare", path + "-stripped"
    known.check_run([triple + "-strip", "-s", "-o", stripped, path])
    removed = ["--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr", "--remove-section=.ARM.exidx"]
    known.check_run([triple + "-objcopy", *removed, stripped, bare])
    for file in path, stripped, bare:
        count = check_rows(title, cgrules, triple, file)
        check_rows(title + " --code-only", cgrules, triple, file, "--code-only")
    if count < 8:
        raise known.Failure("%s: only %d instructions of stubs" % (title, count))
    print("%s: %d instructions" % (title, count))


def check_linkers_rows(directory, cgrules):
    """The expression of the linker's rows, of stubs without endbr64: CFA = rsp + 8 + ((rip & 15) >= 11) * 8."""
    path = os.path.join(directory, "program")
    known.check_run(["x86_64-linux-gnu-gcc", path + ".c", "-fcf-protection=none", "-Wl,-z,lazy", "-o", path])
    code = instructions("x86_64-linux-gnu", path, ".plt")
    rows = rows_at(cgrules, path, [insn[0] for insn in code], "--method", "prologue")
    for address, _, _ in code[3:]:
        want = "rsp %d -8" % (16 if address & 15 >= 11 else 8)
        if rows[address] != want:
            raise known.Failure("%x: %s, by the linker's row %s" % (address, rows[address], want))


def plt_ranges(path):
    for line in known.check_run(["readelf", "-SW", path]).splitlines():
        match = re.match(r" *\[ *\d+\] (\.plt\S*) +\S+ +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)", line)
        if match:
            yield int(match[2], 16), int(match[2], 16) + int(match[3], 16)


def pc_of(target):
    with open("/proc/%d/syscall" % target.pid) as syscall:
        return int(syscall.read().split()[-1], 16)


def stop_in_stub(target, path, steps=1000):
    """Steps the program, which is not position-independent, into a stub and leaves it stopped there."""
    attach, single_step, detach = 16, 9, 17
    ranges = list(plt_ranges(path))
    ptrace = ctypes.CDLL(None, use_errno=True).ptrace
    ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
    if target.process.stdout.readline() != "busy\n":
        raise known.Failure(path + " did not start")
    if ptrace(attach, target.pid, None, None) != 0:
        known.skip("ptrace: " + os.strerror(ctypes.get_errno()))
    for _ in range(steps):
        os.waitpid(target.pid, 0)
        if any(start <= pc_of(target) < end for start, end in ranges):
            ptrace(detach, target.pid, None, signal.SIGSTOP)
            known.wait_until(target.is_stopped, "the program to stop")
            return
        ptrace(single_step, target.pid, None, None)
    raise known.Failure("the program did not come to a stub in %d steps" % steps)


def check_hot_call(tools, directory):
    """A chain that begins in a stub is whole, from code alone."""
    library, path = os.path.join(directory, "libstep.so"), os.path.join(directory, "busy")
    for name, text in (("step.c", LIBRARY), ("busy.c", BUSY)):
        with open(os.path.join(directory, name), "w") as file:
            file.write(text)
    flags = ["-O2", "-fno-optimize-sibling-calls", "-fno-inline", "-fomit-frame-pointer"]
    known.check_run(["gcc", *flags, "-shared", "-fPIC", os.path.join(directory, "step.c"), "-o", library])
    for link in (["-z", "lazy"], ["-z", "lazy", "-z", "ibtplt"], ["-z", "now"]):
        options = ["-no-pie", "-fno-pie", "-Wl,-rpath," + directory, "-Wl," + ",".join(link)]
        known.check_run(["gcc", *flags, path + ".c", library, *options, "-o", path])
        with known.Target([path]) as target:
            stop_in_stub(target, path)
            snapshot = known.capture(tools, target.pid, os.path.join(directory, "snapshot"))
            for method in "prologue", "eh_frame":
                (sample,) = known.unwind(tools, snapshot, "--method", method).values()
                names = [frame.get("function") for frame in known.real_frames(sample)]
                if names[1 : 1 + len(CHAIN)] != CHAIN or sample["stop"] != "thread-start":
                    raise known.Failure("%s, %s: %s, %s" % (" ".join(link), method, names, sample["stop"]))
        print("hot call, %s: whole chains" % " ".join(link))


def main():
    build = os.path.abspath(sys.argv[1])
    known.need("gcc", "readelf", *(triple + "-gcc" for triple, _, _ in TARGETS))
    directory = tempfile.mkdtemp(prefix="plt-")
    cgrules = os.path.join(build, "cgrules")
    try:
        with open(os.path.join(directory, "program.c"), "w") as file:
            file.write(SOURCE)
        for triple, flags, links in TARGETS:
            for link in links:
                check_target(cgrules, triple, flags, link, directory)
        check_linkers_rows(directory, cgrules)
        check_hot_call(build, directory)
    except known.Failure as failure:
        print("FAIL " + str(failure))
        return 1
    finally:
        shutil.rmtree(directory)
    return 0


if __name__ == "__main__":
    sys.exit(main())
