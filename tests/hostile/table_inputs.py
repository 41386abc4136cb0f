# SPDX-License-Identifier: MIT
"""Tables of ELF files that grow with `n`. As in code_inputs.py."""
import os
import struct
import sys

from elf_file import (ALLOC, ARM, ARM_EXIDX, BASE, EXEC, NOTE, RELA, TEXT, WRITE, ElfFile)

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fuzz"))
import make_seeds as seeds

FRAME = bytes.fromhex("554889e590905dc3").ljust(16, b"\xcc")
PUSH_RBP = b"\x41\x0e\x10\x86\x02\x43\x0d\x06"


def code_of(n):
    return FRAME * n


def after(n, align=4096):
    """Where something lies behind the code of n functions."""
    return (TEXT + 16 * n + align - 1) // align * align


def with_code(n, machine=62):
    elf = ElfFile(machine)
    elf.section(".text", TEXT, code_of(n), flags=ALLOC | EXEC)
    return elf


def functions_of(elf, directory, told="entry"):
    return ["cgrules", "--functions", elf.write(os.path.join(directory, "table"))], told


def rows_of(elf, directory, method, told):
    return ["cgrules", "-m", method, elf.write(os.path.join(directory, "table"))], told


def symbols(directory, n):
    elf = with_code(n)
    elf.symbols([b"function_%d" % i for i in range(n)], [TEXT + 16 * i for i in range(n)])
    return functions_of(elf, directory, "function_%d" % (n - 1))


def symbols_of_one_place(directory, n):
    elf = with_code(16)
    elf.symbols([b"function_%d" % i for i in range(n)], [TEXT + 16] * n)
    return functions_of(elf, directory, "function_")


def symbols_that_overlap(directory, n):
    elf = with_code(n)
    elf.symbols([b"function_%d" % i for i in range(n)], [TEXT + 16 * i for i in range(n)], size=16 * n)
    return functions_of(elf, directory, "function_")


def sections(directory, n):
    elf = with_code(16)
    for i in range(n):
        elf.section(".s", 0, b"")
    return functions_of(elf, directory)


def notes(directory, n):
    elf = with_code(16)
    elf.section(".note.many", after(16), (struct.pack("<III", 4, 0, 99) + b"NOT\0") * n, NOTE, ALLOC)
    return functions_of(elf, directory)


def relocations(directory, n):
    """Of pointers, to a function each."""
    elf = with_code(n)
    data_vaddr = after(n)
    elf.section(".data", data_vaddr, bytes(8 * n), flags=ALLOC | WRITE)
    table = b"".join(struct.pack("<QQq", data_vaddr + 8 * i, 8, TEXT + 16 * i) for i in range(n))
    elf.section(".rela.dyn", data_vaddr + 8 * n, table, RELA, ALLOC, size=24)
    return functions_of(elf, directory)


def eh_frame(directory, n, step=16, size=16, program=PUSH_RBP):
    elf = with_code(n * step // 16 or 1)
    vaddr = after(n * step // 16 or 1)
    out = bytearray(seeds.eh_cie())
    for i in range(n):
        out += seeds.eh_fde(len(out), 0, TEXT + step * i, size, program, section=vaddr)
    elf.section(".eh_frame", vaddr, bytes(out) + bytes(4), flags=ALLOC)
    return rows_of(elf, directory, "eh_frame", "%x" % TEXT)


def fdes(directory, n):
    return eh_frame(directory, n)


def fdes_of_one_range(directory, n):
    return eh_frame(directory, n, step=0)


def debug_frame(directory, n):
    elf = with_code(n)
    out = seeds.debug_cie() + b"".join(seeds.debug_fde(TEXT + 16 * i, 16, PUSH_RBP) for i in range(n))
    elf.section(".debug_frame", 0, out)
    return rows_of(elf, directory, "debug_frame", "%x" % TEXT)


def exidx(directory, n):
    elf = ElfFile(ARM)
    elf.section(".text", TEXT, bytes.fromhex("10402de9 00f020e3 1080bde8 00f020e3") * n, flags=ALLOC | EXEC)
    vaddr = after(n)
    table = b"".join(seeds.prel31(TEXT + 16 * i, vaddr + 8 * i) + struct.pack("<I", 0x80a8b0b0) for i in range(n))
    elf.section(".ARM.exidx", vaddr, table, ARM_EXIDX, ALLOC)
    return rows_of(elf, directory, "exidx", "%x" % TEXT)


INPUTS = {symbols: 3000, symbols_of_one_place: 1000, symbols_that_overlap: 3000, sections: 2000, notes: 5000,
          relocations: 1000, fdes: 3000, fdes_of_one_range: 10000, debug_frame: 3000, exidx: 10000}
