#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The process that reads debug information makes the few system calls that it may, and tells what readelf does.

usage: variables_child.py BUILD-DIRECTORY

What it is not able to do is in tests/unit/confine/test_child_confined.c.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SOURCE = os.path.join(known.TESTS, "programs", "variables.c")
ALLOWED = {"read", "write", "mmap", "munmap", "mremap", "madvise", "mprotect", "brk", "clock_gettime", "exit", "exit_group",
           "futex", "futex_time64", "restart_syscall", "rt_sigreturn", "mmap2", "clock_gettime64", "sigreturn"}
BUILDS = [(compiler, level, f"-gdwarf-{version}", *split) for compiler in ("gcc", "clang") for level in ("-O0", "-O2")
          for version in (4, 5) for split in ((), ("-gsplit-dwarf",))] + [("gcc", "-O0", "-gdwarf-2"), ("gcc", "-O2", "-gdwarf-3")]


def fail(message):
    sys.exit(f"FAILED: {message}")


def symbol(program, name):
    for line in subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[2] == name:
            return int(words[0], 16)
    return None


def build(directory, compiler, *options):
    program = os.path.join(directory, "program")
    # Apart, as a compiler that also links throws split files away, or names them as the program.
    subprocess.run([compiler, *options, "-c", SOURCE, "-o", program + ".o"], cwd=directory, check=True)
    subprocess.run([compiler, program + ".o", "-o", program], cwd=directory, check=True)
    return program


def check_calls(dump, program, vaddrs):
    """Each call of the child's from its filter on; where there is none (sanitizers), nothing is said."""
    with tempfile.TemporaryDirectory() as directory:
        prefix = os.path.join(directory, "calls")
        subprocess.run(["strace", "-ff", "-o", prefix, dump, program, *vaddrs], check=True,
                       stdout=subprocess.DEVNULL, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))  # which ptrace forbids
        seen, filtered = set(), 0
        for name in os.listdir(directory):
            with open(os.path.join(directory, name), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
            start = [i for i, line in enumerate(lines) if re.match(r"prctl\(PR_SET_SECCOMP.*= 0$", line) or
                     re.match(r"seccomp\(SECCOMP_SET_MODE_FILTER.*= 0$", line)]
            if not start:
                continue
            filtered += 1
            seen |= {match[1] for match in (re.match(r"(\w+)\(", line) for line in lines[start[0] + 1:]) if match}
    if filtered != 1:
        return None
    if not {"read", "write"} <= seen or seen - ALLOWED:
        fail(f"the child made the calls {sorted(seen)}")
    return seen


def told(dump, program, vaddr):
    run = subprocess.run([dump, program, f"{vaddr:x}"], capture_output=True, text=True, check=True)
    return run.stdout


def check_told(dump, program, options):
    main = symbol(program, "main")
    text = told(dump, program, main + 4)
    if "problem" in text or not re.search(r"^  level main \(-\) die", text, re.M):
        fail(f"{options}: main is not told:\n{text}")
    for kind, name in (("parameter", "argc"), ("parameter", "argv"), ("local", "request"), ("local", "result")):
        if not re.search(rf"^    {kind} {name}: (located|nowhere)", text, re.M):
            fail(f"{options}: {name} is not told:\n{text}")
    for line in (r"kind 8 request (\d+) bytes", r" length\+0,", r" first\+4:3@0,", r" second\+4:7@3,", r" next\+8,"):
        if not re.search(line, text):
            fail(f"{options}: no {line} in\n{text}")
    parameter = re.search(r"parameter argc: located( listed)? .*? block [0-9a-f]+ 0:0x([0-9a-f]{2}) (\S+)", text)
    if not parameter:
        fail(f"{options}: argc has no place in\n{text}")
    if "-O0" in options and parameter[2] != "91":
        fail(f"{options}: argc is not at the frame base")
    if "-O2" in options and parameter[2] != "55":
        fail(f"{options}: argc is not in its register at first")
    leaf = symbol(program, "leaf") or next(symbol(program, name) for name in
                                           ("leaf.constprop.0.isra.0", "leaf.constprop.0", "leaf.isra.0")
                                           if symbol(program, name))
    text = told(dump, program, leaf + 4)
    for kind, name in (("parameter", "request"), ("parameter", "kind"), ("parameter", "factor"), ("local", "calls"),
                       ("local", "total")):
        if not re.search(rf"^    {kind} {name}: ", text, re.M):
            fail(f"{options}: {name} is not told:\n{text}")
    if not re.search(r"READ=1, WRITE=2, NEGATIVE=-3,", text):
        fail(f"{options}: the enumeration is not told:\n{text}")
    return main


def check_split_file_missing(dump, directory):
    """Its loss is told, and costs what is in it."""
    program = build(directory, "gcc", "-O2", "-gdwarf-5", "-gsplit-dwarf")
    os.remove(program + ".dwo")
    text = told(dump, program, symbol(program, "main"))
    if not re.search(r"problem: .*: 1 split file not found, \S*program\.dwo", text):
        fail(f"a split file that is missing is not told:\n{text}")


def main():
    dump = os.path.join(os.path.abspath(sys.argv[1]), "tests", "variables_dump")
    seen = set()
    with tempfile.TemporaryDirectory() as directory:
        for number, options in enumerate(BUILDS):
            program = build(directory, *options)
            entry = check_told(dump, program, options)
            if number < 2 or "-gsplit-dwarf" in options:
                calls = check_calls(dump, program, [f"{entry:x}", f"{entry + 16:x}"])
                seen |= calls or set()
            for name in os.listdir(directory):
                os.remove(os.path.join(directory, name))
        check_split_file_missing(dump, directory)
    print(f"{len(BUILDS)} builds told; the child made the calls {', '.join(sorted(seen)) or 'of a build without filter'}")


if __name__ == "__main__":
    main()
