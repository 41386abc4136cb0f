# SPDX-License-Identifier: MIT
"""Code made so that finding functions in it, or analysing them, costs much. Each makes what grows with `n` in a
directory, and returns a program's arguments, and what its output must tell, so that the input was read at all."""
import os
import random
import struct
import sys

from elf_file import ALLOC, ARM, EXEC, TEXT, X86_64, ElfFile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import corefile


def code_file(directory, code, machine=X86_64):
    elf = ElfFile(machine)
    elf.section(".text", TEXT, code, flags=ALLOC | EXEC)
    return elf.write(os.path.join(directory, "code"))


def listed(directory, code, machine=X86_64):
    return ["cgrules", "--functions", code_file(directory, code, machine)], "entry"


def calls_of_the_next(directory, n):
    """Each call leads to the next one."""
    return listed(directory, bytes.fromhex("e80100000055") * n)


def calls_of_the_one_before(directory, n):
    return listed(directory, b"\xc3" + bytes.fromhex("e8faffffff") * n)


def calls_of_the_very_next(directory, n):
    """Of ARM: each is to be looked at for whether a function is behind it, or nothing is called."""
    return listed(directory, bytes.fromhex("ffffffeb") * n, ARM)


def calls_at_random(directory, n):
    """Functions of 32 bytes that call two others, one of them on one path only, and return."""
    chance = random.Random(1)
    code = bytearray()
    for i in range(n):
        at = 32 * i
        first, second = 32 * chance.randrange(n), 32 * chance.randrange(n)
        code += bytes.fromhex("554889e585ff7405e8") + struct.pack("<i", first - (at + 13))  # push, mov, test, je
        code += b"\xe8" + struct.pack("<i", second - (at + 18)) + bytes.fromhex("5dc3")
        code += b"\xcc" * (32 - len(code) % 32)
    return listed(directory, bytes(code))


def jumps_of_the_next(directory, n):
    return listed(directory, bytes.fromhex("eb0055") * n)


def branches_to_the_end(directory, n):
    """One function, which branches again and again, each time with another depth of the stack."""
    size = 7
    return listed(directory, b"".join(b"\x50\x0f\x84" + struct.pack("<i", (n - i - 1) * size) for i in range(n)) + b"\xc3")


def prologues(directory, n):
    return listed(directory, bytes.fromhex("554889e5534883ec08904883c4085b5dc3") * n)


def jump_table(directory, n):
    """A switch of n cases, each its own return."""
    table_vaddr = TEXT + 64 + 8 * n + 64
    head = b"\x81\xff" + struct.pack("<I", n - 1)  # cmp $n-1, %edi
    head += b"\x77\x00"[:1] + bytes([64 - 8])  # ja to TEXT + 64
    head += b"\x89\xff\x48\x8d\x15" + struct.pack("<i", table_vaddr - (TEXT + 8 + 9))  # mov edi,edi; lea table,%rdx
    head += bytes.fromhex("48630cba4801d1ffe1")  # movslq (%rdx,%rdi,4),%rcx; add %rdx,%rcx; jmp *%rcx
    code = head.ljust(64, b"\xcc") + bytes.fromhex("b801000000c3cccc") * n
    elf = ElfFile()
    elf.section(".text", TEXT, code, flags=ALLOC | EXEC)
    elf.section(".rodata", table_vaddr, struct.pack("<%di" % n, *(TEXT + 64 + 8 * i - table_vaddr for i in range(n))), flags=ALLOC)
    return ["cgrules", "--functions", elf.write(os.path.join(directory, "table"))], "entry"


def core_of_shared_code(directory, n):
    """A core whose segments of code, n of them, are all the same 64 KiB of its file, with a thread in each."""
    code = bytes.fromhex("e80100000055") * 10922
    core = corefile.Core(corefile.X86_64)
    registers = [0] * 27
    for i in range(n):
        registers[16], registers[19] = 0x10000006 + 0x20000 * i, 0x7f0000000000
        core.thread(7 + i, 11, registers)
    core.info(7, b"x")
    core.load(0x7f0000000000, 0x7f0000001000, corefile.RW, struct.pack("<Q", 0x10000000 + 0x20000 + 6) * 512)
    for i in range(n):
        core.load(0x10000000 + 0x20000 * i, 0x10010000 + 0x20000 * i, corefile.RX, code if i == 0 else b"")
    data = bytearray(core.file())
    heads = [64 + 56 * i for i in range(n + 2)]
    off, size = struct.unpack_from("<Q", data, heads[2] + 8)[0], len(code)
    for head in heads[2:]:
        struct.pack_into("<Q", data, head + 8, off)
        struct.pack_into("<Q", data, head + 32, size)
    path = os.path.join(directory, "core")
    with open(path, "wb") as file:
        file.write(data)
    return ["cgunwind", "-f", "chains", path], "#0  0x%016x" % (0x10000006 + 0x20000 * (n - 1))


INPUTS = {calls_of_the_next: 2000, calls_of_the_very_next: 2600, calls_of_the_one_before: 10000, calls_at_random: 3000, jumps_of_the_next: 2000,
          branches_to_the_end: 1000, prologues: 1000, jump_table: 500, core_of_shared_code: 10}
