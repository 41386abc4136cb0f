#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgrules --explain at random addresses of real files.

usage: explain.py BUILD-DIRECTORY [ADDRESSES]

The row that it tells must be that of `cgrules --method prologue --pcs`, the state that it shows must
give the same row, and each row of a table that of the method. Addresses are any of the code: in
mid-instruction, in padding, in data. What is no address of code ends with one line and status 1. An
Arm and an AArch64 file are tried where their cross compilers' C libraries are installed.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known

LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
ADDRESSES = 300  # of the largest file; a sixth of it of the others
SECONDS = 30  # of one address, of the largest file
COLUMNS = 100
LONGER = re.compile(r"^ {14}row |^ {6,}[0-9a-f]+  [0-9a-f]+|^file |^rows|^  [a-z_]+ +(one |an |[0-9a-f]{8})|^ +goes |^function |^  (calls|jumps|jumps into|pointers) ")
ROW = re.compile(r"^ {14}row {6}(\S+) *(.*)$")
SOURCE = re.compile(r"^  (debug_frame|eh_frame|exidx|gopclntab|prologue) +(?:([0-9a-f]+) ([0-9a-f]+) (\S+) +(.*)|-)$")
CFA = re.compile(r"^([a-z]\w*)([+-]\d+)$")


def files(build):
    python = os.path.realpath(sys.executable)
    found = [(LIBC, []), (LIBC, ["--code-only"]), (python, []), (os.path.join(build, "cgrules"), []),
             (os.path.join(build, "cgunwind"), ["--code-only"])]
    for triplet in ("aarch64-linux-gnu", "arm-linux-gnueabihf", "i686-linux-gnu"):
        found.append(("/usr/%s/lib/libc.so.6" % triplet, []))
    return [(path, options) for path, options in found if os.path.exists(path)]


def sections_of_code(path):
    """(start, end) of each."""
    for line in known.check_run(["readelf", "-SW", path]).splitlines():
        field = line.partition("]")[2].split()
        if len(field) > 6 and field[1] == "PROGBITS" and "X" in field[6]:
            yield int(field[2], 16), int(field[2], 16) + int(field[4], 16)


def choose(path, count):
    ranges = list(sections_of_code(path))
    sizes = [end - start for start, end in ranges]
    chosen = random.Random(path)
    picked = (chosen.choices(ranges, sizes)[0] for _ in range(count))
    return [chosen.randrange(start, end) for start, end in picked]


def pcs(cgrules, path, options, method, addresses):
    """{address: [CFA register, CFA offset, RA offset]}"""
    done = subprocess.run([cgrules, "--method", method, "--pcs", "-", *options, path],
                          input="".join("%x\n" % address for address in addresses),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        return {}  # the file has no such table
    lines = (line.split() for line in done.stdout.splitlines())
    return {int(line[0], 16): line[1:] for line in lines}


def as_pcs(cfa, rest):
    """A row's text as --pcs has it, where it can say it."""
    register = CFA.match(cfa)
    if not register:
        return ["-", "-", "-"]
    ra = dict(word.split("=", 1) for word in rest.split() if "=" in word).get("ra", "")
    if re.match(r"c[+-]\d+$", ra):
        return [register[1], str(int(register[2])), str(int(ra[1:]))]
    if ra in ("s", "") and register[1] not in ("rsp", "rbp", "esp", "ebp"):
        return [register[1], str(int(register[2])), "lr"]
    return ["-", "-", "-"]


def explain(cgrules, path, options, address):
    start = time.monotonic()
    done = known.run([cgrules, "--explain", "0x%x" % address, *options, path])
    if done.returncode != 0 or done.stderr:
        raise known.Failure("%s: --explain %x: status %d: %s" % (path, address, done.returncode,
                                                                done.stderr.decode(errors="replace")))
    if time.monotonic() - start > SECONDS:
        raise known.Failure("%s: --explain %x takes longer than %d s" % (path, address, SECONDS))
    return done.stdout.decode(errors="replace")


def check_text(name, address, text, answers):
    """What is wrong with one explanation; `answers` are those of --pcs, by method."""
    sources = {}
    for line in text.splitlines():
        match = SOURCE.match(line)
        if match:
            sources[match[1]] = as_pcs(match[4], match[5]) if match[4] else ["-", "-", "-"]
        if len(line) > COLUMNS and not LONGER.match(line):
            yield "%s: %x: a line of %d columns: %s" % (name, address, len(line), line)
    if "prologue" not in sources:
        yield "%s: %x: no row of the prologue method" % (name, address)
    for method, row in sources.items():
        expected = answers[method].get(address, ["-", "-", "-"])
        if row != expected:
            yield "%s: %x: %s is %s, --pcs says %s" % (name, address, method, row, expected)
    if "\nrow at " not in text:
        if "none is known to hold the address" not in text and "too much work" not in text:
            yield "%s: %x: no row at the end" % (name, address)
        return
    last = ROW.match(text.rstrip("\n").splitlines()[-1])
    if not last and not text.endswith("row      u\n"):
        yield "%s: %x: the last line is no row" % (name, address)
    elif "signal trampoline" not in text and "instruction of the function lies there" not in text:
        row = as_pcs(last[1], last[2]) if last else ["-", "-", "-"]
        if row != answers["prologue"].get(address):
            yield "%s: %x: explained is %s, --pcs says %s" % (name, address, row, answers["prologue"].get(address))


def check_file(cgrules, path, options, count):
    name = " ".join([path, *options])
    addresses = choose(path, count)
    methods = ["prologue"] if options else ["prologue", "debug_frame", "eh_frame", "exidx"]
    answers = {method: pcs(cgrules, path, options, method, addresses) for method in methods}
    answered = sum(1 for answer in answers["prologue"].values() if answer[0] != "-")
    failures = []
    for address in addresses:
        failures += check_text(name, address, explain(cgrules, path, options, address), answers)
    print("%s: %d addresses, %d with an answer" % (name, len(addresses), answered))
    if answered * 2 < len(addresses):
        failures.append("%s: hardly any address has an answer" % name)
    return failures


def check_refused(cgrules, path, address, *options):
    done = known.run([cgrules, "--explain", address, *options, path])
    error = done.stderr.decode(errors="replace")
    if done.returncode != 1 or done.stdout or error.count("\n") != 1 or not error.startswith("cgrules: "):
        yield "--explain '%s' %s: status %d, %r" % (address, " ".join(options), done.returncode, error)


def check_bad_addresses(cgrules, build):
    own = os.path.join(build, "cgrules")
    for address in ("", "0x", "zz", "0x10000000000000000", "ffffffffffffffff", "0", "-1", "main+", "main+zz",
                    "main+0xffffffffffffffff", "+4", " 10", "no_such_function", "\x1b[31m"):
        yield from check_refused(cgrules, own, address)
    yield from check_refused(cgrules, own, "main", "--code-only")
    yield from check_refused(cgrules, "/dev/null", "0x1000")


def check_names(cgrules, build):
    own = os.path.join(build, "cgrules")
    text = known.check_run([cgrules, "--explain", "main", own])
    address = re.search(r"^address +([0-9a-f]+) <main>$", text, re.MULTILINE)
    if not address:
        yield "main is not found by its name: " + text[:200]
        return
    for spelt in ("main+0", address[1], "0x" + address[1], "0X" + address[1].upper()):
        if known.check_run([cgrules, "--explain", spelt, own]) != text:
            yield "%s is not main" % spelt
    if "<main+0x4>" not in known.check_run([cgrules, "--explain", "main+4", own]):
        yield "main+4 is not 4 bytes behind main"


def check_stripped(cgrules, build):
    """With --code-only a file and its stripped copy are the same."""
    own = os.path.join(build, "cgrules")
    with tempfile.TemporaryDirectory() as directory:
        copy = os.path.join(directory, "copy")
        shutil.copy(own, copy)
        known.check_run(["strip", "--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr", copy])
        for address in choose(own, 20):
            texts = [explain(cgrules, path, ["--code-only"], address).replace(path, "FILE") for path in (own, copy)]
            if texts[0] != texts[1]:
                yield "--code-only: %x differs in the stripped copy" % address


def check_damaged(cgrules, build):
    """Bytes of a file that are made others: no crash, whatever is said."""
    own = os.path.join(build, "cgrules")
    with open(own, "rb") as file:
        good = file.read()
    chosen = random.Random(7)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "damaged")
        for address in choose(own, 30):
            bad = bytearray(good)
            for _ in range(200):
                bad[chosen.randrange(64, len(bad))] = chosen.randrange(256)
            with open(path, "wb") as file:
                file.write(bad)
            done = known.run([cgrules, "--explain", "0x%x" % address, "-v", path])
            if done.returncode not in (0, 1):
                yield "damaged: %x: status %d: %s" % (address, done.returncode, done.stderr.decode(errors="replace"))


def test(build, addresses=ADDRESSES):
    cgrules = os.path.join(build, "cgrules")
    failures = list(check_bad_addresses(cgrules, build))
    failures += check_names(cgrules, build)
    failures += check_stripped(cgrules, build)
    failures += check_damaged(cgrules, build)
    for path, options in files(build):
        count = int(addresses) // (1 if path == LIBC and not options else 6)
        failures += check_file(cgrules, path, options, count)
    return failures


if __name__ == "__main__":
    known.main(test)
