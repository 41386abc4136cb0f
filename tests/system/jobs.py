#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cgunwind writes is the same bytes whatever --jobs is.

usage: jobs.py BUILD-DIRECTORY

A program and two libraries of its own are captured; their debug information is in compressed debug files of their own. All formats
are written, with and without lines and inlined functions, with the debug files, without any, and with files that are refused: what is
on standard output (but for the times that the summary of json tells) and on standard error must not depend on the number of jobs.
With the debug files all three modules have lines.
"""

import itertools
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

JOBS = ("2", "7")
FORMATS = (
    "tree", "top", "flame", "folded", "chains", "json", "dot", "svg", "png", "pprof", "callgrind",
    "perf-script", "html",
)
# Each has an inlined function, and calls the next one's run() at the end; that of the last one returns.
SOURCE = """
static volatile unsigned long sum;
void %(next)s_run(unsigned);
static inline __attribute__((always_inline)) void %(name)s_inlined(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum += i;
}
__attribute__((noinline)) void %(name)s_run(unsigned n)
{
    %(name)s_inlined(n);
    %(call)s
    sum++;
}
%(main)s
"""


def build(directory):
    """The program, with debug files by build-id below debug/; those of the libraries are given back, too."""
    parts = (("prog", "liba", "liba_run(n);", "int main(void)\n{\n    for (;;)\n        prog_run(20000);\n}"),
             ("liba", "libb", "libb_run(n);", ""), ("libb", "libb", "", ""))
    made = []
    for name, following, call, main in reversed(parts):
        source = os.path.join(directory, name + ".c")
        path = os.path.join(directory, name if main else name + ".so")
        with open(source, "w") as file:
            file.write(SOURCE % {"name": name, "next": following, "call": call, "main": main})
        shape = [] if main else ["-shared", "-fPIC"]
        known.check_run(["gcc", "-g", "-O1", "-gz", "-Wl,--build-id", *shape, source, *made[-1:], "-Wl,-rpath," + directory, "-o", path])
        made.append(path)
    debug_files = []
    for path in made:
        notes = known.check_run(["readelf", "-nW", path])
        build_id = notes.partition("Build ID: ")[2].split()[0]
        debug = os.path.join(directory, "debug", ".build-id", build_id[:2], build_id[2:] + ".debug")
        os.makedirs(os.path.dirname(debug), exist_ok=True)
        known.check_run(["objcopy", "--only-keep-debug", path, debug])
        known.check_run(["objcopy", "--strip-all", path])
        debug_files.append(debug)
    return made[-1], debug_files


def written(tools, snapshot, jobs, options):
    done = known.run([tools + "/cgunwind", "-v", "-j", jobs, *options, snapshot])
    return done.returncode, re.sub(rb'("(?:unwind|symbolize)_ns": ?)\d+', rb"\1", done.stdout), done.stderr


def check_same(tools, snapshot, options):
    one = written(tools, snapshot, "1", options)
    if one[0] != 0 or not one[1]:
        yield "%s: exit status %d: %s" % (" ".join(options), one[0], one[2].decode(errors="replace"))
        return
    for jobs in JOBS:
        if written(tools, snapshot, jobs, options) != one:
            yield "%s: -j %s writes something else than -j 1" % (" ".join(options), jobs)


def check_read(tools, snapshot, debug):
    """The debug files are read: else all would be the same for want of anything to read."""
    text = written(tools, snapshot, "2", ["-f", "callgrind", *debug])[1].decode()
    for name in ("prog", "liba", "libb"):
        for what in ("/%s.c" % name, " %s_inlined" % name):
            if what not in text:
                yield "-j 2 -f callgrind: no%s" % (what if what[0] == " " else " " + what)


def test(tools):
    known.need("gcc", "objcopy", "readelf")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        directory = os.path.realpath(directory)
        program, debug_files = build(directory)
        snapshot = os.path.join(directory, "snap.bin")
        with known.Target([program]) as target:
            known.check_run([tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-d", "0.5", "-p", str(target.pid), "-o", snapshot])
        debug = ["--debug-dir", os.path.join(directory, "debug")]
        given = list(itertools.chain.from_iterable(("--elf", path) for path in debug_files))
        wrong = os.path.join(directory, "other", "liba.so")  # of the name, and no build-id that fits
        os.makedirs(os.path.dirname(wrong))
        known.check_run(["gcc", "-shared", "-fPIC", "-Wl,--build-id", os.path.join(directory, "libb.c"), "-o", wrong])
        for form in FORMATS:
            for options in (debug, given, [*debug, "--no-inline"]):
                failures += check_same(tools, snapshot, ["-f", form, *options])
        for options in ([], ["--sysroot", os.path.join(directory, "other")], [*debug, "--elf", wrong], [*debug, "--by", "line"],
                        [*debug, "--focus", "libb_run"], [*debug, "--diff-base", snapshot]):
            failures += check_same(tools, snapshot, ["-f", "folded", *options])
        failures += check_read(tools, snapshot, debug)
    return failures


if __name__ == "__main__":
    known.main(test)
