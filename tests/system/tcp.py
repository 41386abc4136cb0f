#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A snapshot over TCP: `cgsnap -o tcp:HOST:PORT` to `cgunwind tcp-listen:PORT`.

usage: tcp.py BUILD-DIRECTORY

The chains arrive. A peer that sends garbage, or breaks off in mid-record, gives one line, and what
had arrived is used. While the reader does not read, the program runs on, samples are dropped and
counted and nothing is queued; when the reader goes away cgsnap ends, with one line. A limit, or the
process's end, holds also while the reader does not read. What does not arrive is no success. No
connection is made for a process that cannot be captured.
"""

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known
import snapfile

RATE = 2000
PATIENCE = 10  # seconds that a reader which does not read is waited for at the end
QUEUE_MAX_KB = 512  # by which cgsnap may grow in a second in which its reader does not read


class Reader:
    """cgunwind that listens at a port of its choice."""

    def __init__(self, tools):
        self.process = subprocess.Popen(
            [os.path.join(tools, "cgunwind"), "-f", "folded", "tcp-listen:127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        line = self.process.stderr.readline()
        if "TCP port" not in line:
            raise known.Failure("cgunwind does not listen: " + line)
        self.port = int(line.split()[-1])

    def finish(self):
        out, error = self.process.communicate(timeout=60)
        return self.process.returncode, out, error.splitlines()

    def given(self, data):
        """What it says of a peer that sends this and goes."""
        with socket.create_connection(("127.0.0.1", self.port)) as peer:
            peer.sendall(data)
        return self.finish()


def cgsnap(tools, pid, port, *options):
    command = [os.path.join(tools, "cgsnap"), "-p", str(pid), "-o", "tcp:localhost:%d" % port]
    return subprocess.Popen(command + list(options), stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def weight(folded):
    return sum(int(line.rpartition(" ")[2]) for line in folded.splitlines() if ";outer;" in line)


def check_chains(tools, pid):
    reader = Reader(tools)
    writer = cgsnap(tools, pid, reader.port, "-n", "50")
    error = writer.communicate(timeout=60)[1]
    status, out, lines = reader.finish()
    if writer.returncode or status or lines:
        yield "sound stream: %d %s, %d %s" % (writer.returncode, error, status, lines)
    if weight(out) < 25 or ";main;outer;innermost " not in out:
        yield "sound stream: the chains did not arrive: " + out


def check_broken(tools, data):
    """Garbage at once; garbage behind some records; the end inside a record."""
    snapshot = snapfile.Snapshot(data)
    middle = [item for item in snapshot.records if item.kind == snapfile.SAMPLE][10]
    cases = (
        ("garbage", os.urandom(5000), 1, "is not a snapshot", 0),
        ("nothing", b"", 1, "is empty", 0),
        ("garbage behind", data[: middle.offset] + b"\xff" * 500, 1, "offset %d" % middle.offset, 10),
        ("stopped", data[: middle.end - 5], 0, "cut short", 10),
    )
    for what, text, wanted_status, wanted, samples in cases:
        status, out, lines = Reader(tools).given(text)
        if status != wanted_status or len(lines) != 1 or wanted not in lines[0]:
            yield "%s: status %d, %s" % (what, status, lines)
        if weight(out) < samples * 0.8:
            yield "%s: only a weight of %d arrived: %s" % (what, weight(out), out)


def unread(port, peer):
    """Bytes that the kernel holds for who listened there."""
    ends = ["0100007F:%04X" % number for number in (port, peer.getsockname()[1])]
    with open("/proc/net/tcp") as file:
        return next(int(line.split()[4].split(":")[1], 16) for line in file if line.split()[1:3] == ends)


def check_interrupt(tools, data):
    """Ctrl-C ends a connection whose sender does not; what had arrived is used."""
    reader = Reader(tools)
    with socket.create_connection(("127.0.0.1", reader.port)) as peer:
        peer.sendall(data)
        known.wait_until(lambda: not unread(reader.port, peer), "all to be read")
        reader.process.send_signal(signal.SIGINT)
        status, out, lines = reader.finish()
    if status or weight(out) < 25:
        yield "Ctrl-C: status %d, %s, weight %d" % (status, lines, weight(out))


def check_several(tools, data):
    """Each connection in its turn: the second is waited for when the first has ended."""
    ports = known.free_port(), known.free_port()
    reader = subprocess.Popen(
        [os.path.join(tools, "cgunwind"), "-f", "folded", *("tcp-listen:127.0.0.1:%d" % port for port in ports)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for port in ports:
        if str(port) not in reader.stderr.readline():
            yield "several: port %d is not waited for" % port
        with socket.create_connection(("127.0.0.1", port)) as peer:
            peer.sendall(data)
    out, error = reader.communicate(timeout=60)
    if reader.returncode or weight(out) < 50:
        yield "several: status %d, %s, weight %d" % (reader.returncode, error, weight(out))


def check_reset(tools, data):
    """The connection is reset, not closed."""
    reader = Reader(tools)
    peer = socket.create_connection(("127.0.0.1", reader.port))
    peer.sendall(data[: len(data) // 2])
    time.sleep(0.5)
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
    status, out, lines = reader.finish()
    if status != 1 or len(lines) != 1 or "Connection reset" not in lines[0] or weight(out) < 5:
        yield "reset: status %d, %s, weight %d" % (status, lines, weight(out))


def is_stopped(pid):
    with open("/proc/%d/stat" % pid) as file:
        return file.read().rpartition(")")[2].split()[0] == "t"


def resident_kb(pid):
    with open("/proc/%d/status" % pid) as file:
        return next(int(line.split()[1]) for line in file if line.startswith("RssAnon"))


def check_pressure(tools, pid):
    """A reader that does not read for a while, then does, then goes away."""
    listener = socket.create_server(("127.0.0.1", 0))
    # Not less than a segment of the loopback's: else the kernel sends by its timer, for two minutes.
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 131072)
    writer = cgsnap(tools, pid, listener.getsockname()[1], "-F", str(RATE), "--overhead", "100")
    peer = listener.accept()[0]
    time.sleep(1.5)  # the kernel's buffers are full by now
    before_kb, stopped = resident_kb(writer.pid), 0
    for _ in range(100):
        time.sleep(0.01)
        stopped += is_stopped(pid)
    kb = resident_kb(writer.pid) - before_kb
    if stopped > 5:
        yield "blocked reader: the program was found stopped %d times of 100" % stopped
    if kb > QUEUE_MAX_KB:
        yield "blocked reader: cgsnap has grown by %d kB" % kb
    data = b""
    peer.settimeout(10)
    while len(data) < 20 << 20 and b"" != (piece := peer.recv(1 << 20)):
        data += piece
        records = len(data) > 8 << 20
        if records:
            break
    cut = data[: whole_size(data)]
    losses = sum(struct.unpack_from("<I", item.payload, 16)[0]
                 for item in snapfile.Snapshot(cut).records
                 if item.kind == snapfile.LOSS and item.payload[20] != snapfile.LOST_TICKS)
    if losses < RATE:
        yield "blocked reader: %d samples were counted as lost, in 2.5 s" % losses
    peer.close()
    listener.close()
    try:
        error = told(writer, 20)
    except subprocess.TimeoutExpired:
        writer.kill()
        yield "a reader that goes away does not end cgsnap"
        return
    gone = [line for line in error if "reader has gone" in line]
    if writer.returncode != 1 or len(gone) != 1 or len(error) != 2:
        yield "a reader that goes away: status %d: %s" % (writer.returncode, error)


def told(writer, timeout):
    """Its lines, but for one that it has on the busiest of machines, on which no file is looked at in time."""
    lines = writer.communicate(timeout=timeout)[1].splitlines()
    return [line for line in lines if "mappings were not looked at" not in line]


def blocked(tools, pid, *options):
    """cgsnap with a peer that does not read, both connected."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        writer = cgsnap(tools, pid, listener.getsockname()[1], *options)
        return writer, listener.accept()[0]


def ended(writer, timeout):
    """What is wrong with how it ended; it is to fail with one line, and one of statistics."""
    begin = time.monotonic()
    try:
        error = told(writer, timeout)
    except subprocess.TimeoutExpired:
        writer.kill()
        writer.wait()
        return "cgsnap had not ended after %d s" % timeout, []
    wrong = "" if writer.returncode == 1 and len(error) == 2 else "status %d: %s" % (
        writer.returncode, error)
    return wrong, error + ["%.1f s" % (time.monotonic() - begin)]


def check_limits(tools, pid):
    """A limit and a signal, while the reader does not read."""
    for what, options, limit in (
        ("-d", ("-d", "1"), PATIENCE + 8),
        ("-n", ("-n", str(RATE)), PATIENCE + 8),
        ("SIGINT", (), 8),
    ):
        writer, peer = blocked(tools, pid, "-F", str(RATE), "--overhead", "100", *options)
        time.sleep(2)
        if what == "SIGINT":
            writer.send_signal(signal.SIGINT)
        wrong, error = ended(writer, limit)
        if wrong or "the reader does not read" not in error[0]:
            yield "%s with a blocked reader: %s %s" % (what, wrong, error)
        peer.close()


def check_process_end(tools, directory):
    target = subprocess.Popen([os.path.join(directory, "busy")])
    writer, peer = blocked(tools, target.pid, "-F", str(RATE), "--overhead", "100")
    time.sleep(1.5)
    target.kill()
    target.wait()
    wrong, error = ended(writer, PATIENCE + 8)
    if wrong or "the reader does not read" not in error[0]:
        yield "the process's end with a blocked reader: %s %s" % (wrong, error)
    peer.close()


def check_delivery(tools, pid):
    """The kernel has taken all, and the peer goes away without having read it."""
    writer, peer = blocked(tools, pid, "-F", str(RATE), "--overhead", "100", "-n", "4")
    time.sleep(1)
    if writer.poll() is not None:
        yield "not delivered: cgsnap has ended, with status %d" % writer.returncode
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()
    wrong, error = ended(writer, 10)
    if wrong or "not all of it has arrived" not in error[0]:
        yield "not delivered: %s %s" % (wrong, error)


def check_refused_early(tools):
    """No such process: nobody connects; and cgsnap does not listen."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        writer = cgsnap(tools, 0x3FFFFFFF, listener.getsockname()[1])
        error = writer.communicate(timeout=20)[1]
        if writer.returncode != 1 or "no such process" not in error:
            yield "no such process: status %d, %s" % (writer.returncode, error)
        try:
            listener.accept()
            yield "no such process: cgsnap has connected"
        except socket.timeout:
            pass
    done = known.run([os.path.join(tools, "cgsnap"), "-p", "1", "-o", "tcp-listen:7007"])
    lines = done.stderr.decode().splitlines()
    if done.returncode != 2 or len(lines) != 1 or "tcp:HOST:PORT" not in lines[0]:
        yield "-o tcp-listen: status %d, %s" % (done.returncode, lines)


def whole_size(data):
    """Where the last whole record ends."""
    offset = snapfile.HEADER_SIZE
    while offset + snapfile.HEAD_SIZE <= len(data):
        end = snapfile.Record(data, offset).end
        if end > len(data):
            break
        offset = end
    return offset


def main():
    tools = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        target = subprocess.Popen([known.program(tools, "busy", directory)])
        try:
            path = os.path.join(directory, "snap")
            known.check_run([os.path.join(tools, "cgsnap"), "-q", "-n", "40", "-p",
                             str(target.pid), "-o", path])
            with open(path, "rb") as file:
                data = file.read()
            failures += check_chains(tools, target.pid)
            failures += check_broken(tools, data)
            failures += check_interrupt(tools, data)
            failures += check_several(tools, data)
            failures += check_reset(tools, data)
            failures += check_pressure(tools, target.pid)
            failures += check_limits(tools, target.pid)
            failures += check_process_end(tools, directory)
            failures += check_delivery(tools, target.pid)
            failures += check_refused_early(tools)
            if target.poll() is not None:
                failures.append("the program has ended: %s" % target.returncode)
        finally:
            target.send_signal(signal.SIGKILL)
            target.wait()
    print("\n".join(failures) or "all is well")
    return bool(failures)


sys.exit(main())
