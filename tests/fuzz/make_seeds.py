#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the fuzz targets' seeds to seeds/<target>/ beside this script.

Usage: tests/fuzz/make_seeds.py

Snapshots are built from src/snapshot/FORMAT.md, call frame information from DWARF 5 section 6.4 and LSB Core 10.6, Arm's
exception tables from EHABI32 sections 6, 7 and 10.3, debug information from DWARF 5, cores by tests/system/corefile.py,
dumps of boards by tests/system/boarddump.py,
code, traces of calls and profiles by hand: no seed depends on a tool or on this project's own
writers. Running it again writes the same bytes. Inputs that once crashed a target are kept beside the seeds as crash-*, and
are not made here.
"""
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "system"))
import boarddump
import corefile


def write(target, name, data):
    directory = os.path.join(HERE, "seeds", target)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name), "wb") as file:
        file.write(data)


# ---------------------------------------------------------------- snapshots

(PROCESS, MAP, UNMAP, CODE, THREAD, THREAD_END, SAMPLE, REPEAT, IDLE, LOSS, SUMMARY, CREATION,
 WAIT, UNCHANGED, TICK, NAMES) = range(1, 17)
FILE, SYMBOL_FILE, FILE_PART, POINTEES, BOARD, SYSTEM, TASK, USAGE = range(17, 25)
REQUIRED = 1
PID = 7
STACK = 0x7FFF00000000


def text(value):
    return struct.pack("<H", len(value)) + value


def blob(value):
    return struct.pack("<I", len(value)) + value


def file_header(machine=62, word=8, features=0):
    head = b"\x89CGSNAP\n" + struct.pack("<HHBBHQI", 1, 0, 1, word, machine, 10**18, features)
    return head + struct.pack("<I", zlib.crc32(head))


def record(kind, payload, flags=REQUIRED):
    head = struct.pack("<HHI", kind, flags, len(payload))
    return head + struct.pack("<I", zlib.crc32(head + payload)) + payload


def process(pid=PID):
    return record(PROCESS, struct.pack("<IIQIIQ", pid, 1, 1000, 4096, 8, 0) + text(b"/bin/x") +
                  blob(b"x\0-v\0") + blob(bytes(32)) + text(b"host") + text(b"6.1.0"))


def mapping(start=0x400000, end=0x500000, path=b"/bin/x", build_id=bytes(range(20))):
    return record(MAP, struct.pack("<IBBBB", PID, 1, 5, 0, len(build_id)) + build_id +
                  struct.pack("<QQQQQ", start, end, 0x1000, 0x801, 42) + text(path))


def thread(tid, name=b"worker", pid=PID):
    return record(THREAD, struct.pack("<IIQQ", pid, tid, 2000, 55) + text(name))


def region(start, end, runs, map_end=None):
    out = struct.pack("<QQQI", start, end, map_end or end, len(runs))
    for offset, data in runs:
        out += struct.pack("<II", offset, len(data)) + data
    return out


def sample(tid, time, regions, registers=17, call=False, unknown=None):
    """unknown: the mask of registers that are not known, which a version 1.8 has."""
    out = struct.pack("<IIQBBHQ", PID, tid, time, ord("S"), 1 if call else 0, registers, 500)
    if call:
        out += struct.pack("<q6Q", 202, 1, 2, 3, 4, 5, 6)
    out += b"".join(struct.pack("<Q", 0x1000 + r) for r in range(registers))
    out += struct.pack("<B", len(regions)) + b"".join(regions)
    if unknown is not None:
        out += struct.pack("<QQBQQ", 0, 0, 0, 0, unknown)  # the map, the delay, a goroutine, its number
    return record(SAMPLE, out)


def creation(tid, new_tid, time, regions, registers=17):
    out = struct.pack("<IIQIIH", PID, tid, time, PID, new_tid, registers)
    out += b"".join(struct.pack("<Q", 0x2000 + r) for r in range(registers))
    return record(CREATION, out + struct.pack("<B", len(regions)) + b"".join(regions), 0)


def tick(tid, time, regions, registers=17):
    out = struct.pack("<IIQQH", PID, tid, time, 10101010, registers)
    out += b"".join(struct.pack("<Q", 0x3000 + r) for r in range(registers))
    return record(TICK, out + struct.pack("<B", len(regions)) + b"".join(regions), 0)


def wait_memory(tid, time, address=0x600010, content=bytes(192), place=1):
    return record(WAIT, struct.pack("<IIQBQ", PID, tid, time, 1, address) + blob(content) +
                  struct.pack("<BQQQ", place, 0x600000, 0x601000, 0x400000) + text(b"/bin/x"), 0)


def wait_fd(tid, time, number=3, link=b"pipe:[42]"):
    return record(WAIT, struct.pack("<IIQBI", PID, tid, time, 2, number) + text(link), 0)


def pointees(tid, time, *pieces):
    """Each an address and its bytes, or their number where they are as they were."""
    out = struct.pack("<IIQH", PID, tid, time, len(pieces))
    for address, content in pieces:
        known = isinstance(content, int)
        out += struct.pack("<QIB", address, content if known else len(content), known)
        out += b"" if known else content
    return record(POINTEES, out, 0)


def board(machine=b"mps2-an385"):
    return record(BOARD, struct.pack("<IQBQQQ", PID, 1500, 1, 0, 0x20001000, 0x101) + text(machine), 0)


def system(tid, time, *registers, count=None):
    out = struct.pack("<IIQH", PID, tid, time, len(registers) if count is None else count)
    return record(SYSTEM, out + b"".join(struct.pack("<IQ", *pair) for pair in registers), 0)


def task(tid, time, name=b"queue", stack=(0x20000000, 0x20000400, 0x20000100), state=3, wait=2, lock=0x20000900, holder=8):
    out = struct.pack("<IIQQiiBBB", PID, tid, time, 0x20000800, 3, 1, state, wait, 1)
    out += struct.pack("<4QIQ", *stack, lock, holder, 100)
    return record(TASK, out + text(name) + text(b"FreeRTOS") + struct.pack("<Q", 42), 0)


def summary():
    return record(SUMMARY, struct.pack("<10QI", 9000, 3, 1, 0, 3, 99000, 98000, 10, 5, 999, 1), 0)


def full_stack(size=256):
    return region(STACK, STACK + size, [(0, bytes(i & 0xFF for i in range(size)))])


def make_reader_seeds():
    start = file_header() + process() + mapping() + thread(7) + thread(8)

    def seed(name, data, flags=1):
        write("fuzz_reader", name, bytes([flags]) + data)

    seed("empty", b"", 0)
    seed("header-only", file_header())
    seed("other-version", file_header()[:8] + b"\x02" + file_header()[9:])
    seed("whole-capture", start + sample(7, 3000, [full_stack()], call=True) +
         sample(8, 3100, [full_stack()]) + summary())
    # Of the second sample only eight bytes are written, and the stack has grown by eight.
    seed("delta", start + sample(7, 3000, [full_stack()]) +
         sample(7, 4000, [region(STACK - 8, STACK + 256, [(0, b"grown---"), (64, b"changed!")])]) +
         sample(7, 5000, [region(STACK + 128, STACK + 256, [])]))
    seed("delta-without-base", start + sample(7, 3000, [region(STACK, STACK + 64, [(0, b"x" * 8)])]))
    seed("two-regions", start + sample(7, 3000, [
        full_stack(), region(0x600000, 0x600040, [(0, bytes(64))], 0x601000)]))
    seed("overlapping-regions", start + sample(7, 3000, [full_stack(), full_stack()]))
    seed("overlapping-runs", start + sample(7, 3000, [
        region(STACK, STACK + 16, [(0, bytes(12)), (8, bytes(8))])]))
    seed("empty-region", start + sample(7, 3000, [region(STACK, STACK, [])]))
    seed("repeat-and-idle", start + sample(7, 3000, [full_stack()]) + sample(8, 3000, [full_stack()]) +
         record(REPEAT, struct.pack("<IQ", 7, 4000)) + record(IDLE, struct.pack("<IQI", PID, 5000, 0)))
    seed("exec", start + sample(7, 3000, [full_stack()]) + process() +
         record(IDLE, struct.pack("<IQI", PID, 5000, 0)) + thread(7) + sample(7, 6000, [full_stack()]))
    seed("thread-ends-and-comes-again", start + sample(7, 3000, [full_stack()]) +
         record(THREAD_END, struct.pack("<IIQ", PID, 7, 3500)) + thread(7) +
         sample(7, 4000, [full_stack()]))
    seed("tid-of-another-process", start + sample(7, 3000, [full_stack()]) + process(9) +
         thread(7, pid=9) + record(REPEAT, struct.pack("<IQ", 7, 4000)))
    seed("code-unmap-loss", start + record(CODE, struct.pack("<IQ", PID, 0x7000) + blob(b"\xc3" * 16), 0) +
         record(UNMAP, struct.pack("<IQQ", PID, 0x400000, 0x500000)) +
         record(LOSS, struct.pack("<IIQII", PID, 7, 4000, 2, 1), 0), 3)
    usage = struct.pack("<IQQQ", PID, 2500, 10**9, 10**7)
    seed("usage", start + record(USAGE, usage, 0) + sample(7, 3000, [full_stack()]) + record(USAGE, usage[:-1], 0))
    seed("unknown-skippable", start + record(77, b"future", 0) + sample(7, 3000, [full_stack()]))
    seed("unknown-required", start + record(77, b"future") + sample(7, 3000, [full_stack()]))
    seed("longer-records", start + record(REPEAT, struct.pack("<IQ", 7, 4000) + b"more") +
         record(IDLE, struct.pack("<IQI", PID, 5000, 0) + b"more"))
    seed("creation", start + sample(7, 3000, [full_stack()]) +
         creation(7, 8, 3500, [region(STACK - 8, STACK + 256, [(0, b"grown---"), (64, b"changed!")])]) +
         sample(8, 4000, [full_stack()]) + sample(7, 5000, [region(STACK, STACK + 256, [])]))
    # What follows is restored from the first sample, not from the tick.
    seed("ticks", start + sample(7, 3000, [full_stack()]) +
         tick(7, 3500, [region(STACK - 8, STACK + 256, [(0, b"grown---"), (64, b"changed!")])]) +
         sample(7, 4000, [region(STACK, STACK + 256, [(8, b"changed!")])]) +
         tick(8, 3600, [full_stack(64)]) + record(REPEAT, struct.pack("<IQ", 7, 5000)))
    seed("tick-of-an-unknown-thread", start + tick(9, 3500, [full_stack()]))
    seed("tick-without-cpsr", file_header(40, 4) + process() + thread(7) +
         tick(7, 3000, [full_stack()], 16) + tick(7, 4000, [full_stack()], 15))
    seed("names", start + record(NAMES, struct.pack("<IQQI", PID, 2500, 0, 9) + b"1000 10 f", 0) +
         record(NAMES, struct.pack("<IQQI", PID, 2600, 9, 1) + b"\n", 0) + sample(7, 3000, [full_stack()]))
    part = struct.pack("<IQQQQI", PID, 2500, 0x1000, 9, 0, 4) + b"\x7fELF"
    seed("symbol-file", start + record(SYMBOL_FILE, part, 0) + record(SYMBOL_FILE, part[:-1], 0))
    seed("names-too-short", start + record(NAMES, struct.pack("<IQQI", PID, 2500, 0, 99) + b"1000", 0))
    seed("creation-of-an-unknown-thread", start + creation(7, 9, 3500, [full_stack()]))
    seed("waits", start + wait_memory(7, 3001) + wait_fd(7, 3002) + sample(7, 3000, [full_stack()]) +
         record(REPEAT, struct.pack("<IQ", 7, 4000)) + wait_memory(7, 5000, content=b"changed!") +
         record(IDLE, struct.pack("<IQI", PID, 5000, 0)) + sample(7, 6000, [full_stack()]))
    seed("waits-too-many", start + b"".join(wait_fd(7, 3000, n) for n in range(17)) +
         sample(7, 3000, [full_stack()]))
    seed("wait-of-a-later-kind", start + record(WAIT, struct.pack("<IIQB", PID, 7, 3000, 9) + b"x", 0) +
         sample(7, 3000, [full_stack()]))
    seed("wait-memory-wraps", start + wait_memory(7, 3000, 2**64 - 8) + sample(7, 3000, [full_stack()]))
    # The second sample has none; the third one's are those of the first, in part, and a new one.
    seed("pointees", start + pointees(7, 3000, (0x600000, b"a string on the heap"), (0x601000, bytes(64))) +
         sample(7, 3000, [full_stack()]) + record(REPEAT, struct.pack("<IQ", 7, 3500)) +
         sample(7, 4000, [full_stack()]) +
         pointees(7, 5000, (0x5FFFF0, b"in front"), (0x600002, 6), (0x601000, 64)) +
         record(REPEAT, struct.pack("<IQ", 7, 4500)) + sample(7, 5000, [full_stack()]) +
         pointees(7, 6000) + sample(7, 6000, [full_stack()]))
    seed("pointees-never-captured", start + pointees(7, 3000, (0x600000, 8)) + sample(7, 3000, [full_stack()]))
    seed("pointees-overlap", start + pointees(7, 3000, (0x600000, bytes(8)), (0x600007, bytes(8))))
    seed("pointees-wrap", start + pointees(7, 3000, (2**64 - 4, bytes(8))))
    seed("pointees-too-many", start + pointees(7, 3000, *((0x600000 + 2 * i, b"x") for i in range(1025))))
    seed("pointees-too-large", start + pointees(7, 3000, (0x600000, bytes(65537))))
    start_board = file_header(40, 4) + process() + board() + thread(7) + thread(8)
    stack = region(0x20000F00, 0x20001000, [(0, bytes(256))])
    seed("board", start_board + system(7, 3000, (1, 0x20000F00), (2, 7)) + task(7, 3000) +
         sample(7, 3000, [stack], unknown=0x1F00) + record(REPEAT, struct.pack("<IQ", 7, 3500)) +
         task(7, 4000, b"", state=1, wait=0) + sample(7, 4000, [stack]) +
         system(7, 5000) + record(IDLE, struct.pack("<IQI", PID, 5000, 0)))
    seed("board-all-unknown", start_board + sample(7, 3000, [stack], unknown=2**64 - 1))
    seed("board-cut", file_header(40, 4) + process() + record(BOARD, struct.pack("<IQB", PID, 1500, 1), 0))
    seed("board-of-later-kinds", start_board + task(7, 3000, bytes(1000), state=99, wait=99) +
         task(7, 3001, stack=(0x20000000, 0x20000400, 5)) + sample(7, 3000, [stack]))
    seed("system-too-many", start_board + system(7, 3000, *((n, n) for n in range(1000))))
    seed("system-cut", start_board + system(7, 3000, (1, 2), count=2))
    seed("system-of-an-unknown-thread", start_board + system(9, 3000, (1, 2)))
    seed("task-with-a-stack-backwards", start_board + task(7, 3000, stack=(8, 4, 0)))
    seed("task-cut", start_board + record(TASK, struct.pack("<IIQ", PID, 7, 3000), 0))
    seed("cut-short", (start + sample(7, 3000, [full_stack()]))[:-50], 0)
    seed("other-architectures", file_header(183, 8) + process() + thread(7) +
         sample(7, 3000, [full_stack()], 33))
    seed("i386", file_header(3, 4) + process() + thread(7) + sample(7, 3000, [full_stack()], 9))


# ------------------------------------------------ call frame information

def uleb(value):
    out = b""
    while True:
        byte = value & 0x7F
        value >>= 7
        if not value:
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def sleb(value):
    out = b""
    while True:
        byte = value & 0x7F
        value >>= 7
        if value == (-1 if byte & 0x40 else 0):
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def entry(body, long_form=False):
    body += bytes(-len(body) % 8)
    if long_form:
        return struct.pack("<IQ", 0xFFFFFFFF, len(body)) + body
    return struct.pack("<I", len(body)) + body


# CFA = rsp + 8, RA at CFA-8: what every x86-64 CIE begins with.
ENTRY_STATE = b"\x0c\x07\x08\x90\x01"


def eh_cie(augmentation=b"zR", data=b"\x1b", program=ENTRY_STATE, version=1):
    ra = bytes([16]) if version == 1 else uleb(16)
    body = struct.pack("<IB", 0, version) + augmentation + b"\0" + uleb(1) + sleb(-8) + ra
    if augmentation.startswith(b"z"):
        body += uleb(len(data)) + data
    return entry(body + program)


def eh_fde(position, cie_position, start, size, program, augmentation_data=b"", section=0x1000):
    """pcrel sdata4, as gcc writes them."""
    address = position + 8
    return entry(struct.pack("<Iii", position + 4 - cie_position, start - (section + address), size) +
                 uleb(len(augmentation_data)) + augmentation_data + program)


def eh_section(cie, *programs, augmentation_data=b""):
    out = cie
    for i, program in enumerate(programs):
        out += eh_fde(len(out), 0, 0x400000 + 0x100 * i, 0x80, program, augmentation_data)
    return out + bytes(4)


def debug_cie(version=4, program=ENTRY_STATE, long_form=False):
    ra = bytes([16]) if version == 1 else uleb(16)
    identifier = struct.pack("<Q", 2**64 - 1) if long_form else struct.pack("<I", 2**32 - 1)
    return entry(identifier + bytes([version, 0]) + (b"\x08\0" if version >= 4 else b"") + uleb(1) +
                 sleb(-8) + ra + program, long_form)


def debug_fde(start, size, program, long_form=False):
    return entry((bytes(8) if long_form else bytes(4)) + struct.pack("<QQ", start, size) + program, long_form)


def make_cfi_seeds():
    push_rbp = b"\x41\x0e\x10\x86\x02\x43\x0d\x06"  # advance 1, CFA +16, rbp at CFA-16, advance 3, CFA rbp
    block = lambda code: uleb(len(code)) + code

    def seed(name, section, eh=True, arch=0):
        write("fuzz_cfi", name, bytes([int(eh) | arch << 1]) + section)

    seed("gcc-frame", eh_section(eh_cie(), push_rbp + b"\x60\x0c\x07\x08", push_rbp))
    seed("remember-restore", eh_section(eh_cie(), push_rbp + b"\x0a\x44\x0c\x07\x08\x41\x0b\x44\xc6"))
    seed("restore-without-remember", eh_section(eh_cie(), b"\x41\x0b"))
    seed("every-instruction", eh_section(
        eh_cie(), b"\x02\x01\x03\x02\x00\x04\x03\x00\x00\x00" + b"\x05\x03\x02" + b"\x06\x03" + b"\x07\x05" +
        b"\x08\x05" + b"\x09\x0c\x0d" + b"\x0a\x0b" + b"\x0c\x06\x10" + b"\x0d\x07" + b"\x0e\x20" +
        b"\x11\x03" + sleb(-2) + b"\x12\x07" + sleb(-3) + b"\x13" + sleb(-4) + b"\x14\x0c\x02" +
        b"\x15\x0d" + sleb(2) + b"\x2e\x10" + b"\x2f\x0e\x02"))
    # The PLT's CFA expression: rsp + 8 + ((rip & 15) >= 11) * 8.
    seed("plt-expression", eh_section(
        eh_cie(), b"\x0e\x10\x46\x0e\x18\x4a\x0f" +
        block(b"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22")))
    # glibc's sigreturn trampoline: registers saved in a ucontext, by expression.
    seed("signal-frame", eh_section(
        eh_cie(b"zRS"), b"\x0f" + block(b"\x77" + sleb(160) + b"\x06") + b"\x10\x03" +
        block(b"\x77" + sleb(128)) + b"\x10\x10" + block(b"\x77" + sleb(168)) + b"\x16\x06" +
        block(b"\x77" + sleb(120) + b"\x06")))
    seed("endless-expression", eh_section(eh_cie(), b"\x0f" + block(b"\x30\x2f\xfd\xff")))
    seed("deep-expression", eh_section(eh_cie(), b"\x0f" + block(b"\x30" + b"\x12" * 80)))
    seed("expression-operations", eh_section(eh_cie(), b"\x0f" + block(
        b"\x0e\x01\x02\x03\x04\x05\x06\x07\x08\x09\xff\x0b\xff\xff\x0d\xff\xff\xff\xff\x10\x81\x01"
        b"\x11\x7f\x17\x16\x14\x15\x02\x13\x1b\x1d\x1e\x1f\x19\x20\x21\x27\x24\x25\x26\x92\x07\x08\x94\x04"
        b"\x96\x28\x01\x00\x31\x06")))
    seed("personality-and-lsda", eh_section(
        eh_cie(b"zPLR", b"\x9b" + bytes(4) + b"\x1b\x1b"), push_rbp, augmentation_data=bytes(4)))
    seed("aligned-personality", eh_section(
        eh_cie(b"zPR", b"\x50" + bytes(15) + b"\x1b"), push_rbp))
    seed("unknown-letter", eh_section(eh_cie(b"zRX", b"\x1b\x55\x55"), push_rbp))
    seed("letter-without-z", eh_section(eh_cie(b"X"), push_rbp))
    seed("eh-pointer", entry(struct.pack("<IB", 0, 1) + b"eh\0" + bytes(8) + uleb(1) + sleb(-8) + b"\x10" +
                             ENTRY_STATE) + entry(struct.pack("<IQQ", 36, 0x400000, 64) + push_rbp))
    seed("absolute-addresses", eh_cie(b"", b"") +
         entry(struct.pack("<IQQ", 24 + 4, 0x400000, 64) + push_rbp))
    seed("damaged-in-the-middle", eh_cie() + eh_fde(24, 0, 0x400000, 64, push_rbp) +
         entry(b"\xff" * 20) + eh_fde(24 + 32 + 28, 0, 0x400100, 64, push_rbp))
    seed("terminator-in-the-middle", eh_cie() + bytes(4) + eh_fde(28, 0, 0x400100, 64, push_rbp))
    seed("length-beyond-the-end", eh_cie() + b"\xf0\xff\xff\x7f" + bytes(40))
    seed("program-runs-off", eh_section(eh_cie(), b"\x41\x0e\x90\x80"))
    seed("unknown-opcode", eh_section(eh_cie(), b"\x41\x3c\x41"))
    overlapping = eh_cie()
    for start, size in ((0x400000, 0x1000), (0x400100, 0x100), (0x400180, 0x10), (0x400180, 0x20)):
        overlapping += eh_fde(len(overlapping), 0, start, size, push_rbp)
    seed("overlapping", overlapping)
    seed("debug-frame-4", debug_cie() + debug_fde(0x400000, 64, push_rbp), eh=False)
    seed("debug-frame-3", debug_cie(3) + debug_fde(0x400000, 64, push_rbp), eh=False)
    seed("debug-frame-1", debug_cie(1) + debug_fde(0x400000, 64, push_rbp), eh=False)
    seed("debug-frame-64", debug_cie(4, long_form=True) + debug_fde(0x400000, 64, push_rbp, True), eh=False)
    seed("aarch64-signed", eh_section(eh_cie(b"zRB", b"\x1b", b"\x0c\x1f\x00", 3), b"\x41\x2d\x41\x0e\x10\x9e\x01"),
         arch=3)
    seed("arm", debug_cie(1, b"\x0c\x0d\x00") + debug_fde(0x8000, 32, b"\x42\x0e\x08\x8e\x01\x8b\x02"), False, 2)
    seed("i386", eh_section(eh_cie(b"zR", b"\x1b", b"\x0c\x04\x04\x88\x01"), b"\x41\x0e\x08\x85\x02\x42\x0d\x05"),
         arch=1)


# ------------------------------------------------- Arm's exception tables

EXIDX_CODE, EXIDX_TABLES = 0x10000, 0x30000
CANTUNWIND = struct.pack("<I", 1)


def prel31(target, place):
    return struct.pack("<I", (target - place) & 0x7FFFFFFF)


def exidx(entries, extab=b"", extab_first=False):
    """Tables of (function, second word as bytes, or place in `extab`)."""
    index_at = EXIDX_TABLES + (len(extab) if extab_first else 0)
    extab_at = EXIDX_TABLES + (0 if extab_first else 8 * len(entries))
    index = b""
    for function, second in entries:
        index += prel31(EXIDX_CODE + function, index_at + len(index))
        index += prel31(extab_at + second, index_at + len(index)) if isinstance(second, int) else second
    return struct.pack("<BH", int(extab_first), len(entries)) + (extab + index if extab_first else index + extab)


def ordered(instructions):
    """A little-endian word's bytes in the order in which they are run, filled up with "finish"."""
    instructions += b"\xb0" * (-len(instructions) % 4)
    return b"".join(instructions[i:i + 4][::-1] for i in range(0, len(instructions), 4))


def compact(instructions):
    words = (len(instructions) + 2 + 3) // 4
    return ordered(bytes([0x81, words - 1]) + instructions)


def make_exidx_seeds():
    def seed(name, *arguments, **options):
        write("fuzz_exidx", name, exidx(*arguments, **options))

    def program(name, instructions):
        seed(name, [(0, 0), (0x100, CANTUNWIND)], compact(bytes.fromhex(instructions)))

    frame = ordered(b"\x80\x01\xa8\xb0")
    seed("inline", [(0, frame), (0x20, ordered(b"\x80\xb0\xb0\xb0")), (0x40, CANTUNWIND), (0x80, frame)])
    seed("far", [(0, 0), (0x40, 4), (0x80, CANTUNWIND)], frame + compact(bytes.fromhex("0701b108a8b0")))
    seed("far-table-first", [(0, 0), (0x40, 4)], frame + compact(bytes.fromhex("0701b108a8b0")), extab_first=True)
    seed("generic", [(0, 0)], prel31(EXIDX_CODE + 0x800, EXIDX_TABLES + 8) + ordered(bytes.fromhex("0102b108a8b0b0b0")))
    seed("generic-routine-nowhere", [(0, 0)], prel31(0, EXIDX_TABLES + 8) + frame)
    seed("thumb-bits", [(1, frame), (0x21, CANTUNWIND)])
    seed("empty-functions", [(0, frame), (0, CANTUNWIND), (0x20, frame), (0x10000, CANTUNWIND), (0x10020, frame)])
    seed("out-of-order", [(0x40, frame), (0, frame)])
    seed("models-not-inline", [(0, frame), (0x20, ordered(b"\x81\x00\xa8\xb0")), (0x40, ordered(b"\x9f\xb0\xb0\xb0"))])
    write("fuzz_exidx", "function-bit-31", struct.pack("<BHII", 0, 1, 0xFFFE0000, 0x80B0B0B0))
    seed("table-nowhere", [(0, 0x10000), (0x20, 2)], bytes(2))
    seed("table-cut-short", [(0, 0)], b"\xb0\xb0\xff\x81")
    seed("model-3", [(0, 0)], ordered(b"\x83\xb0\xb0\xb0"))
    program("frame-pointer", "9701840803")
    program("two-bases", "01a0978400")
    program("popped-base", "02840897418400")
    program("popped-sp", "07b10f8fff")
    program("two-popped-bases", "800897a09b")
    program("far-step", "b2808004a8")
    program("too-far", "b2ffffffff07b2ffffffff01")
    program("vector-registers", "b387b8bfc80fc987d0d7")
    program("wmmx", "c0c5c6a2c705")
    program("authentication-code", "b5b4a8")
    program("refuses", "a88000")
    program("spare", "b6")
    program("all-registers-twice", "b10f8dffb10f8dff")
    seed("longest", [(0, 0)], ordered(b"\x81\xff" + bytes(1022)))


# ------------------------------------------------------------------- code

X86_64, I386, A32, T32, A64, RV64, RV32 = range(7)  # as the targets number the instruction sets
FRAGMENT, REACHED_ONLY, OPEN_END, ARRIVAL, CALLEES_BY_CODE = 0x08, 0x10, 0x20, 0x40, 0x80  # flags of fuzz_prologue
PADS, DATA, EXPLAIN = 1, 2, 4


def code(*parts):
    return b"".join(bytes.fromhex(p) for p in parts)


# Functions with a jump table among their code; GNU as's bytes, the whole of it in tests/unit/unwind/prologue/test_prologue_tables.c.
TABLES = {
    # movsxd rax,[rdx+rdi*4]; add rax,rdx; jmp rax
    "x86-64-distances": (X86_64, """
        5383ff037722488d152800000089ff486304ba4801d03effe05bc34883ec10e8dcef1f004883c4105bc357905f5bc35be9cbef1f
        00e4ffffffe6fffffff5fffffffaffffff"""),
    # jmp [table+rdi*8]
    "x86-64-addresses": (X86_64, """
        5383ff02770f89ffff24fd171040005bc3575f5bc35bc30f1040000000000011104000000000001510400000000000"""),
    # a table in a case of another one
    "x86-64-in-a-case": (X86_64, """
        5383ff01771eff24fd261040004883ec1083fe01770aff24f5361040005159904883c4105bc30d10400000000000241040000000
        00001d104000000000001f10400000000000"""),
    # a case goes on in code before the jump
    "x86-64-joins": (X86_64, """
        5385ff74025bc383fe01770856ff24f51c1040005bc35eebec5e5bc316104000000000001910400000000000"""),
    # mov eax,[ebx+eax*4+table@GOTOFF]; add eax,ebx; jmp eax
    "i386-got": (I386, """
        53e8faef1f0081c3003000008b44240883f80277148b848329d0ffff01d83effe05bc383ec0883c4085bc3565e5bc31bd0ffff1d
        d0ffff25d0ffff"""),
    # ldr r3,=table; ldr pc,[r3,r0,lsl #2]
    "a32-literal": (A32, """
        10402de9010050e30500008a00309fe500f193e7281040001080bde804502de504509de41080bde8181040001c104000"""),
    # addls pc,pc,r0,lsl #2
    "a32-branches": (A32, """
        10402de9020050e300f18f90050000ea010000ea010000ea030000ea1080bde808d04de208d08de21080bde860002de96000bde8
        1080bde8"""),
    # ldrls pc,[pc,r0,lsl #2]
    "a32-addresses": (A32, """
        10402de9020050e300f19f97050000ea1c104000201040002c1040001080bde808d04de208d08de21080bde860002de96000bde8
        1080bde8"""),
    # tbb [pc,r0]
    "t32-bytes": (T32, """
        10b5032806d8dfe800f00203060910bd82b002b010bd60b460bc10bdbde810407047"""),
    # tbh [pc,r0,lsl #1]
    "t32-halfwords": (T32, """
        10b5022807d8dfe810f003000400070010bd82b002b010bd60b460bc10bd"""),
    # adr r3,table; ldr.w pc,[r3,r0,lsl #2]
    "t32-pointers": (T32, """
        10b5012802d803a353f820f010bd20b420bc10bd0d1040000f104000"""),
    # ldrb w1,[x1,w0,uxtw]; add x1,x2,w1,sxtb #2; br x1
    "a64-bytes": (A64, """
        fd7bbfa91f08007168010054010000902130019121486038620000104188218b20001fd6fd7bc1a8c0035fd6ff4300d1ff430091
        fd7bc1a8c0035fd6f353bfa9f353c1a8fd7bc1a8c0035fd6000206"""),
    # lw; add; jr
    "rv64-distances": (RV64, "411106e4854763efa700170700001307e70293170502f983ba979c43ba978287eff0177ea26041018280a260410117030800670023fd0100e8fffffff2ffffff"),
}

# Functions as compilers make them.
FUNCTIONS = {
    # push ebp; mov ebp,esp; push edi; push ebx; sub esp,28; call; lea esp,[ebp-8]; pop ebx; pop edi; pop ebp; ret
    "i386-frame-pointer": (I386, "55 89e5 57 53 83ec1c e8f30f0000 8d65f8 5b 5f 5d c3"),
    # push ebx; call 1f; add ebx,0x3000; sub esp,8; call; add esp,8; pop ebx; ret 4; 1: mov ebx,[esp]; ret
    "i386-thunk": (I386, "53 e815000000 81c300300000 83ec08 e800100000 83c408 5b c20400 8b1c24 c3"),
    # lea ecx,[esp+4]; and esp,-16; push [ecx-4]; push ebp; mov ebp,esp; push ecx; call; mov ecx,[ebp-4]; leave;
    # lea esp,[ecx-4]; ret
    "i386-realigned": (I386, "8d4c2404 83e4f0 ff71fc 55 89e5 51 e800100000 8b4dfc c9 8d61fc c3"),
    # push {r4, lr}; mov r4, r0; bl; mov r0, r4; pop {r4, pc}
    "a32-plain": (A32, "10402de9 0040a0e1 fe0300eb 0400a0e1 1080bde8"),
    # mov ip, sp; push {r4, fp, ip, lr, pc}; sub fp, ip, #4; sub sp, sp, #12; bl; sub sp, fp, #16; ldm sp, {r4, fp, sp, pc}
    "a32-apcs": (A32, "0dc0a0e1 10d82de9 04b04ce2 0cd04de2 fe0300eb 10d04be2 10a89de8"),
    # cmp r0, #0; bxeq lr; push {r4, lr}; ldr r4, [pc, #8]; blx r4; popne {r4, pc}; pop {r4, pc}; .word
    "a32-conditional-return": (A32, "000050e3 1eff2f01 10402de9 08409fe5 34ff2fe1 1080bd18 1080bde8 78563412"),
    # push {r4, lr}; mov r4, r0; bl; mov r0, r4; pop {r4, pc}
    "t32-plain": (T32, "10b5 0446 00f0feff 2046 10bd"),
    # push.w {r4-r11, lr}; vpush {d8, d9}; sub sp, #12; bl; add sp, #12; vpop {d8, d9}; pop.w {r4-r11, pc}
    "t32-wide": (T32, "2de9f04f 2ded048b 83b0 00f0feff 03b0 bdec048b bde8f08f"),
    # push {r7, lr}; sub sp, #8; add r7, sp, #0; cmp r0, #0; itt eq; moveq r0, #2; moveq r0, r1; adds r7, #8; mov sp, r7; pop
    "t32-frame-pointer": (T32, "80b5 82b0 00af 0028 04bf 0220 0846 0837 bd46 80bd"),
    # ldr r3, [pc, #4]; push {r4, lr}; blx r3; pop {r4, pc}; literal
    "t32-literal": (T32, "014b 10b5 9847 10bd 78563412"),
    # stp x29, x30, [sp, #-32]!; mov x29, sp; stp x19, x20, [sp, #16]; bl; ldp x19, x20, [sp, #16]; ldp x29, x30, [sp], #32; ret
    "a64-frame": (A64, "fd7bbea9 fd030091 f35301a9 fcfb0794 f35341a9 fd7bc2a8 c0035fd6"),
    # paciasp; sub sp, sp, #48; stp x29, x30, [sp, #32]; add x29, sp, #32; bl; ldp; add sp, sp, #48; autiasp; ret
    "a64-signed": (A64, "3f2303d5 ffc300d1 fd7b02a9 fd830091 fbfb0794 fd7b42a9 ffc30091 bf2303d5 c0035fd6"),
    # stp x29, x30, [sp, #-16]!; mov x29, sp; mov x16, #0x12340; sub sp, sp, x16; cbz w0, 1f; bl; 1: mov sp, x29; ldp; ret
    "a64-large": (A64, "fd7bbfa9 fd030091 106884d2 3000a0f2 ff6330cb 40000034 fafb0794 bf030091 fd7bc1a8 c0035fd6"),
    # as in tests/unit/unwind/prologue/test_prologue_riscv.c
    "rv64-frame-with-record": (RV64, "011106ec22e826e40010aa84eff0577fe2604264a26405618280"),
    "rv64-large-frame": (RV64, "130101812334117e2330817efd729382027d1691eff0d77e85629382028316918330817e0334017e1301017f8280"),
    "rv64-realigned": (RV64, "397122f806fc8000137101fceff0577f130104fce270427421618280"),
    "rv64-outlined-prologue": (RV64, "ef02c0002a84eff0b77f09a80111014326e422e806ec330161408282a2644264e26005618280"),
    "rv64-restore-2": (RV64, "a2644264e26005618280"),
    "rv64-trap-handler": (RV64, "011106e016e4f3221034910216e88542c26273901234a2628260056173002030"),
    "rv32-push-and-popret": (RV32, "72b82a89eff0d77f72be"),
    "rv32-trap-handler": (RV32, "41113ec68547b247410173002030"),
}


def make_prologue_seeds():
    def seed(name, *parts, isa=X86_64, flags=0, more=0):
        write("fuzz_prologue", name, bytes([isa | flags, more]) + code(*parts))

    seed("leaf", "31c0", "c3")
    # push rbp; mov rbp,rsp; push rbx; sub rsp,8; call; mov rbx,[rbp-8]; leave; ret
    seed("frame-pointer", "55", "4889e5", "53", "4883ec08", "e800000100", "488b5df8", "c9", "c3")
    # push rbx; test edi,edi; je 1f; pop rbx; ret; 1: call; pop rbx; ret
    seed("early-return", "53", "85ff", "7402", "5b", "c3", "e800000100", "5b", "c3")
    # test; jne 1f; ret; 1: push; call; pop; ret
    seed("shrink-wrapped", "85ff", "7501", "c3", "53", "e800000100", "5b", "c3")
    # lea r10,[rsp+8]; and rsp,-32; push [r10-8]; push rbp; mov rbp,rsp; push r10; sub; call; mov r10,[rbp-8]; leave; lea rsp,[r10-8]; ret
    seed("realigned", "4c8d542408", "4883e4e0", "41ff72f8", "55", "4889e5", "4152", "4883ec18", "e800000100",
         "4c8b55f8", "c9", "498d62f8", "c3")
    # push rbp; mov rbp,rsp; and rsp,-64; sub rsp,128; call; leave; ret
    seed("aligned-locals", "55", "4889e5", "4883e4c0", "4881ec80000000", "e800000100", "c9", "c3")
    # push rbp; mov rbp,rsp; sub rsp,rdi; mov rax,rsp; leave; ret
    seed("alloca", "55", "4889e5", "4829fc", "4889e0", "c9", "c3")
    seed("large-frame", "53", "b800000100", "4829c4", "e800000100", "4881c400000100", "5b", "c3")
    # push rbx; jmp [rax*8+table]; case: nop; pop; ret; case: call; pop; ret
    seed("jump-table", "53", "ff24c500204000", "5b", "c3", "e800000100", "5b", "c3")
    seed("call-does-not-return", "4883ec08", "85ff", "7405", "e802100000", "4883c408", "c3")
    seed("tail-call", "53", "89fb", "5b", "e900100000", "e9ff0f0000", flags=ARRIVAL)
    seed("start", "f30f1efa", "31ed", "4989d1", "5e", "4889e2", "4883e4f0", "50", "54", "ff15d22f0000", "f4")
    seed("loop-with-pushes", "53", "ebfd")
    seed("loop-with-pops", "5b", "7501", "c3", "ebfa")
    seed("enter-leave", "c8200001", "c8200000", "c9", "c3")
    seed("extreme-constants", "48b8ffffffffffffff7f", "4801c4", "53", "4801c4", "5b", "48b80000000000000080", "4829c4",
         "4889042448", "c3")
    seed("sigreturn", "48c7c00f000000", "0f05", "0f1f8000000000")
    seed("branch-into-an-instruction", "53", "eb01", "e85bc3c3c3", "5b", "c3")
    seed("fragment", "488b5c2408", "4883c418", "5b", "e9f0ffffff", flags=FRAGMENT)
    seed("one-byte", "fd")
    seed("subroutine", "53", "e803000000", "5b", "c3", "90", "55", "5d", "c3")
    seed("call-to-read-the-pc", "53", "e800000000", "5b", "5b", "c3")
    seed("vector-instructions", "53", "c5fb93d9", "62f17528744701", "c4e1f998c0", "62f375283f042404", "0f01ee", "5b", "c3")
    seed("not-code", "ffffffff", "06", "62", "c4c4c4", "f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0")
    seed("shadow-stack", "f3480f1ec8", "f3480faee8", "f3490f1eca", "c3")
    seed("string-stores", "4883ec40", "488d3c24", "f348ab", "660f7f0424", "c5fe7f4c2420", "4883c440", "c3")
    for name, (isa, text) in TABLES.items():
        seed("table-" + name, text, isa=isa, flags=REACHED_ONLY)
    for name, (isa, text) in FUNCTIONS.items():
        seed(name, text, isa=isa)
        seed(name + "-open", text, isa=isa, flags=OPEN_END | REACHED_ONLY | CALLEES_BY_CODE, more=DATA)
    seed("i386-thrown", FUNCTIONS["i386-frame-pointer"][1], isa=I386, more=PADS)
    seed("a64-cold", FUNCTIONS["a64-frame"][1], "00000014", "ff0f0014", isa=A64, flags=ARRIVAL)
    # push rbx; test edi,edi; je 1f; sub rsp,16; 1: call; pop rbx; ret
    seed("explain-x86_64", "53", "85ff", "7404", "4883ec10", "e8f2ef1f00", "5b", "c3", more=PADS | EXPLAIN)
    # push {r4, lr}; cmp r0, #0; it eq; popeq {r4, pc}; ldr r4, [pc, #4]; blx r4; pop {r4, pc}; nop; literal; bx lr
    seed("explain-t32", "10b5 0028 08bf 10bd 014c a047 10bd 00bf 01006000 7047", isa=T32, flags=ARRIVAL,
         more=DATA | EXPLAIN)
    seed("explain-a64", FUNCTIONS["a64-frame"][1], isa=A64, flags=CALLEES_BY_CODE, more=EXPLAIN)


def make_insn_seeds():
    def seed(name, isa, *parts, context=0):
        write("fuzz_insn", name, bytes([isa, context]) + code(*parts))

    for name, (isa, text) in dict(TABLES, **FUNCTIONS).items():
        seed(name, isa, text)
    # it eq; ite eq; itt ne, the last one a bx
    seed("t32-it", T32, "08bf 1046", "0cbf 1046 1846", "1cbf 0120 7047", context=0x08)
    seed("t32-it-block-of-four", T32, "01bf 1046 1846 2046 2846", context=0x17)
    # cbz; cbnz; beq.w; bl; blx
    seed("t32-branches", T32, "08b1", "40b9", "00f00080", "fff7feff", "00f000e8")
    seed("t32-wide", T32, "2de9f04f", "2ded108b", "bdec108b", "bde8f08f", "dff804f0", "53f820f0")
    # popeq {r4, pc}; bxeq lr; moveq pc, lr; ldm sp, {…, sp, pc}; blx lr; pop {pc}; addls pc, pc, r0, lsl #2; add pc, pc, r0, lsl #10
    seed("a32-jumps", A32, "1080bd08", "1eff2f01", "0ef0a001", "f0a89de8", "3eff2fe1", "04f09de4", "00f18f90", "00f58f60")
    # push {lr}; stmib sp!, …; stmdb r0!, …; vpop; stmdb sp, …
    seed("a32-writeback", A32, "04e02de5", "f040ade9", "f00020e9", "108bbdec", "f0004de9")
    # stp; ldp; ldr post-indexed; ldp post-indexed; ldr literal; ldrb; sub sp, sp, w28
    seed("a64-memory", A64, "fd7bbfa9", "f35341a9", "fe0741f8", "fd7bc2a8", "00004058", "20484038", "ff633ccb")
    # ret; br; blr; b; cbz; tbz; paciasp
    seed("a64-jumps", A64, "c0035fd6", "20001fd6", "00003fd6", "00000014", "60000034", "00000036", "3f2303d5")
    # 16-bit call and ret; 32-bit address; ret 4; bnd jmp; iretq
    seed("x86-64-odd-sizes", X86_64, "66e80000", "66c3", "67ff17", "c20400", "f2ff2500000000", "48cf")
    seed("x86-64-vectors", X86_64, "c5fb93d9", "62f17528744701", "c4e1f998c0", "62f375283f042404", "0f01ee")
    # far call, direct and not; retf; enter; popa; pusha; mov [eax], ds; push cs; pop ds
    seed("i386-old", I386, "9a000000000000", "ff18", "cb", "c8200001", "61", "60", "8c18", "0e", "1f")


def make_functions_seeds():
    def seed(name, isa, *parts, entry=0):
        write("fuzz_functions", name, struct.pack("<BH", isa, entry) + code(*parts))

    nops = {X86_64: "90" * 16, I386: "90" * 16, A32: "0000a0e1" * 4, T32: "00bf" * 4, A64: "1f2003d5" * 4, RV64: "0100" * 4, RV32: "0100" * 4}
    for name, (isa, text) in TABLES.items():
        seed(name, isa, text)
    # The second one is not called.
    for name, (isa, text) in FUNCTIONS.items():
        seed(name, isa, text, nops[isa], text)
    # call 1f; ret; 1: push rbx; test edi,edi; jne 2f; pop rbx; ret; 2: call 1b; pop rbx; ret
    seed("cold-part", X86_64, "e801000000", "c3", "53", "85ff", "0f8502000000", "5b", "c3", "e8f0ffffff", "5b", "c3")
    seed("not-code", X86_64, "ff" * 64)
    seed("entry-inside", X86_64, "53", "e800000000", "5b", "c3", entry=1)


# ---------------------------------------------------------------- perf.data

PERF_SAMPLE_TYPE = 1 | 2 | 4 | 32 | 256 | 1 << 12 | 1 << 13  # ip tid time callchain period registers stack
PERF_MASKS = {b"x86_64": 0xFF0FFF, b"i686": 0xFFFF, b"armv7l": 0xFFFF, b"aarch64": 0x1FFFFFFFF}


def perf_record(kind, payload, misc=2):
    return struct.pack("<IHH", kind, misc, 8 + len(payload)) + payload


def perf_attr(mask, sample_type=PERF_SAMPLE_TYPE, kind=1):
    # freq, sample_id_all; a stack of 32 bytes
    attr = struct.pack("<IIQQQQQ", kind, 128, 0, 999, sample_type, 0, 1 << 10 | 1 << 18)
    attr += bytes(80 - len(attr)) + struct.pack("<QIi", mask, 32, 0)
    return attr + bytes(128 - len(attr))


def perf_name(value):
    value += b"\0"
    return value + bytes(-len(value) % 8)


def perf_header_text(value):
    return struct.pack("<I", 64) + value + bytes(64 - len(value))


def perf_time(time, pid=7):
    return struct.pack("<IIQ", pid, pid, time)


def perf_comm(time, exec_=True, pid=7):
    return perf_record(3, struct.pack("<II", pid, pid) + perf_name(b"main") + perf_time(time, pid), 1 << 13 if exec_ else 0)


def perf_mmap2(time, build_id=True):
    body = struct.pack("<IIQQQ", 7, 7, 0x400000, 0x2000, 0x1000)
    body += struct.pack("<I", 20) + bytes(range(20)) if build_id else struct.pack("<IIQQ", 8, 1, 42, 0)
    return perf_record(10, body + struct.pack("<II", 5, 2) + perf_name(b"/bin/x") + perf_time(time), 2 | (1 << 14 if build_id else 0))


def perf_mmap(time, path, pid=7, misc=2):
    return perf_record(1, struct.pack("<IIQQQ", pid, pid, 0x500000, 0x2000, 0x1000) + perf_name(path) + perf_time(time), misc)


def perf_sample(time, arch, pid=7, chain=()):
    mask = PERF_MASKS[arch]
    words = bin(mask).count("1")
    body = struct.pack("<QIIQQQ", 0x401000, pid, pid, time, 1000, len(chain)) + struct.pack("<%dQ" % len(chain), *chain)
    body += struct.pack("<Q%dQ" % words, 1 if arch in (b"i686", b"armv7l") else 2, *range(0x7000, 0x7000 + words))
    return perf_record(9, body + struct.pack("<Q", 32) + bytes(range(32)) + struct.pack("<Q", 24))


def perf_records(arch):
    kernel = (1 << 64) - 128, 0xFFFFFFFF81000010, (1 << 64) - 512, 0x401000
    return b"".join((
        perf_mmap(0, b"[kernel.kallsyms]_text", 0xFFFFFFFF, 1), perf_comm(1), perf_mmap2(2), perf_mmap2(3, False),
        perf_mmap(3, b"[vdso]"), perf_mmap(3, b"/lib/gone (deleted)"),
        perf_sample(9, arch, 7, kernel), perf_sample(5, arch), perf_record(68, b""),
        perf_record(7, struct.pack("<IIIIQ", 8, 7, 8, 7, 10) + perf_time(10, 8)), perf_sample(11, arch, 8),
        perf_record(2, struct.pack("<QQ", 1, 3) + perf_time(12)), perf_record(68, b""), perf_comm(13, pid=8),
        perf_record(4, struct.pack("<IIIIQ", 8, 7, 8, 7, 14) + perf_time(14, 8)), perf_sample(15, arch),
        perf_record(71, struct.pack("<QQQQ", 8, 0, 0, 0)) + bytes(8), perf_record(13, struct.pack("<Q", 2) + perf_time(16))))


def perf_pipe(arch):
    feature = perf_record(80, struct.pack("<Q", 6) + perf_header_text(arch))
    attr = perf_record(64, perf_attr(PERF_MASKS[arch]) + struct.pack("<Q", 100))
    return b"PERFILE2" + struct.pack("<Q", 16) + attr + feature + perf_records(arch)


def perf_file(arch, attrs=1, data_size=None):
    records = perf_records(arch)
    data = 104 + 8 + 144 * attrs
    end = data + len(records)
    build_id = perf_record(67, struct.pack("<i", -1) + bytes(range(20)) + struct.pack("<I", 20) + perf_name(b"[kernel.kallsyms]"), 1 | 1 << 15)
    head = b"PERFILE2" + struct.pack("<QQQQQQQQ", 104, 144, 112, 144 * attrs, data, len(records) if data_size is None else data_size, 0, 0)
    head += struct.pack("<QQQQ", 1 << 2 | 1 << 6, 0, 0, 0) + struct.pack("<Q", 100)
    for kind in range(attrs):
        head += perf_attr(PERF_MASKS[arch], kind=1 - kind) + struct.pack("<QQ", 104, 8)
    sections = struct.pack("<QQQQ", end + 32, len(build_id), end + 32 + len(build_id), 68)
    return head + records + sections + build_id + perf_header_text(arch)


def make_perf_seeds():
    for arch in PERF_MASKS:
        write("fuzz_perf", "file-" + arch.decode(), b"\0" + perf_file(arch))
        write("fuzz_perf", "pipe-" + arch.decode(), b"\1" + perf_pipe(arch))
    write("fuzz_perf", "compressed", b"\3" + perf_pipe(b"x86_64"))
    write("fuzz_perf", "two-events", b"\0" + perf_file(b"x86_64", 2))
    write("fuzz_perf", "not-ended", b"\0" + perf_file(b"x86_64", data_size=0))
    write("fuzz_perf", "cut", b"\0" + perf_file(b"aarch64")[:-300])
    write("fuzz_perf", "other-byte-order", b"\0" + b"2ELIFREP" + bytes(16))


# ---------------------------------------------------------------- LSDAs


def make_lsda_seeds():
    sites = bytes.fromhex("04054000 1080029001 01 9002050000".replace(" ", ""))

    def seed(name, header, table, narrow=0):
        write("fuzz_lsda", name, bytes([narrow]) + bytes.fromhex(header) + bytes([len(table)]) + table)

    seed("gcc", "ff9b1501", sites)
    seed("arm", "ff901501", sites, 1)
    seed("lpstart", "1bffefffffff01", sites)
    seed("four-byte-sites", "ffff03", struct.pack("<IIIB", 4, 5, 0x40, 1))
    seed("out-of-order", "ffff01", bytes.fromhex("0905400004054000"))
    seed("no-sites", "ffff01", b"")


# ---------------------------------------------------------------- cores


def module_page(core):
    """The first page of a file of the core's class, with a build-id."""
    head = corefile.Core(core.machine)
    head.note(b"GNU", 3, bytes(range(20)))
    head.load(0x1000, 0x2000, corefile.RX)
    return head.file().ljust(512, b"\0")


def whole_core(machine):
    core = corefile.Core(machine)
    core.thread(7, 11, range(0x10000, 0x10000 + 16 * corefile.WORDS[machine], 16))
    core.info(7, b"app")
    core.auxv(page=4096, phdr=0x400040, vdso=0x30000)
    core.files([(0x400000, 0x401000, 0, b"/bin/app"), (0x401000, 0x402000, 4096, b"/bin/app"),
                (0x500000, 0x502000, 0, b"/lib/gone.so (deleted)")])
    if machine == corefile.AARCH64:
        core.pac_mask(0x7F000000000000)
    core.thread(8, 11, [0x10080] * corefile.WORDS[machine])
    core.load(0x10000, 0x12000, corefile.RW, bytes(i & 0xFF for i in range(512)))
    core.load(0x20000, 0x20400, corefile.RX, b"\xc3" * 64)
    core.load(0x30000, 0x31000, corefile.RX, module_page(core))
    for i in range(4):
        core.load(0x40000 + i * 8192, 0x41000 + i * 8192, corefile.RW, bytes(64))
    core.load(0x400000, 0x401000, corefile.R, module_page(core))
    core.load(0x401000, 0x402000, corefile.RX)
    return core


def loaded_page(core):
    """The first page of a file as it was loaded: itself, code, the dynamic section; a build-id."""
    head = corefile.Core(core.machine)
    head.note(b"GNU", 3, bytes(range(20)))
    head.load(0, 0x1000, corefile.R)
    head.load(0x1000, 0x2000, corefile.RX)
    head.load(0x2000, 0x3000, corefile.RW)
    page = bytearray(head.file().ljust(512, b"\0"))
    page[16] = 3  # ET_DYN
    page[24:28] = struct.pack("<I", 0x1010)  # e_entry
    for i in (1, 2, 3):  # offset and size in the file: those in memory
        at, off, size = (64 + 56 * i, 8, 32) if core.is_64 else (52 + 32 * i, 4, 16)
        page[at + off:at + off + 4] = struct.pack("<I", 0x1000 * (i - 1))
        page[at + size:at + size + 4] = struct.pack("<I", 0x1000)
    page[at:at + 4] = struct.pack("<I", 2)  # PT_DYNAMIC
    return bytes(page)


def listless_core(machine, pages=True, circle=False):
    """A core without NT_FILE: a program at 0x400000 and a library at 0x500000, of the linker's list."""
    core = corefile.Core(machine)
    word = len(core.words(0))
    data, library = 0x402000, 0x502000
    debug, links, texts = data + 0x200, data + 0x400, data + 0x600
    links = [links, links + 5 * word]
    memory = bytearray(0x800)

    def put(addr, *words):
        memory[addr - data:addr - data + len(words) * word] = core.words(*words)

    put(data, 1, 1, 21, debug, 0, 0)  # DT_NEEDED, DT_DEBUG, DT_NULL
    put(debug, 1, links[0])
    put(links[0], 0, texts, data, links[1], 0)
    put(links[1], 0x500000, texts + 16, library, links[0] if circle else 0, links[0])
    memory[0x610:0x61c] = b"/lib/one.so\0"
    memory[0x620:0x626] = b"./app\0"
    core.thread(7, 11, range(0x10000, 0x10000 + 16 * corefile.WORDS[machine], 16))
    core.info(7, b"app")
    core.auxv(page=4096, phdr=0x400040, entry=0x401010, execfn=texts + 32)
    page = loaded_page(core)
    for base in (0x400000, 0x500000):
        core.load(base, base + 0x1000, corefile.R, page if pages else b"")
        core.load(base + 0x1000, base + 0x2000, corefile.RX)
        core.load(base + 0x2000, base + 0x3000, corefile.RW,
                  memory if base == 0x400000 else core.words(1, 1, 0, 0))
    core.load(0x10000, 0x12000, corefile.RW, bytes(512))
    return core


def make_core_seeds():
    def seed(name, data, flags=0):
        write("fuzz_core", name, bytes([flags]) + data)

    machines = {"x86-64": corefile.X86_64, "i386": corefile.I386, "arm": corefile.ARM,
                "aarch64": corefile.AARCH64}
    for name, machine in machines.items():
        seed(name, whole_core(machine).file())
    file = whole_core(corefile.X86_64).file()
    seed("pipe", file, 1)
    seed("shrinks", file, 2)
    seed("cut-short", file[:-700])
    seed("cut-in-notes", file[:1300])
    seed("cut-in-headers", file[:200])
    seed("program", file[:16] + b"\x03" + file[17:])
    seed("big-endian", file[:5] + b"\x02" + file[6:])
    # PN_XNUM, and a section header 0 at the end that has the number
    count = file[56:58]
    many = file[:40] + struct.pack("<Q", len(file)) + file[48:56] + b"\xff\xff" + file[58:]
    seed("many-headers", many + bytes(44) + count.ljust(20, b"\0"))
    seed("many-headers-cut", many)
    overlapping = corefile.Core(corefile.X86_64)
    overlapping.thread(7, 11, [0x10800] * 27)
    for start in (0x10000, 0x10400, 0x10200, 0x10000):
        overlapping.load(start, start + 0x1000, corefile.RW, bytes(256))
    seed("overlapping-segments", overlapping.file())
    lying = corefile.Core(corefile.X86_64)
    lying.thread(7, 0, [])
    lying.note(b"CORE", corefile.FILE, lying.words(1 << 60, 4096, 1, 2, 3))
    lying.note(b"CORE", corefile.PRSTATUS, b"short")
    lying.notes += struct.pack("<III", 5, 0xFFFFFFF0, 1)
    seed("lying-notes", lying.file())
    for name, machine in machines.items():
        seed("no-list-" + name, listless_core(machine).file())
        seed("no-list-no-pages-" + name, listless_core(machine, False).file())
    seed("circle-in-list", listless_core(corefile.X86_64, circle=True).file())
    bare = corefile.Core(corefile.ARM)
    bare.thread(7, 11, [0x10080] * 18)
    bare.load(0x10000, 0x11000, corefile.RX)
    seed("nothing-but-code", bare.file())
    for name, halt in board_halts().items():
        seed("board-" + name, boarddump.core(halt))
    arm = board_halts()["arm"]
    twice = boarddump.core(arm, arm.memory + [(0x20000400, bytes(256)), (0x20000080, bytes(1024))])
    seed("board-segments", twice)
    seed("esp-idf", esp_core())


def board_halts():
    """Cortex-M with a vector table and stack pointers, and RISC-V of both sizes."""
    ram = (0x20000000, bytes(i & 0xFF for i in range(1024)))
    flash = (0, struct.pack("<IIII", 0x20000400, 0x101, 0x103, 0x105) + bytes(496))
    registers = {name: 0x20000000 + 4 * i for i, name in enumerate(boarddump.R)}
    registers.update(sp=0x20000080, lr=0xFFFFFFFD, pc=0x110, xpsr=0x61000003, msp=0x20000080,
                     psp=0x20000200)
    halts = {"arm": boarddump.Halt(boarddump.ARM, registers, [ram, flash])}
    for arch in (boarddump.RISCV32, boarddump.RISCV64):
        registers = {name: 0x80000000 + i for i, name in enumerate(boarddump.X)}
        registers.update(pc=0x80000100, sp=0x80000200)
        halts[arch] = boarddump.Halt(arch, registers, [(0x80000000, bytes(1024))])
    return halts


def esp_core():
    """Two tasks of ESP-IDF, whose control blocks are their numbers; the second has crashed."""
    halt = board_halts()["riscv32"]
    tasks = (0x40800000, 0x40800200)
    memory = bytearray(1024)
    memory[52:56], memory[564:568] = b"IDLE", b"main"
    notes = b""
    for task in tasks:
        status = bytes(24) + struct.pack("<I", task)
        notes += boarddump.note(b"CORE", 1, status.ljust(72, b"\0") +
                                halt.words(["pc"] + boarddump.X[1:]) + bytes(4))
    notes += boarddump.note(b"ESP_CORE_DUMP_INFO", 8266, struct.pack("<I", 0xD0103) + bytes(66))
    notes += boarddump.note(b"ESP_EXTRA_INFO", 677, struct.pack("<II", tasks[1], 0))
    head = bytearray(boarddump.core(halt, [])[:52])
    head[44] = 2  # e_phnum
    at = 52 + 2 * 32
    return (bytes(head) + struct.pack("<8I", 4, at, 0, 0, len(notes), len(notes), 0, 1) +
            struct.pack("<8I", 1, at + len(notes), tasks[0], 0, 1024, 1024, 6, 1) + notes +
            bytes(memory))


def make_zephyr_seeds():
    for name, halt in board_halts().items():
        for version in boarddump.ZEPHYR[halt.arch]:
            data = boarddump.zephyr(halt, version)
            write("fuzz_zephyr", "%s-%d" % (name, version), data)
            write("fuzz_zephyr", "log-%s-%d" % (name, version), boarddump.zephyr_log(data))
    halt = board_halts()["arm"]
    ram = halt.memory[0]
    overlapping = [(ram[0] + 256, ram[1][:512]), ram, (ram[0] + 1024, bytes(16)), (0x10, b"")]
    data = boarddump.zephyr(halt, 2, overlapping)
    write("fuzz_zephyr", "overlapping", data)
    write("fuzz_zephyr", "cut-short", data[:-300])
    write("fuzz_zephyr", "cut-in-log", boarddump.zephyr_log(data)[:900])
    write("fuzz_zephyr", "frame-below-sp", boarddump.zephyr(halt, 2, [
        (ram[0], ram[1][:0x80] + halt.words(boarddump.ZEPHYR[boarddump.ARM][1][:8]) + bytes(64))]))
    write("fuzz_zephyr", "lies-about-sizes", data[:12] + b"A\1\0\xff\xff" + data[12:])
    write("fuzz_zephyr", "end-before-start", data + b"M\1\0" + struct.pack("<II", 16, 8))


def make_regs_seeds():
    arches = {"arm": 2, "riscv64": 4, "riscv32": 5}  # enum arch_id
    for name, halt in board_halts().items():
        write("fuzz_regs", name, bytes([arches[name]]) + boarddump.registers_text(halt))
    write("fuzz_regs", "openocd", b"\2(0) r0 (/32): 0x00000007\n(13) sp (/32): 0x20000ff0\n"
          b"(15) pc (/32): 0x0000012a\n(16) xPSR (/32): 0x61000000\n")
    write("fuzz_regs", "by-hand", b"\2R0=5\r\nR13 = 20000ff0\r\nR15 : 0800012A; psr 01000000")
    write("fuzz_regs", "x86-64", b"\0rip 0x401000 <main>\nrsp 0x7ffd00001000 0x7ffd00001000\n")
    write("fuzz_regs", "too-large", b"\2pc 0x100000000\nsp 99999999999999999999999\n")
# ---------------------------------------------------------------- DWARF (DWARF 5, 7.5; 7.25; 6.1.2; 6.2)

TEXT = 0x1000


def abbrev(number, tag, children, *attributes):
    """Attributes: name, form, and for DW_FORM_implicit_const its value; all below 0x80."""
    return bytes([number, tag, children, *attributes, 0, 0])


def unit(version, dies, word=8, kind=1):
    length = {2: 7, 3: 7, 4: 7, 5: 8}[version] + len(dies)
    head = struct.pack("<IH", length, version)
    head += struct.pack("<BBI", kind, word, 0) if version >= 5 else struct.pack("<IB", 0, word)
    return head + dies


def line_program(version, word=8):
    """a.c: 10 lines from TEXT on, 16 bytes each."""
    tables = (b"\x01\x01\x08\x01/src\0" + b"\x02\x01\x08\x02\x0b\x02a.c\0\0b.h\0\0" if version >= 5 else
              b"inc\0\0a.c\0\0\0\0b.h\0\1\0\0\0")
    head = bytes([1] + ([1] if version >= 4 else []) + [1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + tables
    program = bytes([0, word + 1, 2]) + TEXT.to_bytes(word, "little") + bytes([3, 9, 1]) + bytes([2, 16, 3, 1, 1]) * 9
    program += bytes([2, 16, 0, 1, 1])
    body = struct.pack("<H", version) + (bytes([word, 0]) if version >= 5 else b"")
    body += struct.pack("<I", len(head)) + head + program
    return struct.pack("<I", len(body)) + body


def make_dwarf_seeds():
    order = ("info", "abbrev", "str", "line_str", "str_offsets", "addr", "line", "rnglists", "ranges", "aranges",
             "info_dwo", "abbrev_dwo", "str_dwo", "str_offsets_dwo", "rnglists_dwo", "cu_index")

    def seed(name, flags=0, **sections):
        parts = [sections.get(part, b"") for part in order]
        write("fuzz_dwarf", name, bytes([flags]) + b"".join(struct.pack("<H", len(part)) for part in parts) +
              b"".join(parts))

    def address(vaddr, word=8):
        return vaddr.to_bytes(word, "little")

    inlined = abbrev(4, 0x1d, 1, 0x31, 0x13, 0x11, 1, 0x12, 6, 0x58, 0xb, 0x59, 0xb)
    plain = (abbrev(1, 0x11, 1, 3, 8, 0x1b, 8, 0x10, 6, 0x11, 1, 0x12, 6) + abbrev(2, 0x2e, 0, 3, 8) +
             abbrev(3, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 6) + inlined + b"\0")
    for version in (2, 3, 4, 5):
        for word in (8, 4):
            head = 12 if version >= 5 else 11
            top = b"\x01a.c\0/src\0" + struct.pack("<I", 0) + address(TEXT, word) + struct.pack("<I", 0xa0)
            callee = head + len(top)
            dies = (top + b"\x02g\0" + b"\x03main\0" + address(TEXT, word) + struct.pack("<I", 0x80) +
                    b"\x04" + struct.pack("<I", callee) + address(TEXT + 0x10, word) + struct.pack("<IBB", 0x30, 1, 7) +
                    b"\0\0\0")
            seed("version-%d-%d" % (version, 8 * word), flags=word == 4, info=unit(version, dies, word), abbrev=plain,
                 line=line_program(version, word))
    # Names, addresses and ranges by index, as clang writes them.
    indexed = (abbrev(1, 0x11, 1, 3, 0x25, 0x72, 0x17, 0x73, 0x17, 0x74, 0x17, 0x10, 0x17, 0x55, 0x23) +
               abbrev(2, 0x2e, 0, 3, 0x25, 0x11, 0x1b, 0x12, 6) + b"\0")
    lists = struct.pack("<HBBI", 5, 8, 0, 1) + struct.pack("<I", 4) + b"\x03\x00\x80\x01\x04\x10\x20\x00"
    seed("indexed", info=unit(5, b"\x01\x00" + struct.pack("<IIII", 8, 8, 12, 0) + b"\x00" + b"\x02\x01\x00" +
                              struct.pack("<I", 0x40) + b"\0"),
         abbrev=indexed, str=b"a.c\0main\0", str_offsets=struct.pack("<IHHII", 12, 5, 0, 0, 4),
         addr=struct.pack("<IHBB", 12, 5, 8, 0) + address(TEXT), rnglists=struct.pack("<I", len(lists)) + lists,
         line=line_program(5))
    # A function in two parts, in .debug_ranges; the unit is found by .debug_aranges.
    aranges = struct.pack("<IHIBBI4Q", 44, 2, 0, 8, 0, 0, TEXT, 0x100, 0, 0)
    ranged = abbrev(1, 0x11, 1, 3, 8) + abbrev(2, 0x2e, 0, 3, 8, 0x55, 0x17) + b"\0"
    seed("ranges", info=unit(4, b"\x01a.c\0" + b"\x02f\0" + struct.pack("<I", 0) + b"\0"), abbrev=ranged,
         ranges=struct.pack("<6Q", TEXT, TEXT + 0x10, TEXT + 0x40, TEXT + 0x50, 0, 0),
         aranges=aranges)
    # Skeletons and split units, in a .dwo file and as a package of one: a function by address, and by GNU's forms.
    ident = struct.pack("<Q", 0x1122334455667788)
    pool = struct.pack("<IHBB", 12, 5, 8, 0) + address(TEXT)
    split = abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, 3, 0x1a, 0x11, 0x1b, 0x12, 6) + abbrev(3, 0x2e, 0, 3, 0x1a, 0x55, 0x23) + b"\0"
    sections = {
        "info": unit(5, ident + b"\x01a.dwo\0" + address(TEXT) + struct.pack("<II", 0x100, 8), kind=4),
        "abbrev": abbrev(1, 0x4a, 0, 0x76, 8, 0x11, 1, 0x12, 6, 0x73, 0x17) + b"\0", "addr": pool,
        "info_dwo": unit(5, ident + b"\x01\x02\x00\x00" + struct.pack("<I", 0x40) + b"\x03\x01\x00\0", kind=5),
        "abbrev_dwo": split, "str_dwo": b"main\0far\0", "str_offsets_dwo": struct.pack("<IHHII", 12, 5, 0, 0, 5),
        "rnglists_dwo": struct.pack("<I", len(lists)) + lists}
    seed("split-5", **sections)
    seed("package-5", cu_index=struct.pack("<HHIIIQIIIIIIII", 5, 0, 4, 1, 1, 0x1122334455667788, 1, 1, 3, 6, 8, 0, 0, 0) +
         struct.pack("<I", 0), **sections)
    gnu = abbrev(1, 0x11, 1, 0xb1, 0x42, 7)
    seed("split-4", info=unit(4, b"\x01" + ident + b"a.dwo\0" + address(TEXT) + struct.pack("<III", 0x100, 8, 0)),
         abbrev=abbrev(1, 0x11, 0, 0xb1, 0x42, 7, 0xb0, 0x42, 8, 0x11, 1, 0x12, 6, 0xb3, 0x42, 0x17, 0xb2, 0x42, 0x17) + b"\0",
         addr=pool, ranges=struct.pack("<6Q", 0x40, 0x50, 0x60, 0x70, 0, 0), str_dwo=b"main\0far\0",
         info_dwo=unit(4, b"\x01" + ident + b"\x02\x00\x00" + struct.pack("<I", 0x40) + b"\x03\x01" + struct.pack("<I", 0) + b"\0"),
         abbrev_dwo=gnu + abbrev(2, 0x2e, 0, 3, 0x82, 0x3e, 0x11, 0x81, 0x3e, 0x12, 6) +
         abbrev(3, 0x2e, 0, 3, 0x82, 0x3e, 0x55, 0x17) + b"\0", str_offsets_dwo=struct.pack("<II", 0, 5))
    # A function that is a copy of itself; a type whose sibling is before it.
    hostile = (abbrev(1, 0x11, 1, 0x13, 0xb) + abbrev(2, 0x2e, 1, 0x31, 0x13, 0x11, 1, 0x12, 0xb) +
               abbrev(3, 0x13, 1, 1, 0x13) + b"\0")
    dies = b"\x01\x0c" + b"\x02" + struct.pack("<I", 13) + address(TEXT) + b"\x40" + b"\x03" + struct.pack("<I", 13)
    seed("circles", info=unit(4, dies + b"\0\0\0"), abbrev=hostile, aranges=aranges)
    seed("two-units", info=unit(4, dies + b"\0\0\0") + unit(5, dies + b"\0\0\0"), abbrev=hostile, aranges=aranges)
    # Attributes of no bytes, by the hundred.
    many = abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, *([3, 0x19, 0x59, 0x21, 7] * 200)) + b"\0"
    seed("attributes-without-bytes", info=unit(5, b"\x01" + b"\x02" * 500 + b"\0"), abbrev=many, aranges=aranges)


# ---------------------------------------------------------------- traces of calls

def make_calltrace_seeds():
    """Functions every 16 bytes from 0x400100 on; letters enter, and in lower case leave."""
    def calls(letters, form="%s0x%x\n"):
        lines = (form % ("E" if c.isupper() else "X", 0x400100 + 16 * (ord(c.upper()) - 65)) for c in letters)
        return "".join(lines).encode()

    pairs = [(0x400110, 0x7F0000001000), (0x400120, 0x400118), (0x400120, 0x400118), (0x400130, 0x400125)]
    write("fuzz_calltrace", "entries", calls("ABBCcbbBCcDdCcbDda"))
    write("fuzz_calltrace", "blanks", b"\n" + calls("ABbBba", " %s\t0X%X \r\n"))
    write("fuzz_calltrace", "no-exits", calls("ABCa" + "BCDE" * 20))
    write("fuzz_calltrace", "exits-only", calls("abAbca"))
    write("fuzz_calltrace", "recursion", calls("A" + "B" * 1100 + "b" * 1100 + "a"))
    write("fuzz_calltrace", "pairs", "".join("%x 0x%x\n" % pair for pair in pairs).encode())
    write("fuzz_calltrace", "outside", b"E0x0\nE0xffffffffffffffff\nX0xffffffffffffffff\nE0x40010\n")
    write("fuzz_calltrace", "damaged", calls("ABb") + b"E0x4001zz\n0x1 0x2\n\x89\0\xff\nE\nE0x\n" + calls("Cca")[:-3])
    write("fuzz_calltrace", "long-line", calls("AB") + b"E0x" + b"0" * 70000 + b"1\n" + calls("ba"))


# ---------------------------------------------------------------- perf maps

def make_jit_seeds():
    def seed(name, text, part=7):
        write("fuzz_jit", name, bytes([part]) + text)

    seed("plain", b"1000 10 first\n1010 20 JS:*fib /a b.js:1:2\r\n0x2000 0X8 hex\n")
    seed("overlaps", b"1000 100 old\n1040 20 inner\nf00 180 over both\n1000 100 same\n1000 1 one\n", 1)
    seed("moving", b"".join(b"%x 40 f\n%x 40 g\n" % (0x1000 + 64 * i, 0x9000 - 64 * i) for i in range(100)))
    seed("damaged", b"\n1000\n1000 10\n1000 0 empty\ng000 10 x\n1000 1g x\n-1 1 x\n\0 1 x\nffffffffffffffff 1 end\n")
    seed("long-line", b"1000 10 " + b"x" * 9000 + b"\n2000 10 f\n", 31)
    seed("not-whole", b"1000 10 f\n2000 10 half a li")


def symbol_file(kind, text_addr, relocation):
    """A relocatable ELF file with one function, or one that has its place."""
    frames = (struct.pack("<IIB3sBBBBB", 20, 0, 1, b"zR\0", 1, 0x78, 16, 1, 0x1B) + b"\x0c\x07\x08\x90\x01\0\0" +
              struct.pack("<IIiIB", 16, 28, 0, 16, 0) + b"\x0e\x30\0")
    names = b"\0_Z1fv\0g\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0 if kind == 1 else text_addr, 16)
    symbols += struct.pack("<IBBHQQ", 0, 3, 0, 1, 0, 0) + struct.pack("<IBBHQQ", 7, 2, 0, 1, 4, 4)
    parts = [(b"", 0, 0, 0, b"", 0, 0), (b".text", 1, 6, text_addr, b"\xc3" * 16, 0, 0), (b".eh_frame", 1, 2, 0x2000, frames, 0, 0),
             (b".rela.eh_frame", 4, 0, 0, struct.pack("<QQq", 32, 2 << 32 | relocation, 0), 4, 2),
             (b".symtab", 2, 0, 0, symbols, 5, 0), (b".strtab", 3, 0, 0, names, 0, 0)]
    section_names = b"\0" + b"".join(part[0] + b"\0" for part in parts[1:]) + b".shstrtab\0"
    parts.append((b".shstrtab", 3, 0, 0, section_names, 0, 0))
    content, headers = b"", b""
    for name, section, flags, addr, payload, link, info in parts:
        offset = section_names.index(b"\0" + name + b"\0") + 1 if name else 0
        headers += struct.pack("<IIQQQQIIQQ", offset, section, flags, addr, 64 + len(content) if name else 0, len(payload), link, info, 1,
                               {2: 24, 4: 24}.get(section, 0))
        content += payload
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", kind, 62, 1, 0, 0, 64 + len(content), 0, 64, 56, 0, 64,
                                                          len(parts), len(parts) - 1)
    return head + content + headers


def make_symbol_file_seeds():
    write("fuzz_symbol_file", "relocatable", symbol_file(1, 0x7F0000001000, 2))
    write("fuzz_symbol_file", "executable", symbol_file(2, 0x2040, 2))
    write("fuzz_symbol_file", "other-relocation", symbol_file(1, 0x7F0000001000, 23))
    write("fuzz_symbol_file", "nowhere", symbol_file(1, 0, 24))
    write("fuzz_symbol_file", "cut", symbol_file(1, 0x7F0000001000, 2)[:-70])


def make_jit_dump_seeds():
    def record(kind, payload):
        return struct.pack("<IIQ", kind, 16 + len(payload), 1) + payload

    def load(addr, size, index, name):
        return record(0, struct.pack("<IIQQQQ", 7, 7, addr, addr, size, index) + name + b"\0" + b"\xc3" * size)

    def move(old, new, size, index):
        return record(1, struct.pack("<IIQQQQQ", 7, 7, new, old, new, size, index))

    header = struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, 62, 0, 7, 1, 0)
    two = load(0x1000, 4, 1, b"first") + load(0x2000, 3, 2, b"JS:*fib /a b.js:1:2")
    write("fuzz_jit_dump", "plain", header + two + record(3, b""))
    write("fuzz_jit_dump", "moving", header + two + move(0x1000, 0x3000, 4, 1) + move(0x1, 0x2, 4, 9))
    write("fuzz_jit_dump", "others", header + record(2, bytes(16)) + record(4, bytes(24)) + two)
    write("fuzz_jit_dump", "damaged", header + load(0x1000, 4, 1, b"first")[:40] + two)
    write("fuzz_jit_dump", "cut", header + two[:-2])


def make_bundle_seeds():
    def file(number, size, kind=1, build_id=bytes(range(20))):
        return record(FILE, struct.pack("<IBB", number, kind, len(build_id)) + build_id +
                      struct.pack("<QQ", size, 1) + text(b"/bin/x") + text(b"/bin/x"), 0)

    def part(number, off, size, coding, coded):
        return record(FILE_PART, struct.pack("<IQIB", number, off, size, coding) + blob(coded), 0)

    def frame(data):  # of Zstandard, with one block that is not compressed: RFC 8878
        return b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) + struct.pack("<I", len(data) << 3 | 1)[:3] + data

    start = file_header(features=1) + process()
    elf = b"\x7fELF" + bytes(60)
    whole = file(0, 128) + part(0, 0, 64, 0, elf) + part(0, 64, 64, 1, frame(bytes(64)))
    write("fuzz_bundle", "whole", start + whole + file(1, 64, 2, b"") + part(1, 0, 64, 0, elf) + summary())
    write("fuzz_bundle", "cut", start + whole[:-20])
    write("fuzz_bundle", "half", start + file(0, 128) + part(0, 0, 64, 0, elf))
    write("fuzz_bundle", "wrong-order", start + file(0, 128) + part(0, 64, 64, 0, elf) + part(0, 0, 64, 0, elf))
    write("fuzz_bundle", "longer", start + file(0, 64) + part(0, 0, 63, 1, frame(elf)))
    write("fuzz_bundle", "unknown-coding", start + file(0, 64) + part(0, 0, 64, 7, elf))
    write("fuzz_bundle", "empty", start + file(0, 0) + file(0, 5) + part(9, 0, 64, 0, elf))
    write("fuzz_bundle", "huge", start + file(0, 2**64 - 1) + part(0, 0, 64, 0, elf))


# ---------------------------------------------------------------- profiles (profile.proto, and src/graph/pprof/fields.h)

def make_pprof_seeds():
    def varint(value):
        out = b""
        while value >= 0x80:
            out += bytes([value & 0x7F | 0x80])
            value >>= 7
        return out + bytes([value])

    def field(number, value):
        if isinstance(value, (list, tuple)):  # packed
            value = b"".join(map(varint, value))
        if isinstance(value, bytes):
            return varint(number << 3 | 2) + varint(len(value)) + value
        return varint(number << 3) + varint(value)

    def message(*fields):
        return b"".join(field(number, value) for number, value in fields)

    texts = [b"", b"samples", b"count", b"cpu", b"nanoseconds", b"/bin/x", b"f", b"_Z1f", b"x.c", b"thread", b"worker",
             b"state", b"running", b"stop", b"no-rule", b"x86_64", b"wall", b"ab01", b"[vdso]", b"thread_id", b"x+0x1230", b"/bin/x (pid 7)", b"[jit]"]
    strings = message(*((6, value) for value in texts))
    types = message((1, message((1, 1), (2, 2))), (1, message((1, 3), (2, 4))))
    mappings = message((3, message((1, 1), (2, 0x1000), (3, 0x3000), (4, 0x1000), (5, 5), (6, 17), (1000, 1), (1001, 1))),
                       (3, message((1, 2), (2, 0x10), (3, 0x20), (5, 18), (1000, 2))),
                       (3, message((1, 3), (2, 1 << 32), (3, 2 << 32), (5, 22), (1000, 6))))
    functions = message((5, message((1, 1), (2, 6), (3, 7), (4, 8), (5, 3), (1000, 0x1201))),
                        (5, message((1, 2), (2, 20), (1001, 1), (1000, 0x1231))))
    locations = message((4, message((1, 1), (2, 1), (3, 0x1210), (4, message((1, 1), (2, 12))), (1000, 1))),
                        (4, message((1, 2), (2, 1), (3, 0x1230), (4, message((1, 1), (2, 9), (1000, 6))), (4, message((1, 2))), (1000, 1))),
                        (4, message((1, 3), (2, 2), (3, 0x11))), (4, message((1, 4), (3, 0xdead))),
                        (4, message((1, 5), (2, 3), (3, 9 << 32 | 5), (4, message((1, 1), (1001, 1))))))
    labels = message((3, message((1, 9), (2, 10))), (3, message((1, 19), (3, 8))), (3, message((1, 11), (2, 12))), (3, message((1, 13), (2, 14))))
    samples = (field(2, message((1, [1, 2, 4]), (2, [3, 30]), (1000, b"xEF"), (1001, 5)) + labels) +
               field(2, message((1, [3, 2]), (2, [1, 2**63 - 1]), (1000, b"kS"))) + field(2, message((1, [5]), (2, [1, 0]))) +
               field(2, message((2, [1, 0]))))
    facts = message((9, 1700000000000000000), (10, 2000000000), (11, message((1, 16), (2, 4))), (12, 10101010), (13, 21), (1000, 15),
                    (1001, [4, 5, 1, 2, 3, 4, 5, 0, 1]))
    ours = types + samples + mappings + locations + functions + facts + strings
    write("fuzz_pprof", "ours", ours)
    write("fuzz_pprof", "ours-compressed", b"\x1f\x8b\x08\0\0\0\0\0\0\x03" +
          (lambda c: c.compress(ours) + c.flush())(zlib.compressobj(9, zlib.DEFLATED, -15)) + struct.pack("<II", zlib.crc32(ours), len(ours)))
    # As Go's runtime writes it: time first, numbers one by one, ids that are addresses.
    go = (field(9, 1700000000000000000) + types + field(11, message((1, 3), (2, 4))) + field(12, 10000000) +
          field(2, field(1, 0x401000) + field(1, 0x402000) + field(2, 1) + field(2, 10000000)) +
          field(4, message((1, 0x401000), (2, 1), (3, 0x401000), (4, message((1, 5), (2, 7))), (4, message((1, 6), (2, 8))))) +
          field(4, message((1, 0x402000), (3, 0), (4, message((1, 6), (2, 9))))) +
          field(3, message((1, 1), (2, 0x400000), (3, 0x500000), (5, 5), (7, 1))) +
          field(5, message((1, 5), (2, 6), (3, 6), (4, 8))) + field(5, message((1, 6), (2, 7), (3, 7), (4, 8))) + strings)
    write("fuzz_pprof", "go", go)
    write("fuzz_pprof", "cut", ours[:len(ours) // 2])
    write("fuzz_pprof", "unknown-type", field(1, message((1, 5), (2, 6))) + strings)
    write("fuzz_pprof", "same-ids", types + mappings + mappings + strings)
    write("fuzz_pprof", "missing-ids", types + field(2, message((1, [9]), (2, [1, 2]))) + strings)
    write("fuzz_pprof", "missing-texts", types + mappings)
    write("fuzz_pprof", "long-length", types + b"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" + strings)

# ---------------------------------------------------------------- location expressions


def make_location_seeds():
    def seed(name, operations, flags=0, answers=7):
        write("fuzz_location", name, bytes([flags, answers]) + operations)

    def operand(value):
        for code, size in enumerate((1, 2, 4, 8)):
            if -(1 << 8 * size - 1) <= value < 1 << 8 * size - 1:
                return bytes([code]) + value.to_bytes(size, "little", signed=True)
        raise ValueError(value)

    def op(atom, *operands, kind=None, block=None):
        out = bytes([atom]) + b"".join(operand(value) for value in operands)
        if kind is not None:
            out += bytes([kind])
        return out + (b"" if block is None else bytes([len(block)]) + block)

    stack_value, piece, bit_piece, breg, reg, lit = 0x9F, 0x93, 0x9D, 0x70, 0x50, 0x30
    seed("frame-base", op(0x91, -24))
    seed("register", op(reg + 5))
    seed("address", op(0x03, 0x4010))
    seed("loop", op(lit) + op(lit + 5) + b"\x12\x17\x22\x16" + op(lit + 1) + b"\x1c\x12" + op(0x28, 2) + b"\x13")
    seed("endless", op(0x2F, 0))
    seed("pieces", op(breg + 3, 4) + op(piece, 8) + op(reg + 5) + op(piece, 4) + op(piece, 2) +
         op(lit + 7) + op(stack_value) + op(bit_piece, 3, 1) + op(0x9E, block=bytes(8)) + op(piece, 8) +
         op(0xA0, 0x1234, -4) + op(piece, 8) + op(0x90, 33) + op(piece, 4))
    binary = bytes(range(0x1A, 0x1F)) + b"\x21\x22\x24\x25\x26\x27\x29\x2a\x2b\x2c\x2d\x2e"
    arithmetic = b"".join(op(breg + i, 3) + op(lit + 7) + bytes([code]) for i, code in enumerate(binary))
    unary = op(breg, -1) + b"\x19\x1f\x20" + op(0x23, 300) + b"\x06" + op(0x94, 2) + b"\x9b"
    for name, flags in (("", 0), ("-32", 1)):
        seed("arithmetic" + name, arithmetic + op(stack_value), flags)
        seed("unary" + name, unary + op(stack_value), flags)
    for kind, size in ((1, 1), (3, 4), (4, 8), (5, 16), (7, 3), (10, 16), (11, 4), (12, 8), (13, 16)):
        for code in binary:
            left = op(0xA4, kind=kind, block=bytes(range(0x3A, 0x3A + size)))
            right = op(0xA4, kind=kind, block=bytes(range(5, 5 + size)))
            if code in (0x1B, 0x22, 0x26, 0x2D):
                seed("typed-%d-%02x" % (kind, code), left + right + bytes([code]) + op(0xA8, kind=0) + op(stack_value))
    seed("convert", b"".join(op(lit + 9) + op(0xA8, kind=i) + op(0xA8, kind=(7 * i + 3) % 16) + op(0xA9, kind=i) for i in range(15)) +
         op(stack_value))
    seed("typed-register", op(0xA5, 3, kind=3) + op(0xA8, kind=4) + op(lit + 3) + b"\x24" + op(stack_value))
    seed("typed-memory", op(breg + 3, 8) + op(0xA6, 4, kind=8) + op(0xA8, kind=12) + op(stack_value))
    seed("entry-value", op(reg + 5) + op(piece, 8) + b"\xa3" + op(stack_value) + op(piece, 8), 2)
    seed("entry-value-of-itself", b"\xa3\x9f", 2)
    seed("parameter", op(0xFA, 0x77) + b"\x9c\x22" + op(stack_value))
    seed("others", b"\x96\x97" + op(lit) + b"\x18" + op(0xFD, 3) + op(0xF0))
    seed("stack", op(lit + 1) + op(lit + 2) + op(lit + 3) + b"\x17\x16\x14" + op(0x15, 2) + b"\x12\x13" + op(0x92, 7, -4))
    seed("too-deep", op(lit + 1) + op(0x2F, 0))


# ---------------------------------------------------------------- values (fuzz_value.c)

(UNKNOWN, BASE, ENUM, POINTER, REFERENCE, RVALUE_REFERENCE, MEMBER_POINTER, ARRAY, STRUCT, CLASS, UNION, FUNCTION, TYPEDEF,
 CONST) = range(14)
SIGNED, CHAR, UNSIGNED, UTF, FLOAT, COMPLEX, BOOLEAN = 5, 6, 7, 0x10, 4, 3, 2
IN_MEMORY = [(1, 0, 0)]


def value_names():
    with open(os.path.join(HERE, "fuzz_value.c"), encoding="utf-8") as file:
        table = file.read().split("names[] = {")[1].split("};")[0]
    return [None] + [line.strip()[1:-2] for line in table.split("\n") if line.strip().startswith('"')]


def make_value_seeds():
    names = value_names()

    def member(name, kind, offset=0, bits=0, bit_offset=0, flags=0, value=0):
        return bytes([names.index(name), kind, offset, bit_offset, bits, value, flags])

    def kind(number, name=None, size=0, encoding=0, language=1, target=0, container=0, flags=0, members=(), counts=()):
        return (bytes([number, names.index(name), size, encoding, language, target, container, flags, len(members)]) +
                b"".join(members) + bytes([len(counts)]) + b"".join(bytes([count, 0]) for count in counts))

    def value(name, types, memory=b"", pieces=((1, 0, 0),), raw=False, arch=0, depth=5, text=255):
        places = b"".join(bytes([place, 0]) + struct.pack("<H", bits) + bytes([1, address, 1, 0, 8]) for place, bits, address in pieces)
        write("fuzz_value", name, bytes([arch, raw, depth, text, len(types)]) + b"".join(types) + bytes([len(pieces)]) + places + memory)

    integer, pointer = kind(BASE, "a", 4, SIGNED), kind(POINTER, None, 8, target=2)
    text = kind(BASE, "char", 1, CHAR)
    value("integer", [integer], struct.pack("<i", -5))
    value("register", [integer], pieces=[(2, 0, 5)])
    value("wide-register", [kind(BASE, "a", 16, SIGNED)], pieces=[(2, 64, 5), (3, 64, 6)])
    value("bits", [integer], b"\xaa\x55", pieces=[(1, 3, 0), (1, 7, 1), (2, 22, 9)])
    value("flags", [kind(ENUM, "ns::kind", 4, UNSIGNED, language=2, members=[member("a", 2, value=1), member("b", 3, value=2)])], b"\x0b\0\0\0")
    for size, name in ((2, "a"), (2, "__bf16"), (4, "a"), (8, "a"), (16, "a"), (16, "_Float128")):
        value("float-%d-%s" % (size, name), [kind(ARRAY, target=2, counts=[3]), kind(BASE, name, size, FLOAT)], bytes(range(0x30, 0x60)))
    value("complex", [kind(BASE, "a", 16, COMPLEX)], struct.pack("<dd", 1, -2.5))
    value("string", [kind(ARRAY, target=2, counts=[40]), text], b"abc\n\"" + b"x" * 20 + bytes(15))
    value("strings", [kind(ARRAY, target=2, counts=[2]), kind(POINTER, None, 8, target=3), text], struct.pack("<QQ", 0x1010, 0x1011) + b"xyz\0")
    value("wide-string", [kind(ARRAY, target=2, counts=[6]), kind(BASE, "char16_t", 2, UTF)], "a\u03b1\U0001f600z\0".encode("utf-16-le"))
    value("repeats", [kind(ARRAY, target=2, counts=[20, 30]), integer], bytes(2400))
    value("half-captured", [kind(ARRAY, target=2, counts=[40]), integer], bytes(80))
    value("huge-array", [kind(ARRAY, target=2, counts=[190, 190, 190]), integer], bytes(80))
    value("nested", [kind(STRUCT, "a", 24, members=[member("a", 2), member("b", 3, 8), member("", 4, 16)]), integer, pointer,
                     kind(UNION, None, 4, members=[member("a", 2), member("b", 2)])], struct.pack("<iiQi", 1, 0, 0x1000, 7))
    value("bit-fields", [kind(STRUCT, "a", 4, members=[member("a", 2, bits=3), member("b", 2, bits=5, bit_offset=3)]), integer], b"\xf1\xff\0\0")
    value("bases", [kind(CLASS, "a", 16, language=2, members=[member(None, 2, flags=1), member(None, 3, flags=65), member("b", 3, 8)]),
                    kind(CLASS, "b", 8, language=2), integer], bytes(16))
    value("circle", [kind(STRUCT, "a", 8, members=[member(None, 1), member("a", 2), member("b", 1, flags=1)]), kind(TYPEDEF, "a", target=2)], bytes(8))
    value("circle-of-arrays", [kind(ARRAY, target=1, counts=[2])], bytes(8))
    value("outside", [kind(STRUCT, "a", 4, members=[member("a", 2, 200), member("b", 2, 2)]), integer], bytes(300))
    value("reference", [kind(REFERENCE, None, 8, language=2, target=2), integer], struct.pack("<Qi", 0x1008, 7))
    value("synthetic", [pointer, integer], pieces=[(4, 0, 0)])
    value("method-pointer", [kind(MEMBER_POINTER, None, 0, language=2, target=2, container=3),
                             kind(FUNCTION, None, members=[member(None, 4, flags=4), member(None, 5)], language=2, flags=9),
                             kind(CLASS, "a", 8, language=2, members=[member("b", 5)]), kind(POINTER, None, 8, language=2, target=3), integer], struct.pack("<QQ", 0x1003, 0))
    value("field-pointer", [kind(MEMBER_POINTER, None, 0, language=2, target=3, container=2),
                            kind(CLASS, "a", 8, language=2, members=[member("b", 3)]), integer], bytes(8))
    value("function-pointer", [kind(POINTER, None, 8, target=2), kind(FUNCTION, None, target=3, flags=8, members=[member(None, 1), member(None, 3)]), integer],
          struct.pack("<Q", 0x1003))
    value("std-string", [kind(CLASS, "std::__cxx11::basic_string<char>", 32, language=2, members=[
        member("_M_dataplus", 2), member("_M_string_length", 3, 8), member(None, 4, 16)]),
        kind(STRUCT, "a", 8, language=2, members=[member("_M_p", 5)]), kind(BASE, "a", 8, UNSIGNED, language=2),
        kind(UNION, None, 16, language=2, members=[member("_M_local_buf", 6), member("_M_allocated_capacity", 3)]),
        kind(POINTER, None, 8, language=2, target=7), kind(ARRAY, None, target=7, counts=[16], language=2), kind(BASE, "char", 1, CHAR, language=2)],
        struct.pack("<QQ", 0x1010, 5) + b"short" + bytes(11))
    vector = [kind(CLASS, "std::vector<int>", 24, language=2, members=[member("_M_impl", 2)]),
              kind(STRUCT, "a", 24, language=2, members=[member("_M_start", 3), member("_M_finish", 3, 8), member("_M_end_of_storage", 3, 16)])]
    value("std-vector", vector + [kind(POINTER, None, 8, language=2, target=4), kind(BASE, "a", 4, SIGNED, language=2)],
          struct.pack("<QQQiii", 0x1018, 0x1024, 0x1024, 1, 2, 3))
    value("std-vector-bool", vector + [kind(STRUCT, "a", 8, language=2, members=[member("_M_p", 4), member("_M_offset", 5)]),
                                       kind(POINTER, None, 8, target=5), kind(BASE, "a", 4, UNSIGNED)], struct.pack("<QQQ", 0x1003, 0x1010, 0x1018) + b"\xa5" * 8)
    value("std-unique-ptr", [kind(CLASS, "std::unique_ptr<int>", 8, language=2, members=[member("_M_t", 2)]),
                             kind(CLASS, "std::tuple<int>", 8, language=2, members=[member(None, 3, flags=1)]),
                             kind(CLASS, "std::_Tuple_impl<0, int>", 8, language=2, members=[member(None, 4, flags=1)]),
                             kind(CLASS, "std::_Head_base<0, int>", 8, language=2, members=[member("_M_head_impl", 5)]),
                             kind(POINTER, None, 8, language=2, target=1)], struct.pack("<Q", 0x1000))
    value("std-optional", [kind(CLASS, "std::optional<int>", 8, language=2, members=[member("_M_payload", 2)]),
                           kind(STRUCT, "a", 8, language=2, members=[member("_M_value", 3), member("_M_engaged", 4, 4)]), integer,
                           kind(BASE, "b", 1, BOOLEAN)], struct.pack("<ib3x", 5, 1))
    value("std-pair", [kind(STRUCT, "std::pair<int, int>", 8, language=2, members=[member("first", 2), member("second", 2, 4)]), integer], bytes(8))
    value("rust-option", [kind(STRUCT, "ns::kind", 8, language=3, members=[
        member(None, 2, flags=8), member("a", 3, flags=16), member("b", 4, flags=16 | 32)]), kind(BASE, "a", 4, UNSIGNED, language=3),
        kind(STRUCT, "a", 8, language=3), kind(STRUCT, "b", 8, language=3, members=[member("__0", 2, 4)])], struct.pack("<II", 1, 5))
    value("rust-str", [kind(STRUCT, "&str", 16, language=3, members=[member("data_ptr", 2), member("length", 3, 8)]),
                       kind(POINTER, None, 8, language=3, target=4), kind(BASE, "a", 8, UNSIGNED, language=3), kind(BASE, "u8", 1, UNSIGNED, language=3)],
          struct.pack("<QQ", 0x1010, 5) + b"hello")
    vec = [member("T", 6, flags=2), member("buf", 2), member("len", 5, 16)]
    value("rust-vec", [kind(STRUCT, "alloc::vec::Vec<i32>", 24, language=3, members=vec),
                       kind(STRUCT, "a", 16, language=3, members=[member("cap", 5), member("ptr", 4, 8)]), integer,
                       kind(POINTER, None, 8, language=3, target=3), kind(BASE, "a", 8, UNSIGNED, language=3),
                       kind(BASE, "a", 4, SIGNED, language=3)], struct.pack("<QQQiii", 4, 0x1018, 3, 1, 2, 3))
    value("rust-tuple", [kind(STRUCT, "a", 8, language=3, members=[member("__0", 2), member("b", 3, 4)]), kind(BASE, "a", 4, UTF, language=3),
                         kind(ARRAY, None, target=2, counts=[1], language=3)], struct.pack("<II", 0x3b1, 120))
    value("little-text", [kind(ARRAY, target=2, counts=[40]), integer], bytes(range(160)), text=2)
    value("no-depth", [kind(STRUCT, "a", 4, members=[member("a", 2)]), integer], bytes(4), depth=0)
    value("raw", [kind(STRUCT, "a", 4, language=3, members=[member("__0", 2)]), kind(BASE, "a", 4, SIGNED, language=3)], bytes(4), raw=True)
    value("i386", [kind(POINTER, None, 4, target=2), integer], struct.pack("<Ii", 0x1000, 0), arch=1)
    value("nothing", [])


# ---------------------------------------------------------------- answers about variables


def told_text(value):
    return b"\0" if value is None else b"\1" + value + b"\0"


def told_location(*operations, end=16):
    """Each (atom, offset, operand, operand, what else)."""
    body = struct.pack("<II", end, len(operations))
    for atom, offset, first, second, *rest in operations:
        encoding, size, block, inner = (*rest, *(0, 0, b"", None)[len(rest):])
        body += struct.pack("<BIQQBBI", atom, offset, first, second, encoding, size, len(block)) + block
        body += b"\0" if inner is None else b"\1" + inner
    return body


def told_variable(name, kind=0, form=1, place=None):
    place = told_location((0x91, 0, 2**64 - 24, 0)) if place is None else place
    return (told_text(name) + bytes([kind]) + struct.pack("<QQ", 0x2D, 0x51) + b"\0" + struct.pack("<IQ", 7, 0x1000) +
            bytes([form, 1]) + (place if form in (1, 2) else b""))


def told_level(inline, *variables):
    return (told_text(b"ns::f") + told_text(b"_ZN2ns1fEv") + struct.pack("<QB", 0x20, inline) +
            struct.pack("<I", len(variables)) + b"".join(variables))


def told_scope(*levels, tails=b"\0\0\0\0\0"):
    return (struct.pack("<HQQB", 12, 0x1000, 0x1008, 1) + told_location((0x9C, 0, 0, 0), end=1) + tails +
            struct.pack("<I", len(levels)) + b"".join(levels))


def told_member(name, kind=0x51, offset=0, bits=(0, 0), flags=bytes(6), value=0):
    return (told_text(name) + struct.pack("<QQBII", kind, offset, 0, *bits) + flags + struct.pack("<Q", value))


def told_type(kind, name, members=(), enumerators=(), dimensions=()):
    lists = [b"".join(told_member(*member) for member in members),
             b"".join(told_text(text_) + struct.pack("<Q", value) for text_, value in enumerators),
             b"".join(struct.pack("<BQq", *dimension) for dimension in dimensions)]
    body = struct.pack("<QB", 0x51, kind) + told_text(name) + struct.pack("<BQBH", 1, 16, 5, 12) + bytes(4) + struct.pack("<QQ", 0x60, 0)
    for count, items in zip((len(members), len(enumerators), len(dimensions)), lists):
        body += struct.pack("<I", count) + items
    return body + bytes(2)


def make_variables_seeds():
    entry = told_location((0xA3, 0, 0, 0, 0, 0, b"", told_location((0x55, 0, 0, 0), end=1)), (0x9F, 3, 0, 0))
    typed = told_location((0xA4, 0, 0x51, 0, 5, 4, b"\1\2\3\4"), (0x9E, 7, 4, 0, 0, 0, b"abcd"), (0x93, 13, 4, 0))
    constant = struct.pack("<I", 16) + bytes(16)
    level = told_level(0, told_variable(b"a"), told_variable(b"b", place=entry), told_variable(b"c", 1, 2, constant),
                       told_variable(b"a", 1, 0), told_variable(b"t", 1, 1, typed), told_variable(b"d", 1, 3))
    tails = struct.pack("<IBQ", 2, 1, 0x2000) + told_text(None) + b"\0" + bytes(8) + told_text(b"g") + b"\1"
    write("fuzz_variables", "scope", b"\0" + told_scope(level))
    write("fuzz_variables", "scope-inline", b"\0" + told_scope(told_level(1, told_variable(b"x")), level, tails=tails))
    write("fuzz_variables", "scope-no-levels", b"\0" + told_scope())
    write("fuzz_variables", "scope-cut", b"\0" + told_scope(level)[:200])
    write("fuzz_variables", "struct", b"\1" + told_type(8, b"ns::s", [(b"m", 0x52), (b"n", 0x53, 8, (3, 5)), (None, 0x54, 8)]))
    write("fuzz_variables", "enum", b"\1" + told_type(2, b"e", enumerators=[(b"A", 0), (b"B", 2**64 - 1)]))
    write("fuzz_variables", "array", b"\1" + told_type(7, None, dimensions=[(1, 3, 0), (0, 0, 1)]))
    write("fuzz_variables", "many-members", b"\1" + told_type(8, b"s")[:-14] + struct.pack("<I", 65536) + bytes(10))
    target = b"\1" + struct.pack("<Q", 0x3000) + told_text(b"callee") + b"\1" + told_location((0x70, 0, 8, 0))
    parameter = told_location((0x55, 0, 0, 0)) + bytes(8) + b"\1" + entry + b"\1" + typed
    write("fuzz_variables", "call-site", b"\2" + target + struct.pack("<I", 2) + parameter * 2)
    write("fuzz_variables", "variable", b"\3" + told_variable(b"v"))
    nested = told_location((0x30, 0, 0, 0))
    for _ in range(9):
        nested = told_location((0xA3, 0, 0, 0, 0, 0, b"", nested))
    write("fuzz_variables", "nested", b"\3" + told_variable(b"v", place=nested))


# ---------------------------------------------------------------- stubs for gdb


def gdb_packet(payload, told=None):
    return b"$%s#%02x" % (payload, sum(payload) & 255 if told is None else told)


def make_gdb_seeds():
    def seed(name, kind, data, part=0):
        write("fuzz_gdb", name, bytes([kind, part]) + data)

    stream, conversation, features, documents, stop = range(5)
    seed("stream", stream, b"+" + gdb_packet(b"OK") + b"-" + gdb_packet(b"T05thread:p01.01;"), 3)
    seed("stream-repeats", stream, gdb_packet(b"0*~0* 12*!") + gdb_packet(b"*!") + gdb_packet(b"0*\x1d"), 1)
    seed("stream-escapes", stream, gdb_packet(b"x}\x04y}\x03}") + gdb_packet(b"}\x0a*#"), 2)
    seed("stream-bad", stream, gdb_packet(b"OK", 7) + b"boot\r\n$T05$E01#zz%Stop:T05#99", 5)
    offers = b"PacketSize=400;QStartNoAckMode+;qXfer:features:read+;multiprocess+"
    replies = [offers, b"OK", b"mp1.1,p1.2", b"l", b"vCont;c;C", b"m<target>", b"l</target>",
               b"00" * 196, b"00" * 60, b"E01", b"04030201", b"T05"]
    for name, ack in (("conversation", b"+"), ("conversation-no-acks", b"")):
        seed(name, conversation, b"+" + gdb_packet(replies[0]) + b"+" + gdb_packet(replies[1]) +
             b"".join(ack + gdb_packet(reply) for reply in replies[2:]))
    seed("conversation-nak", conversation, b"-+" + gdb_packet(offers, 1) + gdb_packet(offers))
    seed("conversation-strays", conversation, b"+" + gdb_packet(offers) + b"+" + gdb_packet(b"OK") +
         gdb_packet(b"O48") + gdb_packet(b"T02thread:1;") + gdb_packet(b"l"))
    seed("features", features, b'<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target>'
         b"<architecture>arm</architecture><osabi>none</osabi>"
         b'<feature name="org.gnu.gdb.arm.m-profile"><reg name="sp" bitsize="32" regnum="13"/>'
         b'<reg name="pc" bitsize="32" regnum="15"/><reg name="xpsr" bitsize="32" regnum="25"/>'
         b"</feature></target>")
    seed("features-includes", features, b'<target><xi:include href="target.xml"/><xi:include href="aaaaaaaaaaaaaaaa"/>'
         b'<reg name="rip" bitsize="64"/><reg name="rsp" bitsize="64"/></target>')
    seed("features-entities", features, b'<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><a>&d;</a>')
    seed("memory-map", documents, b'<memory-map><memory type="flash" start="0x8000000" length="0x1000"/>'
         b'<memory type="ram" start="0xffffffffffffffff" length="2"/></memory-map>')
    seed("libraries", documents, b'<library-list-svr4><library name="/lib/a.so" l_addr="0x7f00"/></library-list-svr4>')
    seed("events", documents, b"smemory\0type\0ram\0start\x00" b"8\0length\x00" b"4\0\0cmemory\0t\n\0e\0")
    for i, reply in enumerate((b"T05thread:p-1.-1;library:;", b"W00;process:1", b"Fwrite,1,0,0", b"S", b"N", offers)):
        seed("stop-%d" % i, stop, reply)


if __name__ == "__main__":
    make_gdb_seeds()
    make_variables_seeds()
    make_jit_seeds()
    make_jit_dump_seeds()
    make_symbol_file_seeds()
    make_dwarf_seeds()
    make_reader_seeds()
    make_bundle_seeds()
    make_core_seeds()
    make_zephyr_seeds()
    make_regs_seeds()
    make_cfi_seeds()
    make_exidx_seeds()
    make_lsda_seeds()
    make_perf_seeds()
    make_prologue_seeds()
    make_insn_seeds()
    make_functions_seeds()
    make_calltrace_seeds()
    make_pprof_seeds()
    make_location_seeds()
    make_value_seeds()
