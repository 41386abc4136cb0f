# SPDX-License-Identifier: MIT
"""A stub for gdb that plays a Cortex-M, and a proxy that makes a connection slow or bad, for
gdb_capture.py.

The board has flash at 0 with its vectors, RAM at 0x20000000, and a stack that is DEPTH bytes deep,
with return addresses. It counts for how long it was halted, by its own clock. What it does wrong is
told by `faults`: see Stub.
"""

import os
import pty
import socket
import struct
import threading
import time
import tty

RAM, RAM_SIZE = 0x20000000, 0x10000
INITIAL_SP = RAM + RAM_SIZE
DEPTH = 2048
RESET, CODE = 0x100, 0x200

TARGET = b"""<?xml version="1.0"?><!DOCTYPE target SYSTEM "gdb-target.dtd"><target>
<architecture>arm</architecture><feature name="org.gnu.gdb.arm.m-profile">%s
<reg name="sp" bitsize="32"/><reg name="lr" bitsize="32"/><reg name="pc" bitsize="32"/>
<reg name="xpsr" bitsize="32" regnum="25"/></feature>
<feature name="org.gnu.gdb.arm.m-system"><reg name="msp" bitsize="32"/>
<reg name="psp" bitsize="32"/><reg name="control" bitsize="32"/></feature></target>""" % b"".join(
    b'<reg name="r%d" bitsize="32"/>' % i for i in range(13)
)
PROGRAM = (b'<target><architecture>arm</architecture><feature name="org.gnu.gdb.arm.core">%s'
           b'<reg name="sp" bitsize="32"/><reg name="lr" bitsize="32"/>'
           b'<reg name="pc" bitsize="32"/><reg name="cpsr" bitsize="32" regnum="25"/></feature>'
           b'</target>' % b"".join(b'<reg name="r%d" bitsize="32"/>' % i for i in range(13)))
MEMORY = b"""<memory-map><memory type="flash" start="0" length="0x10000"/>
<memory type="ram" start="0x20000000" length="0x10000"/></memory-map>"""


def frame(payload):
    return b"$%s#%02x" % (payload, sum(payload) & 255)


class Closed(Exception):
    """The other side has closed the connection."""


class Stub:
    """One connection's. faults: die_at=N    half of the N-th reply is sent, then the connection ends
    garbage=N   before every N-th reply comes noise, and a packet with a wrong checksum
    resets=N    every N-th halt finds the board reset; every second time its vectors have moved
    deaf        it never stops when it is asked to
    handler     it is in SysTick's handler, which interrupted a thread whose PSP is not told
    asleep=N    every N-th `g` is answered by an error
    exits_at=N  the program ends at the N-th halt
    program     it is a program of Linux: each Ctrl-C is a SIGINT, which ends it if it is handed on
    endless=B   it sends these bytes again and again, and answers nothing
    first=B     but these before
    drip=S      each byte that it sends takes so many seconds
    mute        it answers nothing, and acknowledges nothing
    parts=S     its documents have no end, and each part of them takes so many seconds
    lists=S     its lists of threads
    at=N        from the N-th reply on it does these; else from the third halt on, with what tells
    late=S      it stops so many seconds after it was asked to
    foreign=N   each N-th time another signal stops it first
    trapped     the first time a SIGTRAP of its own does
    restless    from the third halt on it stops by itself whenever it is to go on
    listener=L  where it listens; a socket
    threads=[(ID, TEXT), …]
                it has these, of which another one runs at each halt, and each a stack of its own.
                TEXT is what is said of it. The last one is gone after the fifth halt
    acks        it does not offer to do without acknowledgements"""

    def __init__(self, **faults):
        self.faults = faults
        self.listener = faults.get("listener") or socket.create_server(("127.0.0.1", 0))
        self.port = faults.get("listener") or self.listener.getsockname()[1]
        self.halted, self.halts, self.replies, self.reads = True, 0, 0, 0
        self.halted_since = self.began = time.monotonic()
        self.halted_time = self.worst = 0.0
        self.vectors = 0
        self.pending, self.killed, self.let_go, self.selected = 0, False, False, 0
        self.threads = list(faults.get("threads", [(1, "")]))
        self.listed, self.asked = b"", 0
        self.acks, self.is_bad = True, threading.Event()
        self.memory = {0: bytearray(0x10000), RAM: bytearray(RAM_SIZE)}
        struct.pack_into("<II", self.memory[0], 0, INITIAL_SP, RESET | 1)
        struct.pack_into("<II", self.memory[0], 0x8000, INITIAL_SP, (RESET + 0x40) | 1)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def serve(self):
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        if connection.family == socket.AF_INET:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection, self.buffer = connection, b""
        with connection:
            try:
                while True:
                    self.one()
            except (Closed, OSError):
                pass

    def byte(self):
        if not self.buffer:
            self.buffer = self.connection.recv(65536)
            if not self.buffer:
                raise Closed
        first, self.buffer = self.buffer[:1], self.buffer[1:]
        return first

    def packet(self):
        payload = b""
        while (c := self.byte()) != b"#":
            if c == b"$":
                payload = b""
                continue
            payload += c
        total = int(self.byte() + self.byte(), 16)
        if sum(payload) & 255 != total:
            return None
        return payload

    def one(self):
        c = self.byte()
        if c == b"\x03":
            self.interrupted()
            return
        if c == b"+":
            self.last = b""
        if c == b"-" and self.last:
            self.connection.sendall(self.last)
        if c != b"$":
            return
        payload = self.packet()
        if self.replies + 1 == self.faults.get("at"):
            self.is_bad.set()
        if self.acks and not ("mute" in self.faults and self.is_bad.is_set()):
            self.connection.sendall(b"-" if payload is None else b"+")
        if payload is None:
            return
        reply = self.answer(payload)
        if reply is not None:
            self.send(reply)

    def interrupted(self):
        if "deaf" in self.faults:
            return
        if self.halted:
            self.pending += "program" in self.faults
            return
        time.sleep(self.faults.get("late", 0))
        if (self.halts + 1) % self.faults.get("foreign", 1 << 30) == 0:
            self.pending += 1
            self.halt(b"T0athread:1;")
        elif "trapped" in self.faults and not self.halts:
            self.pending += 1
            self.halt(b"T05thread:1;")
        else:
            self.halt()

    last = b""

    def send(self, payload):
        self.replies += 1
        data = self.last = frame(payload)
        if self.is_bad.is_set() and {"endless", "drip", "mute"} & set(self.faults):
            self.misbehave(data)
            return
        if self.replies == self.faults.get("die_at"):
            self.connection.sendall(data[: len(data) // 2])
            raise Closed
        if self.replies % self.faults.get("garbage", 1 << 30) == 0:
            self.connection.sendall(b"\x00boot v1.2\r\n\xff\xfe$" + payload[:7] + b"#zz")
        self.connection.sendall(data)

    def misbehave(self, data):
        if "endless" in self.faults:
            self.send_without_end()
        for i in range(len(data) if "drip" in self.faults else 0):
            time.sleep(self.faults["drip"])
            self.connection.sendall(data[i : i + 1])

    def is_nth(self, name):
        return self.halts % self.faults.get(name, 1 << 30) == 0

    def running(self):
        return self.threads[self.halts % len(self.threads)][0]

    def send_without_end(self):
        self.connection.sendall(self.faults.get("first", b""))
        while True:
            self.connection.sendall(self.faults["endless"] * 100)

    def halt(self, reply=None):
        self.halted, self.halts = True, self.halts + 1
        if self.halts == 3 and "at" not in self.faults:
            self.is_bad.set()
        if self.halts == 5 and "threads" in self.faults:
            self.threads.pop()
        self.selected = self.running()
        reply = reply or b"T02thread:%x;" % self.running()
        self.halted_since = time.monotonic()
        if self.is_nth("resets"):
            self.vectors ^= 0x8000
        if self.halts == self.faults.get("exits_at"):
            self.send(b"W03")
            raise Closed
        self.send(reply)

    def go(self):
        took = time.monotonic() - self.halted_since
        if self.halts:
            self.halted_time += took
            self.worst = max(self.worst, took)
        else:
            self.began = time.monotonic()
        self.halted = False
        # What the program does meanwhile: another caller, another depth.
        words = [CODE + 0x20 * (i % 8) | 1 if i % 16 == 0 else i for i in range(DEPTH // 4)]
        words[0] = self.halts
        struct.pack_into("<%dI" % len(words), self.memory[RAM], RAM_SIZE - DEPTH, *words)

    def registers(self):
        regs = list(range(13)) + [INITIAL_SP - DEPTH, CODE | 1, CODE + 0x10, 0x01000000]
        others = sorted({thread for thread, _ in self.threads} - {self.running()})
        if self.selected in others: # as saved on its stack
            regs[13] = RAM + 0x1000 + 0x100 * others.index(self.selected)
        if "handler" in self.faults:
            regs[14], regs[16] = 0xFFFFFFFD, 0x0100000F
        if self.halts and self.is_nth("resets"):
            regs[13:16] = [INITIAL_SP, 0xFFFFFFFF, RESET + 0x40 * (self.vectors != 0)]
        return regs

    def read(self, address, size):
        if (address, size) == (0xE000ED08, 4):
            return struct.pack("<I", self.vectors)
        for base, memory in self.memory.items():
            if base <= address and address + size <= base + len(memory):
                return bytes(memory[address - base : address - base + size])
        return None

    def is_endless(self, name):
        """Has what is read in parts no end any more? Then the part takes its time."""
        if name not in self.faults or not self.is_bad.is_set():
            return False
        time.sleep(self.faults[name])
        return True

    def document(self, text, part):
        if self.is_endless("parts"):
            return b"m" + b" " * 8
        offset, size = (int(x, 16) for x in part.split(b","))
        return (b"l" if offset + size >= len(text) else b"m") + text[offset : offset + size]

    def answer(self, payload):
        if payload.startswith(b"qSupported"):
            no_ack = b"" if "acks" in self.faults else b"QStartNoAckMode+;"
            no_ack += b"qXfer:auxv:read+;" if "program" in self.faults else b""
            return b"PacketSize=400;%sqXfer:features:read+;qXfer:memory-map:read+" % no_ack
        if payload == b"QStartNoAckMode":
            self.acks = False
            return b"OK"
        if payload == b"?":
            return b"T05thread:%x;" % self.running()
        if payload.startswith(b"qXfer:features:read:target.xml:"):
            return self.document(PROGRAM if "program" in self.faults else TARGET, payload[31:])
        if payload.startswith(b"qXfer:auxv:read::"):
            return self.document(bytes(8), payload[17:])
        if payload.startswith(b"qXfer:memory-map:read::"):
            return self.document(MEMORY, payload[23:])
        if payload == b"qfThreadInfo":
            self.asked = 0
        if payload in (b"qfThreadInfo", b"qsThreadInfo"):
            if self.is_endless("lists"):
                return b"m1,2,3"
            part = self.threads[self.asked : self.asked + 50]
            self.asked += len(part)
            return b"m" + b",".join(b"%x" % thread for thread, _ in part) if part else b"l"
        if payload.startswith(b"qThreadExtraInfo,"):
            return dict(self.threads).get(int(payload[17:], 16), "").encode().hex().encode()
        if payload.startswith(b"Hg"):
            self.selected = int(payload[2:], 16)
            return b"OK"
        if payload == b"vCont?":
            return b"vCont;c;C;s;S"
        if payload == b"g":
            self.reads += 1
            if self.reads > 1 and self.reads % self.faults.get("asleep", 1 << 30) == 0:
                return b"E0f"
            return struct.pack("<17I", *self.registers()).hex().encode()
        if payload.startswith(b"p"):
            value = {26: INITIAL_SP - DEPTH, 27: 0, 28: 0}.get(int(payload[1:], 16))
            if "handler" in self.faults:
                value = None
            return b"E01" if value is None else struct.pack("<I", value).hex().encode()
        if payload.startswith(b"m"):
            data = self.read(*(int(x, 16) for x in payload[1:].split(b",")))
            return b"E01" if data is None else data.hex().encode()
        if payload in (b"c", b"vCont;c"):
            self.go()
            if self.pending:
                self.pending -= 1
                self.halt()
            elif "restless" in self.faults and self.halts >= 3:
                self.halt(b"T05thread:1;")
            return None
        if payload[:3] == b"C02" or payload.startswith(b"vCont;C02"):
            self.killed = True
            self.go()
            return b"X02"
        if payload[:1] == b"C" or payload.startswith(b"vCont;C"):
            return self.answer(b"c")
        if payload[:1] == b"D":
            self.killed = self.pending > 0
            self.halted, self.let_go = False, True
            return b"OK"
        return b""


class Proxy:
    """Between cgsnap and a stub: `delay` seconds for each packet or interrupt of cgsnap's, `hold`
    seconds for an interrupt besides; every `drop`-th packet of either side is lost."""

    def __init__(self, port, delay=0.0, drop=0, hold=0.0):
        self.port_behind, self.delay, self.drop, self.hold = port, delay, drop, hold
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.packets = self.dropped = self.trips = 0
        self.lock = threading.Lock()
        threading.Thread(target=self.serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()

    def serve(self):
        try:
            near, _ = self.listener.accept()
        except OSError:
            return
        far = socket.create_connection(("127.0.0.1", self.port_behind))
        for end in (near, far):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=self.forward, args=(far, near, 0.0), daemon=True).start()
        self.forward(near, far, self.delay)

    def keep(self, piece):
        """Is the piece to be passed on?"""
        if not self.drop or not piece.startswith(b"$"):
            return True
        with self.lock:
            self.packets += 1
            if self.packets % self.drop:
                return True
            self.dropped += 1
            return False

    def forward(self, source, sink, delay):
        rest = b""
        try:
            while data := source.recv(65536):
                rest += data
                pieces, rest = split(rest)
                for piece in pieces:
                    if delay and piece[:1] in (b"$", b"\x03"):
                        self.trips += 1
                        time.sleep(delay)
                    if piece == b"\x03":
                        time.sleep(self.hold)
                    if self.keep(piece):
                        sink.sendall(piece)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Serial:
    """A serial line, by its `path`, to a stub at the port."""

    def __init__(self, port):
        self.near, self.device = pty.openpty()
        tty.setraw(self.device)
        self.path = os.ttyname(self.device)
        self.far = socket.create_connection(("127.0.0.1", port))
        for forward in (self.forward, self.back):
            threading.Thread(target=forward, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.far.shutdown(socket.SHUT_RDWR)
        os.close(self.device)

    def forward(self):
        try:
            while data := os.read(self.near, 65536):
                self.far.sendall(data)
        except OSError:
            pass

    def back(self):
        try:
            while data := self.far.recv(65536):
                os.write(self.near, data)
        except OSError:
            pass


def split(data):
    """Whole packets, and single bytes between them; and what is not whole."""
    pieces = []
    while data:
        if not data.startswith(b"$"):
            pieces.append(data[:1])
            data = data[1:]
            continue
        end = data.find(b"#")
        if end < 0 or len(data) < end + 3:
            break
        pieces.append(data[: end + 3])
        data = data[end + 3 :]
    return pieces, data
