# SPDX-License-Identifier: MIT
"""ELF files of x86-64 and 32-bit ARM, made from parts: sections, all in one segment, and notes.

    elf = ElfFile()
    elf.section(".text", TEXT, code, flags=ALLOC | EXEC)
    elf.write(path)
"""
import struct

X86_64, ARM = 62, 40
WRITE, ALLOC, EXEC = 1, 2, 4
PROGBITS, SYMTAB, STRTAB, RELA, NOTE, DYNSYM = 1, 2, 3, 4, 7, 11
ARM_EXIDX = 0x70000001
BASE = 0x400000
TEXT = 0x401000
PAGE = 4096
BUILD_ID = bytes(range(20))


class ElfFile:
    def __init__(self, machine=X86_64):
        self.machine, self.is_64 = machine, machine == X86_64
        self.sections = []  # name, kind, flags, vaddr, bytes, link, info, entry size
        self.section(".note.gnu.build-id", BASE + 0x800, struct.pack("<III", 4, 20, 3) + b"GNU\0" + BUILD_ID, NOTE, ALLOC)

    def section(self, name, vaddr, data, kind=PROGBITS, flags=0, link=0, info=0, size=0):
        """Its number. What is allocated lies in the file as in memory, from BASE on."""
        self.sections.append([name, kind, flags, vaddr, data, link, info, size])
        return len(self.sections)

    def symbols(self, names, values, size=16):
        """Functions in .text, which is section 2."""
        strings = b"\0" + b"\0".join(names) + b"\0"
        table, offset = bytearray(24), 1
        for name, value in zip(names, values):
            table += struct.pack("<IBBHQQ", offset, 2, 0, 2, value, size)
            offset += len(name) + 1
        number = self.section(".strtab", 0, strings, STRTAB)
        self.section(".symtab", 0, bytes(table), SYMTAB, link=number, info=1, size=24)

    def _layout(self):
        """File offsets: of allocated ones by address."""
        end = max(PAGE, *(s[3] - BASE + len(s[4]) for s in self.sections if s[2] & ALLOC))
        offsets = []
        for section in self.sections:
            if section[2] & ALLOC:
                offsets.append(section[3] - BASE)
            else:
                end = (end + 15) // 16 * 16
                offsets.append(end)
                end += len(section[4])
        return offsets, (end + 15) // 16 * 16

    def write(self, path):
        names = b"\0"
        self.section(".shstrtab", 0, b"\0" + b"".join(s[0].encode() + b"\0" for s in self.sections) + b".shstrtab\0", STRTAB)
        offsets, end = self._layout()
        count = len(self.sections) + 1
        header = struct.pack("<IIQQQQIIQQ" if self.is_64 else "<10I", 0, 0, 0, 0, 0, count if count >= 0xff00 else 0,
                             count - 1 if count >= 0xff00 else 0, 0, 0, 0)
        headers, names = [header], 1
        for (name, kind, flags, vaddr, data, link, info, size), offset in zip(self.sections, offsets):
            headers.append(struct.pack("<IIQQQQIIQQ" if self.is_64 else "<10I", names, kind, flags, vaddr, offset,
                                       len(data), link, info, 4, size))
            names += len(name) + 1
        loaded = max(s[3] - BASE + len(s[4]) for s in self.sections if s[2] & ALLOC)
        with open(path, "wb") as file:
            file.write(self._head(end, count))
            file.write(self._segments(loaded))
            for (_, _, _, _, data, *_), offset in zip(self.sections, offsets):
                file.seek(offset)
                file.write(data)
            file.seek(end)
            file.write(b"".join(headers))
        return path

    def _head(self, sections_at, count):
        ident = b"\x7fELF" + bytes([2 if self.is_64 else 1, 1, 1]) + bytes(9)
        shown = count if count < 0xff00 else 0
        names = count - 1 if count < 0xff00 else 0xffff
        if self.is_64:
            return ident + struct.pack("<HHIQQQIHHHHHH", 2, self.machine, 1, TEXT, 64, sections_at, 0, 64, 56, 2, 64,
                                       shown, names)
        return ident + struct.pack("<HHIIIIIHHHHHH", 2, self.machine, 1, TEXT, 52, sections_at, 0x5000400, 52, 32, 2, 40,
                                   shown, names)

    def _segments(self, size):
        note_off, note_size = 0x800, len(self.sections[0][4])
        if self.is_64:
            return (struct.pack("<IIQQQQQQ", 1, 5, 0, BASE, BASE, size, size, PAGE) +
                    struct.pack("<IIQQQQQQ", 4, 4, note_off, BASE + note_off, BASE + note_off, note_size, note_size, 4))
        return (struct.pack("<IIIIIIII", 1, 0, BASE, BASE, size, size, 5, PAGE) +
                struct.pack("<IIIIIIII", 4, note_off, BASE + note_off, BASE + note_off, note_size, note_size, 4, 4))
