#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cgsnap -o - | cgunwind -` works, and cgunwind's memory follows the distinct chains, not the
stream's length.

usage: stream_memory.py BUILD-DIRECTORY

A live stream of a program with known chains gives those chains. Then a capture's rounds are
repeated, with later times, to streams of which one is ten times as long as the other, some
hundred megabytes: what is kept in memory is the same.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import termios

sys.dont_write_bytecode = True
import known
import snapfile

SHORT, LONG = 200, 2000
# What two runs may differ by anyway; a leak of 16 bytes a sample shows.
SLACK = 256 << 10
FORMATS = ("folded", "tree", "json")


def check_folded(out, expected):
    """Every thread's stack line, without the frames outside the program, is the known chain."""
    shown = {}
    for line in out.splitlines():
        stack, _, weight = line.rpartition(" ")
        thread, *frames = stack.split(";")
        shown.setdefault(thread, []).append((frames, int(weight)))
    for name, chain in expected.items():
        wanted = [run for run in known.expected_runs(chain)[::-1] if run[0] != ".."]
        wanted = [function for function, count in wanted for _ in range(count)]
        stacks = shown.get(name, [])
        if not any(is_subsequence(wanted, frames) for frames, _ in stacks):
            yield "live stream: %s does not show %s" % (name, chain)
        if sum(weight for _, weight in stacks) < 50:
            yield "live stream: only %d samples of %s" % (sum(w for _, w in stacks), name)


def is_subsequence(wanted, frames):
    rest = iter(frames)
    return all(function in rest for function in wanted)


def check_live(tools, target):
    """Two seconds through a pipe."""
    cgsnap = [os.path.join(tools, "cgsnap"), "-q", "-d", "2", "--overhead", "100", "-o", "-", "-p", str(target.pid)]
    cgunwind = [os.path.join(tools, "cgunwind"), "-f", "folded", "--weight", "samples", "-"]
    with subprocess.Popen(cgsnap, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as writer:
        reader = subprocess.run(cgunwind, stdin=writer.stdout, capture_output=True, timeout=60)
        writer.stdout.close()
    error = reader.stderr.decode(errors="replace")
    if writer.returncode or reader.returncode or error:
        yield "live stream: %d, %d: %s" % (writer.returncode, reader.returncode, error)
    yield from check_folded(reader.stdout.decode(errors="replace"), target.expected)


class LongStream:
    """A capture whose samples are repeated `times` times, as bytes to be written piece by piece."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.whole = snapfile.Snapshot(file.read())
        records = self.whole.records
        timed = [item.kind in snapfile.TIME_OFFSET for item in records]
        first = [item.kind for item in records].index(snapfile.SAMPLE)  # a USAGE is before the threads
        last = len(timed) - timed[::-1].index(True)
        if not all(timed[first:last]):
            raise known.Failure("something besides samples happened during the capture")
        self.before, self.body, self.after = records[:first], records[first:last], records[last:]

    def pieces(self, times):
        yield self.whole.header + b"".join(item.encode() for item in self.before)
        for turn in range(times):
            yield b"".join(snapfile.shifted(item, turn * 10**9) for item in self.body)
        yield b"".join(item.encode() for item in self.after)


def waits_for_more(process):
    """Whether everything written was read and the process blocks for more."""
    unread = fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4))
    with open("/proc/%d/stat" % process.pid) as stat:
        state = stat.read().rpartition(")")[2].split()[0]
    return process.poll() is not None or state == "S" and not any(unread)


def memory(tools, form, stream, times):
    """The bytes that cgunwind keeps of the stream, just before it ends."""
    command = [os.path.join(tools, "cgunwind"), "-f", form, "--debug-dir", tools, "-"]
    # A sanitizer keeps what was freed for a while; that is not what is measured.
    options = "quarantine_size_mb=0:thread_local_quarantine_size_kb=0"
    environment = dict(os.environ, ASAN_OPTIONS=options)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=environment, bufsize=0
    ) as process:
        for piece in stream.pieces(times):
            process.stdin.write(piece)
        known.wait_until(lambda: waits_for_more(process), "cgunwind to read the stream", 60)
        # Exact, where VmHWM is not: the kernel counts the pages of each CPU apart, and adds up some.
        with open("/proc/%d/smaps_rollup" % process.pid) as rollup:
            lines = dict(line.split(":", 1) for line in list(rollup)[1:])
        process.stdin.close()
    if process.returncode != 0:
        raise known.Failure("%s: cgunwind ended with %d" % (form, process.returncode))
    return int(lines["Anonymous"].split()[0]) << 10


def check_memory(tools, path):
    stream = LongStream(path)
    samples = sum(item.kind == snapfile.SAMPLE for item in stream.body)
    size = sum(map(len, stream.pieces(1)))
    print("a turn: %d samples written out, %d kB" % (samples, size >> 10))
    for form in FORMATS:
        short = memory(tools, form, stream, SHORT)
        long = memory(tools, form, stream, LONG)
        print("%s: %d kB at %d turns, %d kB at %d" % (form, short >> 10, SHORT, long >> 10, LONG))
        if long > short + SLACK:
            yield "%s: memory grows with the stream: %d kB, %d kB" % (form, short >> 10, long >> 10)


def test(tools):
    known.need("gcc")
    directory = tempfile.mkdtemp(prefix="cg-stream-")
    try:
        program = known.build("gcc", 2, directory)
        path = os.path.join(directory, "snap.bin")
        with known.Target([program]) as target:
            target.wait_ready(spinning=("vdso",))
            failures = list(check_live(tools, target))
            cgsnap = os.path.join(tools, "cgsnap")
            known.check_run([cgsnap, "-n", "5", "-o", path, "-p", str(target.pid)])
        return failures + list(check_memory(tools, path))
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
