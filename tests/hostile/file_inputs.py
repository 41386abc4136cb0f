# SPDX-License-Identifier: MIT
"""Other files that grow with `n`: of Go, of boards, jitdumps, lists of the kernel's functions, bundles, traces of calls. As
in code_inputs.py."""
import os
import struct
import sys

import capture_inputs as capture
import shared_inputs
import table_inputs
from capture_inputs import MADE, seeds
from elf_file import ALLOC, EXEC, TEXT, X86_64, ElfFile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import boarddump
import corefile


def go_table(functions, pairs):
    """.gopclntab of Go 1.20: `functions` of 16 bytes each, all with the same `pairs` of where SP is."""
    names = b"".join(b"main.f%d\0" % i for i in range(functions))
    at = [0]
    for name in names.split(b"\0")[:-2]:
        at.append(at[-1] + len(name) + 1)
    parts = [names, bytes(8), bytes(8), b"\0" + pairs + b"\0"]
    offsets = [72]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    first = 8 * functions + 4
    lookup = b"".join(struct.pack("<II", 16 * i, first + 44 * i) for i in range(functions)) + struct.pack("<I", 16 * functions)
    structs = b"".join(struct.pack("<IiIIIIIIIIBBBB", 16 * i, at[i], 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0) for i in range(functions))
    head = struct.pack("<IBBBBQQQ5Q", 0xfffffff1, 0, 0, 1, 8, functions, 0, TEXT, *offsets[:3], offsets[3], offsets[4])
    return head + b"".join(parts) + lookup + structs


def go_file(directory, functions, pairs):
    elf = table_inputs.with_code(functions)
    elf.section(".gopclntab", table_inputs.after(functions), go_table(functions, pairs), flags=ALLOC)
    return elf.write(os.path.join(directory, "go"))


def go_functions(directory, n):
    return ["cgrules", "--functions", go_file(directory, n, b"\2\x10")], "main.f%d" % (n - 1)


def go_rows(directory, n):
    return ["cgrules", "-m", "gopclntab", go_file(directory, n, b"\2\1\x10\x0f")], "%x" % TEXT


def go_pairs(directory, n):
    """One function, where SP is at another place behind each instruction."""
    elf = table_inputs.with_code(n)
    table = bytearray(go_table(1, b"\2\x10" + b"\x10\x10\x0f\x10" * (n // 2)))
    struct.pack_into("<I", table, len(table) - 44 - 4, 16 * n)
    elf.section(".gopclntab", table_inputs.after(n), bytes(table), flags=ALLOC)
    return ["cgrules", "-m", "gopclntab", elf.write(os.path.join(directory, "go"))], "%x" % TEXT


def cfi_programs(directory, n):
    """Functions with 1,000 rows each, of states that are remembered."""
    return table_inputs.eh_frame(directory, n, 1024, 1024, b"\x0a\x41\x0e\x10\x0b" * 1000)


def segments(directory, n):
    """A program with n segments of code: with more than 1,024 it is none."""
    core = corefile.Core(corefile.X86_64)
    for i in range(n):
        core.load(MADE + 0x2000 * i, MADE + 0x2000 * i + 16, corefile.RX, table_inputs.FRAME)
    data = bytearray(core.file())
    struct.pack_into("<H", data, 16, 2)
    struct.pack_into("<Q", data, 24, MADE)
    return ["cgrules", "--functions", capture.written(directory, "segments", data)], "%x" % MADE


def zephyr(directory, n, order):
    registers = {name: 0x20000000 + 4 * i for i, name in enumerate(boarddump.R)}
    registers.update(sp=0x20000080, lr=0xFFFFFFFD, pc=0x110, xpsr=0x61000003)
    blocks = [(0x20000000 + 64 * i, bytes(32)) for i in range(n)][::order]
    data = boarddump.zephyr(boarddump.Halt(boarddump.ARM, registers, blocks), 2)
    return ["cgunwind", "-f", "chains", capture.written(directory, "dump", data)], "0x110"


def zephyr_blocks(directory, n):
    return zephyr(directory, n, 1)


def zephyr_blocks_descending(directory, n):
    return zephyr(directory, n, -1)


def zephyr_blocks_that_overlap(directory, n):
    registers = {name: 0x20000000 + 4 * i for i, name in enumerate(boarddump.R)}
    registers.update(sp=0x20000080, lr=0xFFFFFFFD, pc=0x110, xpsr=0x61000003)
    blocks = [(0x20000000 + 64 * i, bytes(32)) for i in range(n)] + [(0x20000000 + 64 * i, bytes(64)) for i in range(n)]
    data = boarddump.zephyr(boarddump.Halt(boarddump.ARM, registers, blocks), 2)
    return ["cgunwind", "-f", "chains", capture.written(directory, "dump", data)], "0x110"


def jit_record(kind, *words, tail=b""):
    payload = struct.pack("<II%dQ" % len(words), 7, 7, *words) + tail
    return struct.pack("<IIQ", kind, 16 + len(payload), 1) + payload


def made_memory(n):
    """Of n functions of 64 bytes."""
    return seeds.record(seeds.MAP, struct.pack("<IBBBB", seeds.PID, 3, 7, 0, 0) +
                        struct.pack("<QQQQQ", MADE, MADE + 64 * n + 4096, 0, 0, 0) + seeds.text(b"[anon]"))


def jit_dump(directory, n, records, told):
    path = capture.written(directory, "jit-7.dump", struct.pack("<IIIIIIQQ", 0x4A695444, 1, 40, X86_64, 0, 7, 1, 0), records)
    snap = capture.snapshot(directory, seeds.process(), made_memory(n), seeds.thread(7), capture.sample(seeds.PID, 7, 3000, MADE + 4))
    return ["cgunwind", "--perf-map", path, snap], told


def jit_load(i, place, size=16):
    return jit_record(0, place, place, size, i, tail=b"made_%d\0" % i + b"\xc3" * size)


def jit_dump_loads(directory, n):
    return jit_dump(directory, n, b"".join(jit_load(i, MADE + 16 * i) for i in range(n)), "made_0")


def jit_dump_moves(directory, n):
    loads = b"".join(jit_load(i, MADE + 16 * i) for i in range(n))
    moves = b"".join(jit_record(1, MADE + 16 * (n - i), MADE + 16 * i, MADE + 16 * (n - i), 16, i) for i in range(n))
    return jit_dump(directory, n, loads + moves, "made_")


def told_in_turns(directory, n, tell, told):
    """Each of n functions made is told, then there is a sample in it."""
    body = b"".join(tell(i) + capture.sample(seeds.PID, 7, 3000 + i, MADE + 64 * i + 4, bytes(64)) for i in range(n))
    path = capture.snapshot(directory, seeds.process(), made_memory(n), seeds.thread(7), body)
    return ["cgunwind", "-f", "folded", path], told


def names_in_turns(directory, n):
    lines = [b"%x 10 made_%d\n" % (MADE + 64 * i, i) for i in range(n)]
    at = [0]
    for line in lines:
        at.append(at[-1] + len(line))
    return told_in_turns(directory, n, lambda i: seeds.record(seeds.NAMES, struct.pack("<IQQ", seeds.PID, 2500 + i, at[i]) + seeds.blob(lines[i]), 0),
                         "made_%d" % (n - 1))


def symbol_files_in_turns(directory, n):
    def tell(i):
        file = seeds.symbol_file(2, MADE + 64 * i, 2)
        head = struct.pack("<IQQQQ", seeds.PID, 2500 + i, 0x1000000 + 4096 * i, len(file), 0)
        return seeds.record(seeds.SYMBOL_FILE, head + seeds.blob(file), 0)
    return told_in_turns(directory, n, tell, "f() %d000000" % n)


def code_in_turns(directory, n):
    return told_in_turns(directory, n, lambda i: seeds.record(seeds.CODE, struct.pack("<IQ", seeds.PID, MADE + 64 * i) + seeds.blob(table_inputs.FRAME)),
                         "[anon]+0x%x" % (MADE + 64 * n - 60))


def kallsyms(directory, n):
    path = capture.written(directory, "kallsyms", b"".join(b"%x t function_%d\n" % (0xffffffff81000000 + 16 * i, i) for i in range(n)))
    data = capture.perf(directory, b"".join(seeds.perf_sample(10 + i, b"x86_64", 7, ((1 << 64) - 128, 0xffffffff81000004, (1 << 64) - 512, 0x401000))
                                            for i in range(3)))
    return ["cgunwind", "--kallsyms", path, data], "function_0"


def bundled(number, size):
    return seeds.record(seeds.FILE, struct.pack("<IBB", number, 1, 20) + bytes(16) + struct.pack("<I", number) +
                        struct.pack("<QQ", size, 1) + seeds.text(b"/bin/x%d" % number) + seeds.text(b"/bin/x"), 0)


def bundled_part(number, off, data):
    return seeds.record(seeds.FILE_PART, struct.pack("<IQIB", number, off, len(data), 0) + seeds.blob(data), 0)


def with_bundle(directory, files):
    path = capture.written(directory, "snap.bin", seeds.file_header(features=1), seeds.process(), files,
                           capture.mapping(seeds.PID, 0x400000, 1 << 20), seeds.thread(7), capture.sample(seeds.PID, 7, 3000), seeds.summary())
    return ["cgunwind", path], "x"


def bundle_files(directory, n):
    elf = b"\x7fELF" + bytes(60)
    return with_bundle(directory, b"".join(bundled(i, 64) + bundled_part(i, 0, elf) for i in range(n)))


def bundle_parts(directory, n):
    elf = b"\x7fELF" + bytes(60)
    return with_bundle(directory, bundled(0, 64 * n) + b"".join(bundled_part(0, 64 * i, elf) for i in range(n)))


def calls_file(directory, n):
    elf = table_inputs.with_code(n)
    elf.symbols([b"function_%d" % i for i in range(n)], [TEXT + 16 * i for i in range(n)])
    return elf.write(os.path.join(directory, "x"))


def calls_deep(directory, n):
    """n functions, each called by the one before."""
    text = "".join("E0x%x\n" % (TEXT + 16 * i) for i in range(n)) + "".join("X0x%x\n" % (TEXT + 16 * i) for i in reversed(range(n)))
    return ["cgunwind", "-f", "top", "-e", calls_file(directory, n), capture.written(directory, "trace", text.encode())], "function_"


def calls_wide(directory, n):
    """n functions, all called by the first."""
    text = "E0x%x\n" % TEXT + "".join("E0x%x\nX0x%x\n" % (TEXT + 16 * i, TEXT + 16 * i) for i in range(1, n))
    return ["cgunwind", "-f", "top", "-e", calls_file(directory, n), capture.written(directory, "trace", text.encode())], "function_"


def line_files(directory, n):
    """A table of lines with n directories and n files."""
    tables = b"".join(b"d%d\0" % i for i in range(n)) + b"\0" + b"".join(b"f%d.c\0" % i + seeds.uleb(i + 1) + b"\0\0" for i in range(n)) + b"\0"
    head = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + tables
    rows = b"".join(b"\x04" + seeds.uleb(i + 1) + b"\2\x10\1" for i in range(n))
    program = bytes([0, 9, 2]) + struct.pack("<Q", TEXT) + bytes([1]) + rows + bytes([2, 1, 0, 1, 1])
    body = struct.pack("<H", 4) + struct.pack("<I", len(head)) + head + program
    info = shared_inputs.unit_over(n, b"")
    return shared_inputs.debug_files(directory, n, info, capture.UNIT + b"\0", "line", "f0.c", line=struct.pack("<I", len(body)) + body)


INPUTS = {go_functions: 5000, go_rows: 3000, go_pairs: 10000, cfi_programs: 10, segments: 9,
          zephyr_blocks: 600, zephyr_blocks_descending: 600, zephyr_blocks_that_overlap: 300, jit_dump_loads: 6000, jit_dump_moves: 3000,
          names_in_turns: 2000, symbol_files_in_turns: 1000, code_in_turns: 200,
          kallsyms: 20000, bundle_files: 600, bundle_parts: 2000, calls_deep: 2600, calls_wide: 2600, line_files: 500}
