# SPDX-License-Identifier: MIT
"""Real ELF cores with parts taken out, as other dumpers and filters leave them out.

    core = Rewritten("core")
    core.drop_first_pages()                  what begins with an ELF header
    core.drop_notes(corefile.FILE, corefile.AUXV)
    core.drop_code()                         what may be executed
    core.wipe_build_ids()
    core.poke(address, bytes)
    core.write("core.bare")

32 and 64 bits, little-endian. The file is written anew: segments without content keep their place
in the list, as the kernel does it.
"""

import struct

from corefile import AT_SYSINFO_EHDR, AUXV, PT_LOAD, PT_NOTE

EXECUTABLE = 1
BUILD_ID_TYPE = 3


class Segment:
    def __init__(self, kind, flags, address, size, data):
        self.kind, self.flags, self.address = kind, flags, address
        self.size, self.data = size, bytearray(data)


def build_id_notes(data):
    """Offsets of notes in memory that are build-ids: name size 4, some size, type 3, "GNU"."""
    at = data.find(b"GNU\0", 12)
    while at >= 0:
        name_size, _, kind = struct.unpack_from("<III", data, at - 12)
        if (name_size, kind) == (4, BUILD_ID_TYPE):
            yield at - 12
        at = data.find(b"GNU\0", at + 1)


class Rewritten:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.is_64 = self.bytes[4] == 2
        self.word = "Q" if self.is_64 else "I"
        self.segments = [self._segment(i) for i in range(self._count())]

    def _count(self):
        return struct.unpack_from("<H", self.bytes, 56 if self.is_64 else 44)[0]

    def _segment(self, index):
        start = 64 + index * 56 if self.is_64 else 52 + index * 32
        if self.is_64:
            kind, flags, off, address, _, held, size, _ = struct.unpack_from(
                "<IIQQQQQQ", self.bytes, start)
        else:
            kind, off, address, _, held, size, flags, _ = struct.unpack_from(
                "<IIIIIIII", self.bytes, start)
        return Segment(kind, flags, address, size, self.bytes[off:off + held])

    def loads(self):
        return [segment for segment in self.segments if segment.kind == PT_LOAD]

    def notes(self):
        """(type, description, the whole note) of each."""
        for segment in self.segments:
            at = 0
            while segment.kind == PT_NOTE and at + 12 <= len(segment.data):
                name_size, size, kind = struct.unpack_from("<III", segment.data, at)
                begin = at + 12 + (name_size + 3 & ~3)
                end = begin + (size + 3 & ~3)
                yield kind, bytes(segment.data[begin:begin + size]), bytes(segment.data[at:end])
                at = end

    def drop_notes(self, *kinds):
        kept = b"".join(whole for kind, _, whole in self.notes() if kind not in kinds)
        notes = [segment for segment in self.segments if segment.kind == PT_NOTE]
        for segment in notes:
            segment.data = bytearray()
        notes[0].data = bytearray(kept)

    def vdso(self):
        """AT_SYSINFO_EHDR, or 0."""
        for kind, data, _ in self.notes():
            if kind == AUXV:
                words = struct.unpack("<%d%s" % (len(data) // (8 if self.is_64 else 4), self.word),
                                      data)
                return dict(zip(words[::2], words[1::2])).get(AT_SYSINFO_EHDR, 0)
        return 0

    def drop_first_pages(self):
        """But for the vDSO's, which is no file."""
        vdso = self.vdso()
        dropped = [load for load in self.loads()
                   if load.data[:4] == b"\x7fELF" and load.address != vdso]
        for load in dropped:
            load.data = bytearray()
        return len(dropped)

    def drop_code(self):
        for load in self.loads():
            if load.flags & EXECUTABLE:
                load.data = bytearray()

    def wipe_build_ids(self):
        """They become notes of another type."""
        wiped = 0
        for load in self.loads():
            if load.data[:4] == b"\x7fELF":
                for at in list(build_id_notes(load.data)):
                    load.data[at + 8:at + 12] = struct.pack("<I", 0x7F)
                    wiped += 1
        return wiped

    def load_of(self, address):
        for load in self.loads():
            if load.address <= address < load.address + len(load.data):
                return load
        raise KeyError("0x%x is not in the core" % address)

    def peek_words(self, address, count):
        load = self.load_of(address)
        return struct.unpack_from("<%d%s" % (count, self.word), load.data, address - load.address)

    def poke(self, address, data):
        load = self.load_of(address)
        at = address - load.address
        load.data[at:at + len(data)] = data

    def poke_word(self, address, value):
        self.poke(address, struct.pack("<" + self.word, value))

    def write(self, path):
        head, entry = (64, 56) if self.is_64 else (52, 32)
        out = bytearray(self.bytes[:head])
        off = head + len(self.segments) * entry
        for segment in self.segments:
            held = len(segment.data)
            if self.is_64:
                out += struct.pack("<IIQQQQQQ", segment.kind, segment.flags, off, segment.address,
                                   0, held, segment.size, 1)
            else:
                out += struct.pack("<IIIIIIII", segment.kind, off, segment.address, 0, held,
                                   segment.size, segment.flags, 1)
            off += held
        # no section headers: their number does not matter
        struct.pack_into("<" + self.word, out, 40 if self.is_64 else 32, 0)
        with open(path, "wb") as file:
            file.write(out)
            for segment in self.segments:
                file.write(segment.data)
        return path
