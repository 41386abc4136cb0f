#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgsnap --pointees: what registers and the stack point to is in the snapshot as it was in the
process; the budget is kept; memory that is not there, or that somebody would have to bring, is
left alone.

usage: pointees.py BUILD-DIRECTORY
"""

import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import registered

# Of a target that is held, of a cgsnap that waits for ever.
PATIENCE = 60


class Told:
    """What the program says of its memory and of its threads."""

    def __init__(self, lines):
        self.texts, self.without, self.threads = {}, {}, {}
        self.changing = None
        for line in iter(lines.readline, "ready\n"):
            if not line:
                raise known.Failure("the program ended before it was ready")
            first, rest = line.rstrip("\n").split(" ", 1)
            if first.isdigit():
                name, text = rest.split(" ", 1)
                self.threads[int(first)] = (name, text.encode() + b"\0")
                continue
            name, address, text = line.rstrip("\n").rsplit(" ", 2) if line.endswith(" -\n") else (first, *rest.split(" ", 1))
            if text == "=":
                self.changing = int(address, 16)
            elif text == "-":
                self.without[name] = int(address, 16)
            else:
                self.texts[name] = (int(address, 16), text.encode() + b"\0")


def capture(tools, target, snapshot, *options):
    command = [os.path.join(tools, "cgsnap"), "--force", "-p", str(target.pid), "-o", snapshot, "-d", "0.4", "--clock",
               "ptrace", *options]
    done = known.run(command, timeout=PATIENCE)
    if done.returncode != 0 or done.stderr.count(b"\n") != 1:
        raise known.Failure("%s: %d, %s" % (" ".join(command), done.returncode, done.stderr.decode()))


def samples(snapshot):
    """(tid, {address: bytes}) of each sample, as snapdump.py, which knows FORMAT.md alone, has them."""
    dumped = known.run([sys.executable, os.path.join(known.TESTS, "system", "snapdump.py"), "--stacks", snapshot])
    if dumped.returncode != 0:
        raise known.Failure(dumped.stdout.decode().splitlines()[-1])
    before = {}
    for line in dumped.stdout.splitlines():
        record = json.loads(line)
        if record["type"] == "pointees":
            before = {piece["start"]: bytes.fromhex(piece["bytes"]) for piece in record["pieces"]}
        elif record["type"] == "sample":
            yield record["tid"], before
            before = {}


def memory(pid, address, size):
    with open("/proc/%d/mem" % pid, "rb", 0) as file:
        file.seek(address)
        return file.read(size)


def holds(pieces, address, text):
    return any(start <= address and data[address - start:].startswith(text) for start, data in pieces.items())


def check(what, found, told, pid, size, budget, all_texts):
    """The samples of one snapshot."""
    seen, counters = {}, []
    for tid, pieces in found:
        counters += [data[told.changing - start:][:4] for start, data in pieces.items()
                     if start <= told.changing < start + len(data)]
        total = sum(map(len, pieces.values()))
        if total > budget:
            yield "%s: %d bytes in a sample, of %d" % (what, total, budget)
        for name, address in told.without.items():
            if any(start < address + size and address < start + len(data) for start, data in pieces.items()):
                yield "%s: %s is captured" % (what, name)
        for name, (address, text) in told.texts.items():
            if all_texts and not holds(pieces, address, text[:size]):
                yield "%s: %s: not captured, or wrong: %s" % (what, name, sorted(map(hex, pieces)))
        for start, data in pieces.items():
            is_steady = not start - 4 < told.changing < start + len(data)
            if b"mmmm" in data and is_steady and data != memory(pid, start, len(data)):
                yield "%s: other bytes than in the process at %x" % (what, start)
        own = told.threads[tid][1]
        seen.setdefault(tid, []).append(any(own[:size] in data for data in pieces.values()))
    if all_texts and len(set(counters)) < len(counters) / 4:  # all threads have one
        yield "%s: of %d counts %d differ" % (what, len(counters), len(set(counters)))
    for tid, (name, _) in told.threads.items():
        if not seen.get(tid) or not all(seen[tid]):
            yield "%s: %s: %s of %s samples have its string" % (what, name, sum(seen.get(tid, ())), len(seen.get(tid, ())))


def of_a_program(tools, directory, *unanswered):
    program, snapshot = known.program(tools, "pointees", directory), os.path.join(directory, "snap")
    with known.Target([program, "60", os.path.join(directory, "file"), *unanswered]) as target:
        told = Told(target.process.stdout)
        if len(told.texts) < 4 or len(told.without) < 9 or len(told.threads) != 3:
            yield "the program tells %s %s %s" % (told.texts, told.without, told.threads)
        for value, size, budget in (("64", 64, 4096), ("24,300", 24, 300), ("4k,64k", 4096, 65536)):
            capture(tools, target, snapshot, "--pointees", value)
            found = list(samples(snapshot))
            # Where each is a page, what lies beside the first ones takes the budget.
            yield from check(value, found, told, target.pid, 16 if size == 4096 else size, budget, size == 64)
            largest = max(sum(map(len, pieces.values())) for _, pieces in found)
            print("%s: %d samples, %d bytes at most" % (value, len(found), largest))
            if largest < budget * 0.9 and size != 4096:
                yield "%s: the budget is not used: %d bytes" % (value, largest)
        capture(tools, target, snapshot, "--pointees", "64", "--together")
        yield from check("--together", samples(snapshot), told, target.pid, 64, 4096, True)
        info = known.check_run([os.path.join(tools, "cgunwind"), "--info", snapshot])
        total = sum(len(data) for _, pieces in samples(snapshot) for data in pieces.values())
        if "\npointees   %d bytes" % total not in info:
            yield "--info does not tell %d bytes: %s" % (total, info)
        folded = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "folded", snapshot])
        if "main;stay" not in folded or "work;stay" not in folded:
            yield "chains are others: " + folded
        capture(tools, target, snapshot)
        if any(pieces for _, pieces in samples(snapshot)):
            yield "pointees that nobody asked for"
        if target.process.poll() is not None:
            yield "the program has ended"


def beside_a_dead_server(tools, directory):
    mount = os.path.join(directory, "mount")
    os.mkdir(mount)
    with subprocess.Popen([sys.executable, "-c", registered.SERVER, mount], stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout.readline().strip() != "mounted":
                print("no file system of our own can be mounted here")
                yield from of_a_program(tools, directory)
                return
            yield from of_a_program(tools, directory, os.path.join(mount, "file"))
        finally:
            server.kill()
            known.run(["umount", "-l", mount])
        reads = server.stdout.read()
    if reads:
        yield "the file of a dead server was read: %r" % reads


def values(tools, directory):
    for value in ("0", "-1", "5000", "64,", "64,32", "64,65537", ",64", "64,64,64", "x", "64 "):
        done = known.run([os.path.join(tools, "cgsnap"), "-p", "1", "-o", os.path.join(directory, "none"), "--pointees", value])
        if done.returncode != 2 or b"--pointees" not in done.stderr:
            yield "--pointees %s: %d, %s" % (value, done.returncode, done.stderr.decode())


def test(tools):
    with tempfile.TemporaryDirectory() as directory:
        return [*values(tools, directory), *beside_a_dead_server(tools, directory)]


if __name__ == "__main__":
    known.main(test)
