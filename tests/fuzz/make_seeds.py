#!/usr/bin/env python3
"""Writes the fuzz targets' seeds to seeds/<target>/ beside this script.

Usage: tests/fuzz/make_seeds.py

Snapshots are built from src/snapshot/FORMAT.md, call frame information from DWARF 5 section 6.4 and LSB Core 10.6, code
by hand: no seed depends on a tool or on this project's own writers. Running it again writes the same bytes. Inputs that
once crashed a target are kept beside the seeds as crash-*, and are not made here.
"""
import os
import struct
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))


def write(target, name, data):
    directory = os.path.join(HERE, "seeds", target)
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, name), "wb") as file:
        file.write(data)


# ---------------------------------------------------------------- snapshots

PROCESS, MAP, UNMAP, CODE, THREAD, THREAD_END, SAMPLE, REPEAT, IDLE, LOSS, SUMMARY = range(1, 12)
REQUIRED = 1
PID = 7
STACK = 0x7FFF00000000


def text(value):
    return struct.pack("<H", len(value)) + value


def blob(value):
    return struct.pack("<I", len(value)) + value


def file_header(machine=62, word=8):
    head = b"\x89CGSNAP\n" + struct.pack("<HHBBHQI", 1, 0, 1, word, machine, 10**18, 0)
    return head + struct.pack("<I", zlib.crc32(head))


def record(kind, payload, flags=REQUIRED):
    head = struct.pack("<HHI", kind, flags, len(payload))
    return head + struct.pack("<I", zlib.crc32(head + payload)) + payload


def process(pid=PID):
    return record(PROCESS, struct.pack("<IIQIIQ", pid, 1, 1000, 4096, 8, 0) + text(b"/bin/x") +
                  blob(b"x\0-v\0") + blob(bytes(32)) + text(b"host") + text(b"6.1.0"))


def mapping(start=0x400000, end=0x500000, path=b"/bin/x", build_id=bytes(range(20))):
    return record(MAP, struct.pack("<IBBBB", PID, 1, 5, 0, len(build_id)) + build_id +
                  struct.pack("<QQQQQ", start, end, 0x1000, 0x801, 42) + text(path))


def thread(tid, name=b"worker", pid=PID):
    return record(THREAD, struct.pack("<IIQQ", pid, tid, 2000, 55) + text(name))


def region(start, end, runs, map_end=None):
    out = struct.pack("<QQQI", start, end, map_end or end, len(runs))
    for offset, data in runs:
        out += struct.pack("<II", offset, len(data)) + data
    return out


def sample(tid, time, regions, registers=17, call=False):
    out = struct.pack("<IIQBBHQ", PID, tid, time, ord("S"), 1 if call else 0, registers, 500)
    if call:
        out += struct.pack("<q6Q", 202, 1, 2, 3, 4, 5, 6)
    out += b"".join(struct.pack("<Q", 0x1000 + r) for r in range(registers))
    return record(SAMPLE, out + struct.pack("<B", len(regions)) + b"".join(regions))


def summary():
    return record(SUMMARY, struct.pack("<10QI", 9000, 3, 1, 0, 3, 99000, 98000, 10, 5, 999, 1), 0)


def full_stack(size=256):
    return region(STACK, STACK + size, [(0, bytes(i & 0xFF for i in range(size)))])


def make_reader_seeds():
    start = file_header() + process() + mapping() + thread(7) + thread(8)

    def seed(name, data, flags=1):
        write("fuzz_reader", name, bytes([flags]) + data)

    seed("empty", b"", 0)
    seed("header-only", file_header())
    seed("other-version", file_header()[:8] + b"\x02" + file_header()[9:])
    seed("whole-capture", start + sample(7, 3000, [full_stack()], call=True) +
         sample(8, 3100, [full_stack()]) + summary())
    # Of the second sample only eight bytes are written, and the stack has grown by eight.
    seed("delta", start + sample(7, 3000, [full_stack()]) +
         sample(7, 4000, [region(STACK - 8, STACK + 256, [(0, b"grown---"), (64, b"changed!")])]) +
         sample(7, 5000, [region(STACK + 128, STACK + 256, [])]))
    seed("delta-without-base", start + sample(7, 3000, [region(STACK, STACK + 64, [(0, b"x" * 8)])]))
    seed("two-regions", start + sample(7, 3000, [
        full_stack(), region(0x600000, 0x600040, [(0, bytes(64))], 0x601000)]))
    seed("overlapping-regions", start + sample(7, 3000, [full_stack(), full_stack()]))
    seed("overlapping-runs", start + sample(7, 3000, [
        region(STACK, STACK + 16, [(0, bytes(12)), (8, bytes(8))])]))
    seed("empty-region", start + sample(7, 3000, [region(STACK, STACK, [])]))
    seed("repeat-and-idle", start + sample(7, 3000, [full_stack()]) + sample(8, 3000, [full_stack()]) +
         record(REPEAT, struct.pack("<IQ", 7, 4000)) + record(IDLE, struct.pack("<IQI", PID, 5000, 0)))
    seed("exec", start + sample(7, 3000, [full_stack()]) + process() +
         record(IDLE, struct.pack("<IQI", PID, 5000, 0)) + thread(7) + sample(7, 6000, [full_stack()]))
    seed("thread-ends-and-comes-again", start + sample(7, 3000, [full_stack()]) +
         record(THREAD_END, struct.pack("<IIQ", PID, 7, 3500)) + thread(7) +
         sample(7, 4000, [full_stack()]))
    seed("tid-of-another-process", start + sample(7, 3000, [full_stack()]) + process(9) +
         thread(7, pid=9) + record(REPEAT, struct.pack("<IQ", 7, 4000)))
    seed("code-unmap-loss", start + record(CODE, struct.pack("<IQ", PID, 0x7000) + blob(b"\xc3" * 16), 0) +
         record(UNMAP, struct.pack("<IQQ", PID, 0x400000, 0x500000)) +
         record(LOSS, struct.pack("<IIQII", PID, 7, 4000, 2, 1), 0), 3)
    seed("unknown-skippable", start + record(77, b"future", 0) + sample(7, 3000, [full_stack()]))
    seed("unknown-required", start + record(77, b"future") + sample(7, 3000, [full_stack()]))
    seed("longer-records", start + record(REPEAT, struct.pack("<IQ", 7, 4000) + b"more") +
         record(IDLE, struct.pack("<IQI", PID, 5000, 0) + b"more"))
    seed("cut-short", (start + sample(7, 3000, [full_stack()]))[:-50], 0)
    seed("other-architectures", file_header(183, 8) + process() + thread(7) +
         sample(7, 3000, [full_stack()], 33))
    seed("i386", file_header(3, 4) + process() + thread(7) + sample(7, 3000, [full_stack()], 9))


# ------------------------------------------------ call frame information

def uleb(value):
    out = b""
    while True:
        byte = value & 0x7F
        value >>= 7
        if not value:
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def sleb(value):
    out = b""
    while True:
        byte = value & 0x7F
        value >>= 7
        if value == (-1 if byte & 0x40 else 0):
            return out + bytes([byte])
        out += bytes([byte | 0x80])


def entry(body, long_form=False):
    body += bytes(-len(body) % 8)
    if long_form:
        return struct.pack("<IQ", 0xFFFFFFFF, len(body)) + body
    return struct.pack("<I", len(body)) + body


# CFA = rsp + 8, RA at CFA-8: what every x86-64 CIE begins with.
ENTRY_STATE = b"\x0c\x07\x08\x90\x01"


def eh_cie(augmentation=b"zR", data=b"\x1b", program=ENTRY_STATE, version=1):
    ra = bytes([16]) if version == 1 else uleb(16)
    body = struct.pack("<IB", 0, version) + augmentation + b"\0" + uleb(1) + sleb(-8) + ra
    if augmentation.startswith(b"z"):
        body += uleb(len(data)) + data
    return entry(body + program)


def eh_fde(position, cie_position, start, size, program, augmentation_data=b"", section=0x1000):
    """pcrel sdata4, as gcc writes them."""
    address = position + 8
    return entry(struct.pack("<Iii", position + 4 - cie_position, start - (section + address), size) +
                 uleb(len(augmentation_data)) + augmentation_data + program)


def eh_section(cie, *programs, augmentation_data=b""):
    out = cie
    for i, program in enumerate(programs):
        out += eh_fde(len(out), 0, 0x400000 + 0x100 * i, 0x80, program, augmentation_data)
    return out + bytes(4)


def debug_cie(version=4, program=ENTRY_STATE, long_form=False):
    ra = bytes([16]) if version == 1 else uleb(16)
    identifier = struct.pack("<Q", 2**64 - 1) if long_form else struct.pack("<I", 2**32 - 1)
    return entry(identifier + bytes([version, 0]) + (b"\x08\0" if version >= 4 else b"") + uleb(1) +
                 sleb(-8) + ra + program, long_form)


def debug_fde(start, size, program, long_form=False):
    return entry((bytes(8) if long_form else bytes(4)) + struct.pack("<QQ", start, size) + program, long_form)


def make_cfi_seeds():
    push_rbp = b"\x41\x0e\x10\x86\x02\x43\x0d\x06"  # advance 1, CFA +16, rbp at CFA-16, advance 3, CFA rbp
    block = lambda code: uleb(len(code)) + code

    def seed(name, section, eh=True, arch=0):
        write("fuzz_cfi", name, bytes([int(eh) | arch << 1]) + section)

    seed("gcc-frame", eh_section(eh_cie(), push_rbp + b"\x60\x0c\x07\x08", push_rbp))
    seed("remember-restore", eh_section(eh_cie(), push_rbp + b"\x0a\x44\x0c\x07\x08\x41\x0b\x44\xc6"))
    seed("restore-without-remember", eh_section(eh_cie(), b"\x41\x0b"))
    seed("every-instruction", eh_section(
        eh_cie(), b"\x02\x01\x03\x02\x00\x04\x03\x00\x00\x00" + b"\x05\x03\x02" + b"\x06\x03" + b"\x07\x05" +
        b"\x08\x05" + b"\x09\x0c\x0d" + b"\x0a\x0b" + b"\x0c\x06\x10" + b"\x0d\x07" + b"\x0e\x20" +
        b"\x11\x03" + sleb(-2) + b"\x12\x07" + sleb(-3) + b"\x13" + sleb(-4) + b"\x14\x0c\x02" +
        b"\x15\x0d" + sleb(2) + b"\x2e\x10" + b"\x2f\x0e\x02"))
    # The PLT's CFA expression: rsp + 8 + ((rip & 15) >= 11) * 8.
    seed("plt-expression", eh_section(
        eh_cie(), b"\x0e\x10\x46\x0e\x18\x4a\x0f" +
        block(b"\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22")))
    # glibc's sigreturn trampoline: registers saved in a ucontext, by expression.
    seed("signal-frame", eh_section(
        eh_cie(b"zRS"), b"\x0f" + block(b"\x77" + sleb(160) + b"\x06") + b"\x10\x03" +
        block(b"\x77" + sleb(128)) + b"\x10\x10" + block(b"\x77" + sleb(168)) + b"\x16\x06" +
        block(b"\x77" + sleb(120) + b"\x06")))
    seed("endless-expression", eh_section(eh_cie(), b"\x0f" + block(b"\x30\x2f\xfd\xff")))
    seed("deep-expression", eh_section(eh_cie(), b"\x0f" + block(b"\x30" + b"\x12" * 80)))
    seed("expression-operations", eh_section(eh_cie(), b"\x0f" + block(
        b"\x0e\x01\x02\x03\x04\x05\x06\x07\x08\x09\xff\x0b\xff\xff\x0d\xff\xff\xff\xff\x10\x81\x01"
        b"\x11\x7f\x17\x16\x14\x15\x02\x13\x1b\x1d\x1e\x1f\x19\x20\x21\x27\x24\x25\x26\x92\x07\x08\x94\x04"
        b"\x96\x28\x01\x00\x31\x06")))
    seed("personality-and-lsda", eh_section(
        eh_cie(b"zPLR", b"\x9b" + bytes(4) + b"\x1b\x1b"), push_rbp, augmentation_data=bytes(4)))
    seed("aligned-personality", eh_section(
        eh_cie(b"zPR", b"\x50" + bytes(15) + b"\x1b"), push_rbp))
    seed("unknown-letter", eh_section(eh_cie(b"zRX", b"\x1b\x55\x55"), push_rbp))
    seed("letter-without-z", eh_section(eh_cie(b"X"), push_rbp))
    seed("eh-pointer", entry(struct.pack("<IB", 0, 1) + b"eh\0" + bytes(8) + uleb(1) + sleb(-8) + b"\x10" +
                             ENTRY_STATE) + entry(struct.pack("<IQQ", 36, 0x400000, 64) + push_rbp))
    seed("absolute-addresses", eh_cie(b"", b"") +
         entry(struct.pack("<IQQ", 24 + 4, 0x400000, 64) + push_rbp))
    seed("damaged-in-the-middle", eh_cie() + eh_fde(24, 0, 0x400000, 64, push_rbp) +
         entry(b"\xff" * 20) + eh_fde(24 + 32 + 28, 0, 0x400100, 64, push_rbp))
    seed("terminator-in-the-middle", eh_cie() + bytes(4) + eh_fde(28, 0, 0x400100, 64, push_rbp))
    seed("length-beyond-the-end", eh_cie() + b"\xf0\xff\xff\x7f" + bytes(40))
    seed("program-runs-off", eh_section(eh_cie(), b"\x41\x0e\x90\x80"))
    seed("unknown-opcode", eh_section(eh_cie(), b"\x41\x3c\x41"))
    overlapping = eh_cie()
    for start, size in ((0x400000, 0x1000), (0x400100, 0x100), (0x400180, 0x10), (0x400180, 0x20)):
        overlapping += eh_fde(len(overlapping), 0, start, size, push_rbp)
    seed("overlapping", overlapping)
    seed("debug-frame-4", debug_cie() + debug_fde(0x400000, 64, push_rbp), eh=False)
    seed("debug-frame-3", debug_cie(3) + debug_fde(0x400000, 64, push_rbp), eh=False)
    seed("debug-frame-1", debug_cie(1) + debug_fde(0x400000, 64, push_rbp), eh=False)
    seed("debug-frame-64", debug_cie(4, long_form=True) + debug_fde(0x400000, 64, push_rbp, True), eh=False)
    seed("aarch64-signed", eh_section(eh_cie(b"zRB", b"\x1b", b"\x0c\x1f\x00", 3), b"\x41\x2d\x41\x0e\x10\x9e\x01"),
         arch=3)
    seed("arm", debug_cie(1, b"\x0c\x0d\x00") + debug_fde(0x8000, 32, b"\x42\x0e\x08\x8e\x01\x8b\x02"), False, 2)
    seed("i386", eh_section(eh_cie(b"zR", b"\x1b", b"\x0c\x04\x04\x88\x01"), b"\x41\x0e\x08\x85\x02\x42\x0d\x05"),
         arch=1)


# ------------------------------------------------------------------- code

def make_prologue_seeds():
    def seed(name, *parts, flags=0):
        write("fuzz_prologue", name, bytes([flags]) + b"".join(bytes.fromhex(p) for p in parts))

    seed("leaf", "31c0", "c3")
    # push rbp; mov rbp,rsp; push rbx; sub rsp,8; call; mov rbx,[rbp-8]; leave; ret
    seed("frame-pointer", "55", "4889e5", "53", "4883ec08", "e800000100", "488b5df8", "c9", "c3")
    # push rbx; test edi,edi; je 1f; pop rbx; ret; 1: call; pop rbx; ret
    seed("early-return", "53", "85ff", "7402", "5b", "c3", "e800000100", "5b", "c3")
    # test; jne 1f; ret; 1: push; call; pop; ret
    seed("shrink-wrapped", "85ff", "7501", "c3", "53", "e800000100", "5b", "c3")
    # lea r10,[rsp+8]; and rsp,-32; push [r10-8]; push rbp; mov rbp,rsp; push r10; sub; call; mov r10,[rbp-8]; leave; lea rsp,[r10-8]; ret
    seed("realigned", "4c8d542408", "4883e4e0", "41ff72f8", "55", "4889e5", "4152", "4883ec18", "e800000100",
         "4c8b55f8", "c9", "498d62f8", "c3")
    # push rbp; mov rbp,rsp; and rsp,-64; sub rsp,128; call; leave; ret
    seed("aligned-locals", "55", "4889e5", "4883e4c0", "4881ec80000000", "e800000100", "c9", "c3")
    # push rbp; mov rbp,rsp; sub rsp,rdi; mov rax,rsp; leave; ret
    seed("alloca", "55", "4889e5", "4829fc", "4889e0", "c9", "c3")
    seed("large-frame", "53", "b800000100", "4829c4", "e800000100", "4881c400000100", "5b", "c3")
    # push rbx; jmp [rax*8+table]; case: nop; pop; ret; case: call; pop; ret
    seed("jump-table", "53", "ff24c500204000", "5b", "c3", "e800000100", "5b", "c3")
    seed("call-does-not-return", "4883ec08", "85ff", "7405", "e802100000", "4883c408", "c3")
    seed("tail-call", "53", "89fb", "5b", "e900100000", "e9ff0f0000", flags=2)
    seed("start", "f30f1efa", "31ed", "4989d1", "5e", "4889e2", "4883e4f0", "50", "54", "ff15d22f0000", "f4")
    seed("loop-with-pushes", "53", "ebfd")
    seed("loop-with-pops", "5b", "7501", "c3", "ebfa")
    seed("enter-leave", "c8200001", "c8200000", "c9", "c3")
    seed("extreme-constants", "48b8ffffffffffffff7f", "4801c4", "53", "4801c4", "5b", "48b80000000000000080", "4829c4",
         "4889042448", "c3")
    seed("sigreturn", "48c7c00f000000", "0f05", "0f1f8000000000")
    seed("branch-into-an-instruction", "53", "eb01", "e85bc3c3c3", "5b", "c3")
    seed("fragment", "488b5c2408", "4883c418", "5b", "e9f0ffffff", flags=1)
    seed("one-byte", "fd")
    seed("subroutine", "53", "e803000000", "5b", "c3", "90", "55", "5d", "c3")
    seed("call-to-read-the-pc", "53", "e800000000", "5b", "5b", "c3")
    seed("vector-instructions", "53", "c5fb93d9", "62f17528744701", "c4e1f998c0", "62f375283f042404", "0f01ee", "5b", "c3")
    seed("not-code", "ffffffff", "06", "62", "c4c4c4", "f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0")
    seed("shadow-stack", "f3480f1ec8", "f3480faee8", "f3490f1eca", "c3")
    seed("string-stores", "4883ec40", "488d3c24", "f348ab", "660f7f0424", "c5fe7f4c2420", "4883c440", "c3")


if __name__ == "__main__":
    make_reader_seeds()
    make_cfi_seeds()
    make_prologue_seeds()
