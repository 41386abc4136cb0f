#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One function is one node: inlined here and called there, in this release and in the last one.

usage: one_function.py BUILD-DIRECTORY

A C++ program by g++, also with LTO, and by clang++: each of its functions must have one name, whether it was inlined or
called, and functions that are called alike, as lambdas are, several. Lambdas must have the numbers of their symbols.
Then two releases of a program are compared, whose file and whose library's have other names, and one of whose functions
is a clone in the second.
"""

import collections
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

BUILDS = {"g++": ["g++", "-O2", "-g"], "lto": ["g++", "-O2", "-g", "-flto"], "clang++": ["clang++", "-O2", "-g"]}
# What each name has in it, and the names by gcc: without parameters where there is no real function.
NAMES = {
    "plain": ["plain(unsigned long)"],
    "hidden": ["(anonymous namespace)::inner::hidden(unsigned long)"],
    "twice<int>": ["void twice<int>(unsigned long)"],
    "twice<char>": ["void twice<char>(unsigned long)"],
    "Worker": ["(anonymous namespace)::Worker::step"],
    "operator()": ["main::{lambda at 59:20}::operator()", "main::{lambda at 60:20}::operator()"],
}
CLONE = re.compile(r"\.(constprop|isra|part)\..*")
# Of all samples, at least: a function that is both inlined and called has 2 of 11 parts, others 1.
BOTH_MIN, ONE_MIN = 0.12, 0.04


def capture(tools, program, **options):
    path = program + ".bin"
    command = [os.path.join(tools, "cgsnap"), "-q", "-F", "997", "--overhead", "100", "-o", path, "--", program]
    known.check_run(command, **options)
    return path


def folded(tools, *arguments):
    text = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "folded", "--weight", "samples", *arguments])
    return [line.rsplit(" ", 2 if "--diff-base" in arguments else 1) for line in text.splitlines()]


def check_names(tools, name, directory):
    program = os.path.join(directory, name)
    known.check_run([*BUILDS[name], os.path.join(known.PROGRAMS, "one_function.cc"), "-o", program])
    leaves = collections.Counter()
    for stack, weight in folded(tools, capture(tools, program)):
        frames = [frame for frame in stack.split(";") if not frame.startswith("burn")]
        leaves[frames[-1]] += int(weight)
    total = sum(leaves.values())
    for part, by_gcc in NAMES.items():
        found = sorted(leaf for leaf in leaves if part in leaf)
        if name == "clang++":
            good = len(found) == len(by_gcc)
        else:
            good = found == by_gcc
        least = BOTH_MIN if part not in ("Worker", "operator()") else ONE_MIN
        if not good:
            yield "%s: %r is called %s" % (name, part, found)
        elif min(leaves[leaf] for leaf in found) < least * total:
            yield "%s: %s have %s of %d samples" % (name, found, [leaves[leaf] for leaf in found], total)


def check_lambdas(tools, command, directory):
    """Numbers of lambdas are the symbols'; one that has no symbol has none."""
    program = os.path.join(directory, "lambdas")
    known.check_run([*command, "-w", "-std=c++20", os.path.join(known.PROGRAMS, "lambdas.cc"), "-o", program])
    symbols = known.check_run(["nm", "-C", program])
    for debug in "with", "without":
        if debug == "without":
            known.check_run(["strip", "-g", program])
        frames = {frame for stack, _ in folded(tools, capture(tools, program)) for frame in stack.split(";")}
        names = {CLONE.sub("", frame) for frame in frames if "{lambda" in frame or "$_" in frame}
        numbered = {name for name in names if "{lambda at " not in name}
        # clang keeps the names of some that it inlines in DWARF alone.
        wrong = {name for name in numbered if name not in symbols and command[0] == "g++"}
        if wrong or not names or any("{lambda#" in name for name in names):
            yield "%s, %s debug information: %s of %s" % (" ".join(command), debug, sorted(wrong), sorted(names))


def release(tools, number, directory):
    """Builds and captures it; returns the capture."""
    source = os.path.join(known.PROGRAMS, "released.cc")
    library = os.path.join(directory, "libreleased.so.1.%d" % number)
    program = os.path.join(directory, "released-1.%d" % number)
    options = ["g++", "-O2", "-g", "-DRELEASE=%d" % number, source]
    soname = "-Wl,-soname," + os.path.basename(library)
    known.check_run([*options, "-DLIBRARY", "-shared", "-fPIC", soname, "-o", library])
    known.check_run([*options, library, "-Wl,-rpath," + directory, "-o", program])
    return capture(tools, program)


def check_releases(tools, directory):
    base, now = (release(tools, number, directory) for number in (1, 2))
    names = {frame for stack, _ in folded(tools, now) for frame in stack.split(";")}
    if not any(name.startswith("work(") and ".constprop." in name for name in names):
        yield "g++ made no clone of work(): %s" % sorted(names)
    rows = folded(tools, "--diff-base", base, now)
    for part in ("work(", "library_work("):
        found = [row for row in rows if row[0].split(";")[-1].startswith(part)]
        if len(found) != 1 or min(int(found[0][1]), int(found[0][2])) < 10:
            yield "%s) of two releases: %s" % (part, found)
    command = [os.path.join(tools, "cgunwind"), "-q", "-f", "tree", "--by-thread", "--diff-base", base, now]
    threads = [line for line in known.check_run(command).splitlines() if line.endswith(" [thread]")]
    if len(threads) != 1:
        yield "main threads of two releases: %s" % threads


def test(tools):
    known.need("g++", "clang++")
    with tempfile.TemporaryDirectory() as directory:
        failures = [failure for name in BUILDS for failure in check_names(tools, name, directory)]
        for compiler in ("g++", "clang++"):
            for level in ("-O0", "-O2"):
                failures += check_lambdas(tools, [compiler, "-g", level], directory)
        return failures + list(check_releases(tools, directory))


if __name__ == "__main__":
    known.main(test)
