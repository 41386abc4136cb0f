#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cores of builds of a program that are alike and have no build-id: no chain has another's names.

usage: core_builds.py BUILD-DIRECTORY

Of two builds with the same options, of which one function is longer, gdb writes a core each; of a
program that is position independent, of one that is linked for its place, and of a static one. With
the file of one of them its core has all names, also without list of files, first pages and code,
and the other's core has none of them. So it is of both in one run, in either order; two cores of
one build are told as one. A library's code that the linker has changed (text relocations) is no
other build.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import core_bare
import corefile
import corerewrite
import known

SOURCE = """
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) void first_%(name)s(int n) { pause(); __asm__ volatile("" : : "r"(n)); }
__attribute__((noinline)) void other_%(name)s(int n) { first_%(name)s(n + 1); %(more)s }
int main(int count, char **arguments)
{
    puts("ready");
    fflush(stdout);
    other_%(name)s(count);
    (void)arguments;
}
"""
# What is linked behind it is elsewhere, in the same pages.
MORE = {"a": '__asm__ volatile("");', "b": '__asm__ volatile(".rept 400; nop; .endr");'}
KINDS = (("pie", ("-pie", "-fPIE")), ("fixed", ("-no-pie", "-fno-pie")),
         ("static", ("-static", "-no-pie", "-fno-pie")))
TEXT_RELOCATIONS = """
__attribute__((noinline)) void visit(void (*call)(void)) { call(); __asm__ volatile(""); }
__asm__(".text; .rept 1024; .quad visit; .endr");
"""
CALLER = """
#include <stdio.h>
#include <unistd.h>
void visit(void (*call)(void));
static void rest(void) { pause(); }
int main(void) { puts("ready"); fflush(stdout); visit(rest); }
"""


def gcore(program):
    """A core of the program while it waits."""
    with subprocess.Popen([program], stdout=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            known.wait_until(lambda: known_state(process.pid) == "S", "the program does not wait")
            known.check_run(["gcore", "-o", program, str(process.pid)])
        finally:
            process.kill()
    return "%s.%d" % (program, process.pid)


def known_state(pid):
    with open("/proc/%d/stat" % pid) as file:
        return file.read().rpartition(")")[2].split()[0]


def build(directory, name, options):
    """The program, at the path that all builds have."""
    path = os.path.join(directory, "program")
    text = SOURCE % {"name": name, "more": MORE[name]}
    known.check_run(["gcc", "-O1", "-Wl,--build-id=none", *options,
                     core_bare.source(directory, "program.c", text), "-o", path])
    return path


def variants(core):
    """The core, and less what others have."""
    yield "whole", core
    for name, code, notes in (("bare", False, (corefile.FILE,)),
                              ("no-code", True, (corefile.FILE,)),
                              ("nothing", True, (corefile.FILE, corefile.AUXV))):
        rewritten = corerewrite.Rewritten(core)
        rewritten.drop_first_pages()
        if code:
            rewritten.drop_code()
        rewritten.drop_notes(*notes)
        yield name, rewritten.write("%s-%s" % (core, name))


def folded(tools, *arguments):
    """{chain: samples}, and what is on standard error."""
    done = known.run([os.path.join(tools, "cgunwind"), "-f", "folded", *arguments])
    if done.returncode != 0:
        raise known.Failure("%s: status %d: %s" % (arguments, done.returncode,
                                                   done.stderr.decode()))
    lines = (line.rpartition(" ") for line in done.stdout.decode().splitlines())
    return {chain: int(count) for chain, _, count in lines}, done.stderr.decode()


def named(found, name):
    """How many samples have that build's functions, all in order."""
    whole = ";main;other_%s;first_%s" % (name, name)
    return sum(count for chain, count in found.items() if whole in chain)


def check_kind(tools, directory, kind, options):
    cores = {}
    for name in ("b", "a"):
        program = build(directory, name, options)
        cores[name] = dict(variants(gcore(program)))
        shutil.copy(program, program + "-" + name)
    if kind == "static":  # of which gdb leaves out all but data: no file is found
        del cores["a"]["nothing"]
    for variant in cores["a"]:
        own, other = cores["a"][variant], cores["b"][variant]
        for inputs, wanted in (((own,), 1), ((other,), 0), ((own, other), 1), ((other, own), 1),
                               ((own, own), 2)):
            title = "%s, %s: %s" % (kind, variant,
                                    " ".join("a" if core == own else "b" for core in inputs))
            found, error = folded(tools, "-e", program, *inputs)
            mains = sum(count for chain, count in found.items() if ";main;" in chain)
            if (named(found, "a"), mains) != (wanted, wanted):
                yield "%s: %s %s" % (title, found, error)
            if len(inputs) == 2 and len(found) != (1 if inputs == (own, own) else 2):
                yield "%s: %d chains: %s" % (title, len(found), found)
            told = error.count("is not the file that the process ran")
            if told != (other in inputs):
                yield "%s: told %d times: %s" % (title, told, error)
    print("%s: %s" % (kind, ", ".join(cores["a"])))


def check_text_relocations(tools, directory):
    library = os.path.join(directory, "libvisit.so")
    program = os.path.join(directory, "caller")
    known.check_run(["gcc", "-O1", "-shared", "-fPIC", "-Wl,--build-id=none", "-Wl,-z,notext",
                     core_bare.source(directory, "visit.c", TEXT_RELOCATIONS), "-o", library])
    known.check_run(["gcc", "-O1", "-Wl,--build-id=none",
                     core_bare.source(directory, "caller.c", CALLER), library,
                     "-Wl,-rpath," + directory, "-o", program])
    for variant, core in list(variants(gcore(program)))[:2]:
        found, error = folded(tools, core)
        if error or not any(";main;visit;rest" in chain for chain in found):
            yield "text relocations, %s: %s %s" % (variant, found, error)


def test(tools):
    known.need("gcc", "gcore")
    failures = []
    for kind, options in KINDS:
        with tempfile.TemporaryDirectory(prefix="cg-core-") as directory:
            failures += check_kind(tools, directory, kind, options)
    with tempfile.TemporaryDirectory(prefix="cg-core-") as directory:
        failures += check_text_relocations(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
