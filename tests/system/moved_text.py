#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program copies its text, or a library's, into memory of its own at the same place, as programs do
to have it in huge pages: chains are named as before, in snapshots and in cores of gdb. Other code in
the text's place is not taken for it. Files are found that are called as /proc/PID/maps writes what
is no part of a name.

usage: moved_text.py BUILD-DIRECTORY
"""

import itertools
import os
import sys
import tempfile

sys.dont_write_bytecode = True
import hard_known
import known

CODE = """
#include <stdio.h>
#define APART __attribute__((noinline))
extern volatile int going, count;
APART void spin(void) { puts("ready"); fflush(stdout); while (going) count++; }
APART void inner(int a) { volatile char b[140]; b[a & 31] = 1; spin(); count += b[a & 31]; }
__attribute__((noinline, aligned(4096))) void first(int a) { volatile char b[2000]; b[a & 31] = 1; inner(a); count += b[a & 31]; }
__asm__(".text\\nunused: .fill 300000,1,0x90\\n");
extern char unused[] __attribute__((visibility("hidden")));
char *unused_code(void) { return unused; }
"""
USER = """
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
volatile int going = 1, count;
void first(int);
char *unused_code(void);
static uintptr_t begin, end;
/* The whole pages of the text that `first` is in. */
static int find(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *head = &info->dlpi_phdr[i];
        uintptr_t from = info->dlpi_addr + head->p_vaddr, to = from + head->p_filesz;
        if (head->p_type != PT_LOAD || !(head->p_flags & PF_X) || (uintptr_t)first - from >= to - from) continue;
        begin = from & ~4095ul;
        end = (to + 4095) & ~4095ul;
    }
    return 0;
}
static void move(const char *way)
{
    size_t size = end - begin;
    char *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char name[] = "textXXXXXX";
    int file = -1;
    memcpy(copy, (void *)begin, size);
    if (strcmp(way, "other") == 0) memset(copy + ((uintptr_t)unused_code() - begin), 0xcc, 300000);
    if (strcmp(way, "memfd") == 0) file = memfd_create("text", 0);
    if (strcmp(way, "deleted") == 0) { file = mkstemp(name); unlink(name); }
    if (strcmp(way, "shared") == 0) {
        char *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        copy = memcpy(shared, copy, size);
    }
    if (file >= 0) {
        if (write(file, copy, size) != (ssize_t)size) exit(1);
        mmap((void *)begin, size, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0);
    } else {
        mprotect(copy, size, PROT_READ | PROT_EXEC);
        mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)begin);
    }
}
int main(int argc, char **argv)
{
    dl_iterate_phdr(find, NULL);
    if (strcmp(argv[2], "part") == 0) {
        begin = (uintptr_t)first & ~4095ul;
        end = begin + 4096;
    }
    if (strcmp(argv[1], "none") != 0) move(argv[1]);
    first(argc);
    return 0;
}
"""

WAYS = ("anonymous", "memfd", "deleted", "shared")
CHAIN = ["spin", "inner", "first", "main"]
LINKS = (("program", []), ("no build-id", ["-Wl,--build-id=none"]), ("one segment", ["-Wl,-z,noseparate-code"]),
         ("one segment, no build-id", ["-Wl,-z,noseparate-code", "-Wl,--build-id=none"]), ("static", ["-static"]),
         ("fixed", ["-no-pie"]), ("lld", ["-fuse-ld=lld"]), ("library", []))


def build(directory, link, options):
    program = os.path.join(directory, "moved")
    code, user = (hard_known.put(directory, name, text) for name, text in (("code.c", CODE), ("user.c", USER)))
    if link == "library":
        library = os.path.join(directory, "libcode.so")
        known.check_run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, code])
        code = library
    known.check_run(["gcc", "-O2", *options, "-o", program, user, code])
    return program


def gdb_core(directory, program, *arguments):
    with known.Target([program, *arguments]) as target:
        if target.process.stdout.readline().strip() != "ready":
            raise known.Failure("%s does not begin" % program)
        known.check_run(["gcore", "-o", os.path.join(directory, "core"), str(target.pid)])
        return os.path.join(directory, "core.%d" % target.pid)


def test(tools):
    known.need("gcc", "ld.lld", "gcore")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-moved-") as directory:
        os.chdir(directory)
        for link, options in LINKS:
            program = build(directory, link, options)
            for way, part in itertools.product(WAYS, ("whole", "part")):
                chain = hard_known.live_chain(tools, directory, program, way, part)
                failures += hard_known.differs("%s, %s, %s" % (link, way, part), chain, CHAIN)
            names, _, _ = hard_known.live_chain(tools, directory, program, "other", "whole")
            if set(names) & {"spin", "inner", "first"}:
                failures.append("%s, other code: %s" % (link, names))
            if "one segment" in link: # the header's copy is in no mapping of the file's
                continue
            for way, part in (("anonymous", "whole"), ("memfd", "whole"), ("anonymous", "part")):
                core = gdb_core(directory, program, way, part)
                failures += hard_known.differs("core, %s, %s, %s" % (link, way, part), hard_known.chain_of(tools, core), CHAIN)
                os.unlink(core)
        for name in ("x (deleted)", "x\\012y", "x\ny", "x\\012y (deleted)", "x\ny (deleted)"):
            os.rename(program, name)
            program = os.path.join(directory, name)
            chain = hard_known.live_chain(tools, directory, program, "none", "whole")
            failures += hard_known.differs(repr(name), chain, CHAIN)
            told = hard_known.told_of(tools, os.path.join(directory, "snap"))
            if "deleted" in told:
                failures.append("%r: %s" % (name, told))
            if "\n" in name or "\\" in name: # gdb writes what /proc/PID/maps has for it
                continue
            core = gdb_core(directory, program, "none", "whole")
            failures += hard_known.differs("core of %r" % name, hard_known.chain_of(tools, core), CHAIN)
            os.unlink(core)
    return failures


if __name__ == "__main__":
    known.main(test)
