# SPDX-License-Identifier: MIT
"""Files in which n things lead to one that is as large as all of them: what reads it for each costs with the square. As in
code_inputs.py."""
import os
import struct

import capture_inputs as capture
import table_inputs
from capture_inputs import UNIT, message, seeds
from elf_file import ALLOC, EXEC, TEXT, ElfFile


def fdes_of_one_cie(directory, n):
    """Each FDE begins with the instructions of its CIE, of which there may be 64 KiB."""
    elf = table_inputs.with_code(n)
    vaddr = table_inputs.after(n)
    out = bytearray(seeds.eh_cie(program=seeds.ENTRY_STATE + b"\x86\x02" * 32000))
    for i in range(n):
        out += seeds.eh_fde(len(out), 0, TEXT + 16 * i, 16, table_inputs.PUSH_RBP, section=vaddr)
    elf.section(".eh_frame", vaddr, bytes(out) + bytes(4), flags=ALLOC)
    return table_inputs.rows_of(elf, directory, "eh_frame", "%x" % TEXT)


def symbols_of_one_name(directory, n):
    """Each name is the end of the one before."""
    elf = table_inputs.with_code(n)
    number = elf.section(".strtab", 0, b"\0" + b"a" * n + b"\0", 3)
    table = b"".join(struct.pack("<IBBHQQ", 1 + i, 2, 0, 2, TEXT + 16 * i, 16) for i in range(n))
    elf.section(".symtab", 0, bytes(24) + table, 2, link=number, info=1, size=24)
    return table_inputs.functions_of(elf, directory, "aa")


def debug_files(directory, n, info, abbrevs, by, told, **sections):
    """A program of n functions, and a sample in each."""
    elf = table_inputs.with_code(n)
    for name, data in dict(sections, info=info, abbrev=abbrevs).items():
        elf.section(".debug_" + name, 0, data)
    file = elf.write(os.path.join(directory, "x"))
    body = b"".join(capture.sample(seeds.PID, 7, 3000 + i, TEXT + 16 * i) for i in range(n))
    snap = capture.snapshot(directory, seeds.process(), capture.mapping(seeds.PID, 0x400000, 1 << 30), seeds.thread(7), body)
    return ["cgunwind", "-f", "folded", "--by", by, "-e", file, snap], told


def head_at(i, line=0):
    return b"\x01a.c\0" + struct.pack("<IQI", line, TEXT + 16 * i, 16)


def units_of_one_abbrevs(directory, n):
    many = b"".join(seeds.uleb(10 + i) + b"\x2e\0\x03\x08\0\0" for i in range(n))
    info = b"".join(seeds.unit(4, head_at(i) + b"\0") for i in range(n))
    return debug_files(directory, n, info, UNIT + many + b"\0", "line", "a.c", line=line_table(n))


def units_into_one_abbrevs(directory, n):
    """The table of each begins behind the first entry of the one before."""
    info = bytearray(seeds.unit(4, head_at(0) + b"\0"))
    size = len(info)
    for i in range(1, n):
        info += seeds.unit(4, head_at(i) + b"\0")
        struct.pack_into("<I", info, size * i + 6, len(UNIT) * i)
    return debug_files(directory, n, bytes(info), UNIT * n + b"\0", "line", "a.c", line=line_table(n))


def line_table(rows):
    head = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0a.c\0\0\0\0\0"
    program = bytes([0, 9, 2]) + struct.pack("<Q", TEXT) + bytes([1]) + bytes([2, 16, 3, 1, 1]) * rows + bytes([2, 1, 0, 1, 1])
    body = struct.pack("<H", 4) + struct.pack("<I", len(head)) + head + program
    return struct.pack("<I", len(body)) + body


def units_of_one_lines(directory, n):
    info = b"".join(seeds.unit(4, head_at(i) + b"\0") for i in range(n))
    return debug_files(directory, n, info, UNIT + b"\0", "line", "a.c", line=line_table(n))


def unit_over(n, dies):
    return seeds.unit(4, b"\x01a.c\0" + struct.pack("<IQI", 0, TEXT, 16 * n) + dies + b"\0")


def functions_of_one_ranges(directory, n):
    abbrevs = UNIT + seeds.abbrev(2, 0x2e, 0, 3, 8, 0x55, 0x17) + b"\0"
    info = unit_over(n, b"".join(b"\x02f%d\0" % i + bytes(4) for i in range(n)))
    ranges = b"".join(struct.pack("<QQ", 16 * i, 16 * i + 16) for i in range(n)) + bytes(16)
    return debug_files(directory, n, info, abbrevs, "function", "f", line=seeds.line_program(4), ranges=ranges)


def functions_of_one_name(directory, n):
    abbrevs = UNIT + seeds.abbrev(2, 0x2e, 0, 3, 0xe, 0x11, 1, 0x12, 6) + b"\0"
    info = unit_over(n, b"".join(b"\x02" + struct.pack("<IQI", i, TEXT + 16 * i, 16) for i in range(n)))
    return debug_files(directory, n, info, abbrevs, "function", "aa", line=seeds.line_program(4), str=b"a" * n + b"\0")


def functions_of_functions(directory, n):
    """Each has its name from the one before it."""
    abbrevs = (UNIT + seeds.abbrev(2, 0x2e, 0, 3, 8, 0x11, 1, 0x12, 6) + seeds.abbrev(3, 0x2e, 0, 0x31, 0x13, 0x11, 1, 0x12, 6) + b"\0")
    at = 11 + 5 + 16
    dies = b"\x02f\0" + struct.pack("<QI", TEXT, 16)
    origin, parts = at, [dies]
    at += len(dies)
    for i in range(1, n):
        parts.append(b"\x03" + struct.pack("<IQI", origin, TEXT + 16 * i, 16))
        origin, at = at, at + 17
    return debug_files(directory, n, unit_over(n, b"".join(parts)), abbrevs, "function", "f", line=seeds.line_program(4))


def functions_in_blocks(directory, n):
    """A function in n scopes, one in another, each with an inlined call of the same function."""
    abbrevs = (UNIT + seeds.abbrev(2, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 6) +
               seeds.abbrev(3, 0x1d, 1, 0x31, 0x13, 0x11, 1, 0x12, 6) + b"\0")
    one = b"\x03" + struct.pack("<IQI", 11 + 5 + 16, TEXT, 16 * n)
    dies = b"\x02f\0" + struct.pack("<QI", TEXT, 16 * n) + one * n + bytes(n + 1)
    return debug_files(directory, n, unit_over(n, dies), abbrevs, "function", "f", line=seeds.line_program(4))


def namespaces(directory, n):
    """n functions, in n namespaces, one in another."""
    abbrevs = UNIT + seeds.abbrev(2, 0x39, 1, 3, 8) + seeds.abbrev(3, 0x2e, 0, 3, 8, 0x11, 1, 0x12, 6) + b"\0"
    dies = b"".join(b"\x02n\0\x03f\0" + struct.pack("<QI", TEXT + 16 * i, 16) for i in range(n)) + bytes(n)
    return debug_files(directory, n, unit_over(n, dies), abbrevs, "function", "f", line=seeds.line_program(4))


def switches_of_one_table(directory, n):
    """n functions, each with a switch over the same table of n addresses."""
    size = 64
    table_vaddr = TEXT + size * n + 64
    code = bytearray()
    for i in range(n):
        at = TEXT + size * i
        one = b"\x81\xff" + struct.pack("<I", n - 1) + b"\x77" + bytes([48 - 8])
        one += b"\x89\xff\x48\x8d\x15" + struct.pack("<i", table_vaddr - (at + len(one) + 9))
        code += (one + bytes.fromhex("48630cba4801d1ffe1")).ljust(48, b"\xcc") + b"\xc3".ljust(16, b"\xcc")
    elf = ElfFile()
    elf.section(".text", TEXT, bytes(code), flags=ALLOC | EXEC)
    targets = (TEXT + size * i + 48 - table_vaddr for i in range(n))
    elf.section(".rodata", table_vaddr, struct.pack("<%di" % n, *targets), flags=ALLOC)
    elf.symbols([b"f%d" % i for i in range(n)], [TEXT + size * i for i in range(n)], size)
    return ["cgrules", "-m", "prologue", elf.write(os.path.join(directory, "table"))], "%x" % TEXT


def pprof_of_one_location(directory, n):
    """n samples of a place with n inlined functions."""
    field = capture.field
    texts = b"".join(field(6, text) for text in (b"", b"samples", b"count"))
    texts += b"".join(field(6, b"function_%d" % i) for i in range(n))
    functions = b"".join(field(5, message((1, i + 1), (2, 3 + i))) for i in range(n))
    location = field(4, message((1, 1), *((4, message((1, i + 1))) for i in range(n))))
    stacks = field(2, message((1, b"\1"), (2, b"\1"))) * n
    path = capture.written(directory, "profile.pb", field(1, message((1, 1), (2, 2))), stacks, location, functions, texts)
    return ["cgunwind", "-f", "folded", path], "function_1"


def idle_of_all(directory, n):
    """n threads, and n rounds in which none ran."""
    threads = b"".join(seeds.thread(100 + i) + capture.sample(seeds.PID, 100 + i, 3000) for i in range(n))
    idle = b"".join(seeds.record(seeds.IDLE, struct.pack("<IQI", seeds.PID, 10000 + i, 0)) for i in range(n))
    snap = capture.snapshot(directory, seeds.process(), capture.mapping(seeds.PID, 0x400000, 1 << 20), threads, idle)
    return ["cgunwind", snap], "x"


def idle_of_one(directory, n):
    """n processes, and for each a round in which it did not run."""
    begin = b"".join(seeds.process(100 + i) + seeds.thread(100 + i, pid=100 + i) + capture.sample(100 + i, 100 + i, 3000) for i in range(n))
    idle = b"".join(seeds.record(seeds.IDLE, struct.pack("<IQI", 100 + i, 10000 + i, 0)) for i in range(n))
    return ["cgunwind", capture.snapshot(directory, begin, idle)], "x"


def threads_that_end(directory, n):
    """Of n threads the first one ends, and two begin, again and again."""
    begin = b"".join(seeds.thread(100 + i) for i in range(n))
    turns = []
    for i in range(n):
        turns.append(seeds.record(seeds.THREAD_END, struct.pack("<IIQ", seeds.PID, 100 + i, 3000 + i)))
        turns += (seeds.thread(100 + n + 2 * i), seeds.thread(101 + n + 2 * i))
    snap = capture.snapshot(directory, seeds.process(), capture.mapping(seeds.PID, 0x400000, 1 << 20), begin, b"".join(turns),
                            capture.sample(seeds.PID, 99 + 3 * n, 10000000))
    return ["cgunwind", snap], "x"


def perf_forks(directory, n):
    """n children of a process with n mappings."""
    maps = b"".join(seeds.perf_record(1, struct.pack("<IIQQQ", 7, 7, 0x500000 + 0x1000 * i, 0x1000, 0) +
                                      seeds.perf_name(b"/lib/x.so") + seeds.perf_time(2 + i), 2) for i in range(n))
    forks = b"".join(seeds.perf_record(7, struct.pack("<IIIIQ", 100 + i, 7, 100 + i, 7, n + 10 + i) + seeds.perf_time(n + 10 + i)) +
                     seeds.perf_sample(n + 10 + i, b"x86_64", 100 + i) for i in range(n))
    return ["cgunwind", "-f", "folded", capture.perf(directory, maps + forks)], "main"


def mappings_unmapped(directory, n):
    """The lowest first."""
    maps = b"".join(capture.mapping(seeds.PID, 0x10000000 + 0x2000 * i, 0x1000, b"/lib/x.so") for i in range(n))
    ends = b"".join(seeds.record(seeds.UNMAP, struct.pack("<IQQ", seeds.PID, 0x10000000 + 0x2000 * i, 0x10001000 + 0x2000 * i)) for i in range(n))
    return ["cgunwind", capture.snapshot(directory, seeds.process(), maps, ends, seeds.thread(7), capture.sample(seeds.PID, 7, 3000))], "x"


INPUTS = {fdes_of_one_cie: 20, symbols_of_one_name: 1000, functions_of_one_name: 700, units_of_one_abbrevs: 100,
          units_into_one_abbrevs: 200, units_of_one_lines: 100, functions_of_one_ranges: 200, functions_of_functions: 500,
          functions_in_blocks: 200, namespaces: 200, switches_of_one_table: 200, pprof_of_one_location: 100, idle_of_one: 300,
          threads_that_end: 300, perf_forks: 100}
# What stands for n² samples costs so; and mappings, of which one process has 131,072 at most: looked at when asked for by name.
SQUARE = {idle_of_all: 100, mappings_unmapped: 900}
