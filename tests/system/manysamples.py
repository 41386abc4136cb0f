#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A snapshot of very many samples, made without a process: for limits, and for measurements.

usage: manysamples.py OUTPUT [SAMPLES [THREADS [FUNCTIONS]]]     1000000 200 20000

Beside the snapshot is the program that it is of, OUTPUT.elf, which has lines. Its functions call
one another as a tree: a sample is in one of them, the chain is the way to it. A fifth of the
threads computes all the time, the others mostly wait where they are. The same arguments give the
same bytes.
"""

import os
import random
import struct
import subprocess
import sys

sys.dont_write_bytecode = True
import snapfile

PID = 1000
STACK = 0x7F0000000000
STACK_SIZE = 0x10000
BASE = 0x400000
PERIOD_NS = 10000000
BEGIN_NS = 10**12
RAX_TO_RIP = 17
RBP, RSP, RIP = 6, 7, 16
AT_CALL, BEHIND_CALL = 4, 9  # in each function, behind its prologue
BUSY = 5  # one thread of so many computes
CHAINS_OF_THREAD = 400

FUNCTION = """
.globl {name}
.type {name}, @function
{name}:
.cfi_startproc
.loc 1 {line}
push %rbp
.cfi_def_cfa_offset 16
.cfi_offset 6, -16
mov %rsp, %rbp
.cfi_def_cfa_register 6
.loc 1 {call_line}
call {name}
pop %rbp
.cfi_def_cfa 7, 8
ret
.cfi_endproc
.size {name}, . - {name}
"""
START = """
.file 1 "many.c"
.text
.globl _start
.type _start, @function
_start:
.cfi_startproc
.cfi_undefined rip
call _start
.cfi_endproc
.size _start, . - _start
"""


def build(path, functions):
    """The addresses of _start and of the functions."""
    with open(path + ".s", "w") as file:
        file.write(START)
        for i in range(functions):
            file.write(FUNCTION.format(name="work_%d" % i, line=10 * i + 1, call_line=10 * i + 4))
    subprocess.run(["as", "-gdwarf-4", path + ".s", "-o", path + ".o"], check=True)
    subprocess.run(["ld", "--build-id", path + ".o", "-o", path], check=True)
    os.unlink(path + ".s")
    os.unlink(path + ".o")
    symbols = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
    found = {line.split()[2]: int(line.split()[0], 16) for line in symbols.splitlines()}
    return found["_start"], [found["work_%d" % i] for i in range(functions)]


def text_segment(path):
    """Address, size and offset of what is executable, and the build-id."""
    heads = subprocess.run(["readelf", "-lnW", path], check=True, capture_output=True, text=True).stdout
    load = [line.split() for line in heads.splitlines() if "LOAD" in line and " E " in line][0]
    build_id = heads.partition("Build ID: ")[2].split()[0]
    return int(load[2], 16), int(load[5], 16), int(load[1], 16), bytes.fromhex(build_id)


def text(value):
    return struct.pack("<H", len(value)) + value.encode()


def begin(path, threads):
    """The records before the samples."""
    address, size, offset, build_id = text_segment(path)
    yield snapfile.header()
    yield snapfile.record(
        snapfile.PROCESS,
        struct.pack("<IIQIIQ", PID, 1, BEGIN_NS, 4096, 8, 0)
        + text(path)
        + struct.pack("<I", 4)
        + b"many"
        + struct.pack("<I", 0)
        + text("host")
        + text("kernel")
        + b"\3",
    )
    start = address & ~4095
    end = address + size + 4095 & ~4095
    yield snapfile.record(
        snapfile.MAP,
        struct.pack("<IBBBB", PID, 1, 5, 0, len(build_id))
        + build_id
        + struct.pack("<QQQQQ", start, end, offset & ~4095, 1, 1)
        + text(path),
    )
    for tid in range(threads):
        yield snapfile.record(
            snapfile.THREAD,
            struct.pack("<IIQQ", PID, PID + tid, BEGIN_NS, 1) + text("many-%d" % (tid % 8)) + struct.pack("<I", 0),
        )


def stacks(start, addresses, chooser):
    """Of each function the registers and the stack of a thread at its call, as the parts of a
    SAMPLE behind its times; {} stands for where the stack is."""
    parents = [0] + [chooser.randrange(i // 2, i) for i in range(1, len(addresses))]
    made = []
    for i in range(len(addresses)):
        returns = []
        at = i
        while at:
            at = parents[at]
            returns.append(addresses[at] + BEHIND_CALL)
        made.append((addresses[i] + AT_CALL, returns + [start + 5]))
    return made


def sample(tid, time, running, cpu_ns, place):
    """One SAMPLE."""
    pc, returns = place
    end = STACK + tid * STACK_SIZE
    sp = end - 16 * len(returns)
    saved = [sp + 16 * (i + 1) for i in range(len(returns) - 1)] + [0]
    memory = b"".join(struct.pack("<QQ", rbp, ra) for rbp, ra in zip(saved, returns))
    registers = [0] * RAX_TO_RIP
    registers[RBP] = registers[RSP] = sp
    registers[RIP] = pc
    return snapfile.record(
        snapfile.SAMPLE,
        struct.pack("<IIQBBHQ", PID, tid, time, ord("R" if running else "S"), 0, RAX_TO_RIP, cpu_ns)
        + struct.pack("<17Q", *registers)
        + struct.pack("<BQQQIII", 1, sp, end, end, 1, 0, len(memory))
        + memory
        + struct.pack("<QQBQ", end - STACK_SIZE, 0, 0, 0),
    )


def samples(places, count, threads, chooser):
    """The SAMPLEs and REPEATs, round after round."""
    own = [[chooser.choice(places) for _ in range(CHAINS_OF_THREAD)] for _ in range(threads)]
    last = [0] * threads
    for i in range(count):
        thread = i % threads
        time = BEGIN_NS + i // threads * PERIOD_NS + chooser.randrange(PERIOD_NS // 4)
        busy = thread % BUSY == 0
        if not busy and last[thread] and chooser.random() < 0.9:
            yield snapfile.record(snapfile.REPEAT, struct.pack("<IQ", PID + thread, time))
            continue
        # The first of a thread's chains are much more frequent than the last.
        place = own[thread][int(CHAINS_OF_THREAD * chooser.random() ** 4)]
        cpu_ns = chooser.randrange(PERIOD_NS) if busy else chooser.randrange(PERIOD_NS // 50)
        yield sample(PID + thread, time, busy, cpu_ns, place)
        last[thread] = time


def make(output, count=1000000, threads=200, functions=20000):
    chooser = random.Random(1)
    program = os.path.abspath(output) + ".elf"
    places = stacks(*build(program, functions), chooser)
    with open(output, "wb") as file:
        for part in begin(program, threads):
            file.write(part)
        for part in samples(places, count, threads, chooser):
            file.write(part)
        rounds = count // threads
        summary = struct.pack("<12Q", BEGIN_NS + rounds * PERIOD_NS, count, 0, 0, rounds, 100000, 100000, 0, 0, 0, 0, 0)
        file.write(snapfile.record(snapfile.SUMMARY, summary[:80] + struct.pack("<I", 1), flags=0))


if __name__ == "__main__":
    make(sys.argv[1], *(int(argument) for argument in sys.argv[2:]))
