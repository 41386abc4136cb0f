# SPDX-License-Identifier: MIT
"""snap.bin as a header and a list of records, to be taken apart and put together anew by the
tests."""

import struct
import zlib

HEADER_SIZE = 32
HEAD_SIZE = 12
REQUIRED = 1
(PROCESS, MAP, UNMAP, CODE, THREAD, THREAD_END, SAMPLE, REPEAT, IDLE, LOSS, SUMMARY, CREATION,
 WAIT, UNCHANGED, TICK, NAMES) = range(1, 17)
SYMBOL_FILE, POINTEES, USAGE = 18, 20, 24

LOST_TICKS = 6  # a LOSS's reason

# Where in its payload a record of the type has its time.
TIME_OFFSET = {SAMPLE: 8, REPEAT: 4, IDLE: 4, CREATION: 8, WAIT: 8, TICK: 8, LOSS: 8, POINTEES: 8,
               USAGE: 4}


def record(kind, payload, flags=REQUIRED, length=None, crc=None):
    """One record; `length` and `crc` other than the right ones on demand."""
    head = struct.pack("<HHI", kind, flags, len(payload) if length is None else length)
    right = zlib.crc32(payload, zlib.crc32(head))
    return head + struct.pack("<I", right if crc is None else crc) + payload


def header(major=1, order=1, word=8, machine=62, crc=None, minor=1):
    text = b"\x89CGSNAP\n" + struct.pack("<HHBBHQI", major, minor, order, word, machine, 0, 0)
    return text + struct.pack("<I", zlib.crc32(text) if crc is None else crc)


class Record:
    def __init__(self, data, offset):
        self.kind, self.flags, length = struct.unpack_from("<HHI", data, offset)
        self.offset, self.end = offset, offset + HEAD_SIZE + length
        self.payload = data[offset + HEAD_SIZE : self.end]

    def encode(self):
        return record(self.kind, self.payload, self.flags)


class Snapshot:
    """A whole, sound snapshot's bytes as records."""

    def __init__(self, data):
        self.data, self.header, self.records = data, data[:HEADER_SIZE], []
        offset = HEADER_SIZE
        while offset < len(data):
            self.records.append(Record(data, offset))
            offset = self.records[-1].end

    def samples_before(self, offset):
        """How many samples a reader delivers from the whole records before `offset`."""
        owner, last, count = {}, {}, 0  # by tid: its process, the time of its last sample
        for item in self.records:
            if item.end > offset:
                break
            words = struct.unpack_from("<II", item.payload)
            if item.kind == THREAD:
                owner[words[1]] = words[0]
            elif item.kind == THREAD_END:
                last.pop(words[1], None)
            elif item.kind == SAMPLE:
                last[words[1]] = time_of(item)
                count += 1
            elif item.kind == REPEAT:
                last[words[0]] = time_of(item)
                count += 1
            elif item.kind == IDLE:
                idle = idle_threads(item, owner, last)
                last.update((tid, time_of(item)) for tid in idle)
                count += len(idle)
        return count


def time_of(item):
    return struct.unpack_from("<Q", item.payload, TIME_OFFSET[item.kind])[0]


def idle_threads(item, owner, last):
    """The threads whose sample an IDLE record repeats."""
    pid, time, exceptions = struct.unpack_from("<IQI", item.payload)
    named = struct.unpack_from("<%dI" % exceptions, item.payload, 16)
    idle = [tid for tid in last if owner[tid] == pid and last[tid] < time]
    return [tid for tid in idle if tid not in named]


def shifted(item, delta_ns):
    """The record with its time moved on; only for types in TIME_OFFSET."""
    offset = TIME_OFFSET[item.kind]
    time = struct.pack("<Q", time_of(item) + delta_ns)
    payload = item.payload[:offset] + time + item.payload[offset + 8 :]
    return record(item.kind, payload, item.flags)
