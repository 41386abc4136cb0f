#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cores without what others have: the list of mapped files (NT_FILE), build-ids, first pages of
files, the auxiliary vector. From each the chains are those of the whole core.

usage: core_bare.py BUILD-DIRECTORY

Of gdb's gcore and, where it writes cores into the current directory, of the kernel; of a program
that is position independent, of one that is linked for its place, of static ones of both kinds, and
of one with threads in a library of its own. Parts are taken out of real cores (corerewrite.py). The
programs are then moved away and given with --elf, under their own names and others; another build
of the program is refused in one line. Lists of modules that are damaged end. What qemu-user writes,
which has no such list, of each architecture, where that is installed, and what valgrind does.
"""

import glob
import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import core_kernel
import corefile
import corerewrite
import known

FILE, AUXV = corefile.FILE, corefile.AUXV
DT_DEBUG = 21

# A library that calls back, and threads that wait in the callback.
LIBRARY = """
void visit(void (*call)(int), int depth) { if (depth) visit(call, depth - 1); else call(depth);
                                           __asm__ volatile(""); }
"""
VISITOR = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
void visit(void (*call)(int), int depth);
static pthread_barrier_t there;
static void rest(int x) { pthread_barrier_wait(&there); for (;;) pause(); (void)x; }
static void *thread_main(void *arg) { visit(rest, (int)(long)arg); return arg; }
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&there, 0, 4);
    for (long i = 1; i <= 3; i++)
        pthread_create(&thread, 0, thread_main, (void *)i);
    pthread_barrier_wait(&there);
    puts("ready");
    fflush(stdout);
    visit(rest, 5);
}
"""
# Ends by a signal, called by libc where there is one.
FALLS = """
#include <stdlib.h>
__attribute__((noinline)) void inner(int x) { if (x) abort(); }
__attribute__((noinline)) void outer(int x) { inner(x); __asm__ volatile(""); }
static int compare(const void *a, const void *b) { outer(1); return a < b; }
int main(void) { int list[3] = {3, 2, 1}; qsort(list, 3, sizeof(int), compare); return list[0]; }
"""
# A library that can be run, and its user.
PLAIN = """
#include <stdio.h>
#include <unistd.h>
void plain_middle(void) { puts("ready"); fflush(stdout); pause(); }
"""
PLAIN_MAIN = """
void plain_middle(void);
__attribute__((noinline)) void plain_outer(void) { plain_middle(); }
int main(void) { plain_outer(); }
"""
FALLS_CHAIN = ["inner", "outer", "compare", "main"]
CROSS = (("x86_64", "gcc", None), ("i386", "i686-linux-gnu-gcc", "/usr/i686-linux-gnu"),
         ("arm", "arm-linux-gnueabihf-gcc", "/usr/arm-linux-gnueabihf"),
         ("aarch64", "aarch64-linux-gnu-gcc", "/usr/aarch64-linux-gnu"))


def source(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def build_visitor(directory):
    library = os.path.join(directory, "libvisit.so.1")
    known.check_run(["gcc", "-O1", "-shared", "-fPIC", "-Wl,-soname,libvisit.so.1",
                     source(directory, "visit.c", LIBRARY), "-o", library])
    program = os.path.join(directory, "visitor")
    known.check_run(["gcc", "-O1", "-pthread", source(directory, "visitor.c", VISITOR), library,
                     "-Wl,-rpath," + directory, "-o", program])
    return program


def build_chains(directory, kind, *options):
    into = os.path.join(directory, kind)
    os.mkdir(into)
    program = os.path.join(directory, kind + "-chains")
    os.rename(known.build("gcc", 2, into, *options), program)
    return program


def by_gdb(program):
    with known.Target([program]) as target:
        target.wait_ready(spinning=("vdso",))
        known.check_run(["gcore", "-o", program, str(target.pid)])
        os.rename("%s.%d" % (program, target.pid), program + ".gdb")
    return program + ".gdb"


def chains(tools, core, *options):
    """{tid: ([(pc, function), …], stop)} and what is on standard error."""
    done = known.run([os.path.join(tools, "cgunwind"), "-f", "json", *options, core])
    if done.returncode != 0:
        raise known.Failure("%s: status %d: %s" % (core, done.returncode, done.stderr.decode()))
    items = [json.loads(line) for line in done.stdout.splitlines()]
    found = {item["tid"]: ([(frame["pc"], frame.get("function"))
                            for frame in known.real_frames(item)], item["stop"])
             for item in items if item["type"] == "sample"}
    return found, done.stderr.decode()


def check_same(title, found, whole):
    for tid, chain in whole.items():
        if found.get(tid) != chain:
            yield "%s: thread %d: %s instead of %s" % (title, tid, found.get(tid), chain)


class Away:
    """The program is not where it was, but at `path`."""

    def __init__(self, program, path):
        self.program, self.path = program, path

    def __enter__(self):
        os.rename(self.program, self.path)
        return self.path

    def __exit__(self, *unused):
        os.rename(self.path, self.program)


def without(core, name, notes=(), first_pages=False, build_ids=False):
    """A core less some notes, the first pages of files, and build-ids."""
    rewritten = corerewrite.Rewritten(core)
    if first_pages and not rewritten.drop_first_pages():
        raise known.Failure("%s has no first pages" % core)
    if build_ids and not rewritten.wipe_build_ids():
        raise known.Failure("%s has no build-ids" % core)
    rewritten.drop_notes(*notes)
    return rewritten.write("%s-%s" % (core, name))


def check_bare(tools, core, program, whole):
    """With the files where they were."""
    variants = (without(core, "no-list", (FILE,)), without(core, "no-ids", (), build_ids=True),
                without(core, "no-list-no-ids", (FILE,), build_ids=True),
                without(core, "no-pages", (), True), without(core, "no-list-no-pages", (FILE,), True))
    for variant in variants:
        found, error = chains(tools, variant)
        yield from check_same(variant, found, whole)
        if error:
            yield "%s: %s" % (variant, error)
    variant = without(core, "no-auxv", (FILE, AUXV))
    with Away(program, program + "-renamed") as renamed:
        found, error = chains(tools, variant, "-e", renamed)
    yield from check_same(variant, found, whole)
    if error:
        yield "%s: %s" % (variant, error)


def check_given(tools, core, program, other, whole):
    """With --elf, under another name; `other` is another build."""
    for name, notes, pages in (("no-list", (FILE,), False), ("no-list-no-pages", (FILE,), True),
                               ("no-pages", (), True)):
        variant = without(core, name, notes, pages, not pages)
        with Away(program, program + "-renamed") as renamed:
            found, error = chains(tools, variant, "-e", renamed)
            yield from check_same(variant + ", renamed", found, whole)
            if error:
                yield "%s, renamed: %s" % (variant, error)
            for wrong in (other, shutil.copy(other, os.path.join(os.path.dirname(other),
                                                                 os.path.basename(program)))):
                found, error = chains(tools, variant, "-e", wrong)
                told = [line for line in error.splitlines()
                        if wrong + ": is not the file that the process ran" in line]
                if len(told) != 1:
                    yield "%s, -e %s: not refused in one line: %s" % (variant, wrong, error)
                named = {name for chain, _ in found.values() for _, name in chain}
                if any(name and name in ("park", "rest", "thread_main") for name in named):
                    yield "%s, -e %s: it was used" % (variant, wrong)


def check_pair(tools, directory):
    """A program, and a library without DT_SONAME that has an entry point, whatever their names."""
    library = os.path.join(directory, "libplain.so")
    program = os.path.join(directory, "plain")
    none = ["-O1", "-fno-optimize-sibling-calls", "-Wl,--build-id=none"]
    known.check_run(["gcc", *none, "-shared", "-fPIC", "-Wl,-e,plain_middle",
                     source(directory, "plain.c", PLAIN), "-o", library])
    known.check_run(["gcc", *none, source(directory, "plain_main.c", PLAIN_MAIN), library,
                     "-Wl,-rpath," + directory, "-o", program])
    with subprocess.Popen([program], stdout=subprocess.PIPE) as target:
        target.stdout.readline()
        known.check_run(["gcore", "-o", program, str(target.pid)])
        target.kill()
    core = "%s.%d" % (program, target.pid)
    with Away(program, program + "-renamed") as renamed:
        for given in ((renamed, library), (library, renamed)):
            found, error = chains(tools, core, "-e", given[0], "-e", given[1])
            named = [name for chain, _ in found.values() for _, name in chain]
            if not {"plain_middle", "plain_outer", "main"} <= set(named) or error:
                yield "%s: %s %s" % (given, named, error)


def check_static_place(tools, core, program, whole):
    """Of a program linked for its place, without all that leads to it: by its own addresses."""
    variant = without(core, "nothing", (FILE, AUXV), True)
    with Away(program, program + "-renamed") as renamed:
        found, error = chains(tools, variant, "-e", renamed)
    yield from check_same(variant, found, whole)
    if error:
        yield "%s, renamed: %s" % (variant, error)


def link_maps(core):
    """Addresses of the entries of the dynamic linker's list, by DT_DEBUG."""
    rewritten = corerewrite.Rewritten(core)
    word = 8 if rewritten.is_64 else 4
    for load in rewritten.loads():
        for at in range(0, len(load.data) - 2 * word + 1 if len(load.data) < 1 << 20 else 0, word):
            tag = int.from_bytes(load.data[at:at + word], "little")
            value = int.from_bytes(load.data[at + word:at + 2 * word], "little")
            if tag != DT_DEBUG or not value:
                continue
            entries = []
            try:
                entry = rewritten.peek_words(value, 2)[1]
                while entry:
                    entries.append(entry)
                    entry = rewritten.peek_words(entry, 4)[3]
            except (KeyError, struct.error):
                continue
            if len(entries) > 2:
                return rewritten, word, entries
    raise known.Failure("%s has no list of modules" % core)


def check_damaged(tools, core):
    """Circles, entries that are nowhere and biases of no sense end, and are told in one line."""
    first = without(core, "no-list", (FILE,), True)
    for name, field, value in (("self", 3, -1), ("circle", 3, 0), ("nowhere", 3, 0x10),
                               ("bias", 0, 2**64 - 1), ("dynamic", 2, 2**64 - 8)):
        rewritten, word, entries = link_maps(first)
        target = {-1: entries[-1], 0: entries[0]}.get(value, value)
        rewritten.poke_word(entries[-1] + field * word, target & (1 << 8 * word) - 1)
        variant = rewritten.write("%s-%s" % (core, name))
        done = known.run([os.path.join(tools, "cgunwind"), "-f", "json", variant], timeout=60)
        lines = [line for line in done.stderr.decode().splitlines() if "list of modules" in line]
        if done.returncode != 0 or len(lines) != (field == 3):
            yield "%s: status %d: %s" % (variant, done.returncode, done.stderr.decode())


def check_program(tools, program, other, core):
    whole, error = chains(tools, core)
    if error or not whole or not all(len(chain) > 2 for chain, _ in whole.values()):
        yield "%s: %s %s" % (core, whole, error)
    yield from check_bare(tools, core, program, whole)
    yield from check_given(tools, core, program, other, whole)
    if os.path.basename(program).startswith("static-chains"):
        yield from check_static_place(tools, core, program, whole)
    print("%s: %d chains" % (os.path.basename(core), len(whole)))


def kernel_core(program):
    core, _ = core_kernel.by_kernel(program, os.path.dirname(program))
    return core


def qemu_core(directory, machine, program, root):
    """What qemu-user writes when the program ends by a signal."""
    command = ["qemu-" + machine] + (["-L", root] if root else []) + [program]
    unlimited = lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    subprocess.run(command, cwd=directory, check=False, capture_output=True, timeout=120,
                   preexec_fn=unlimited)
    # the kernel writes one of qemu itself, too
    written = glob.glob(os.path.join(directory, "qemu_%s_*.core" % os.path.basename(program)))
    if len(written) != 1:
        raise known.Failure("%s: %d cores" % (" ".join(command), len(written)))
    return written[0]


def check_falls(title, found):
    """The one thread of the program has the chain that its source tells."""
    (chain, stop), = found.values()
    names = [name for _, name in chain if name]
    if [name for name in names if name in FALLS_CHAIN] != FALLS_CHAIN or stop != "thread-start":
        yield "%s: %s [%s]" % (title, names, stop)
    print("%s: %d frames" % (title, len(chain)))


def check_valgrind(tools, directory):
    """Valgrind's cores have neither list nor auxiliary vector."""
    program = os.path.join(directory, "falls")
    known.check_run(["gcc", "-O1", source(directory, "falls.c", FALLS), "-o", program])
    limit = lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    subprocess.run(["valgrind", "--vgdb=no", "-q", program], cwd=directory, check=False,
                   capture_output=True, timeout=300, preexec_fn=limit)
    written = glob.glob(os.path.join(directory, "vgcore.*"))
    if len(written) != 1:
        raise known.Failure("valgrind has written %d cores" % len(written))
    with Away(program, program + "-renamed") as renamed:
        found, _ = chains(tools, written[0], "-e", renamed)
    yield from check_falls("valgrind", found)


def check_qemu(tools, directory):
    """Each architecture's core of another machine: by the linker's list, or by the entry point."""
    for machine, compiler, root in CROSS:
        if not shutil.which("qemu-" + machine) or not shutil.which(compiler):
            print("qemu-%s or %s is not here: left out" % (machine, compiler))
            continue
        for kind, options in (("dynamic", ()), ("static", ("-static",))):
            program = os.path.join(directory, "%s-%s" % (machine, kind))
            known.check_run([compiler, "-O1", "-fasynchronous-unwind-tables", *options,
                             source(directory, "falls.c", FALLS), "-o", program])
            core = qemu_core(directory, machine, program, root)
            sysroot = ["--sysroot", root] if root else []
            with Away(program, program + "-renamed") as renamed:
                found, _ = chains(tools, core, "-e", renamed, *sysroot)
            yield from check_falls("qemu-user, %s, %s" % (machine, kind), found)


def test(tools):
    known.need("gcc", "gcore", "valgrind")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-core-") as directory:
        programs = [build_chains(directory, "pie", "-pie", "-fPIE"),
                    build_chains(directory, "fixed", "-no-pie", "-fno-pie"),
                    build_chains(directory, "static", "-static", "-no-pie"),
                    build_chains(directory, "static-pie", "-static-pie", "-fPIE"),
                    build_visitor(directory)]
        elsewhere = os.path.join(directory, "elsewhere")
        os.mkdir(elsewhere)
        other = known.build("gcc", 1, elsewhere)
        for program in programs:
            core = by_gdb(program)
            failures += check_program(tools, program, other, core)
        failures += check_damaged(tools, programs[0] + ".gdb")
        if core_kernel.unable():
            print("left out: " + core_kernel.unable())
        else:
            for program in programs[:4]:
                failures += check_program(tools, program, other, kernel_core(program))
        failures += check_pair(tools, directory)
        failures += check_valgrind(tools, directory)
        failures += check_qemu(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
