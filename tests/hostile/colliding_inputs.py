# SPDX-License-Identifier: MIT
"""Keys of hash tables that had one and the same place for all n of them as long as hashes had no secret: as in code_inputs.py.

    key -> MurmurHash3's finalizer -> the low 32 bits were the place; the finalizer can be undone
"""
import struct

import capture_inputs as capture
import file_inputs
import table_inputs
from capture_inputs import seeds
from elf_file import ALLOC, BASE, RELA, WRITE

WORD = (1 << 64) - 1
IDS_AT_ONCE = 8000
GLOB_DAT = 6


def unmixed(hashed):
    """The key that the finalizer leads to `hashed`."""
    for factor in (0xc4ceb9fe1a85ec53, 0xff51afd7ed558ccd):
        hashed ^= hashed >> 33
        hashed = hashed * pow(factor, -1, 1 << 64) & WORD
    return hashed ^ hashed >> 33


def colliding(n):
    return [unmixed(i << 32 | 7) for i in range(n)]


def perf_ids_that_collide(directory, n):
    keys = colliding(n)
    attr = seeds.perf_attr(seeds.PERF_MASKS[b"x86_64"])
    events = b"".join(seeds.perf_record(64, attr + struct.pack("<%dQ" % len(ids), *ids))
                      for ids in (keys[i:i + IDS_AT_ONCE] for i in range(0, n, IDS_AT_ONCE)))
    return ["cgunwind", capture.perf(directory, events + seeds.perf_mmap2(2) + seeds.perf_sample(10, b"x86_64"))], "pid 7"


def relocations_that_collide(directory, n):
    elf = table_inputs.with_code(16)
    data_vaddr = table_inputs.after(16)
    elf.section(".data", data_vaddr, bytes(8), flags=ALLOC | WRITE)
    table = b"".join(struct.pack("<QQq", key, GLOB_DAT, 0) for key in colliding(n))
    elf.section(".rela.dyn", data_vaddr + 8, table, RELA, ALLOC, size=24)
    return table_inputs.functions_of(elf, directory)


def jit_dump_names_that_collide(directory, n):
    """A jitdump numbers its functions."""
    loads = b"".join(file_inputs.jit_record(0, place, place, 16, key, tail=b"made_%d\0" % i + b"\xc3" * 16)
                     for i, key in enumerate(colliding(n)) for place in [capture.MADE + 16 * i])
    return file_inputs.jit_dump(directory, n, loads, "made_0")


def threads_that_collide(directory, n):
    """Two words were hashed as finalizer(finalizer(first + c) ^ second): pid and tid, and the FNV-1a hash of the name."""
    name, text = b"worker", 0xcbf29ce484222325
    for byte in name:
        text = (text ^ byte) * 0x100000001b3 & WORD
    text ^= text >> 32
    body = bytearray()
    for i, key in enumerate(colliding(n)):
        first = unmixed(key ^ text) - 0x9e3779b97f4a7c15 & WORD
        pid, tid = first >> 32, first & 0xffffffff
        body += (seeds.process(pid) + capture.mapping(pid, BASE, capture.SPACE_SIZE) + seeds.thread(tid, name, pid) +
                 capture.sample(pid, tid, 3000 + i))
    return ["cgunwind", "-f", "folded", "--by-thread", capture.snapshot(directory, bytes(body))], "worker"


INPUTS = {perf_ids_that_collide: 1000, relocations_that_collide: 500, jit_dump_names_that_collide: 500,
          threads_that_collide: 300}
