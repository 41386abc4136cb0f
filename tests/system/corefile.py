# SPDX-License-Identifier: MIT
"""ELF core files as Linux writes them, made from parts, for the tests and the fuzz targets' seeds.

    core = Core(183)
    core.thread(7, 11, registers)            registers in the kernel's order (struct elf_prstatus)
    core.load(0x1000, 0x3000, RW, bytes)     a segment, of which the core has the first bytes
    open("core", "wb").write(core.file())
"""

import struct

X86_64, I386, ARM, AARCH64, RISCV = 62, 3, 40, 183, 243
R, RW, RX = 4, 6, 5
PT_LOAD, PT_NOTE = 1, 4
PRSTATUS, PRPSINFO, AUXV, FILE, PAC_MASK = 1, 3, 6, 0x46494C45, 0x406
AT_PAGESZ, AT_PHDR, AT_ENTRY, AT_EXECFN, AT_SYSINFO_EHDR = 6, 3, 9, 31, 33
# How many words pr_reg has, and which of them is which DWARF register.
WORDS = {X86_64: 27, I386: 17, ARM: 18, AARCH64: 34, RISCV: 32}
PAGE = 4096


def in_kernels_order(machine, registers):
    """Registers as a snapshot has them, in the order of pr_reg: RISC-V's begins with the PC, and lacks x0."""
    return [registers[32], *registers[1:32]] if machine == RISCV else registers


class Core:
    def __init__(self, machine):
        self.machine = machine
        self.is_64 = machine in (X86_64, AARCH64, RISCV)
        self.word = "Q" if self.is_64 else "I"
        self.notes, self.loads = bytearray(), []

    def words(self, *values):
        return struct.pack("<%d%s" % (len(values), self.word), *values)

    def note(self, name, kind, data):
        name += b"\0"
        self.notes += struct.pack("<III", len(name), len(data), kind)
        self.notes += name + bytes(-len(name) % 4) + data + bytes(-len(data) % 4)

    def thread(self, tid, signal, registers):
        """struct elf_prstatus: signal information, times and so on are 0."""
        before = 16 if self.is_64 else 8  # sigpend, sighold
        data = bytes(12) + struct.pack("<H", signal) + bytes(2 + before) + struct.pack("<I", tid)
        data = data.ljust(112 if self.is_64 else 72, b"\0")
        registers = list(registers) + [0] * (WORDS[self.machine] - len(registers))
        data += self.words(*registers) + bytes(8 if self.is_64 else 4)
        self.note(b"CORE", PRSTATUS, data)

    def info(self, pid, name):
        """struct elf_prpsinfo."""
        before = 24 if self.is_64 else 12
        data = (b"\0R".ljust(before, b"\0") + struct.pack("<IIII", pid, 1, pid, pid) +
                name.ljust(16, b"\0") + name.ljust(80, b"\0"))
        self.note(b"CORE", PRPSINFO, data)

    def auxv(self, **values):
        numbers = {"page": AT_PAGESZ, "phdr": AT_PHDR, "entry": AT_ENTRY, "execfn": AT_EXECFN,
                   "vdso": AT_SYSINFO_EHDR}
        pairs = [word for name, value in values.items() for word in (numbers[name], value)]
        self.note(b"CORE", AUXV, self.words(*pairs, 0, 0))

    def files(self, lines):
        """NT_FILE: (start, end, offset, path) of each."""
        data = bytearray(self.words(len(lines), PAGE))
        for start, end, offset, _ in lines:
            data += self.words(start, end, offset // PAGE)
        self.note(b"CORE", FILE, data + b"".join(path + b"\0" for *_, path in lines))

    def pac_mask(self, mask):
        self.note(b"LINUX", PAC_MASK, struct.pack("<QQ", mask, mask))

    def load(self, start, end, flags, data=b""):
        self.loads.append((start, end, flags, data))

    def _header(self, kind, flags, offset, start, file_size, size):
        if self.is_64:
            return struct.pack("<IIQQQQQQ", kind, flags, offset, start, 0, file_size, size, 1)
        return struct.pack("<IIIIIIII", kind, offset, start, 0, file_size, size, flags, 1)

    def _section(self, count):
        fields = [0, 0, 0, 0, 0, 0, 0, count, 0, 0]  # sh_info is the eighth
        return struct.pack("<IIQQQQIIQQ" if self.is_64 else "<10I", *fields)

    def file(self):
        head, entry = (64, 56) if self.is_64 else (52, 32)
        count = len(self.loads) + 1
        offset = head + count * entry
        # What does not fit the header is in section header 0, at the end (PN_XNUM).
        section = self._section(count) if count >= 0xFFFF else b""
        end = offset + len(self.notes) + sum(len(data) for *_, data in self.loads)
        out = bytearray(b"\x7fELF") + bytes([2 if self.is_64 else 1, 1, 1]) + bytes(9)
        out += struct.pack("<HHI", 4, self.machine, 1) + self.words(0, head, end if section else 0)
        out += struct.pack("<IHHHHHH", 0, head, entry, min(count, 0xFFFF), len(section), 0, 0)
        out += self._header(PT_NOTE, 0, offset, 0, len(self.notes), 0)
        offset += len(self.notes)
        for start, end, flags, data in self.loads:
            out += self._header(PT_LOAD, flags, offset, start, len(data), end - start)
            offset += len(data)
        return out + self.notes + b"".join(data for *_, data in self.loads) + section
