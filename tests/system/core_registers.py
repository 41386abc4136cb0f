# SPDX-License-Identifier: MIT
"""Cores whose registers that callees need not keep hold something else.

What a debugger takes out of such a register for a frame that is not the innermost is no value of
that frame: it changes when the innermost frame's register does.
"""

import struct

from corefile import AARCH64, ARM, I386, PRSTATUS, PT_LOAD, PT_NOTE, RISCV, X86_64

FPREGSET, XFPREG, XSTATE, VFP = 2, 0x46E62B7F, 0x202, 0x400
# Where pr_reg begins, a register's size, and which registers callees need not keep.
GENERAL = {
    X86_64: (112, 8, range(6, 15)),   # r11 r10 r9 r8 rax rcx rdx rsi rdi
    I386: (72, 4, (1, 2, 6)),         # ecx edx eax
    ARM: (72, 4, (0, 1, 2, 3, 12)),
    AARCH64: (112, 8, range(0, 18)),
    RISCV: (112, 8, (1, 5, 6, 7, *range(10, 18), *range(28, 32))),  # ra, t0-t2, a0-a7, t3-t6
}
# (note, offset, size of a register, registers): fxsave's xmm registers; d0-d7, d16-d31; v0-v7, v16-v31; ft, fa.
VECTOR = {
    X86_64: ((FPREGSET, 160, 16, range(16)), (XSTATE, 160, 16, range(16))),
    I386: ((XFPREG, 160, 16, range(8)), (XSTATE, 160, 16, range(8))),
    ARM: ((VFP, 0, 8, (*range(8), *range(16, 32))),),
    AARCH64: ((FPREGSET, 0, 16, (*range(8), *range(16, 32))),),
    RISCV: ((FPREGSET, 0, 8, (*range(8), *range(10, 18), *range(28, 32))),),
}
PATTERN = 0x5A


def segments(data):
    """(type, offset, address, size in the file) of each segment of a core."""
    is_64 = data[4] == 2
    phoff = struct.unpack_from("<Q" if is_64 else "<I", data, 32 if is_64 else 28)[0]
    size, count = struct.unpack_from("<HH", data, 54 if is_64 else 42)
    for index in range(count):
        at = phoff + index * size
        if is_64:
            kind, _, offset, address, _, length = struct.unpack_from("<IIQQQQ", data, at)
        else:
            kind, offset, address, _, length = struct.unpack_from("<IIIII", data, at)
        yield kind, offset, address, length


def notes(data):
    """(type, offset of the description, its size) of each note of a core."""
    for kind, offset, _, length in segments(data):
        end = offset + length
        while kind == PT_NOTE and offset + 12 <= end:
            name_size, desc_size, note = struct.unpack_from("<III", data, offset)
            begin = offset + 12 + (name_size + 3 & ~3)
            yield note, begin, desc_size
            offset = begin + (desc_size + 3 & ~3)


def place_of(data, address):
    """Where the core has what was at the address, or None."""
    for kind, offset, start, length in segments(data):
        if kind == PT_LOAD and start <= address < start + length:
            return offset + address - start
    return None


def overwrite(data, begin, end):
    for place in range(begin, end):
        data[place] ^= PATTERN


def in_notes(data, machine):
    """The threads' registers."""
    start, word, general = GENERAL[machine]
    for note, begin, size in list(notes(data)):
        fields = [(start, word, general)] if note == PRSTATUS else []
        fields += [(offset, width, which) for kind, offset, width, which in VECTOR[machine]
                   if kind == note]
        for offset, width, which in fields:
            for register in which:
                if offset + (register + 1) * width <= size:
                    place = begin + offset + register * width
                    overwrite(data, place, place + width)


def with_others(core, path, saved=()):
    """
    Writes the core with other values in those registers of all threads, and at the addresses where
    functions that keep them nevertheless, and the kernel for a signal, have `saved` them.
    """
    with open(core, "rb") as file:
        data = bytearray(file.read())
    machine = struct.unpack_from("<H", data, 18)[0]
    in_notes(data, machine)
    for address in saved:
        place = place_of(data, address)
        if place is not None:
            overwrite(data, place, place + GENERAL[machine][1])
    with open(path, "wb") as file:
        file.write(data)
