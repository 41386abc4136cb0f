# SPDX-License-Identifier: MIT
"""Halts of a board as a snapshot file (src/snapshot/FORMAT.md), with the firmware that it runs."""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import snapfile

BOARD = 21
PROFILES = {40: 1, 243: 2}
PID = TID = 1
FILE_MAP, READ_EXECUTE = 1, 5
PT_LOAD, PF_X = 1, 1


def text(value):
    data = value.encode()
    return struct.pack("<H", len(data)) + data


def code_segments(path):
    """(address, end, offset) of what a file has to be executed, at its link addresses."""
    with open(path, "rb") as file:
        data = file.read()
    is_64 = data[4] == 2
    if is_64:
        offset, size, count = struct.unpack_from("<Q14xHH", data, 32)
    else:
        offset, size, count = struct.unpack_from("<I10xHH", data, 28)
    for at in range(offset, offset + size * count, size):
        if is_64:
            kind, flags, where, address, _, length = struct.unpack_from("<IIQQQQ", data, at)
        else:
            kind, where, address, _, length, _, flags = struct.unpack_from("<7I", data, at)
        if kind == PT_LOAD and flags & PF_X and length:
            yield address, address + length, where


def process(word):
    return struct.pack("<IIQIIQ", PID, 0, 0, 4096, word, 0) + text("") + struct.pack(
        "<II", 0, 0) + text("") + text("") + bytes([1])


def file_map(start, end, offset, path):
    return struct.pack("<IBBBBQQQQQ", PID, FILE_MAP, READ_EXECUTE, 0, 0, start, end, offset, 0,
                       0) + text(path)


def sample(halt, machine_sp, ram_end, time):
    """The current stack from SP to the end of memory, and what lies below it of other stacks."""
    start, memory = halt.memory
    sp = halt.registers[machine_sp]
    end = start + len(memory)
    regions = [(sp, end)]
    if sp > start:
        regions.append((start, sp))
    payload = struct.pack("<IIQBBHQ", PID, TID, time, ord("R"), 0, len(halt.registers), 0)
    payload += struct.pack("<%dQ" % len(halt.registers), *halt.registers)
    payload += bytes([len(regions)])
    for low, high in regions:
        bound = ram_end if high == end else high
        payload += struct.pack("<QQQI", low, high, bound, 1 if high > low else 0)
        if high > low:
            payload += struct.pack("<II", 0, high - low)
            payload += memory[low - start : high - start]
    return payload + struct.pack("<QQBQQ", 0, 0, 0, 0, halt.mask)


def write(path, firmware_path, board, vectors, halts):
    """`vectors`: the address of the vector table, initial SP and reset handler, or zeroes."""
    records = [snapfile.record(snapfile.PROCESS, process(board.word))]
    records.append(snapfile.record(BOARD, struct.pack(
        "<IQBQQQ", PID, 0, PROFILES[board.machine], *vectors) + text(board.name), 0))
    for start, end, offset in code_segments(firmware_path):
        records.append(snapfile.record(snapfile.MAP, file_map(start, end, offset,
                                                              os.path.abspath(firmware_path))))
    records.append(snapfile.record(
        snapfile.THREAD, struct.pack("<IIQQ", PID, TID, 0, 0) + text("cpu") + struct.pack("<I", 0)))
    ram_start, ram_size = board.regions[1]
    for i, halt in enumerate(halts):
        records.append(snapfile.record(snapfile.SAMPLE, sample(
            halt, 13 if board.is_arm else 2, ram_start + ram_size, 1000000 * (i + 1))))
    with open(path, "wb") as file:
        file.write(snapfile.header(word=board.word, machine=board.machine, minor=8))
        file.write(b"".join(records))
