#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs that broke other unwinders, a function each kind: their chains are what the sources say.

usage: hard_programs.py BUILD-DIRECTORY

Calls of no function: a null pointer, a small number, addresses of data and of the stack, an odd one;
in cores that qemu-user writes, of x86, ARM and AArch64, with frame pointers and without, and in the
middle of a chain, below a signal handler. Calls of a weak function that is not there, as lld
resolves them. Code that pops its return address, keeps it in a register, and zeroes the frame
pointer. Text of zeroes. Symbols without a size before functions without a name. A .debug_frame of
another order of the functions. Stacks whose mapping is split, and that overflow. Files without build-id, of which
another build has the name. Handlers that return by whatever makes the system call. Functions of
makecontext. Blocks of functions in sections of their own. Return probes. Plug-ins that take each other's
place. Inlined functions in split debug information.
"""

import ctypes
import glob
import itertools
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

COMPILERS = {"x86_64": "gcc", "i386": "i686-linux-gnu-gcc", "arm": "arm-linux-gnueabihf-gcc",
             "arm -marm": "arm-linux-gnueabihf-gcc", "aarch64": "aarch64-linux-gnu-gcc"}
FRAMES = ("-fno-omit-frame-pointer", "-fomit-frame-pointer")

NOWHERE = """
#include <stdlib.h>
#include <string.h>
typedef int function(int);
static function *volatile hook;
static int table[64];
#define APART __attribute__((noinline))
APART int inner(int a) { int r = hook(a); return r + a; }
APART int tail(int a) { return hook(a + 7); }
APART int other(int a) { int r = tail(a + 1); return r * a; }
APART int middle(int a) { int r = inner(a + 1); return r * a; }
APART int outer(int a, int jumps) { int r = jumps ? other(a) : middle(a + 2); return r - a; }
int main(int argc, char **argv)
{
    char *kind = argv[argc - 1];
    int local[64];
    if (strcmp(kind, "low") == 0) hook = (function *)0x10;
    if (strcmp(kind, "data") == 0) hook = (function *)(void *)table;
    if (strcmp(kind, "stack") == 0) hook = (function *)(void *)local;
    if (strcmp(kind, "heap") == 0) hook = (function *)calloc(64, 4);
    if (strcmp(kind, "odd") == 0) hook = (function *)((char *)outer + 2);
    return outer(3, strcmp(kind, "tail") == 0) + 1;
}
"""
INNER, TAIL = ["inner", "middle", "outer", "main"], ["other", "outer", "main"]

# The handler of the fault spins: the call of no function is in the middle of the chain.
HANDLED = """
#include <signal.h>
#include <stdio.h>
static int (*volatile hook)(int);
static volatile int going = 1;
#define APART __attribute__((noinline))
APART void spin(void) { while (going) ; }
static void handler(int number) { puts("ready"); fflush(stdout); spin(); going = number; }
APART int inner(int a) { int r = hook(a); return r + a; }
APART int middle(int a) { int r = inner(a + 1); return r * a; }
APART int outer(int a) { int r = middle(a + 2); return r - a; }
int main(void) { signal(SIGSEGV, handler); return outer(3) + 1; }
"""

WEAK = """
__attribute__((weak)) int absent(int);
int fault(int, int *);
__attribute__((noinline)) int work(int a, int *p)
{
    int v[12];
    for (int i = 0; i < 12; i++) v[i] = a * i;
    int r = fault(a, v);
    r += absent(r);
    r += fault(r, p);
    for (int i = 0; i < 12; i++) r += v[i] ^ r;
    return r + *p;
}
"""
WEAK_USER = """
int work(int, int *);
static int calls;
__attribute__((noinline)) int fault(int a, int *p)
{
    if (++calls == 2) *(volatile int *)8 = 1;
    return *p + a;
}
__attribute__((noinline)) int middle(int *x)
{
    int v[7];
    for (int i = 0; i < 7; i++) v[i] = x[0] + i;
    int r = work(v[3], v);
    for (int i = 0; i < 7; i++) r ^= v[i];
    return r;
}
int begin(void) { int x[2] = {3, 4}; int r = middle(x); return r + x[1]; }
"""
WEAK_START = {
    "arm": ".syntax unified\n.arm\n.global _start\n.type _start,%function\n"
           "_start: mov fp,#0\n mov lr,#0\n bl begin\n1: b 1b\n.size _start,.-_start\n",
    "aarch64": ".global _start\n.type _start,%function\n"
               "_start: mov x29,xzr\n mov x30,xzr\n bl begin\n1: b 1b\n.size _start,.-_start\n"}

POPPED = """
.macro function name
.globl \\name
.type \\name,@function
.p2align 4
\\name:
.endm
.macro spin
1: cmpl $0,going(%rip)
 jne 1b
.endm
function popped
 pop %r11
 spin
 jmp *%r11
function popped_zeroed
 pop %r11
 mov %rbp,%r10
 xor %ebp,%ebp
 spin
 mov %r10,%rbp
 jmp *%r11
function as_start
 xor %ebp,%ebp
 pop %rsi
 mov %rsp,%rdx
 and $-16,%rsp
 spin
 mov %rdx,%rsp
 jmp *%rsi
.section .note.GNU-stack,"",@progbits
"""
POPPED_USER = """
#include <stdio.h>
#include <stdlib.h>
volatile int going = 1;
void popped(void), popped_zeroed(void), as_start(void);
static void (*const volatile kinds[])(void) = {popped, popped_zeroed, as_start};
__attribute__((noinline)) void caller(int a) { volatile char b[140]; b[a] = 1; kinds[a](); b[a]++; }
__attribute__((noinline)) void outer(int a) { volatile char b[a * 90 + 9]; b[3] = 1; caller(a); b[3]++; }
int main(int argc, char **argv) { puts("ready"); fflush(stdout); outer(atoi(argv[argc - 1])); return 0; }
"""

# A symbol without a size, then functions whose names strip takes away.
UNSIZED = """
.text
.globl marker
.type marker,@notype
marker: ret
.section .note.GNU-stack,"",@progbits
"""
UNSIZED_USER = """
#include <stdio.h>
volatile int going = 1;
void marker(void);
#define APART static __attribute__((noinline))
APART void spin(void) { while (going) ; }
APART void first(int a) { volatile char b[140]; b[a] = 1; spin(); b[a]++; }
APART void second(int a) { volatile char b[340]; b[a] = 1; first(a); b[a]++; }
int main(int argc, char **argv) { (void)argv; marker(); puts("ready"); fflush(stdout); second(argc); return 0; }
"""

# The same functions in two orders: .debug_frame of one beside the code and .eh_frame of the other.
ORDERED = """
__asm__(".cfi_sections .eh_frame, .debug_frame");
#include <stdio.h>
#include <stdlib.h>
volatile int going = 1, count;
#define APART __attribute__((noinline))
APART void spin(int); APART int cold(int); APART void first(int); APART void second(int);
APART void third(int, int); APART void fourth(int, int, int);
"""
ORDERED_FUNCTIONS = """
APART void spin(int a) { if (a > 1) *(volatile int *)8 = 1; puts("ready"); fflush(stdout); while (going) count++; }
APART int cold(int a) { char b[500]; b[a & 255] = a; printf("%d", b[a & 127]); return b[a & 63]; }
APART void first(int a) { char b[40]; b[a & 31] = a; if (a > 100) count += cold(a); spin(a); count += b[a & 31]; }
APART void second(int a) { char b[140]; b[a & 31] = a; if (a > 100) count += cold(a); first(a); count += b[a & 31]; }
APART void third(int a, int c) { char b[340]; b[a & 31] = a; if (a > 100) exit(cold(a)); second(a); count += b[a & 31] * c; }
APART void fourth(int a, int c, int d) { char b[740]; b[a & 31] = a; third(a, c); count += b[a & 31] + c * d; }
int main(int argc, char **argv) { (void)argv; fourth(argc, argc + 1, argc + 2); return 0; }
"""
ORDERED_CHAIN = ["spin", "first", "second", "third", "fourth", "main"]

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

# Two builds of a program, or of a library, that have no build-id.
BUILDS = """
#include <stdio.h>
volatile int going = 1, count;
#define APART __attribute__((noinline))
#ifdef OTHER
APART int extra(int x) { volatile int k = x; for (int i = 0; i < 9; i++) count += k * i; return count; }
#endif
APART void spin(void) { puts("ready"); fflush(stdout); while (going) count++; }
APART void first(int a) { volatile char b[140]; b[a & 31] = a; spin(); count += b[a & 31]; }
APART void second(int a) { volatile char b[2340]; b[a & 31] = a; first(a); count += b[a & 31]; }
"""

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
        ".skip 200,0xcc\\nway6: jmp way0\\n");
extern char way0[], way1[], way2[], way3[], way4[], way5[], way6[];
static char *const ways[] = {way0, way1, way2, way3, way4, way5, way6};
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
        way = memcpy(made + 64, way, 24);
    }
    struct kernel_action action = {handler, SA_SIGINFO | SA_NODEFER | 0x04000000, (void (*)(void))way, {0}};
    if (syscall(SYS_rt_sigaction, SIGILL, &action, NULL, 8)) return 3;
    outer(7);
    return 0;
}
"""

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

# Each block of a function in a section of its own.
BLOCKS = """
#include <stdio.h>
#include <string.h>
volatile int going = 1, count;
#define APART __attribute__((noinline))
APART void spin(int ready) { if (ready) { puts("ready"); fflush(stdout); } while (going) count++; }
APART int first(int a) {
    volatile char b[140];
    b[a & 31] = (char)a;
    if (a > 3) spin(1); else count += 7;
    for (int i = 0; i < b[a & 31]; i++) { count += b[i]; if (count & 1) spin(0); }
    return count;
}
APART int second(int a) {
    volatile char b[2340];
    int sum = 0;
    b[a & 31] = (char)a;
    for (int i = 0; i < a; i++) { if (i & 1) sum += first(a + i); else if (i & 2) sum -= first(a - i); else sum ^= first(a * i + 5); }
    return sum + b[a & 31];
}
APART int third(int a, char **v) {
    int k = (int)strlen(v[0]);
    if (a == 7) return 3;
    if (k > 1000) return second(k) + 1;
    switch (a) { case 1: k += second(a + 3); break; case 2: k = second(5) * k; break; default: k = second(k); }
    return k;
}
int main(int argc, char **argv) { return third(argc, argv) + count; }
"""

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
    third(argc);
    return 0;
}
"""

# Libraries of one size, one after the other at one address.
PLUGIN = """
extern void spin(int);
volatile int calls;
__attribute__((noinline)) void inner%d(int ms) { spin(ms); calls++; }
void entry(int ms) { inner%d(ms); calls++; }
"""
PLUGIN_USER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
volatile int count;
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e3 + t.tv_nsec / 1e6; }
__attribute__((noinline)) void spin(int ms) { for (double end = now() + ms; now() < end;) for (int i = 0; i < 1000; i++) count++; }
#define CALL(n) __attribute__((noinline)) void call##n(char *path, int ms) { \\
    void *library = dlopen(path, RTLD_NOW); \\
    if (!library) { puts(dlerror()); exit(1); } \\
    ((void (*)(int))dlsym(library, "entry"))(ms); \\
    dlclose(library); \\
    count += n; }
CALL(0) CALL(1) CALL(2) CALL(3) CALL(4) CALL(5) CALL(6) CALL(7)
int main(int argc, char **argv)
{
    void (*const calls[])(char *, int) = {call0, call1, call2, call3, call4, call5, call6, call7};
    puts("ready");
    fflush(stdout);
    for (int i = 0; argc > 9; i++) calls[i % 8](argv[2 + i % 8], atoi(argv[1]));
}
"""

INLINED = """
#include <stdio.h>
volatile int go = 1;
volatile long n;
static inline __attribute__((always_inline)) void inl2(int a) { while (go) n += a; }
static inline __attribute__((always_inline)) void inl1(int a) { n++; inl2(a + 1); }
__attribute__((noinline)) void real(int a) { inl1(a); n++; }
int main(int count, char **values) { puts("ready"); fflush(stdout); real(count); n++; return !values; }
"""


def put(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return path


def core_of(directory, machine, program, *arguments):
    """What qemu-user writes when the program ends by a signal."""
    for old in glob.glob(os.path.join(directory, "qemu_*.core")):
        os.unlink(old)
    unlimited = lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    subprocess.run(["qemu-" + machine, program, *arguments], cwd=directory, check=False, capture_output=True,
                   timeout=120, preexec_fn=unlimited)
    written = glob.glob(os.path.join(directory, "qemu_%s_*.core" % os.path.basename(program)))
    if len(written) != 1:
        raise known.Failure("%s: %d cores" % (program, len(written)))
    return written[0]


def chain_of(tools, path, *options):
    """Names, trusts and the stop reason of the one thread's chain."""
    sample, = known.unwind(tools, path, *options).values()
    frames = known.real_frames(sample)
    return [frame.get("function") for frame in frames], [frame["trust"] for frame in frames], sample["stop"]


def live_chain(tools, directory, *command):
    snapshot = os.path.join(directory, "snap")
    with known.Target(command) as target:
        if target.process.stdout.readline().strip() != "ready":
            raise known.Failure("%s does not begin" % command[0])
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-n", "1", "-p", str(target.pid),
                         "-o", snapshot])
    return chain_of(tools, snapshot)


def differs(title, chain, expected, stop="thread-start"):
    names, trusts, stopped = chain
    if names[:len(expected)] != expected or stopped != stop:
        yield "%s: %s by %s, %s" % (title, names, trusts, stopped)


def nowhere(tools, directory):
    count = 0
    for kind, compiler in COMPILERS.items():
        machine, *options = kind.split()
        for frames in FRAMES:
            program = os.path.join(directory, "nowhere")
            known.check_run([compiler, "-O2", frames, "-static", *options, "-o", program,
                             put(directory, "nowhere.c", NOWHERE)])
            pointers = ["null", "low", "data", "stack", "heap", "tail"] + (["odd"] if machine == "aarch64" else [])
            for pointer in pointers:
                core = core_of(directory, machine, program, pointer)
                names, trusts, stop = chain_of(tools, core, "-e", program)
                callers = (names[1:], trusts[1:], stop)
                title = "%s %s, %s" % (kind, frames, pointer)
                yield from differs(title, callers, TAIL if pointer == "tail" else INNER)
                if trusts[1:2] != ["lr"]:
                    yield "%s: the direct caller is found by %s" % (title, trusts[1:2])
                count += 1
    print("calls of no function: %d cores" % count)


def handled(tools, directory):
    for frames in FRAMES:
        program = os.path.join(directory, "handled")
        known.check_run(["gcc", "-O2", frames, "-o", program, put(directory, "handled.c", HANDLED)])
        names, trusts, stop = live_chain(tools, directory, program)
        if names[:2] != ["spin", "handler"]:
            yield "handled %s: %s by %s" % (frames, names, trusts)
        at = names.index("inner") if "inner" in names else 4
        yield from differs("handled " + frames, (names[at:], trusts, stop), INNER)


def weak(tools, directory):
    for machine, start in WEAK_START.items():
        compiler = COMPILERS[machine]
        sources = [put(directory, "weak.c", WEAK), put(directory, "user.c", WEAK_USER), put(directory, "start.s", start)]
        for options in [["-marm"], ["-mthumb"]] if machine == "arm" else [[]]:
            objects = [os.path.splitext(path)[0] + ".o" for path in sources]
            for path, built in zip(sources, objects):
                known.check_run([compiler, "-O2", *options, "-fomit-frame-pointer", "-fno-stack-protector",
                                 "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-c", "-o", built, path])
            program = os.path.join(directory, "weak")
            known.check_run(["ld.lld", "-static", "-o", program, *objects])
            core = core_of(directory, machine, program)
            yield from differs("weak, %s %s" % (machine, options), chain_of(tools, core, "-e", program),
                               ["fault", "work", "middle", "begin", "_start"])


def popped(tools, directory):
    program = os.path.join(directory, "popped")
    known.check_run(["gcc", "-O1", "-o", program, put(directory, "popped.c", POPPED_USER),
                     put(directory, "popped_code.S", POPPED)])
    for index, name in enumerate(("popped", "popped_zeroed")):
        yield from differs(name, live_chain(tools, directory, program, str(index)), [name, "caller", "outer", "main"])
    names, trusts, stop = live_chain(tools, directory, program, "2")  # what it has in SP's place nobody can tell
    if names[0] != "as_start" or (stop == "thread-start" and names[1:4] != ["caller", "outer", "main"]):
        yield "as_start: %s by %s, %s" % (names, trusts, stop)


def zeroed(tools, directory):
    """A file whose text is absent: no frame is passed by an analysis of the zeroes in its place."""
    program = os.path.join(directory, "nowhere")
    for frames in FRAMES:
        known.check_run(["gcc", "-O1", frames, "-static", "-fno-asynchronous-unwind-tables", "-o", program,
                         put(directory, "nowhere.c", NOWHERE)])
        core = core_of(directory, "x86_64", program, "null")
        whole = os.path.join(directory, "whole")
        shutil.move(program, whole)
        with open(whole, "rb") as file:
            data = bytearray(file.read())
        offset, size = text_of(data)
        data[offset:offset + size] = bytes(size)
        with open(program, "wb") as file:
            file.write(data)
        names, trusts, stop = chain_of(tools, core, "-e", program)
        expected = (INNER, "thread-start") if frames == FRAMES[0] else (["inner"], "no-rule")
        yield from differs("zeroed " + frames, (names[1:], trusts[1:], stop), *expected)
        if "prologue" in trusts or (stop == "no-rule" and len(names) != 2):
            yield "zeroed %s: %s by %s" % (frames, names, trusts)


def text_of(data):
    """Offset and size of .text in an ELF file of 64 bits."""
    table, = struct.unpack_from("<Q", data, 40)
    entry_size, count, names = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from("<IIQQQQ", data, table + i * entry_size) for i in range(count)]
    for name, _, _, _, offset, size in heads:
        at = heads[names][4] + name
        if data[at:data.index(0, at)] == b".text":
            return offset, size
    raise known.Failure("no .text")


def unsized(tools, directory):
    program = os.path.join(directory, "unsized")
    known.check_run(["gcc", "-O2", "-o", program, put(directory, "marker.S", UNSIZED),
                     put(directory, "unsized.c", UNSIZED_USER)])
    known.check_run(["strip", "-x", program])
    live_chain(tools, directory, program)
    snapshot = os.path.join(directory, "snap")
    stacks = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "folded", snapshot])
    functions = stacks.split()[0].split(";")[-3:]
    if len(set(functions)) != 3 or not all(name.startswith("unsized+0x") for name in functions):
        yield "unsized: %s" % functions


def ordered(tools, directory):
    """.debug_frame contradicts .eh_frame, which is right: no wrong chain, and one word of it."""
    functions = ORDERED_FUNCTIONS.strip().split("\n")
    for machine, options in (("x86_64", ["-O2"]), ("x86_64", ["-O1", "-fno-omit-frame-pointer"]),
                             ("aarch64", ["-O2", "-static"])):
        compiler, program = COMPILERS[machine], os.path.join(directory, "ordered")
        objcopy = compiler.replace("gcc", "objcopy")
        for name, order in (("reversed", functions[::-1]), ("ordered", functions)):
            known.check_run([compiler, *options, "-g", "-fno-toplevel-reorder", "-o", os.path.join(directory, name),
                             put(directory, name + ".c", ORDERED + "\n".join(order))])
        table = os.path.join(directory, "table")
        known.check_run([objcopy, "--dump-section", ".debug_frame=" + table, os.path.join(directory, "reversed")])
        known.check_run([objcopy, "--update-section", ".debug_frame=" + table, program])
        if machine == "x86_64":
            yield from differs("ordered %s" % options, live_chain(tools, directory, program), ORDERED_CHAIN)
            told = told_of(tools, os.path.join(directory, "snap"))
        else:
            core = core_of(directory, machine, program, "fault")
            yield from differs("ordered " + machine, chain_of(tools, core, "-e", program), ORDERED_CHAIN)
            told = told_of(tools, core, "-e", program)
        if told.count("contradict each other") != 1:
            yield "ordered %s %s: told: %s" % (machine, options, told)


def told_of(tools, path, *options):
    """What cgunwind says of the file besides the chains."""
    command = [os.path.join(tools, "cgunwind"), "-f", "folded", "--no-cache", *options, path]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr


def split(tools, directory):
    program = os.path.join(directory, "split")
    snapshot = os.path.join(directory, "snap")
    expected = ["deep"] * 7 + ["middle", "above"]
    known.check_run(["gcc", "-O1", "-pthread", "-o", program, put(directory, "split.c", SPLIT)])
    for how in range(7):
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


def overflown(tools, directory):
    program, snapshot = os.path.join(directory, "overflow"), os.path.join(directory, "snap")
    known.check_run(["gcc", "-O1", "-pthread", "-o", program, put(directory, "overflow.c", OVERFLOW)])
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


def builds(tools, directory):
    """Another build has the path of a file without build-id: it is not used, and that is told."""
    main = "int main(int argc, char **argv) { (void)argv; second(argc); return 0; }\n"
    caller = "void second(int); int main(int argc, char **argv) { (void)argv; second(argc); return 0; }\n"
    names_first = "".join("int variable%d;\n" % i for i in range(600)) # then code is at another offset
    used, snapshot = os.path.join(directory, "used"), os.path.join(directory, "snap")
    for kind, options in (("program", []), ("static", ["-static"]), ("library", ["-shared", "-fPIC"]),
                          ("one segment", ["-Wl,-z,noseparate-code"]), ("more names", ["-rdynamic"])):
        source = put(directory, "builds.c", BUILDS + ("" if kind == "library" else main))
        source_of_other = put(directory, "other.c", (names_first if kind == "more names" else "") + BUILDS +
                              ("" if kind == "library" else main))
        for name, extra in (("own", [source]), ("other", ["-DOTHER", source_of_other])):
            known.check_run(["gcc", "-O2", "-Wl,--build-id=none", *options, *extra, "-o", os.path.join(directory, name)])
        program = os.path.join(directory, "caller") if kind == "library" else used
        shutil.copy(os.path.join(directory, "own"), used)
        if kind == "library":
            known.check_run(["gcc", "-O2", "-o", program, put(directory, "caller.c", caller), used])
        chain = live_chain(tools, directory, program)
        yield from differs("builds, %s" % kind, chain, ["spin", "first", "second", "main"])
        os.unlink(used)
        known.check_run(["strip", "-o", used, os.path.join(directory, "own")])
        names, trusts, stop = chain_of(tools, snapshot)
        told = told_of(tools, snapshot)
        if len(names) < 4 or stop != "thread-start" or "is not the file" in told:
            yield "builds, %s, stripped: %s by %s, %s, %s" % (kind, names, trusts, stop, told)
        os.unlink(used)
        shutil.copy(os.path.join(directory, "other"), used)
        names, _, _ = chain_of(tools, snapshot)
        told = told_of(tools, snapshot)
        if "used: is not the file that the process ran" not in told or {"spin", "first", "extra"} & set(names):
            yield "builds, %s, another build: %s, %s" % (kind, names, told)
        os.unlink(used)


def restorers(tools, directory):
    program = os.path.join(directory, "restorers")
    known.check_run(["gcc", "-O2", "-o", program, put(directory, "restorers.c", RESTORERS)])
    for way in range(7):
        for made in [[], ["made"]] if way < 6 else [[]]: # a copy of the jump would lead elsewhere
            names, trusts, stop = live_chain(tools, directory, program, str(way), *made)
            at = names.index("trap") if "trap" in names else 3
            title = " ".join(["restorer", str(way), *made])
            yield from differs(title, (names[:2] + names[at:], trusts, stop), ["spin", "handler", "trap", "outer", "main"])


def contexts(tools, directory):
    for options in (["-O2"], ["-O2", "-static"], ["-O1", "-fno-omit-frame-pointer"]):
        program = os.path.join(directory, "context")
        known.check_run(["gcc", *options, "-o", program, put(directory, "context.c", CONTEXT)])
        for linked in ([], ["a", "b"]):
            chain = live_chain(tools, directory, program, *linked)
            yield from differs("context %s %s" % (options, linked), chain, ["spin", "inner", "first"], "undefined-ra")
            if len(chain[0]) != 4:
                yield "context %s %s: %s" % (options, linked, chain)


def blocks(tools, directory):
    """Blocks that have a symbol and an FDE each are analysed as the function that they are."""
    program = os.path.join(directory, "blocks")
    for options in (["-O1"], ["-O2"], ["-O2", "-fno-omit-frame-pointer"], ["-O3", "-no-pie"]):
        known.check_run(["clang", *options, "-fbasic-block-sections=all", "-o", program, put(directory, "blocks.c", BLOCKS)])
        audit = known.check_run([os.path.join(tools, "cgrules"), "--audit", program])
        fragments = [line.split() for line in audit.splitlines() if line.startswith("fragment")]
        if len(fragments) != 2 or int(fragments[0][1]) < 60 or any(line[2] != "100.00" for line in fragments):
            yield "blocks %s: %s" % (options, fragments)
        live_chain(tools, directory, program)
        names, trusts, stop = chain_of(tools, os.path.join(directory, "snap"), "--method", "prologue")
        names = [name.split(".__part.")[0] for name in names if name]
        yield from differs("blocks %s" % options, (names, trusts, stop), ["spin", "first", "second", "third", "main"])


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
    for frames in FRAMES:
        program = os.path.join(directory, "probed")
        known.check_run(["gcc", "-O2", frames, "-no-pie", "-o", program, put(directory, "probed.c", PROBED)])
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
        expected = ["spin", "first", "second", "[uprobes]"] + (["main"] if frames == FRAMES[0] else [])
        yield from differs("probed %s" % frames, (shown, [], sample["stop"]), expected,
                           "thread-start" if frames == FRAMES[0] else "no-rule")


def plugins(tools, directory):
    """By the CPUs' clock: a sample is of the plug-in that was there, or of none, or lost, as is told."""
    program, snapshot = os.path.join(directory, "plugins"), os.path.join(directory, "snap")
    known.check_run(["gcc", "-O2", "-rdynamic", "-o", program, put(directory, "plugins.c", PLUGIN_USER), "-ldl"])
    paths = [os.path.join(directory, "p%d.so" % i) for i in range(8)]
    for i, path in enumerate(paths):
        known.check_run(["gcc", "-O2", "-shared", "-fPIC", "-o", path, put(directory, "plugin.c", PLUGIN % (i, i))])
    for ms in (40,): # at 7 ms one of 500 is still wrong: docs/limits.md
        with known.Target([program, str(ms), *paths]) as target:
            if target.process.stdout.readline().strip() != "ready":
                raise known.Failure("plugins do not begin")
            known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "--overhead", "100", "--clock", "perf", "-d", "4",
                             "-p", str(target.pid), "-o", snapshot])
        lines = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "json", "--no-cache", snapshot]).splitlines()
        samples = [known.real_frames(item) for item in map(json.loads, lines) if item["type"] in ("sample", "tick")]
        chains = [([frame.get("function") for frame in frames], [os.path.basename(frame.get("module", "")) for frame in frames])
                  for frames in samples]
        within = [(names[at:at + 4], modules[at:at + 2]) for names, modules in chains if "spin" in names
                  for at in [names.index("spin") + 1]]
        right = [names for names, modules in within if names[1:2] == ["entry"] and names[3:] == ["main"] and
                 modules[0] == modules[1] and names[0] == "inner" + modules[0][1:2] and names[2] == "call" + modules[0][1:2]]
        # What is not right says so: no frame is of a plug-in, and there is no caller behind.
        wrong = [names for names, _ in within if names not in right and
                 any(name and name.startswith(("inner", "entry", "call")) for name in names)]
        print("plug-ins of %d ms: %d samples, %d right, %d wrong" % (ms, len(within), len(right), len(wrong)))
        if wrong or len(right) < 25 or len(right) < len(within) / 2:
            yield "plug-ins of %d ms: %d of %d right; wrong: %s" % (ms, len(right), len(within), wrong[:4])


def split_inlined(tools, directory):
    """Functions inlined and the lines of their calls, from .dwo files; without these, one message and the rest."""
    snapshot, source = os.path.join(directory, "snap"), put(directory, "inlined.c", INLINED)
    whole, rest = [("inl2", 5), ("inl1", 6), ("real", 7), ("main", 8)], [("real", 5), ("main", 8)]
    for compiler, version in itertools.product(("gcc", "clang"), "45"):
        title, program = "inlined by %s, split DWARF %s" % (compiler, version), os.path.join(directory, "inlined")
        known.check_run([compiler, "-O2", "-gdwarf-" + version, "-gsplit-dwarf", "-c", "-o", program + ".o", source])
        known.check_run([compiler, "-o", program, program + ".o"])
        live_chain(tools, directory, program)
        for expected in (whole, rest):
            sample, = known.unwind(tools, snapshot).values()
            got = [(frame.get("function"), frame.get("line")) for frame in sample["frames"]][:len(expected)]
            told = told_of(tools, snapshot).splitlines()
            missing = [line for line in told if ": 1 split file not found, " in line and "inlined.dwo; " in line]
            if got != expected or len(told) != len(missing) or len(missing) != (expected == rest):
                yield "%s: %s instead of %s, and says %s" % (title, got, expected, told)
            if expected == whole:
                os.unlink(program + ".dwo")


def test(tools):
    known.need("gcc", "clang", "strip", "ld.lld", *set(COMPILERS.values()), *("qemu-" + kind.split()[0] for kind in COMPILERS))
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-hard-") as directory:
        for kind in (nowhere, handled, weak, popped, zeroed, unsized, ordered, split, overflown, builds, restorers, contexts,
                     blocks, probed, plugins, split_inlined):
            failures += kind(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
