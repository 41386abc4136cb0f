#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stacks that break unwinders: their chains are what the sources say.

usage: hard_stacks.py BUILD-DIRECTORY

Stacks whose mapping is split, and that overflow. Handlers that return by whatever makes the system
call. Functions of makecontext. Return probes.
"""

import ctypes
import json
import itertools
import os
import signal
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
import hard_known
import known



# What programs do to a page of their stack.
SPLIT = """
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define APART __attribute__((noinline))
volatile int going = 1, count;
static int how, handled;
APART void spin(void) { puts("ready"); fflush(stdout); while (going) count++; }
static void handler(int number) { spin(); going = number; }
APART void split(char *page, size_t size)
{
    int failed = -1, fd;
    char *copy = malloc(size);
    switch (how) {
    case 0: failed = mlock(page, size); break;
    case 1: failed = madvise(page, size, MADV_DONTFORK); break;
    case 2: failed = mprotect(page, size, PROT_READ | PROT_WRITE | PROT_EXEC); break;
    case 3: failed = madvise(page, size, MADV_DONTDUMP); break;
    case 4: failed = mprotect(page, size, PROT_READ); break;
    case 5: failed = madvise(page, size, MADV_WIPEONFORK); break;
    case 6:
        memcpy(copy, page, size);
        fd = memfd_create("page", 0);
        failed = write(fd, copy, size) != (ssize_t)size ||
                 mmap(page, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED;
        break;
    case 7: {
        char *shared = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        memcpy(shared, page, size);
        failed = mremap(shared, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, page) == MAP_FAILED;
    }
    }
    if (failed) perror("split");
}
APART void deep(int d)
{
    volatile char b[1500];
    b[d] = d;
    if (d) deep(d - 1);
    else if (handled) raise(SIGUSR1);
    else spin();
    count += b[d];
}
APART void middle(int d)
{
    char room[3 * 4096], *page = (char *)(((uintptr_t)room + 4095) & ~(uintptr_t)4095);
    memset(room, 0, sizeof(room));
    split(page, 4096);
    deep(d);
    count += room[5];
}
APART void above(int d) { volatile char b[9000]; b[1] = d; middle(d); count += b[1]; }
static void *thread(void *unused) {
    stack_t other = {.ss_size = 65536, .ss_sp = malloc(65536)};
    sigaltstack(&other, NULL);
    above(6);
    return unused;
}
int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    pthread_t other;
    how = atoi(argv[1]);
    handled = argc > 3;
    sigaction(SIGUSR1, &action, NULL);
    if (strcmp(argv[2], "main") == 0) thread(NULL);
    else if (pthread_create(&other, NULL, thread, NULL) == 0) pthread_join(other, NULL);
    return 0;
}
"""


def split(tools, directory):
    program = os.path.join(directory, "split")
    snapshot = os.path.join(directory, "snap")
    expected = ["deep"] * 7 + ["middle", "above"]
    known.check_run(["gcc", "-O1", "-pthread", "-o", program, hard_known.put(directory, "split.c", SPLIT)])
    for how in range(8):
        for thread in ("main", "other"):
            for handled in ([], ["handled"]):
                title = " ".join(["split", str(how), thread, *handled])
                with known.Target([program, str(how), thread, *handled]) as target:
                    if target.process.stdout.readline().strip() != "ready":
                        raise known.Failure("%s does not begin" % title)
                    known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-n", "1", "-p", str(target.pid),
                                     "-o", snapshot])
                chains = [([frame.get("function") for frame in known.real_frames(sample)], sample["stop"])
                          for sample in known.unwind(tools, snapshot).values()]
                spinning = [(names[names.index("deep"):], stop) for names, stop in chains if "deep" in names]
                if len(spinning) != 1 or spinning[0][0][:len(expected)] != expected or spinning[0][1] != "thread-start":
                    yield "%s: %s" % (title, chains)


# The handler of a stack's overflow, on a stack of its own: the SP that it interrupted is in no memory.
OVERFLOW = """
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))
volatile int going = 1, count;
APART void spin(void) { puts("ready"); fflush(stdout); while (going) count++; }
static void handler(int number) { spin(); going = number; }
APART int recurse(int d) { volatile char b[4000]; b[d & 63] = (char)d; int r = recurse(d + 1); return r + b[d & 63]; }
APART int begin(int d) { int r = recurse(d); return r + count; }
static void *thread(void *unused)
{
    stack_t other = {.ss_size = 65536, .ss_sp = malloc(65536)};
    sigaltstack(&other, NULL);
    count = begin(0);
    return unused;
}
int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    pthread_attr_t small;
    pthread_t other;
    sigaction(SIGSEGV, &action, NULL);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 262144);
    if (argc > 1) thread(argv);
    else if (pthread_create(&other, &small, thread, NULL) == 0) pthread_join(other, NULL);
    return 0;
}
"""


def overflown(tools, directory):
    program, snapshot = os.path.join(directory, "overflow"), os.path.join(directory, "snap")
    known.check_run(["gcc", "-O1", "-pthread", "-o", program, hard_known.put(directory, "overflow.c", OVERFLOW)])
    for arguments in ([], ["main"]):
        with known.Target(["sh", "-c", 'ulimit -s 1024; exec "$@"', "sh", program, *arguments]) as target:
            if target.process.stdout.readline().strip() != "ready":
                raise known.Failure("overflow does not begin")
            known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-n", "1", "-p", str(target.pid), "-o", snapshot])
        chains = [([frame.get("function") for frame in known.real_frames(sample)], sample["stop"])
                  for sample in known.unwind(tools, snapshot).values()]
        spinning = [(names, stop) for names, stop in chains if names[:2] == ["spin", "handler"]]
        if len(spinning) != 1 or "begin" not in spinning[0][0] or spinning[0][0].count("recurse") < 50 or \
                spinning[0][1] != "thread-start":
            yield "overflow %s: %s" % (arguments, chains)


# Ways of code to return from a signal handler, the program's own.
RESTORERS = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
struct kernel_action { void (*handler)(int); unsigned long flags; void (*restorer)(void); unsigned long mask[2]; };
volatile int going = 1, count;
__asm__(".text\\n.skip 16,0x90\\n"
        "way0: mov $15,%rax\\n syscall\\n ud2\\n"
        "way1: mov $15,%eax\\n syscall\\n ud2\\n"
        "way2: push $15\\n pop %rax\\n syscall\\n ud2\\n"
        "way3: endbr64\\n nop\\n mov $15,%eax\\n syscall\\n ud2\\n"
        "way4: xor %eax,%eax\\n mov $15,%al\\n syscall\\n ud2\\n"
        "way5: movabs $15,%rax\\n syscall\\n ud2\\n"
        "way6: sub $16,%rsp\\n add $16,%rsp\\n mov $15,%eax\\n syscall\\n ud2\\n"
        "way7: mov (%rsp),%rcx\\n mov way_number(%rip),%eax\\n syscall\\n ud2\\n"
        ".skip 200,0xcc\\nway8: jmp way0\\n"
        "nop\\nway9: call counts\\n mov $15,%eax\\n syscall\\n ud2\\n"
        "nop\\nway10: mov $15,%edi\\n mov %edi,%eax\\n call calls_system\\n ud2\\n"
        "counts: incq way_count(%rip)\\n ret\\n"
        "calls_system: add $8,%rsp\\n syscall\\n ud2\\n"
        ".data\\nway_count: .quad 0\\nway_number: .long 15\\n.text\\n");
extern char way0[], way1[], way2[], way3[], way4[], way5[], way6[], way7[], way8[], way9[], way10[];
static char *const ways[] = {way0, way1, way2, way3, way4, way5, way6, way7, way8, way9, way10};
#define APART __attribute__((noinline))
APART void spin(void) { puts("ready"); fflush(stdout); while (going) count++; }
APART void handler(int number) { char b[77]; b[0] = number; spin(); count += b[0]; }
APART void trap(void) { __asm__ volatile("ud2"); count++; }
APART void outer(int a) { char b[300]; b[1] = a; trap(); count += b[1]; }
int main(int argc, char **argv)
{
    char *way = ways[atoi(argv[1])];
    if (argc > 2) {
        char *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        way = memcpy(made + atoi(argv[2]), way, 24);
    }
    struct kernel_action action = {handler, SA_SIGINFO | SA_NODEFER | 0x04000000, (void (*)(void))way, {0}};
    if (syscall(SYS_rt_sigaction, SIGILL, &action, NULL, 8)) return 3;
    outer(7);
    return 0;
}
"""


def restorers(tools, directory):
    program = os.path.join(directory, "restorers")
    known.check_run(["gcc", "-O2", "-o", program, hard_known.put(directory, "restorers.c", RESTORERS)])
    for way in range(11):
        # In the text; in memory that was made, not at its first byte and there. Copies of ways 7 to 10
        # load no number, jump and call nowhere: the frame's shape tells what they are all the same.
        for made in [], ["64"], ["0"]:
            names, trusts, stop = hard_known.live_chain(tools, directory, program, str(way), *made)
            if not made and names[2] != "way%d" % way:
                yield "restorer %d is called %s" % (way, names[2])
            at = names.index("trap") if "trap" in names else 3
            title = " ".join(["restorer", str(way), *made])
            yield from hard_known.differs(title, (names[:2] + names[at:], trusts, stop), ["spin", "handler", "trap", "outer", "main"])


CONTEXT = """
#include <stdio.h>
#include <ucontext.h>
volatile int going = 1, count;
#define APART __attribute__((noinline))
static char stack[1 << 16];
APART void spin(int fault) { puts("ready"); fflush(stdout); if (fault) *(volatile int *)8 = 1; while (going) count++; }
APART void inner(int a) { volatile char b[140]; b[a & 31] = 1; spin(a); count += b[a & 31]; }
APART void first(int a) { volatile char b[240]; b[3] = 1; inner(a); count += b[3]; }
int main(int argc, char **argv)
{
    static ucontext_t own, other;
    (void)argv;
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = sizeof(stack);
    if (argc > 2) other.uc_link = &own;
    makecontext(&other, (void (*)(void))first, 1, argc % 2 == 0);
    swapcontext(&own, &other);
    return 0;
}
"""


def contexts(tools, directory):
    source = hard_known.put(directory, "context.c", CONTEXT)
    for options in (["-O2"], ["-O2", "-static"], ["-O1", "-fno-omit-frame-pointer"]):
        program = os.path.join(directory, "context")
        known.check_run(["gcc", *options, "-o", program, source])
        for linked in ([], ["a", "b"]):
            chain = hard_known.live_chain(tools, directory, program, *linked)
            yield from hard_known.differs("context %s %s" % (options, linked), chain, ["spin", "inner", "first"], "undefined-ra")
            if len(chain[0]) != 4:
                yield "context %s %s: %s" % (options, linked, chain)
    yield from repeated_contexts(tools, directory, program)
    for kind, compiler in hard_known.COMPILERS.items():
        machine, *options = kind.split()
        program = os.path.join(directory, "switched")
        known.check_run([compiler, "-O2", "-static", *options, "-o", program, source])
        core = hard_known.core_of(directory, machine, program, "a", "b", "c")
        outer = {"i386": "__makecontext", "x86_64": "__start_context"}.get(machine, "__startcontext")
        for method in ([], ["--method", "prologue"]):
            yield from hard_known.differs("context in %s %s" % (kind, method), hard_known.chain_of(tools, core, *method),
                                          ["spin", "inner", "first", outer], "undefined-ra")


def repeated_contexts(tools, directory, program):
    """Chains of the second sample on are made of cached steps."""
    snapshot = os.path.join(directory, "snap")
    with known.Target([program]) as target:
        if target.process.stdout.readline().strip() != "ready":
            raise known.Failure("%s does not begin" % program)
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-n", "4", "--clock", "ptrace", "-p", str(target.pid),
                         "-o", snapshot])
    command = [os.path.join(tools, "cgunwind"), "-q", "-f", "json", "--no-cache", "--method", "prologue", snapshot]
    samples = [item for item in map(json.loads, known.check_run(command).splitlines()) if item["type"] == "sample"]
    if len(samples) < 4:
        yield "context again: %d samples" % len(samples)
    for sample in samples:
        names = [frame.get("function") for frame in known.real_frames(sample)]
        yield from hard_known.differs("context again", (names, [], sample["stop"]), ["spin", "inner", "first"], "undefined-ra")


# The kernel puts a return address of its own in the place of that of `second`.
PROBED = """
#include <signal.h>
#include <stdio.h>
volatile int going = 1, count;
#define APART __attribute__((noinline))
APART void spin(void) { puts("probed"); fflush(stdout); while (going) count++; }
APART void first(int a) { volatile char b[140]; b[a & 31] = 1; spin(); count += b[a & 31]; }
APART void second(int a) { volatile char b[2340]; b[a & 31] = 1; first(a); count += b[a & 31]; }
APART void third(int a) { volatile char b[240]; b[a & 31] = 1; second(a); count += b[a & 31]; }
int main(int argc, char **argv)
{
    int number;
    sigset_t set;
    (void)argv;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    puts("ready");
    fflush(stdout);
    sigwait(&set, &number);
    if (BY_SIGNAL) { signal(SIGUSR2, second); raise(SIGUSR2); }
    third(argc);
    return 0;
}
"""


def return_probe(path, offset, pid):
    """Opens a perf event at the return of the function at this offset of the file, in the process."""
    with open("/sys/bus/event_source/devices/uprobe/type", encoding="ascii") as file:
        kind = int(file.read())
    name = ctypes.create_string_buffer(path.encode())
    # struct perf_event_attr up to config2: type, size, config (1: at return), ..., the path, the offset
    attributes = struct.pack("<IIQQQQQIIQQ", kind, 72, 1, 0, 0, 0, 0, 0, 0, ctypes.addressof(name), offset)
    libc = ctypes.CDLL(None, use_errno=True)
    fd = libc.syscall(298, ctypes.create_string_buffer(attributes, 72), pid, -1, -1, 8) # perf_event_open, x86-64
    if fd < 0:
        raise known.Failure("perf_event_open: %s" % os.strerror(ctypes.get_errno()))
    return fd


def probed(tools, directory):
    """The chain says that a return probe has the caller, and goes on where a frame pointer leads."""
    if not os.path.exists("/sys/bus/event_source/devices/uprobe"):
        print("return probes: this kernel has none")
        return
    snapshot = os.path.join(directory, "snap")
    for frames, by_signal in itertools.product(hard_known.FRAMES, (0, 1)):
        program = os.path.join(directory, "probed")
        known.check_run(["gcc", "-O2", frames, "-no-pie", "-DBY_SIGNAL=%d" % by_signal, "-o", program,
                         hard_known.put(directory, "probed.c", PROBED)])
        second, = (int(line.split()[0], 16) for line in known.check_run(["nm", program]).splitlines()
                   if line.endswith(" second"))
        with known.Target([program]) as target:
            target.process.stdout.readline()
            fd = return_probe(program, second - 0x400000, target.pid)
            os.kill(target.pid, signal.SIGUSR1)
            target.process.stdout.readline()
            known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-n", "1", "-p", str(target.pid), "-o", snapshot])
            os.close(fd)
        sample, = known.unwind(tools, snapshot).values()
        shown = [frame.get("function") or frame.get("module") for frame in known.real_frames(sample)]
        goes_on = by_signal or frames == hard_known.FRAMES[0]
        # A handler's caller is in the kernel's frame.
        if by_signal:
            shown = [name for name in shown if name not in ("__pthread_kill_implementation", "__pthread_kill", "raise", "gsignal")]
        expected = ["spin", "first", "second", "[uprobes]"] + (["main"] if goes_on else [])
        yield from hard_known.differs("probed %s, %d" % (frames, by_signal), (shown, [], sample["stop"]), expected,
                           "thread-start" if goes_on else "no-rule")


# A thread calls exec again and again; the process's first thread has ended.
EXECS = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
volatile int going = 1, count;
static char *self, left[16];
__attribute__((noinline)) void spin(void) { for (long i = 0; i < 20000000 && going; i++) count++; }
static void *again(void *p) { spin(); execl(self, self, left, (char *)0); return p; }
int main(int argc, char **argv)
{
    pthread_t thread;
    self = argv[0];
    snprintf(left, sizeof(left), "%d", atoi(argv[argc - 1]) - 1);
    for (int i = 0; left[0] == '-'; i++) { spin(); if (i == 500) return 0; }
    puts("ready");
    fflush(stdout);
    pthread_create(&thread, NULL, again, NULL);
    syscall(SYS_exit, 0);
}
"""


def execs(tools, directory):
    """The mappings of the new program are known, also when the first thread tells none any more."""
    program, snapshot = os.path.join(directory, "execs"), os.path.join(directory, "snap")
    known.check_run(["gcc", "-O2", "-pthread", "-o", program, hard_known.put(directory, "execs.c", EXECS)])
    for clock in ("ptrace", "perf"):
        with known.Target([program, "90"]) as target:
            if target.process.stdout.readline().strip() != "ready":
                raise known.Failure("execs does not begin")
            known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "--overhead", "100", "--clock", clock, "-d", "2",
                             "-p", str(target.pid), "-o", snapshot])
        lines = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "json", "--no-cache", snapshot]).splitlines()
        items = [item for item in map(json.loads, lines) if item["type"] in ("sample", "tick")]
        chains = [([frame.get("function") for frame in known.real_frames(item)], item["stop"]) for item in items]
        within = [(names, stop) for names, stop in chains if "again" in names]
        wrong = [(names, stop) for names, stop in within if stop != "thread-start"]
        print("execs by %s: %d samples, %d without their thread's start" % (clock, len(within), len(wrong)))
        if len(within) < 5 or wrong:
            yield "execs by %s: %d of %d: %s" % (clock, len(wrong), len(within), wrong[:3])


def test(tools):
    known.need("gcc")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-hard-") as directory:
        for kind in (split, overflown, restorers, contexts, probed, execs):
            failures += kind(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
