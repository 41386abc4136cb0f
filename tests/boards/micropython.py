#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A firmware that nobody here wrote: Debian's MicroPython for the BBC micro:bit, stripped, on QEMU's
board, computing. At every halt the chain ends where it should: at the reset.

usage: micropython.py BUILD-DIRECTORY [--halts N] [--seed N] [--show N] [--keep DIRECTORY]

It is Intel hex without symbols; an ELF file is made of it with its code at its addresses.
"""

import argparse
import collections
import os
import random
import socket
import struct
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boardsnap
import build
import grade
import known
import qemu
import rsp
import shadow

PACKAGE = "firmware-microbit-micropython"
RAM = (0x20000000, 16 << 10)

# Recursion, sorting with a callback, text, floats, dictionaries, exceptions, garbage.
SCRIPT = """
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
class Thing:
    def __init__(self, n):
        self.n = n
    def __str__(self):
        return '<%d %s>' % (self.n, self.n / 7.0)
def deep(n):
    if n == 0:
        raise ValueError('x')
    return [deep(n - 1)]
def once(i):
    t = sorted([Thing((k * 7919 + i) % 101) for k in range(9)], key=lambda t: t.n)
    d = {str(t[0]): fib(i % 5), 'z': ','.join([str(x) for x in t[:3]])}
    try:
        deep(i % 4)
    except ValueError as e:
        d['e'] = repr(e)
    return eval('sum([1, 2, %d])' % len(d['z'])) + 12345678901234567890 % (i + 3)
i = 0
while True:
    i += 1
    try:
        r = once(i)
    except RuntimeError:
        pass
"""


def segments(path):
    """(address, bytes) of each contiguous part of an Intel hex file."""
    parts, base = [], 0
    with open(path) as file:
        for line in file:
            record = bytes.fromhex(line.strip()[1:])
            size, offset, kind = record[0], record[1] << 8 | record[2], record[3]
            data = record[4 : 4 + size]
            if kind == 2:
                base = int.from_bytes(data, "big") << 4
            elif kind == 4:
                base = int.from_bytes(data, "big") << 16
            elif kind == 0:
                if parts and parts[-1][0] + len(parts[-1][1]) == base + offset:
                    parts[-1][1].extend(data)
                else:
                    parts.append((base + offset, bytearray(data)))
    return parts


def write_elf(path, parts, entry):
    """An executable with program headers and no section."""
    offset = 52 + 32 * len(parts)
    head = b"\x7fELF\x01\x01\x01".ljust(16, b"\0") + struct.pack(
        "<HHIIIIIHHHHHH", 2, build.ARM, 1, entry, 52, 0, 0x05000200, 52, 32, len(parts), 40, 0, 0)
    table = body = b""
    for address, data in parts:
        table += struct.pack("<8I", boardsnap.PT_LOAD, offset + len(body), address, address,
                             len(data), len(data), 5, 4)
        body += data
    with open(path, "wb") as file:
        file.write(head + table + body)


def connect(path):
    sock = socket.socket(socket.AF_UNIX)
    rsp.connect(sock, path)
    sock.settimeout(0.2)
    return sock


def expect(target, serial, wanted, seconds=60):
    """Lets the board run until it has written that."""
    seen, end = b"", time.monotonic() + seconds
    while wanted not in seen:
        if time.monotonic() > end:
            raise RuntimeError("the board wrote %r, and not %r" % (seen[-300:], wanted))
        target.go_on(0.05)
        try:
            seen += serial.recv(4096)
        except TimeoutError:
            pass
    return seen


def feed(target, serial):
    """Gives the script to MicroPython, by its paste mode, as fast as the board takes it."""
    expect(target, serial, b">>> ")
    serial.sendall(b"\x05")
    expect(target, serial, b"=== ")
    for line in SCRIPT.strip().split("\n"):
        serial.sendall(line.encode() + b"\r")
        expect(target, serial, line.strip().encode()[-8:])
    serial.sendall(b"\x04")
    target.go_on(0.5)


def read_halt(target):
    data = target.registers()
    registers = [int.from_bytes(data[i * 4 : i * 4 + 4], "little") for i in range(16)]
    xpsr = int.from_bytes(data[-4:], "little")
    memory = (RAM[0], target.memory(*RAM))
    # It has one stack: SP is MSP. PSP is not told.
    return shadow.Halt(registers + [xpsr, registers[13], 0], 1 << 18, memory, None, xpsr & 0x1FF)


def take(elf, count, seed, directory):
    chance = random.Random(seed)
    serial_path = os.path.join(directory, "serial.sock")
    serial = "unix:%s,server=on,wait=off" % serial_path
    with qemu.Machine("microbit", elf, directory, serial=serial, timed=False) as target:
        port = connect(serial_path)
        feed(target, port)
        halts = []
        for _ in range(count):
            target.go_on(chance.uniform(0.0005, 0.01))
            halts.append(read_halt(target))
        port.close()
        return halts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--halts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.keep or temporary
        elf, snapshot = (os.path.join(directory, "micropython" + end) for end in (".elf", ".snap"))
        package, = known.unpacked("amd64", PACKAGE)
        parts = segments(os.path.join(package, "usr/share", PACKAGE, "firmware.hex"))
        initial_sp, reset = struct.unpack_from("<II", parts[0][1])
        write_elf(elf, parts, reset)
        halts = take(elf, options.halts, options.seed, directory)
        boardsnap.write(snapshot, elf, build.BOARDS["microbit"], (0, initial_sp, reset & ~1), halts)
        told = grade.chains(os.path.join(options.build, "cgunwind"), snapshot)
    return judge(halts, told, options.show)


def judge(halts, told, show):
    stops = collections.Counter((one.stop, "handler" if halt.nesting else "thread")
                                for halt, one in zip(halts, told))
    for (stop, where), count in stops.most_common():
        print("%-14s %-8s %5d  %6.2f %%" % (stop, where, count, 100 * count / len(halts)))
    depths = sorted(len(one.addresses) for one in told)
    print("depth: median %d, most %d; %d functions' addresses innermost" % (
        depths[len(depths) // 2], depths[-1], len({one.addresses[0] for one in told})))
    ends = collections.Counter(tuple(hex(a) for a in one.addresses[-2:]) + (one.stop,)
                               for one in told)
    for (*addresses, stop), count in ends.most_common(8):
        print("%5d end at %s: %s" % (count, " ".join(addresses), stop))
    for i, one in enumerate(told):
        if one.stop not in grade.STARTS and show > 0:
            show -= 1
            print("halt %d, stop: %s, sp %#x" % (i, one.stop, halts[i].registers[13]))
            for address, trust in zip(one.addresses, one.trusts):
                print("   %#x %s" % (address, trust))
    good = sum(one.stop in grade.STARTS for one in told)
    print("%s %d of %d chains are complete" % (
        "PASS" if good >= 0.99 * len(told) else "FAIL", good, len(told)))
    return 0 if good >= 0.99 * len(told) else 1


if __name__ == "__main__":
    sys.exit(main())
