#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Why variables are not told is told, in a line for each reason, and costs no chain.

usage: variables_problems.py BUILD-DIRECTORY

A program below whose main there are more libraries than children may live at once; its debug
information is then damaged, or away, or libdwarf is.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

LIBRARIES = 45
CHILDREN_MAX = 32 + 6  # of before a frame, those that this one and its callers need, helpers
INNERMOST = """#include <unistd.h>
int f%d(int a) { volatile int here = a; for (;;) pause(); return here; }
"""
OTHER = """int f%d(int a);
int f%d(int a) { volatile int here = a; return f%d(a + 1) + here; }
"""


def build(directory):
    def compile_to(name, text, *options):
        source = os.path.join(directory, "source.c")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        path = os.path.join(directory, name)
        known.check_run(["gcc", "-g", "-O0", source, "-o", path, "-L" + directory, *options,
                         "-Wl,-rpath,$ORIGIN", "-Wl,-rpath-link," + directory])
        return path

    for i in reversed(range(LIBRARIES)):
        is_last = i == LIBRARIES - 1
        compile_to("libf%d.so" % i, INNERMOST % i if is_last else OTHER % (i + 1, i, i + 1),
                   "-shared", "-fPIC", *([] if is_last else ["-lf%d" % (i + 1)]))
    return compile_to("program", "int f0(int a);\nint main(void) { return f0(1); }\n", "-lf0")


def unwind(tools, snapshot, *options, **environment):
    """What is told, what of it is chains, and the warnings."""
    done = known.run([os.path.join(tools, "cgunwind"), "--no-cache", "-f", "chains", *options, snapshot],
                     env=dict(os.environ, **environment))
    error = done.stderr.decode()
    if done.returncode != 0:
        raise known.Failure("exit status %d: %s" % (done.returncode, error))
    lines = done.stdout.decode().splitlines()
    return lines, [line for line in lines if not line.startswith("    ")], error.splitlines()


def check_children(tools, snapshot, directory):
    """Not all modules' children live at once, and none is left."""
    trace = os.path.join(directory, "trace")
    known.check_run(["strace", "-f", "-o", trace, "-e", "trace=clone,clone3,fork",
                     os.path.join(tools, "cgunwind"), "--no-cache", "-f", "chains", "--variables", snapshot])
    alive, begun, most = set(), 0, 0
    with open(trace, encoding="utf-8") as file:
        for line in file:
            born = re.match(r"\d+ +(?:clone|fork|<\.\.\. \w+ resumed).* = (\d+)$", line)
            gone = re.match(r"(\d+) +\+\+\+", line)
            if born:
                alive.add(born[1])
                begun += 1
            elif gone:
                alive.discard(gone[1])
            most = max(most, len(alive))
    if begun < LIBRARIES:
        yield "%d children for %d libraries: the test does not see them" % (begun, LIBRARIES)
    if most > CHILDREN_MAX:
        yield "%d children at once" % most
    if alive:
        yield "left: %s" % alive


def damaged(program):
    """`program` with nothing that makes sense behind the first unit's header."""
    text = known.check_run(["readelf", "-SW", program])
    found = re.search(r"\] \.debug_info +\S+ +\S+ +(\S+) +(\S+)", text)
    start, size = int(found[1], 16), int(found[2], 16)
    with open(program, "rb") as file:
        content = file.read()
    return content[:start + 12] + b"\xff" * (size - 12) + content[start + size:]


def check_reasons(tools, snapshot, program, directory):
    chains = unwind(tools, snapshot)[1]
    told = unwind(tools, snapshot, "--variables")
    if sum("here = " in line for line in told[0]) != LIBRARIES:
        yield "not all variables are told:\n" + "\n".join(told[0])
    if any("damaged" in line or "more memory" in line for line in told[2]):
        yield "sound debug information is called damaged: %s" % told[2]

    other = os.path.join(directory, "damaged")
    os.mkdir(other)
    path = os.path.join(other, "program")
    with open(path, "wb") as file:
        file.write(damaged(program))
    empty = os.path.join(directory, "empty")
    os.mkdir(empty)
    with open(os.path.join(empty, "libdwarf.so.1"), "wb"):
        pass
    for what, options, environment, wanted in (
            ("damaged", ["-e", path], {}, r"damaged/program: its debug information is damaged: "),
            ("libdwarf is away", [], {"LD_LIBRARY_PATH": empty}, r"variables cannot be told: .*dwarf")):
        lines, frames, warnings = unwind(tools, snapshot, "--variables", *options, **environment)
        if sum(bool(re.search(wanted, line)) for line in warnings) != 1:
            yield "%s: not told once, but %s" % (what, warnings)
        if len(frames) != len(chains):
            yield "%s: chains have become others:\n%s" % (what, "\n".join(lines))
        if unwind(tools, snapshot, "--variables", "-q", *options, **environment)[2]:
            yield "%s: --quiet is not" % what

    known.check_run(["strip", "-g", program])
    warnings = unwind(tools, snapshot, "--variables")[2]
    # The C library may be another one that has none.
    if len([line for line in warnings if "no debug information" in line]) != 1:
        yield "that there is no debug information is not told once, but %s" % warnings
    if any("no debug information" in line for line in unwind(tools, snapshot)[2]):
        yield "that there is no debug information is told to who did not ask"


def state(pid):
    with open("/proc/%d/stat" % pid, encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0]


def test(tools):
    known.need("gcc", "strip", "readelf", "strace")
    with tempfile.TemporaryDirectory() as directory:
        program = build(directory)
        with subprocess.Popen([program]) as process:
            try:
                known.wait_until(lambda: state(process.pid) == "S", "the program to pause")
                snapshot = known.capture(tools, process.pid, os.path.join(directory, "snap.bin"))
            finally:
                process.kill()
        return [*check_children(tools, snapshot, directory),
                *check_reasons(tools, snapshot, program, directory)]


if __name__ == "__main__":
    known.main(test)
