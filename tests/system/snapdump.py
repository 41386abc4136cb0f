#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second reader of snap.bin, written from src/snapshot/FORMAT.md alone, for the tests.

    snapdump.py FILE            one line of JSON for each record, then one {"type": "end", ...}
    snapdump.py --stacks FILE   the same, with the restored stack bytes in hexadecimal
    snapdump.py --check FILE    only the last line

Every checksum is verified and every stack restored. Exit status 0: well-formed (complete, or cut short
in the middle of a record); 1: not.
"""
import json
import struct
import sys
import zlib

MAGIC = b"\x89CGSNAP\n"
NAMES = {1: "process", 2: "map", 3: "unmap", 4: "code", 5: "thread", 6: "thread_end", 7: "sample",
         8: "repeat", 9: "idle", 10: "loss", 11: "summary", 12: "creation", 13: "wait",
         14: "unchanged", 15: "tick", 16: "names",
         17: "file", 18: "symbol_file", 19: "file_part", 20: "pointees",
         21: "board", 22: "system", 23: "task", 24: "usage"}
REQUIRED = {1, 2, 3, 5, 6, 7, 8, 9}
REG_COUNT = {62: 17, 3: 9, 40: 17, 183: 33, 243: 33}
BOARD_REGS = {40: 2, 243: 1}  # that boards have besides


class Bad(Exception):
    pass


class Fields:
    """The payload of a record, field after field."""

    def __init__(self, data):
        self.data, self.pos = data, 0

    def raw(self, size):
        if size > len(self.data) - self.pos:
            raise Bad("record is too short")
        self.pos += size
        return self.data[self.pos - size:self.pos]

    def num(self, size, signed=False):
        return int.from_bytes(self.raw(size), "little", signed=signed)

    def u8(self):
        return self.num(1)

    def u16(self):
        return self.num(2)

    def u32(self):
        return self.num(4)

    def u64(self):
        return self.num(8)

    def str(self):
        return self.raw(self.u16()).decode("utf-8", "backslashreplace")

    def bytes(self):
        return self.raw(self.u32())


class Stack:
    """The regions of a thread's last sample."""

    def __init__(self):
        self.regions = []  # (start, bytearray)

    def copy_into(self, start, data, known):
        """Fills what `known` says is missing from the old regions; what stays missing is an error."""
        end = start + len(data)
        for old_start, old in self.regions:
            low, high = max(start, old_start), min(end, old_start + len(old))
            if low < high:
                data[low - start:high - start] = old[low - old_start:high - old_start]
                known[low - start:high - start] = b"\1" * (high - low)


class Reader:
    def __init__(self, stream, stacks=False):
        self.stream, self.stacks = stream, stacks
        self.pids, self.threads, self.kept = set(), {}, {}
        self.last_time, self.repeats = {}, 0  # time of a thread's last sample or repeat
        self.pointees_of = {}  # a thread's last POINTEES: [(start, bytes)]
        self.pointees_time = {}  # the SAMPLE that it is to be followed by
        self.waits = {}  # how many WAITs of a thread wait for their sample or repeat
        self.counts = dict.fromkeys(NAMES.values(), 0)
        self.seen_threads = set()
        self.ended = 0
        self.last = None
        self.stack_bytes = 0
        self.offset = 0
        self.files = []  # [size, how much of it there is]
        self.boards = set()  # pids
        self.usage_of = {}  # by pid: the time and the CPU time of its last USAGE
        self.named = {}  # by pid: how much of the file of names was told
        self.symbol_part = None  # of the symbol file that is not whole: pid, address, size, how much is there

    def header(self):
        data = self.stream.read(32)
        if len(data) < 32:
            raise Bad("no header")
        if data[:8] != MAGIC:
            raise Bad("wrong magic")
        major, minor, order, word, machine, clock, features, crc = struct.unpack("<HHBBHQII", data[8:])
        # Minor version 0 had no CREATION and no WAIT.
        if (major, order) != (1, 1) or features > 1 or minor > 9 or zlib.crc32(data[:28]) != crc:
            raise Bad("bad header")
        self.machine, self.minor, self.offset = machine, minor, 32
        self.has_files = features == 1
        return {"type": "header", "word": word, "machine": machine, "clock": clock}

    def records(self):
        """Yields each whole record; ends where the stream ends or is cut."""
        while True:
            head = self.stream.read(12)
            if len(head) < 12:
                self.cut = bool(head) or self.last != "summary"
                return
            kind, flags, length, crc = struct.unpack("<HHII", head)
            if length > 32 << 20:
                raise Bad("record too long")
            payload = self.stream.read(length)
            if len(payload) < length:
                self.cut = True
                return
            if zlib.crc32(payload, zlib.crc32(head[:8])) != crc:
                raise Bad("wrong CRC")
            if kind not in NAMES:
                raise Bad(f"unknown type {kind}")
            if flags != (1 if kind in REQUIRED else 0):
                raise Bad(f"type {kind}: flags {flags}")
            if self.last == "summary":
                raise Bad("a record after the summary")
            name = NAMES[kind]
            fields = Fields(payload)
            record = {"type": name, "offset": self.offset, "size": 12 + length}
            record.update(getattr(self, name)(fields))
            if fields.pos != length:
                raise Bad(f"{name}: {length - fields.pos} bytes too many")
            self.counts[name] += 1
            self.last = name
            self.offset += 12 + length
            yield record

    def need(self, condition, what):
        if not condition:
            raise Bad(what)

    def forget(self, tid):
        for known in (self.kept, self.last_time, self.waits, self.pointees_of, self.pointees_time):
            known.pop(tid, None)

    def process(self, f):
        r = {"pid": f.u32(), "ppid": f.u32(), "time": f.u64(), "page": f.u32(), "word": f.u32(),
             "pac": f.u64(), "exe": f.str(), "cmdline": f.bytes().decode("utf-8", "replace"),
             "auxv": len(f.bytes()), "host": f.str(), "kernel": f.str()}
        r["whole"] = bool(f.u8() & 1) if self.minor else False
        self.pids.add(r["pid"])
        self.usage_of.pop(r["pid"], None)
        for tid in [t for t, pid in self.threads.items() if pid == r["pid"]]:
            del self.threads[tid]
            self.forget(tid)
        return r

    def map(self, f):
        r = {"pid": f.u32(), "kind": f.u8(), "prot": f.u8(), "flags": f.u8()}
        size = f.u8()
        self.need(size <= 64, "build-id too long")
        r["build_id"] = f.raw(size).hex()
        r.update(start=f.u64(), end=f.u64(), file_off=f.u64(), dev=f.u64(), inode=f.u64(),
                 path=f.str())
        self.need(r["pid"] in self.pids and r["start"] < r["end"], "bad map")
        return r

    def unmap(self, f):
        r = {"pid": f.u32(), "start": f.u64(), "end": f.u64()}
        self.need(r["pid"] in self.pids and r["start"] < r["end"], "bad unmap")
        return r

    def code(self, f):
        return {"pid": f.u32(), "start": f.u64(), "bytes": len(f.bytes())}

    def thread(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "start": f.u64(), "name": f.str()}
        r["inner_tid"] = f.u32() if self.minor else 0
        self.need(r["pid"] in self.pids, "thread of an unknown process")
        self.threads[r["tid"]] = r["pid"]
        self.seen_threads.add((r["tid"], r["start"]))
        return r

    def thread_end(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64()}
        self.need(r["tid"] in self.threads, "end of an unknown thread")
        del self.threads[r["tid"]]
        self.forget(r["tid"])
        self.ended += 1
        return r

    def stack(self, f, tid):
        """The regions as they are shown, as a Stack, and how many bytes were written for them."""
        regions = f.u8()
        self.need(1 <= regions <= 4, "region count")
        old, new, shown, written = self.kept.get(tid, Stack()), Stack(), [], 0
        for _ in range(regions):
            start, end, map_end, runs = f.u64(), f.u64(), f.u64(), f.u32()
            self.need(start <= end <= map_end and end - start <= 16 << 20, "bad region")
            data, known = bytearray(end - start), bytearray(end - start)
            old.copy_into(start, data, known)
            low = 0
            for _ in range(runs):
                off = f.u32()
                run = f.bytes()
                self.need(low <= off and off + len(run) <= end - start, "bad run")
                data[off:off + len(run)] = run
                known[off:off + len(run)] = b"\1" * len(run)
                low, written = off + len(run), written + len(run)
            self.need(all(known), "a stack byte was never written")
            for other, other_data in new.regions:
                self.need(end <= other or start >= other + len(other_data), "regions overlap")
            new.regions.append((start, data))
            region = {"start": start, "end": end, "map_end": map_end, "runs": runs}
            if self.stacks:
                region["bytes"] = data.hex()
            shown.append(region)
        return shown, new, written

    def creation(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "new_pid": f.u32(),
             "new_tid": f.u32()}
        count = f.u16()
        self.need(self.threads.get(r["tid"]) == r["pid"], "creation by an unknown thread")
        self.need(self.threads.get(r["new_tid"]) == r["new_pid"], "creation of an unknown thread")
        self.need(r["new_tid"] not in self.kept, "creation of a thread that has a sample")
        self.need(count == REG_COUNT[self.machine], "register count")
        self.need(self.last_time.get(r["tid"], 0) <= r["time"], "a thread's time goes backwards")
        r["regs"] = [f.u64() for _ in range(count)]
        r["regions"], _, r["written"] = self.stack(f, r["tid"])
        return r

    def tick(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "cpu_ns": f.u64()}
        count = f.u16()
        self.need(self.threads.get(r["tid"]) == r["pid"], "tick of an unknown thread")
        # ARM's cpsr is the only register that may be missing.
        self.need(REG_COUNT[self.machine] - (self.machine == 40) <= count <= REG_COUNT[self.machine],
                  "register count")
        r["regs"] = [f.u64() for _ in range(count)]
        r["regions"], _, r["written"] = self.stack(f, r["tid"])
        return r

    def wait(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "kind": f.u8()}
        self.need(self.threads.get(r["tid"]) == r["pid"], "wait of an unknown thread")
        self.need(r["kind"] in (1, 2), "wait of an unknown kind")
        if r["kind"] == 1:
            r["start"], content = f.u64(), f.bytes()
            r.update(bytes=content.hex(), place=f.u8(), map_start=f.u64(), map_end=f.u64(),
                     file=f.u64(), path=f.str())
            self.need(len(content) <= 4096 and r["place"] <= 4, "bad wait")
            if r["map_end"]:
                self.need(r["map_start"] <= r["start"], "wait begins before its mapping")
                self.need(r["start"] + len(content) <= r["map_end"], "wait ends behind its mapping")
            self.need(bool(r["path"]) == (r["place"] == 1), "wait: a path and no file")
        else:
            r.update(fd=f.u32(), link=f.str())
        self.waits[r["tid"]] = self.waits.get(r["tid"], 0) + 1
        self.need(self.waits[r["tid"]] <= 16, "too many waits")
        return r

    def pointees(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "pieces": [], "written": 0}
        self.need(self.threads.get(r["tid"]) == r["pid"], "pointees of an unknown thread")
        pieces, end = [], 0
        count = f.u16()
        self.need(0 < count <= 1024, "pointees: count")
        for _ in range(count):
            start, size, kind = f.u64(), f.u32(), f.u8()
            self.need(size and start >= end and kind <= 1, "bad pointee")
            if kind:
                data = next((data[start - old:start - old + size] for old, data in self.pointees_of.get(r["tid"], ())
                             if old <= start and start + size <= old + len(data)), None)
                self.need(data is not None, "a pointee was never written")
            else:
                data = f.raw(size)
                r["written"] += size
            end = start + size
            pieces.append((start, data))
            r["pieces"].append({"start": start, "size": size, "known": bool(kind)})
            if self.stacks:
                r["pieces"][-1]["bytes"] = data.hex()
        self.need(sum(len(data) for _, data in pieces) <= 65536, "too many pointees")
        self.pointees_of[r["tid"]], self.pointees_time[r["tid"]] = pieces, r["time"]
        return r

    def check_pointees(self, r):
        """Those that precede a sample are of its time, and none of its stack."""
        time = self.pointees_time.pop(r["tid"], None)
        self.need(time is None or time <= r["time"], "pointees of a later time")
        for start, data in self.pointees_of.get(r["tid"], ()) if time == r["time"] else ():
            for region in r["regions"]:
                self.need(start + len(data) <= region["start"] or start >= region["end"], "a pointee is of the stack")

    def unchanged(self, f):
        r = {"pid": f.u32(), "time": f.u64()}
        r["tids"] = [f.u32() for _ in range(f.u32())]
        self.need(r["tids"], "unchanged: no thread")
        for tid in r["tids"]:
            self.need(self.threads.get(tid) == r["pid"], "an unknown thread is unchanged")
        return r

    def file(self, f):
        r = {"number": f.u32(), "kind": f.u8(), "build_id": f.raw(f.u8()).hex(), "size": f.u64(), "written": f.u64(),
             "path": f.str(), "place": f.str(), "dev": f.u64(), "inode": f.u64()}
        self.need(self.has_files, "a file that the header does not promise")
        self.need(r["number"] == len(self.files) and 1 <= r["kind"] <= 3, "file of a wrong number or kind")
        self.files.append([r["size"], 0])
        return r

    def file_part(self, f):
        r = {"number": f.u32(), "off": f.u64(), "size": f.u32(), "coding": f.u8()}
        content = f.bytes()
        self.need(r["number"] == len(self.files) - 1 and r["off"] == self.files[-1][1], "a part of another file or place")
        self.need(0 < r["size"] <= 131072 and r["size"] <= self.files[-1][0] - r["off"], "a part of wrong size")
        self.need(r["coding"] == 1 or len(content) == r["size"], "a part that is not as long as it says")
        self.files[-1][1] += r["size"]
        return r

    def symbol_file(self, f):
        r = {"pid": f.u32(), "time": f.u64(), "addr": f.u64(), "file_size": f.u64(), "off": f.u64()}
        content = f.bytes()
        r["length"] = len(content)
        self.need(r["pid"] in self.pids, "a symbol file of an unknown process")
        self.need(content and r["off"] + len(content) <= r["file_size"], "a part outside its symbol file")
        begun = (r["pid"], r["addr"], r["file_size"], r["off"])
        self.need(r["off"] == 0 or begun == self.symbol_part, "a part that does not follow the one before")
        self.symbol_part = begun[:3] + (r["off"] + len(content),)
        return r

    def board(self, f):
        r = {"pid": f.u32(), "time": f.u64(), "profile": f.u8(), "vectors": f.u64(), "initial_sp": f.u64(),
             "reset": f.u64(), "machine": f.str()}
        self.need(r["pid"] in self.pids and r["profile"] <= 2, "bad board")
        self.boards.add(r["pid"])
        return r

    def system(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64()}
        r["registers"] = [(f.u32(), f.u64()) for _ in range(f.u16())]
        self.need(r["tid"] in self.threads and 0 < len(r["registers"]) <= 64, "bad system registers")
        return r

    def task(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "handle": f.u64(), "priority": f.u32(),
             "own_priority": f.u32(), "state": f.u8(), "wait": f.u8(), "flags": f.u8(), "stack": f.u64(),
             "stack_end": f.u64(), "stack_used": f.u64(), "object": f.u64(), "holder": f.u32(), "wake": f.u64(),
             "object_name": f.str(), "system": f.str(), "tick": f.u64()}
        self.need(r["tid"] in self.threads and r["state"] <= 5 and r["wait"] <= 7, "bad task")
        return r

    def names(self, f):
        r = {"pid": f.u32(), "time": f.u64(), "off": f.u64()}
        text = f.bytes()
        self.need(r["pid"] in self.pids, "names of an unknown process")
        self.need(r["off"] in (0, self.named.get(r["pid"], 0)), "names that do not follow the part before")
        self.need(text, "no names")
        self.named[r["pid"]] = r["off"] + len(text)
        r["text"] = text.decode("utf-8", "backslashreplace")
        return r

    def sample(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "state": chr(f.u8())}
        flags, count = f.u8(), f.u16()
        self.need(self.threads.get(r["tid"]) == r["pid"], "sample of an unknown thread")
        plain, more = REG_COUNT[self.machine], BOARD_REGS.get(self.machine, 0)
        self.need(count in (plain, plain + more), "register count")
        r["cpu"] = f.u64()
        if flags & 1:
            r["syscall"] = f.num(8, signed=True)
            r["args"] = [f.u64() for _ in range(6)]
        r["disturbed"], r["ready"] = bool(flags & 2), bool(flags & 8)
        self.need(not r["ready"] or r["state"] == "R", "ready, and not runnable")
        r["regs"] = [f.u64() for _ in range(count)]
        r["regions"], new, r["written"] = self.stack(f, r["tid"])
        r["stack_map"] = f.u64() if self.minor else 0
        r["delay"] = f.u64() if self.minor > 1 else 0
        r["goroutine"] = f.u8() if self.minor > 3 else 0
        self.need(r["goroutine"] <= 2, "goroutine")
        if r["goroutine"] == 2:
            r["left"] = [f.u64() for _ in range(3)]
        r["number"] = f.u64() if self.minor > 5 else 0
        r["unknown"] = f.u64() if self.minor > 7 and f.pos < len(f.data) else 0
        self.check_pointees(r)
        self.kept[r["tid"]] = new
        self.need(self.last_time.get(r["tid"], 0) <= r["time"], "a thread's time goes backwards")
        self.last_time[r["tid"]] = r["time"]
        self.stack_bytes += r["written"]
        r["waits"] = self.waits.pop(r["tid"], 0)
        return r

    def repeat(self, f):
        r = {"tid": f.u32(), "time": f.u64()}
        self.need(r["tid"] in self.kept, "repeat without a sample")
        self.need(self.last_time[r["tid"]] <= r["time"], "a thread's time goes backwards")
        self.last_time[r["tid"]] = r["time"]
        self.waits.pop(r["tid"], 0)
        self.repeats += 1
        return r

    def idle(self, f):
        r = {"pid": f.u32(), "time": f.u64()}
        r["except"] = [f.u32() for _ in range(f.u32())]
        self.need(r["pid"] in self.pids, "idle of an unknown process")
        for tid in self.kept:
            if self.threads[tid] == r["pid"] and self.last_time[tid] < r["time"] \
                    and tid not in r["except"]:
                self.last_time[tid] = r["time"]
                self.waits.pop(tid, 0)
                self.repeats += 1
        return r

    def loss(self, f):
        r = {"pid": f.u32(), "tid": f.u32(), "time": f.u64(), "count": f.u32(), "reason": f.u32()}
        self.need(1 <= r["reason"] <= 6 and r["count"], "bad loss")
        return r

    def usage(self, f):
        r = {"pid": f.u32(), "time": f.u64(), "cpu": f.u64(), "period": f.u64()}
        time, cpu = self.usage_of.get(r["pid"], (0, 0))
        self.need(r["pid"] in self.pids, "usage of an unknown process")
        self.need(r["time"] >= time and r["cpu"] >= cpu, "usage goes backwards")
        self.usage_of[r["pid"]] = r["time"], r["cpu"]
        return r

    def summary(self, f):
        names = ("time samples repeats lost rounds rate_asked rate_reached stopped stopped_max "
                 "bytes").split()
        r = {name: f.u64() for name in names}
        r["end"] = f.u32()
        self.need(r["bytes"] == self.offset, "summary: wrong size of the file")
        self.need(r["samples"] == self.counts["sample"], "summary: wrong number of samples")
        self.need(r["repeats"] == self.repeats, "summary: wrong number of repeats")
        return r

    def end(self):
        return {"type": "end", "cut": self.cut, "bytes": self.offset, "ended": self.ended,
                "threads": len(self.seen_threads), "stack_bytes": self.stack_bytes,
                "repeats": self.repeats, "counts": self.counts}


def main():
    args = sys.argv[1:]
    mode = args.pop(0) if args and args[0].startswith("--") else ""
    if len(args) != 1 or mode not in ("", "--check", "--stacks"):
        print(__doc__, file=sys.stderr)
        return 2
    stream = sys.stdin.buffer if args[0] == "-" else open(args[0], "rb")
    reader = Reader(stream, mode == "--stacks")
    show = (lambda record: None) if mode == "--check" else (lambda record: print(json.dumps(record)))
    try:
        show(reader.header())
        for record in reader.records():
            show(record)
    except Bad as error:
        print(json.dumps({"type": "bad", "offset": reader.offset, "what": str(error)}))
        return 1
    print(json.dumps(reader.end()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
