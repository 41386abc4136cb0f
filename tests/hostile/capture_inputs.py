# SPDX-License-Identifier: MIT
"""Snapshots, cores, perf.data, pprof, maps of made code and debug information that grow with `n`. As in code_inputs.py."""
import os
import struct
import sys

import table_inputs
from elf_file import ALLOC, BASE, BUILD_ID, EXEC, TEXT, ElfFile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import corefile
import make_seeds as seeds

STACK = seeds.STACK
MADE = 0x10000000
SPACE_SIZE = 1 << 20


def sample(pid, tid, time, pc=TEXT, stack=b""):
    out = struct.pack("<IIQBBHQ", pid, tid, time, ord("R"), 0, 17, 1000000)
    registers = [0] * 17
    registers[7], registers[16] = STACK, pc
    region = seeds.region(STACK, STACK + len(stack), [(0, stack)]) if stack else seeds.region(STACK, STACK, [])
    return seeds.record(seeds.SAMPLE, out + struct.pack("<17Q", *registers) + b"\1" + region)


def mapping(pid, start, size, path=b"/bin/x", build_id=BUILD_ID):
    return seeds.record(seeds.MAP, struct.pack("<IBBBB", pid, 1, 5, 0, len(build_id)) + build_id +
                        struct.pack("<QQQQQ", start, start + size, 0, 0x801, 42) + seeds.text(path))


def written(directory, name, *parts):
    path = os.path.join(directory, name)
    with open(path, "wb") as file:
        for part in parts:
            file.write(part)
    return path


def snapshot(directory, *parts):
    return written(directory, "snap.bin", seeds.file_header(), *parts)


def threads(directory, n):
    body = b"".join(seeds.thread(100 + i) + sample(seeds.PID, 100 + i, 3000 + i, stack=struct.pack("<Q", TEXT + 64)) for i in range(n))
    path = snapshot(directory, seeds.process(), mapping(seeds.PID, BASE, SPACE_SIZE), body)
    return ["cgunwind", "-f", "threads", path], "worker"


def processes(directory, n):
    body = b"".join(seeds.process(100 + i) + mapping(100 + i, BASE, SPACE_SIZE) + seeds.thread(100 + i, pid=100 + i) +
                    sample(100 + i, 100 + i, 3000 + i) for i in range(n))
    return ["cgunwind", snapshot(directory, body)], "x"


def modules(directory, n):
    maps = b"".join(mapping(seeds.PID, 0x10000000 + 0x1000 * i, 0x1000, b"/lib/%d.so" % i, struct.pack("<QQI", i, i, i)) for i in range(n))
    body = b"".join(sample(seeds.PID, 7, 3000 + i, 0x10000010 + 0x1000 * i) for i in range(n))
    return ["cgunwind", snapshot(directory, seeds.process(), maps, seeds.thread(7), body)], ".so"


def mappings_replaced(directory, n):
    maps = b"".join(mapping(seeds.PID, 0x10000000 + 0x800 * i, 0x1000, b"/lib/x.so") for i in range(n))
    return ["cgunwind", snapshot(directory, seeds.process(), maps, seeds.thread(7), sample(seeds.PID, 7, 3000))], "x"


def samples(directory, n):
    """Each with another stack."""
    body = b"".join(sample(seeds.PID, 7, 3000 + i, stack=struct.pack("<8Q", *(TEXT + 16 * (i + k) % 4096 for k in range(8)))) for i in range(n))
    return ["cgunwind", snapshot(directory, seeds.process(), mapping(seeds.PID, BASE, SPACE_SIZE), seeds.thread(7), body)], "x"


def idle_rounds(directory, n):
    """As many threads as rounds in which nothing runs: n records for n²/1000 samples are to cost by records."""
    count = 100
    begin = b"".join(seeds.thread(100 + i) + sample(seeds.PID, 100 + i, 3000) for i in range(count))
    idle = b"".join(seeds.record(seeds.IDLE, struct.pack("<IQI", seeds.PID, 10000 + i, 0)) for i in range(n))
    return ["cgunwind", "-f", "threads", snapshot(directory, seeds.process(), mapping(seeds.PID, BASE, SPACE_SIZE), begin, idle)], "worker"


def deep_stacks(directory, n):
    """A chain of n frames, by frame pointers, of a function that calls itself."""
    code = bytes.fromhex("554889e5 e8f7ffffff 5dc3").ljust(16, b"\xcc")
    returned = TEXT + 16 + 9
    frames = b"".join(struct.pack("<QQ", STACK + 16 * (i + 1), returned) for i in range(n))
    elf = ElfFile()
    elf.section(".text", TEXT, code * 16, flags=ALLOC | EXEC)
    file = elf.write(os.path.join(directory, "x"))
    out = struct.pack("<IIQBBHQ", seeds.PID, 7, 3000, ord("R"), 0, 17, 1000000)
    registers = [0] * 17
    registers[6], registers[7], registers[16] = STACK, STACK, returned
    out += struct.pack("<17Q", *registers) + b"\1" + seeds.region(STACK, STACK + len(frames), [(0, frames)])
    path = snapshot(directory, seeds.process(), mapping(seeds.PID, BASE, SPACE_SIZE), seeds.thread(7), seeds.record(seeds.SAMPLE, out))
    return ["cgunwind", "-f", "chains", "-e", file, path], "#%d " % min(n - 1, 65000)


def tasks(directory, n):
    """Of a board: each waits for what the one before has."""
    stack = seeds.region(0x20000F00, 0x20001000, [(0, bytes(256))])
    body = b"".join(seeds.thread(100 + i, b"task%d" % i) + seeds.task(100 + i, 3000, b"mutex%d" % i, wait=4, lock=0x20000900 + 16 * i, holder=99 + i) +
                    seeds.sample(100 + i, 3000, [stack]) for i in range(n))
    path = written(directory, "snap.bin", seeds.file_header(40, 4), seeds.process(), seeds.board(), body)
    return ["cgunwind", "-f", "waits", path], "mutex1"


def core(threads_count, segments):
    out = corefile.Core(corefile.X86_64)
    registers = [0] * 27
    registers[16], registers[19] = 0x10000000, 0x7f0000000000
    for i in range(threads_count):
        out.thread(7 + i, 11, registers)
    out.info(7, b"x")
    out.load(0x7f0000000000, 0x7f0000001000, corefile.RW, bytes(4096))
    for i in range(segments):
        out.load(0x10000000 + 0x2000 * i, 0x10001000 + 0x2000 * i, corefile.RX, b"\x90" * 16)
    return out.file()


def core_threads(directory, n):
    return ["cgunwind", "-f", "threads", written(directory, "core", core(n, 1))], "main"


def core_notes(directory, n):
    """Of no kind that is known."""
    out = corefile.Core(corefile.X86_64)
    out.thread(7, 11, [0] * 27)
    for _ in range(n):
        out.note(b"NOT", 99, b"")
    out.load(0x7f0000000000, 0x7f0000001000, corefile.RW, bytes(4096))
    return ["cgunwind", "-f", "chains", written(directory, "core", out.file())], "7"


def core_segments(directory, n):
    return ["cgunwind", "-f", "chains", written(directory, "core", core(1, n))], ""


def core_files(directory, n):
    out = corefile.Core(corefile.X86_64)
    registers = [0] * 27
    registers[16], registers[19] = 0x10000000, 0x7f0000000000
    out.thread(7, 11, registers)
    out.info(7, b"x")
    out.files([(0x10000000 + 0x2000 * i, 0x10001000 + 0x2000 * i, 0, b"/lib/%d.so" % i) for i in range(n)])
    out.load(0x7f0000000000, 0x7f0000001000, corefile.RW, bytes(4096))
    return ["cgunwind", "-f", "chains", written(directory, "core", out.file())], ""


def perf(directory, records):
    feature = seeds.perf_record(80, struct.pack("<Q", 6) + seeds.perf_header_text(b"x86_64"))
    attr = seeds.perf_record(64, seeds.perf_attr(seeds.PERF_MASKS[b"x86_64"]) + struct.pack("<Q", 100))
    return written(directory, "perf.data", b"PERFILE2" + struct.pack("<Q", 16), attr, feature, seeds.perf_comm(1), records)


def perf_samples(directory, n):
    return ["cgunwind", perf(directory, seeds.perf_mmap2(2) + b"".join(seeds.perf_sample(10 + i, b"x86_64") for i in range(n)))], "pid 7"


def perf_chain(time, *addrs):
    """A sample without registers and stack, with a chain of user space, the PC first."""
    head = struct.pack("<QIIQQQQ", addrs[0], 7, 7, time, 1000, 1 + len(addrs), (1 << 64) - 512)
    return seeds.perf_record(9, head + struct.pack("<%dQ" % len(addrs), *addrs) + bytes(16), 2)


def perf_mappings(directory, n):
    """With a sample in each."""
    maps = b"".join(seeds.perf_record(1, struct.pack("<IIQQQ", 7, 7, MADE + 0x1000 * i, 0x1000, 0) + seeds.perf_name(b"/lib/%d.so" % i) +
                                      seeds.perf_time(2 + i), 2) for i in range(n))
    body = b"".join(perf_chain(n + 10 + i, MADE + 0x1000 * i) for i in range(n))
    return ["cgunwind", "-f", "folded", perf(directory, maps + body)], "0.so+0x0"


def perf_mappings_replaced(directory, n):
    maps = b"".join(seeds.perf_mmap(2 + i, b"/lib/%d.so" % i) for i in range(n))
    return ["cgunwind", "-f", "folded", perf(directory, maps + perf_chain(n + 10, 0x500004))], "%d.so+0x" % (n - 1)


def perf_chains(directory, n):
    """Each of eight frames, and none of them in two."""
    body = b"".join(perf_chain(10 + i, *(0x400000 + (8 * i + k) * 4 for k in range(8))) for i in range(n))
    mmap = seeds.perf_record(1, struct.pack("<IIQQQ", 7, 7, 0x400000, 64 * n, 0) + seeds.perf_name(b"/bin/x") + seeds.perf_time(2), 2)
    return ["cgunwind", "-f", "folded", perf(directory, mmap + body)], "x+0x20"


def perf_processes(directory, n):
    body = b"".join(seeds.perf_comm(2 + i, pid=100 + i) + seeds.perf_sample(2 + i, b"x86_64", 100 + i) for i in range(n))
    return ["cgunwind", perf(directory, body)], ""


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def message(*fields):
    return b"".join(field(*item) for item in fields)


def pprof(directory, n, depth):
    """n functions; as many samples, each of `depth` of them."""
    texts = b"".join(field(6, text) for text in (b"", b"samples", b"count"))
    texts += b"".join(field(6, b"function_%d" % i) for i in range(n))
    functions = b"".join(field(5, message((1, i + 1), (2, 3 + i))) for i in range(n))
    locations = b"".join(field(4, message((1, i + 1), (4, message((1, i + 1))))) for i in range(n))
    stacks = b"".join(field(2, message((1, b"".join(varint((i * 7 + k * 31) % n + 1) for k in range(depth))), (2, b"\1")))
                      for i in range(n))
    return written(directory, "profile.pb", field(1, message((1, 1), (2, 2))), stacks, locations, functions, texts)


def pprof_tree(directory, n):
    return ["cgunwind", "-f", "folded", pprof(directory, n, 4)], "function_1"


def pprof_page(directory, n):
    return ["cgunwind", "-f", "html", pprof(directory, n, 4)], ""


def pprof_top(directory, n):
    return ["cgunwind", "-f", "top", pprof(directory, n, 4)], "more)"


def made(directory, n, text, told):
    """What a perf map says of made code, and a sample in it."""
    path = written(directory, "perf-7.map", text)
    snap = snapshot(directory, seeds.process(), seeds.record(seeds.MAP, struct.pack("<IBBBB", seeds.PID, 3, 7, 0, 0) + struct.pack(
        "<QQQQQ", MADE, MADE + 16 * n + 4096, 0, 0, 0) + seeds.text(b"[anon]")), seeds.thread(7),
                    sample(seeds.PID, 7, 3000, 0x10000008))
    return ["cgunwind", "--perf-map", path, snap], told


def perf_map(directory, n):
    return made(directory, n, b"".join(b"%x 10 made_%d\n" % (MADE + 16 * i, i) for i in range(n)), "made_0")


def perf_map_overlaps(directory, n):
    """Each function lies within the one before it."""
    return made(directory, n, b"".join(b"%x %x made_%d\n" % (MADE + i, 32 + 2 * (n - i), i) for i in range(n)), "made_8")


def names(directory, n, name):
    """n functions with a name each that costs much to demangle, and a sample in each."""
    elf = table_inputs.with_code(n)
    elf.symbols([name % (len(b"f%d" % i), b"f%d" % i) for i in range(n)], [TEXT + 16 * i for i in range(n)])
    body = b"".join(sample(seeds.PID, 7, 3000 + i, TEXT + 16 * i) for i in range(n))
    snap = snapshot(directory, seeds.process(), mapping(seeds.PID, BASE, 1 << 30), seeds.thread(7), body)
    return ["cgunwind", "-f", "folded", "-e", elf.write(os.path.join(directory, "x")), snap], "f0<"


def names_with_arguments(directory, n):
    return names(directory, n, b"_Z%d%bI" + b"PKc" * 300 + b"EvT_")


def debug_file(directory, info, abbrevs, line=b"", ranges=b""):
    elf = ElfFile()
    elf.section(".text", TEXT, table_inputs.FRAME * 4096, flags=ALLOC | EXEC)
    for name, data in ((".debug_info", info), (".debug_abbrev", abbrevs), (".debug_line", line), (".debug_ranges", ranges)):
        if data:
            elf.section(name, 0, data)
    file = elf.write(os.path.join(directory, "x"))
    return file, snapshot(directory, seeds.process(), mapping(seeds.PID, BASE, SPACE_SIZE), seeds.thread(7), sample(seeds.PID, 7, 3000))


UNIT = seeds.abbrev(1, 0x11, 1, 3, 8, 0x10, 6, 0x11, 1, 0x12, 6)


def unit_head(line=0):
    return b"\x01a.c\0" + struct.pack("<IQI", line, TEXT, 4096 * 16)


def dies(directory, n):
    """Functions of a byte each."""
    abbrevs = UNIT + seeds.abbrev(2, 0x2e, 0, 3, 8, 0x11, 1, 0x12, 6) + b"\0"
    body = b"".join(b"\x02f%d\0" % i + struct.pack("<QI", TEXT + i % 65536, 1) for i in range(n))
    file, snap = debug_file(directory, seeds.unit(4, unit_head() + body + b"\0"), abbrevs, seeds.line_program(4))
    return ["cgunwind", "-e", file, snap], "f0"


def nested_dies(directory, n):
    """Blocks in blocks."""
    abbrevs = UNIT + seeds.abbrev(2, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 6) + seeds.abbrev(3, 0x0b, 1) + b"\0"
    body = b"\x02f0\0" + struct.pack("<QI", TEXT, 16) + b"\x03" * n + b"\0" * n + b"\0"
    file, snap = debug_file(directory, seeds.unit(4, unit_head() + body + b"\0"), abbrevs, seeds.line_program(4))
    return ["cgunwind", "-e", file, snap], "x"


def abbrevs(directory, n):
    many = b"".join(seeds.uleb(10 + i) + b"\x2e\0\x03\x08\0\0" for i in range(n))
    body = b"".join(seeds.uleb(10 + i) + b"g\0" for i in range(n))
    file, snap = debug_file(directory, seeds.unit(4, unit_head() + body + b"\0"), UNIT + many + b"\0", seeds.line_program(4))
    return ["cgunwind", "-e", file, snap], "x"


def units(directory, n):
    abbrev_table = UNIT + b"\0"
    file, snap = debug_file(directory, seeds.unit(4, unit_head() + b"\0") * n, abbrev_table, seeds.line_program(4))
    return ["cgunwind", "-e", file, snap], "x"


def line_rows(directory, n):
    """A row for each byte, from the sample's on."""
    head = bytes([1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1]) + b"\0a.c\0\0\0\0\0"
    program = bytes([0, 9, 2]) + struct.pack("<Q", TEXT) + bytes([1]) + bytes([2, 1, 3, 1, 1]) * n + bytes([2, 1, 0, 1, 1])
    body = struct.pack("<H", 4) + struct.pack("<I", len(head)) + head + program
    abbrev_table = UNIT + b"\0"
    file, snap = debug_file(directory, seeds.unit(4, unit_head() + b"\0"), abbrev_table, struct.pack("<I", len(body)) + body)
    return ["cgunwind", "--by", "line", "-e", file, snap], "a.c"


def ranges(directory, n):
    """A function in n pieces."""
    abbrev_table = UNIT + seeds.abbrev(2, 0x2e, 0, 3, 8, 0x55, 0x17) + b"\0"
    body = b"\x02f0\0" + struct.pack("<I", 0)
    table = b"".join(struct.pack("<QQ", 2 * i % 65536, 2 * i % 65536 + 1) for i in range(n)) + bytes(16)
    file, snap = debug_file(directory, seeds.unit(4, unit_head() + body + b"\0"), abbrev_table, seeds.line_program(4), table)
    return ["cgunwind", "-e", file, snap], "f0"


INPUTS = {threads: 600, processes: 300, modules: 300, mappings_replaced: 10000, samples: 3000, idle_rounds: 1000,
          deep_stacks: 600, tasks: 300, core_threads: 600, core_notes: 20000, core_segments: 2000, core_files: 2000,
          perf_samples: 3000, perf_mappings: 1000, perf_mappings_replaced: 3000, perf_chains: 1000,
          perf_processes: 3000, pprof_tree: 5000, pprof_page: 5000, pprof_top: 5000, perf_map: 5000,
          perf_map_overlaps: 5000, names_with_arguments: 50, dies: 10000, nested_dies: 50000, abbrevs: 20000,
          units: 3000, line_rows: 50000, ranges: 20000}
