# SPDX-License-Identifier: MIT
"""Dumps of boards in the formats that firmware and tools leave, written from registers and memory.

    Halt(arch, registers, memory)      registers by name, as gdb has them; memory: [(addr, bytes)]
    core(halt), zephyr(halt, version), zephyr_log(data), registers_text(halt)

The formats are those of their makers: ELF cores with Linux's registers; zephyr/debug/coredump.h and
arch/*/core/coredump.c of Zephyr.
"""

import struct

ARM, RISCV32, RISCV64 = "arm", "riscv32", "riscv64"
EM = {ARM: 40, RISCV32: 243, RISCV64: 243}

X = ["zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", *("a%d" % i for i in range(8)),
     *("s%d" % i for i in range(2, 12)), "t3", "t4", "t5", "t6"]
R = ["r%d" % i for i in range(13)] + ["sp", "lr", "pc", "xpsr"]

# Of Zephyr's blocks of registers, by version.
ZEPHYR = {
    ARM: {1: ["r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr", "sp"],
          2: ["r0", "r1", "r2", "r3", "r12", "lr", "pc", "xpsr", "sp",
              *("r%d" % i for i in range(4, 12))]},
    RISCV32: {1: ["ra", "tp", "t0", "t1", "t2", *("a%d" % i for i in range(8)),
                  "t3", "t4", "t5", "t6", "pc", "sp"],
              3: X + ["pc"]},
}
ZEPHYR[RISCV64] = {2: ZEPHYR[RISCV32][1], 4: ZEPHYR[RISCV32][3]}
TARGETS = {ARM: 3, RISCV32: 4, RISCV64: 4}


class Halt:
    def __init__(self, arch, registers, memory):
        self.arch, self.registers, self.memory = arch, dict(registers, zero=0), memory
        self.word = 8 if arch == RISCV64 else 4
        self.letter = "Q" if self.word == 8 else "I"

    def words(self, names):
        return struct.pack("<%d%s" % (len(names), self.letter),
                           *(self.registers[name] for name in names))

    def parts(self, below=None):
        """The memory, or what of it begins below an address."""
        return [part for part in self.memory if below is None or part[0] >= below]


def note(name, kind, data):
    name += b"\0"
    return (struct.pack("<III", len(name), len(data), kind) + name + bytes(-len(name) % 4) + data +
            bytes(-len(data) % 4))


def core(halt, memory=None, flags=6, words=None):
    """ET_CORE with one NT_PRSTATUS, and the stack pointers of Cortex-M where they are known.
    words: so many registers are in the note, which ends there; gdb 13 does so of RV32."""
    wide = halt.word == 8
    names = R if halt.arch == ARM else ["pc"] + X[1:]
    status = bytes(32 if wide else 24) + struct.pack("<I", 1)
    status = status.ljust(112 if wide else 72, b"\0")
    status += halt.words(names) + bytes(8) if words is None else halt.words(names[:words])
    notes = note(b"CORE", 1, status)
    if "msp" in halt.registers:
        notes += note(b"CGSNAP", 0x4D53,
                      struct.pack("<II", halt.registers["msp"], halt.registers["psp"]))
    memory = halt.memory if memory is None else memory
    head, entry = (64, 56) if wide else (52, 32)
    offset = head + (len(memory) + 1) * entry
    out = bytearray(b"\x7fELF") + bytes([2 if wide else 1, 1, 1]) + bytes(9)
    out += struct.pack("<HHI3%sIHHHHHH" % halt.letter, 4, EM[halt.arch], 1, 0, head, 0, 0, head,
                       entry, len(memory) + 1, 0, 0, 0)

    def header(kind, flags, address, size):
        if wide:
            return struct.pack("<IIQQQQQQ", kind, flags, offset, address, 0, size, size, 1)
        return struct.pack("<IIIIIIII", kind, offset, address, 0, size, size, flags, 1)

    out += header(4, 0, 0, len(notes))
    offset += len(notes)
    for address, data in memory:
        out += header(1, flags, address, len(data))
        offset += len(data)
    return bytes(out) + notes + b"".join(data for _, data in memory)


def zephyr(halt, version, memory=None):
    names = ZEPHYR[halt.arch][version]
    out = b"ZE" + struct.pack("<HHBBI", 2, TARGETS[halt.arch], 6 if halt.word == 8 else 5, 0, 0)
    out += b"A" + struct.pack("<HH", version, len(names) * halt.word) + halt.words(names)
    out += b"T" + struct.pack("<HH", 1, 16) + bytes(16)
    for address, data in halt.memory if memory is None else memory:
        out += b"M" + struct.pack("<H2%s" % halt.letter, 1, address, address + len(data)) + data
    return out


def zephyr_log(data):
    """As Zephyr's logging backend writes it to a console, between other lines."""
    lines = ["*** Booting Zephyr OS build v3.7.0 ***", "[00:00:00.010,000] <inf> main: hello",
             "[00:00:00.020,000] <err> coredump: #CD:BEGIN#"]
    lines += ["[00:00:00.020,000] <err> coredump: #CD:" + data[at:at + 64].hex()
              for at in range(0, len(data), 64)]
    lines += ["[00:00:00.030,000] <err> coredump: #CD:END#", "rebooting"]
    return "".join(line + "\r\n" for line in lines).encode()


def registers_text(halt):
    """As gdb's `info registers` prints them."""
    return "".join("%-15s%-20s%d\n" % (name, "0x%x" % value, value)
                   for name, value in halt.registers.items() if name != "zero").encode()
