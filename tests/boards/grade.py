# SPDX-License-Identifier: MIT
"""What cgunwind says of halts, beside the truth."""

import collections
import re
import subprocess

FRAME = re.compile(r"^#\d+ +0x([0-9a-f]+) .*\[([a-z_]+)\](?: by [^\]]*)?$")
STARTS = ("thread-start", "reset")  # the chain is told to be complete


class Told:
    """A chain as cgunwind tells it."""

    def __init__(self):
        self.addresses, self.trusts, self.stop = [], [], None


def chains(cgunwind, snapshot):
    done = subprocess.run([cgunwind, "-q", "-f", "chains", "-o", "-", snapshot],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace")
    if done.returncode:
        raise RuntimeError("cgunwind %s: %s" % (snapshot, done.stderr))
    told = []
    for line in done.stdout.splitlines():
        frame = FRAME.match(line)
        if line.startswith("TID ") and not line.endswith(": as before"):
            told.append(Told())
        elif line.startswith("stop: "):
            told[-1].stop = line[6:]
        elif frame and frame[2] != "inlined":
            told[-1].addresses.append(int(frame[1], 16))
            told[-1].trusts.append(frame[2])
    return told


def verdict(halt, told):
    """exact, short (right as far as it goes, and not told to be complete), wrong, or false: it is
    told to be complete, and is not."""
    is_complete = told.stop in STARTS
    if told.addresses == halt.chain:
        return "exact" if is_complete else "open"
    if is_complete:
        return "false"
    return "short" if told.addresses == halt.chain[: len(told.addresses)] else "wrong"


def describe(code, halt, told, kind):
    """The two chains side by side, for people."""
    sp = halt.registers[13 if code.board.is_arm else 2]
    lines = ["%s, stop: %s, sp %#x" % (kind, told.stop, sp)]
    for i in range(max(len(halt.chain), len(told.addresses))):
        true = halt.chain[i] if i < len(halt.chain) else None
        seen = told.addresses[i] if i < len(told.addresses) else None
        trust = told.trusts[i] if seen is not None else ""
        lines.append("  %-2d %-38s %s %-38s %s" % (
            i, place(code, true), "==" if true == seen else "!=", place(code, seen), trust))
    return "\n".join(lines)


def place(code, address):
    if address is None:
        return "-"
    name = code.function(address)
    start = next((at for at, other in code.functions if other == name), address)
    return "%#x %s+%#x" % (address, name, address - start)


def grade(code, halts, told):
    """Counts by verdict, and descriptions of what is not exact."""
    if len(told) != len(halts):
        raise RuntimeError("%d halts, and %d chains" % (len(halts), len(told)))
    counts, differences = collections.Counter(), []
    for halt, one in zip(halts, told):
        kind = verdict(halt, one)
        counts[kind] += 1
        if kind != "exact":
            differences.append((kind, describe(code, halt, one, kind)))
    return counts, differences
