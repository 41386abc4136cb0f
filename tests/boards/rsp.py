# SPDX-License-Identifier: MIT
"""A client of the GDB remote protocol, of what single-stepping a target takes; and the packets of
the protocol, for what stands between a client and a target."""

import re
import socket
import time


def checksum(body):
    return sum(body) & 0xFF


def packet(body):
    return b"$%s#%02x" % (body, checksum(body))


class Closed(Exception):
    """The other side went away."""


class Link:
    """Packets over a socket, in both directions. `acked`: until QStartNoAckMode."""

    def __init__(self, sock):
        self.sock, self.pending, self.acked = sock, b"", True
        if sock.family != socket.AF_UNIX:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _more(self):
        data = self.sock.recv(65536)
        if not data:
            raise Closed
        self.pending += data

    def receive(self):
        """A packet's body, or b"\\x03" for an interruption."""
        while True:
            start = self.pending.find(b"$")
            interrupt = self.pending.find(b"\x03")
            if interrupt >= 0 and (start < 0 or interrupt < start):
                self.pending = self.pending[interrupt + 1 :]
                return b"\x03"
            end = self.pending.find(b"#", start + 1) if start >= 0 else -1
            if end < 0 or len(self.pending) < end + 3:
                self._more()
                continue
            body = self.pending[start + 1 : end]
            self.pending = self.pending[end + 3 :]
            if self.acked:
                self.sock.sendall(b"+")
            return body

    def send(self, body):
        self.sock.sendall(packet(body))


def expand(body):
    """Without run-length encoding and escapes."""
    body = re.sub(rb"(.)\*(.)", lambda m: m[1] * (m[2][0] - 28), body, flags=re.DOTALL)
    return re.sub(rb"}(.)", lambda m: bytes([m[1][0] ^ 0x20]), body, flags=re.DOTALL)


def connect(sock, path, seconds=30):
    """The file may be there before anybody listens."""
    end = time.monotonic() + seconds
    while True:
        try:
            return sock.connect(path)
        except (ConnectionRefusedError, FileNotFoundError):
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


class Target:
    """A stub, stopped or running. Errors in its answers are exceptions."""

    def __init__(self, path):
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(60)
        connect(sock, path)
        self.link = Link(sock)
        self.ask(b"qSupported:xmlRegisters=arm,riscv")
        if self.ask(b"QStartNoAckMode") == b"OK":
            self.link.acked = False

    def ask(self, body):
        return expand(self.ask_raw(body))

    def ask_raw(self, body):
        self.link.send(body)
        return self.link.receive()

    def must(self, body):
        answer = self.ask(body)
        if answer != b"OK":
            raise RuntimeError("%r is answered by %r" % (body, answer))

    def step(self):
        answer = self.ask(b"s")
        if answer[:1] not in b"TS":
            raise RuntimeError("a step is answered by %r" % answer)

    def go_on(self, seconds):
        """Lets the target run for so long, and halts it."""
        self.link.send(b"c")
        time.sleep(seconds)
        self.link.sock.sendall(b"\x03")
        answer = self.link.receive()
        if answer[:1] not in b"TS":
            raise RuntimeError("a halt is answered by %r" % answer)

    def registers(self):
        """All of a `g` packet, as bytes."""
        return bytes.fromhex(self.ask(b"g").decode())

    def register(self, number):
        answer = self.ask(b"p%x" % number)
        if answer.startswith(b"E"):
            raise RuntimeError("register %d is answered by %r" % (number, answer))
        return int.from_bytes(bytes.fromhex(answer.decode()), "little")

    def memory(self, address, size):
        data = b""
        while len(data) < size:
            part = min(size - len(data), 1024)
            answer = self.ask(b"m%x,%x" % (address + len(data), part))
            if len(answer) != 2 * part:
                raise RuntimeError("memory at %#x is answered by %r" % (address, answer))
            data += bytes.fromhex(answer.decode())
        return data

    def write(self, address, data):
        self.must(b"M%x,%x:%s" % (address, len(data), data.hex().encode()))

    def description(self, annex=b"target.xml"):
        """Text of a part of the target's description."""
        text = b""
        while True:
            answer = self.ask(b"qXfer:features:read:%s:%x,ffb" % (annex, len(text)))
            text += answer[1:]
            if answer[:1] != b"m":
                return text.decode()

    def register_numbers(self):
        """{name: number} of all registers that the target describes."""
        numbers, number = {}, 0
        annexes = re.findall(r'<xi:include href="([^"]+)"', self.description())
        for annex in annexes:
            for attributes in re.findall(r"<reg ([^>]*)>", self.description(annex.encode())):
                told = re.search(r'regnum="(\d+)"', attributes)
                number = int(told[1]) if told else number
                numbers[re.search(r'name="([^"]+)"', attributes)[1]] = number
                number += 1
        return numbers

    def close(self):
        self.link.sock.close()
