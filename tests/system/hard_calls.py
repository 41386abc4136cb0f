#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code that calls, returns or begins as compilers do not let it: chains are what the sources say.

usage: hard_calls.py BUILD-DIRECTORY

Calls of no function: a null pointer, a small number, addresses of data and of the stack, an odd one;
in cores that qemu-user writes, of x86, ARM and AArch64, with frame pointers and without, and in the
middle of a chain, below a signal handler. Calls of a weak function that is not there, as lld
resolves them. Code that pops its return address, keeps it in a register, and zeroes the frame
pointer. Calls that are made by hand, of a return address and a jump. Text of zeroes. Functions that are only fallen into, with the frame of the one before.
"""

import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import hard_known
import known



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


def nowhere(tools, directory):
    count = 0
    for kind, compiler in hard_known.COMPILERS.items():
        machine, *options = kind.split()
        for frames in hard_known.FRAMES:
            program = os.path.join(directory, "nowhere")
            known.check_run([compiler, "-O2", frames, "-static", *options, "-o", program,
                             hard_known.put(directory, "nowhere.c", NOWHERE)])
            pointers = ["null", "low", "data", "stack", "heap", "tail"] + (["odd"] if machine == "aarch64" else [])
            for pointer in pointers:
                core = hard_known.core_of(directory, machine, program, pointer)
                names, trusts, stop = hard_known.chain_of(tools, core, "-e", program)
                callers = (names[1:], trusts[1:], stop)
                title = "%s %s, %s" % (kind, frames, pointer)
                yield from hard_known.differs(title, callers, TAIL if pointer == "tail" else INNER)
                if trusts[1:2] != ["lr"]:
                    yield "%s: the direct caller is found by %s" % (title, trusts[1:2])
                count += 1
    print("calls of no function: %d cores" % count)


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


def handled(tools, directory):
    for frames in hard_known.FRAMES:
        program = os.path.join(directory, "handled")
        known.check_run(["gcc", "-O2", frames, "-o", program, hard_known.put(directory, "handled.c", HANDLED)])
        names, trusts, stop = hard_known.live_chain(tools, directory, program)
        if names[:2] != ["spin", "handler"]:
            yield "handled %s: %s by %s" % (frames, names, trusts)
        at = names.index("inner") if "inner" in names else 4
        yield from hard_known.differs("handled " + frames, (names[at:], trusts, stop), INNER)


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


def weak(tools, directory):
    for machine, start in WEAK_START.items():
        compiler = hard_known.COMPILERS[machine]
        sources = [hard_known.put(directory, "weak.c", WEAK), hard_known.put(directory, "user.c", WEAK_USER), hard_known.put(directory, "start.s", start)]
        for options in [["-marm"], ["-mthumb"]] if machine == "arm" else [[]]:
            objects = [os.path.splitext(path)[0] + ".o" for path in sources]
            for path, built in zip(sources, objects):
                known.check_run([compiler, "-O2", *options, "-fomit-frame-pointer", "-fno-stack-protector",
                                 "-fno-unwind-tables", "-fno-asynchronous-unwind-tables", "-c", "-o", built, path])
            program = os.path.join(directory, "weak")
            known.check_run(["ld.lld", "-static", "-o", program, *objects])
            core = hard_known.core_of(directory, machine, program)
            yield from hard_known.differs("weak, %s %s" % (machine, options), hard_known.chain_of(tools, core, "-e", program),
                               ["fault", "work", "middle", "begin", "_start"])


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
function no_return
 sub $0x88,%rsp
 xor %ebp,%ebp
 call spins
 ud2
function no_return_0
 push $0
 xor %ebp,%ebp
 call spins
 ud2
function spins
 spin
 ret
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
void popped(void), popped_zeroed(void), as_start(void), no_return(void), no_return_0(void);
static void (*const volatile kinds[])(void) = {popped, popped_zeroed, as_start, no_return, no_return_0};
__attribute__((noinline)) void caller(int a) { volatile char b[140]; b[a] = 1; kinds[a](); b[a]++; }
__attribute__((noinline)) void outer(int a) { volatile char b[a * 90 + 9]; b[3] = 1; caller(a); b[3]++; }
int main(int argc, char **argv) { puts("ready"); fflush(stdout); outer(atoi(argv[argc - 1])); return 0; }
"""


def popped(tools, directory):
    program = os.path.join(directory, "popped")
    known.check_run(["gcc", "-O1", "-o", program, hard_known.put(directory, "popped.c", POPPED_USER),
                     hard_known.put(directory, "popped_code.S", POPPED)])
    for index, name in enumerate(("popped", "popped_zeroed")):
        yield from hard_known.differs(name, hard_known.live_chain(tools, directory, program, str(index)), [name, "caller", "outer", "main"])
    for index, name in enumerate(("no_return", "no_return_0"), 3):
        chain = hard_known.live_chain(tools, directory, program, str(index))
        # `outer` has a frame pointer, which is lost here: the chain is not said to be whole.
        yield from hard_known.differs(name, chain, ["spins", name, "caller", "outer"], "implausible")
    names, trusts, stop = hard_known.live_chain(tools, directory, program, "2")  # what it has in SP's place nobody can tell
    if names[0] != "as_start" or (stop == "thread-start" and names[1:4] != ["caller", "outer", "main"]):
        yield "as_start: %s by %s, %s" % (names, trusts, stop)


HAND_USER = """
#define APART __attribute__((noinline))
APART int faults(int a) { volatile int b[9]; b[a] = a; *(volatile int *)0 = b[a]; return b[1]; }
APART int called(int a) { volatile int b[5]; b[a] = faults(a); return b[a] + 1; }
int by_hand(int a);
APART int caller(int a) { volatile int b[21]; b[a] = by_hand(a); return b[a] + 1; }
int main(int argc, char **argv) { (void)argv; return caller(argc); }
"""

HAND = """
.cfi_sections .%(tables)s
.text
%(mode)s
.p2align 4
.globl by_hand
.type by_hand,%%function
by_hand:
.cfi_startproc
%(code)s
.cfi_endproc
.size by_hand, .-by_hand
.section .note.GNU-stack,"",%%progbits
"""

X86_SAVED = "push %%%s\n.cfi_adjust_cfa_offset %d\n.cfi_rel_offset %%%s, 0\n"
X86_64_HAND = X86_SAVED % ("rbx", 8, "rbx") + """lea 1f(%rip), %rax
push %rax
.cfi_adjust_cfa_offset 8
JUMP
1: .cfi_adjust_cfa_offset -8
pop %rbx
ret"""
ARM_HAND = """push {r4, lr}
.cfi_def_cfa_offset 8
.cfi_offset r4, -8
.cfi_offset lr, -4
RETURN
b called
1: pop {r4, pc}"""
I386_HAND = X86_SAVED % ("ebx", 4, "ebx") + """push 8(%esp)
.cfi_adjust_cfa_offset 4
PUSH
.cfi_adjust_cfa_offset 4
jmp called
1: .cfi_adjust_cfa_offset -4
pop %ecx
.cfi_adjust_cfa_offset -4
pop %ebx
ret"""
# How a call is made by hand, by machine.
HANDS = [
    ("x86_64", X86_64_HAND.replace("JUMP", "jmp called")),
    ("x86_64", X86_64_HAND.replace("JUMP", "lea called(%rip), %rax\njmp *%rax")),
    ("x86_64", X86_64_HAND.replace("JUMP", "push $called\nret")),
    ("i386", I386_HAND.replace("PUSH", "push $1f")),
    ("aarch64", """stp x29, x30, [sp, -16]!
.cfi_def_cfa_offset 16
.cfi_offset 29, -16
.cfi_offset 30, -8
adr x30, 1f
b called
1: ldp x29, x30, [sp], 16
ret"""),
    ("arm -marm", ARM_HAND.replace("RETURN", "adr lr, 1f")),
    ("arm", ARM_HAND.replace("RETURN", "adr r3, 1f\nadd r3, r3, 1\nmov lr, r3")),
    ("aarch64", "mov x19, x30\n.cfi_register 30, 19\nadr x30, 1f\nb called\n1: mov x30, x19\nret"),
    # in two steps
    ("i386", I386_HAND.replace("PUSH", """call 2f
2: .cfi_adjust_cfa_offset 4
pop %eax
.cfi_adjust_cfa_offset -4
add $1f-2b, %eax
push %eax""")),
    ("aarch64", "mov x19, x30\n.cfi_register 30, 19\nadrp x30, 1f\nadd x30, x30, :lo12:1f\nb called\n1: mov x30, x19\nret"),
    ("arm -marm", ARM_HAND.replace("RETURN", "movw lr, #:lower16:1f\nmovt lr, #:upper16:1f")),
]
# The caller is lost, or a register says again and again that it is the same place.
LOST_BY_HAND = [
    ("aarch64", "mov x9, x30\nadr x30, 1f\nb called\n1: mov x30, x9\nret"),
    ("aarch64", "mov x9, x30\nadr x19, 1f\n.cfi_register 30, 19\nmov x30, x19\nb called\n1: mov x30, x9\nret"),
    ("x86_64", "pop %r12\n.cfi_adjust_cfa_offset -8\n.cfi_register %rip, %rbx\nlea 1f(%rip), %rbx\npush %rbx\njmp called\n"
     "1: jmp *%r12"),
]
# It faults when the call has returned: LR still has the address, and the tables say that it is the caller's.
BACK_BY_HAND = "stp x29, x30, [sp, -16]!\nmov x29, sp\nadr x30, 1f\nb 2f\n1: mov x1, 0\nstr wzr, [x1]\nldp x29, x30, [sp], 16\n2: ret"


def core_by_hand(directory, kind, code, program):
    machine, *options = kind.split()
    filled = HAND % {"code": code, "tables": "debug_frame" if machine == "arm" else "eh_frame",
                     "mode": ".syntax unified\n" + ("" if options else ".thumb\n.thumb_func") if machine == "arm" else ""}
    known.check_run([hard_known.COMPILERS[kind], "-O1", "-g", "-static", "-no-pie", *options, "-o", program,
                     hard_known.put(directory, "hand.c", HAND_USER), hard_known.put(directory, "hand_code.s", filled)])
    return hard_known.core_of(directory, machine, program, "x")


def by_hand(tools, directory):
    """Functions that put the address of a place of their own where a call puts it, and jump."""
    program = os.path.join(directory, "hand")
    for kind, code in HANDS:
        chain = hard_known.chain_of(tools, core_by_hand(directory, kind, code, program), "-e", program)
        yield from hard_known.differs("by hand, " + kind + ": " + code, chain,
                                      ["faults", "called", "by_hand", "caller", "main"])
    chain = hard_known.chain_of(tools, core_by_hand(directory, "aarch64", BACK_BY_HAND, program), "-e", program)
    yield from hard_known.differs("back by hand", chain, ["by_hand", "caller", "main"])
    for kind, code in LOST_BY_HAND:
        names, trusts, stop = hard_known.chain_of(tools, core_by_hand(directory, kind, code, program), "-e", program)
        if names[:2] != ["faults", "called"] or names[2:] not in ([], ["by_hand"]) or stop in ("thread-start", "undefined-ra"):
            yield "lost by hand, %s: %s: %s by %s, %s" % (kind, code, names[:9], trusts[:9], stop)


# Assembly without tables that zeroes the frame pointer as a thread's first function does, but is called.
ZEROED = [
    ("x86_64", "mov %rsp, saved(%rip)\nxor %ebp, %ebp\nand $-16, %rsp\ncall called\nmov saved(%rip), %rsp\nret"),
    ("x86_64", "mov %rsp, saved(%rip)\nxor %ebp, %ebp\nmov %rdx, %r9\npop %rsi\nmov %rsp, %rdx\nand $-16, %rsp\n"
     "push %rax\npush %rsp\ncall called\nhlt"),
    ("x86_64", "xor %ebp, %ebp\nand $-16, %rsp\ncall called\nmov $60, %eax\nxor %edi, %edi\nsyscall\nhlt"),
    ("aarch64", "mov x9, sp\nmov x29, 0\nmov x30, 0\nand x10, x9, -64\nmov sp, x10\nbl called\nbrk 1"),
    ("arm -marm", "mov r12, lr\nmov fp, #0\nmov lr, #0\nbl called\nudf #0"),
]


def zero_marked(tools, directory):
    program = os.path.join(directory, "marked")
    for kind, code in ZEROED:
        machine, *options = kind.split()
        filled = (HAND % {"code": code + "\n.comm saved, 8", "tables": "debug_frame" if machine == "arm" else "eh_frame",
                          "mode": ".syntax unified" if machine == "arm" else ""}).replace(".cfi_startproc", "").replace(".cfi_endproc", "")
        known.check_run([hard_known.COMPILERS[kind], "-O1", "-g", "-static", "-no-pie", *options, "-o", program,
                         hard_known.put(directory, "hand.c", HAND_USER), hard_known.put(directory, "hand_code.s", filled)])
        core = hard_known.core_of(directory, machine, program, "x")
        for method in [], ["--method", "prologue"]:
            names, trusts, stop = hard_known.chain_of(tools, core, "-e", program, *method)
            whole = ["faults", "called", "by_hand", "caller", "main"]
            if names[:3] != whole[:3] or (names[:5] != whole and stop in ("thread-start", "undefined-ra")):
                yield "zeroed and called, %s: %s: %s by %s, %s" % (kind, code, names, trusts, stop)


# The page with a caller's code becomes anonymous memory without code.
EMPTIED = """
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
volatile int going = 1, count;
#define APART __attribute__((noinline))
APART int page(int a);
APART void spin(void)
{
    mmap((void *)((uintptr_t)page & ~4095ul), 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    puts("ready");
    fflush(stdout);
    while (going) count++;
}
__attribute__((noinline, aligned(4096))) int page(int a) { volatile char b[200]; b[a & 63] = 1; spin(); count += b[3]; return b[a & 63]; }
__attribute__((noinline, aligned(4096))) int after(int a) { volatile char b[99]; b[a & 31] = 1; count++; int r = page(a); return r + b[7]; }
APART int top(int a) { volatile char b[300]; b[a & 31] = 1; int r = after(a); return r + b[7]; }
int main(int argc, char **argv) { count += top(argc); return !argv; }
"""


def emptied(tools, directory):
    """The caller of the page is found, or the chain is told to be incomplete."""
    program = os.path.join(directory, "emptied")
    known.check_run(["gcc", "-O1", "-fno-stack-protector", "-o", program, hard_known.put(directory, "emptied.c", EMPTIED)])
    names, trusts, stop = hard_known.live_chain(tools, directory, program)
    if names[0] != "spin" or (stop in ("thread-start", "undefined-ra") and names[2:5] != ["after", "top", "main"]):
        yield "emptied: %s by %s, %s" % (names, trusts, stop)


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


def zeroed(tools, directory):
    """A file whose text is absent: no frame is passed by an analysis of the zeroes in its place."""
    program = os.path.join(directory, "nowhere")
    for frames in hard_known.FRAMES:
        known.check_run(["gcc", "-O1", frames, "-static", "-fno-asynchronous-unwind-tables", "-o", program,
                         hard_known.put(directory, "nowhere.c", NOWHERE)])
        core = hard_known.core_of(directory, "x86_64", program, "null")
        whole = os.path.join(directory, "whole")
        shutil.move(program, whole)
        with open(whole, "rb") as file:
            data = bytearray(file.read())
        offset, size = text_of(data)
        data[offset:offset + size] = bytes(size)
        with open(program, "wb") as file:
            file.write(data)
        names, trusts, stop = hard_known.chain_of(tools, core, "-e", program)
        expected = (INNER, "thread-start") if frames == hard_known.FRAMES[0] else (["inner"], "no-rule")
        yield from hard_known.differs("zeroed " + frames, (names[1:], trusts[1:], stop), *expected)
        if "prologue" in trusts or (stop == "no-rule" and len(names) != 2):
            yield "zeroed %s: %s by %s" % (frames, names, trusts)


FALLEN_USER = """
extern int copy(char *to, const char *from, int count);
__attribute__((noinline)) int user(char *to, const char *from) { return copy(to, from, 8) + 1; }
int main(void) { return user((char *)8, "eight...") + 1; }
"""

FALLEN = """
    .text
    .global copy
    .type copy, %%function
    .type copy_base, %%function
    %(mode)s
copy:
    .cfi_startproc
    %(push)s
    .cfi_def_cfa_offset %(size)d
    %(saved)s
    .cfi_endproc
    .size copy, . - copy
    %(mode)s
copy_base:
    .cfi_startproc
    .cfi_def_cfa_offset %(size)d
    %(saved)s
    %(body)s
    .cfi_endproc
    .size copy_base, . - copy_base
    .section .note.GNU-stack, "", %%progbits
"""

ARM_BODY = """
1:  ldrb r3, [r1], #1
    strb r3, [r0], #1
    subs r2, r2, #1
    bne 1b
    pop {r0, pc}"""

ARM_FALLEN = {"mode": "", "push": "push {r0, lr}", "size": 8, "body": ARM_BODY,
              "saved": ".cfi_rel_offset r0, 0\n .cfi_rel_offset lr, 4"}

FALLEN_CODE = {
    "arm": dict(ARM_FALLEN, mode=".syntax unified\n .thumb_func"),
    "arm -marm": ARM_FALLEN,
    "aarch64": {"mode": "", "push": "stp x0, x30, [sp, #-16]!", "size": 16,
                "saved": ".cfi_rel_offset x0, 0\n .cfi_rel_offset x30, 8",
                "body": "1: ldrb w3, [x1], #1\n strb w3, [x0], #1\n subs w2, w2, #1\n b.ne 1b\n"
                        "ldp x0, x30, [sp], #16\n .cfi_def_cfa_offset 0\n .cfi_restore x30\n ret"},
    "x86_64": {"mode": "", "push": "push %rdi", "size": 16, "saved": "",
               "body": "1: movb (%rsi), %al\n movb %al, (%rdi)\n incq %rsi\n incq %rdi\n decl %edx\n jne 1b\n"
                       "pop %rax\n .cfi_def_cfa_offset 8\n ret"},
}


def rows_of(tools, program, method, addresses):
    return subprocess.run([os.path.join(tools, "cgrules"), "-m", method, "--pcs", "-", program], text=True, check=True,
                          input="".join("%x\n" % address for address in addresses), capture_output=True).stdout


def fallen_into(tools, directory):
    """A function that is only fallen into has the frame of the one before, as its FDE's first row says."""
    for kind, code in FALLEN_CODE.items():
        machine, *options = kind.split()
        tables = "debug_frame" if machine == "arm" else "eh_frame"
        program, stripped = os.path.join(directory, "fallen"), os.path.join(directory, "fallen.so")
        known.check_run([hard_known.COMPILERS[kind], "-O2", "-static", *options, "-o", program, "-Wa,--gen-debug",
                         hard_known.put(directory, "user.c", FALLEN_USER),
                         hard_known.put(directory, "fallen.S", ".cfi_sections .%s\n" % tables + FALLEN % code)])
        chain = hard_known.chain_of(tools, hard_known.core_of(directory, machine, program), "-e", program)
        yield from hard_known.differs("fallen into, " + kind, chain, ["copy_base", "user", "main"])
        known.check_run([hard_known.COMPILERS[kind], "-shared", "-fPIC", *options, "-o", stripped,
                         os.path.join(directory, "user.c"), os.path.join(directory, "fallen.S")])
        symbols = dict(line.split()[::-2] for line in known.check_run(["nm", stripped]).splitlines() if len(line.split()) == 3)
        start = int(symbols["copy"], 16) & ~1
        known.check_run([hard_known.COMPILERS[kind].replace("gcc", "strip"), "--keep-section=.debug_frame", stripped])
        addresses = range(start, start + 48 if machine == "x86_64" else start + 32, 1 if machine == "x86_64" else 2)
        by_table, by_code = (rows_of(tools, stripped, method, addresses).splitlines() for method in (tables, "prologue"))
        rows = [(one, other) for one, other in zip(by_table, by_code) if not one.endswith("- - -")]
        wrong = [(one, other) for one, other in rows if one != other]
        print("fallen into, %s: %d rows, %d differ" % (kind, len(rows), len(wrong)))
        if len(rows) < 8 or wrong:
            yield "fallen into, %s: %d of %d rows differ, %s" % (kind, len(wrong), len(rows), wrong[:3])


def test(tools):
    known.need("ld.lld", *set(hard_known.COMPILERS.values()), *("qemu-" + kind.split()[0] for kind in hard_known.COMPILERS))
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-hard-") as directory:
        for kind in (nowhere, handled, weak, popped, by_hand, zero_marked, emptied, zeroed, fallen_into):
            failures += kind(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
