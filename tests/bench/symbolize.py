#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names, lines and inlined functions of many addresses, against llvm-symbolizer and addr2line -i.

usage: symbolize.py SYMBOLIZE NAME=ELF[,DEBUG-DIRECTORY]…

SYMBOLIZE is the program made of symbolize.c. For each ELF file: COUNT addresses of .text, in random order and
sorted, the same list for all tools; the runs of ours and of llvm-symbolizer alternate, in both orders, and medians
are compared. addr2line, which is far slower, runs once, and is stopped after five minutes.
Prints a line for each result:

    NAME OURS PEER RATIO

CPU seconds and kilobytes; for the agreement, OURS is how many answers (all frames of an address: function, file, line)
are llvm-symbolizer's, PEER how many there are; once strictly, once without differences that are explained: two names
of one address in the symbol table (alias), and a name of llvm-symbolizer's that is no function's but of a symbol
without type and size, which in a file made with LTO lies in a section of debug information (label). The differing answers are counted by kind on standard error.
CG_PAIRS sets the number of runs (default 5), CG_COUNT that of addresses (default 100000).
"""

import collections
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

PAIRS = int(os.environ.get("CG_PAIRS", "5"))
COUNT = int(os.environ.get("CG_COUNT", "100000"))
SLOW = 300  # seconds after which a tool is stopped


# Runs a command and prints its CPU seconds and kilobytes. A process of its own, which stays small: what is measured begins
# as a copy of it, and what this here has in memory would count.
LAUNCHER = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
os.write(2, b"%r %d %d" % (usage.ru_utime + usage.ru_stime, usage.ru_maxrss, status))
"""


def run(command, addresses, output=None):
    """CPU seconds, and kilobytes at the most; None when it took too long."""
    launcher = [sys.executable, "-S", "-E", "-c", LAUNCHER]
    with open(addresses) as text, open(output or os.devnull, "w") as out:
        if command[0] != shutil.which(command[0]):
            command = [os.path.abspath(command[0])] + command[1:]
        process = subprocess.run(launcher + command, stdin=text, stdout=out, stderr=subprocess.PIPE, text=True)
    seconds, kilobytes, status = process.stderr.split()[-3:]
    if os.WIFEXITED(int(status)) and os.WEXITSTATUS(int(status)) == 124:
        return None
    if int(status):
        sys.exit("symbolize.py: failed: %s: %s" % (" ".join(command), process.stderr))
    return float(seconds), int(kilobytes)


def code_addresses(path):
    lines = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True).stdout
    match = re.search(r"\] \.text\s+\w+\s+(\w+)\s+\w+\s+(\w+)", lines)
    start, size = int(match[1], 16), int(match[2], 16)
    choice = random.Random(5)
    return [start + choice.randrange(size) for _ in range(COUNT)]


def debug_file(path, directory):
    """Where the build-id leads to; the file itself when that is nowhere."""
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True).stdout
    identity = re.search(r"Build ID: (\w+)", notes)
    if identity and directory:
        found = os.path.join(directory, ".build-id", identity[1][:2], identity[1][2:] + ".debug")
        if os.path.exists(found):
            return found
    return path


def answers(path):
    """A list of [(function, file, line), …] from llvm-symbolizer's format."""
    result, frames, function = [], [], None
    with open(path, errors="surrogateescape") as lines:
        for line in lines:
            line = line[:-1]
            if function is not None:
                place, number, _ = line.rsplit(":", 2)
                known = place not in ("??", "") and number != "0"
                frames.append((function, os.path.normpath(place) if known else "??", int(number) if known else 0))
                function = None
            elif line:
                function = line
            else:
                result.append(frames)
                frames = []
    return result


class Symbols:
    """The symbol table: {name: addresses}, and names that only symbols without type and size have."""

    def __init__(self, path):
        self.addresses, functions = collections.defaultdict(set), set()
        lines = subprocess.run(["readelf", "-sW", path], capture_output=True, text=True, errors="replace").stdout
        for line in lines.splitlines():
            match = re.match(r"\s*\d+: (\w+)\s+(\w+) (\w+)\s+\w+\s+\w+\s+\w+ ([^@]+)", line)
            if match:
                self.addresses[match[4]].add(int(match[1], 16))
                if match[3] != "NOTYPE" or match[2] != "0":
                    functions.add(match[4])
        self.labels = set(self.addresses) - functions


def kind_of(ours, theirs, symbols):
    if len(ours) != len(theirs):
        return "number of frames"
    kind = None
    for mine, yours in zip(ours, theirs):
        for what, a, b in zip(("function", "file", "line"), mine, yours):
            if a == b:
                continue
            if what == "function" and symbols.addresses[a] & symbols.addresses[b]:
                kind = "alias"
            elif what == "function" and b in symbols.labels:
                kind = "label"
            elif b in ("??", 0) or a in ("??", 0):
                return what + " known to one only"
            else:
                return what
    return kind


def compare(name, ours, theirs, symbols):
    differing = collections.Counter()
    examples = {}
    for mine, yours in zip(ours, theirs):
        kind = kind_of(mine, yours, symbols)
        if kind:
            differing[kind] += 1
            examples.setdefault(kind, (mine, yours))
    good = len(theirs) - sum(differing.values())
    print("%s-agreement %d %d %.5f" % (name, good, len(theirs), good / len(theirs)))
    good += differing["alias"] + differing["label"]
    print("%s-agreement-explained %d %d %.5f" % (name, good, len(theirs), good / len(theirs)), flush=True)
    for kind, count in differing.most_common():
        print("%s: %d differ in %s: %s instead of %s" % (name, count, kind, *examples[kind]), file=sys.stderr)


def measure(name, ours, llvm, addr2line, addresses, symbols, work):
    results = {"ours": [], "llvm": []}
    commands = {"ours": ours, "llvm": llvm}
    outputs = {tool: os.path.join(work, tool) for tool in commands}
    for tool in commands:  # the files are in memory from here on
        run(commands[tool], addresses, outputs[tool])
    compare(name, answers(outputs["ours"]), answers(outputs["llvm"]), symbols)
    for i in range(PAIRS):
        for tool in sorted(commands, reverse=i % 2 == 1):
            results[tool].append(run(commands[tool], addresses, outputs[tool]))
    seconds = {tool: [value[0] for value in results[tool]] for tool in results}
    memory = {tool: max(value[1] for value in results[tool]) for tool in results}
    mine, yours = (statistics.median(seconds[tool]) for tool in ("ours", "llvm"))
    ratios = sorted(b / a for a, b in zip(seconds["ours"], seconds["llvm"]))
    print("%s-time-llvm %.3f %.3f %.2f" % (name, mine, yours, yours / mine))
    print("%s: pairs from %.2f to %.2f" % (name, ratios[0], ratios[-1]), file=sys.stderr)
    print("%s-memory-llvm %d %d %.2f" % (name, memory["ours"], memory["llvm"], memory["llvm"] / memory["ours"]))
    if addr2line:
        once = run(addr2line, addresses)
        slow = once[0] if once else SLOW
        print("%s-time-addr2line %.3f %s%.3f %.2f" % (name, mine, "" if once else ">", slow, slow / mine))
    sys.stdout.flush()


def main():
    program, llvm = sys.argv[1], shutil.which("llvm-symbolizer") or shutil.which("llvm-symbolizer-14")
    addr2line = shutil.which("addr2line")
    if not llvm:
        print("skipped: llvm-symbolizer is not installed")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as work:
        for argument in sys.argv[2:]:
            name, _, files = argument.partition("=")
            path, _, directory = files.partition(",")
            # Both are given the debug file itself: with a stripped file llvm-symbolizer takes names from .dynsym alone.
            debug = debug_file(path, directory)
            theirs = [llvm, "--obj=" + debug]
            old = [shutil.which("timeout"), str(SLOW), addr2line, "-ifC", "-e", debug] if addr2line else None
            chosen = code_addresses(path)
            for order in ("random", "sorted"):
                addresses = os.path.join(work, order)
                with open(addresses, "w") as out:
                    out.writelines("0x%x\n" % address
                                   for address in (sorted(chosen) if order == "sorted" else chosen))
                measure("symbolize-%s-%s" % (name, order), [program, path] + ([directory] if directory else []),
                        theirs, old if order == "sorted" else None, addresses, Symbols(debug), work)


main()
