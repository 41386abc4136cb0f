#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the chains of cgunwind with perf script's, sample by sample, function by function.

usage: compare_chains.py CGUNWIND-JSON PERF-SCRIPT-TEXT

The first is `cgunwind -f json --no-inline`, the second `perf script --no-inline --ns -F comm,tid,time,ip,sym
--max-stack 65535`. Samples are matched by thread and time. Each sample is in one class; the first samples of the
others are shown.
"""

import json
import os
import re
import subprocess
import sys

HEADER = re.compile(r"^.*?\s(\d+)\s+(\d+)\.(\d{9}):\s*$")
FRAME = re.compile(r"^\s+([0-9a-f]+) (.*)$")
CLASSES = {
    "same": "the same functions",
    "alias": "the same functions, of which some have two names",
    "names": "the same addresses, another name somewhere",
    "perf-early": "perf ends earlier, ours goes on",
    "ours-early": "ours ends earlier, perf goes on",
    "different": "different",
}
AGREE = ("same", "alias")
SHOWN = 3


def read_ours(path):
    """(tid, time) -> [(address, function, module)], stop reason."""
    chains = {}
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            if not line.startswith('{"type":"sample"'):
                continue
            sample = json.loads(line)
            frames = [(int(frame["pc"], 16), frame.get("function", ""), frame.get("module", ""))
                      for frame in sample["frames"]]
            chains[sample["tid"], sample["time_ns"]] = frames, sample["stop"]
    return chains


def read_perf(path):
    """(tid, time) -> [(address, function)]."""
    chains, frames = {}, None
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            header = HEADER.match(line)
            if header:
                tid, seconds, nanoseconds = map(int, header.groups())
                frames = chains.setdefault((tid, seconds * 10**9 + nanoseconds), [])
                continue
            frame = FRAME.match(line)
            if frame and frames is not None:
                name = frame[2].strip()
                frames.append((int(frame[1], 16), "" if name == "[unknown]" else name))
    return chains


def same_address(ours, theirs):
    """perf prints addresses in the file, of callers one less than the return address: pages' offsets are the same."""
    return (ours - theirs) % 4096 in (0, 1)


def plain(name):
    """A name without what demanglers and symbol versions write differently: perf leaves parameters out."""
    name = re.sub(r"(\.(part|isra|constprop|cold|lto_priv)\.?\d*| \[clone [^]]*\])+$", "", name.split("@")[0])
    name = re.sub(r" (const|volatile|&|&&)$", "", name)
    if name.endswith(")") and not name.endswith("(anonymous namespace)"):
        depth, at = 0, len(name)
        while at > 0:
            at -= 1
            depth += {")": 1, "(": -1}.get(name[at], 0)
            if depth == 0:
                break
        name = name[:at] if at > 0 else name
    return name.replace(" ", "")


def same_name(ours, theirs):
    """A template's name may have its return type before it."""
    ours, theirs = plain(ours), plain(theirs)
    return ours == theirs or ("<" in theirs and ours.endswith(theirs))


class Symbols:
    """Where a module's symbols are, as readelf says: to know two names of one function."""

    def __init__(self):
        self.modules = {}

    def _read(self, module):
        values = {}
        if not os.path.isfile(module):
            return values
        build_id = re.search(r"Build ID: ([0-9a-f]+)", self._readelf("-n", module))
        debug = f"/usr/lib/debug/.build-id/{build_id[1][:2]}/{build_id[1][2:]}.debug" if build_id else ""
        for path in (module, debug):
            for line in self._readelf("-sW", path).splitlines() if os.path.isfile(path) else ():
                words = line.split()
                if len(words) > 7 and words[3] in ("FUNC", "IFUNC", "NOTYPE"):
                    values.setdefault(words[7].split("@")[0], set()).add(words[1])
        return values

    @staticmethod
    def _readelf(option, path):
        return subprocess.run(["readelf", option, path], capture_output=True, text=True, errors="replace").stdout

    def are_one(self, frame, other):
        """Are our frame's function and `other` at one address?"""
        if frame[2] not in self.modules:
            self.modules[frame[2]] = self._read(frame[2])
        values = self.modules[frame[2]]
        return bool(values.get(frame[1], set()) & values.get(other.split("@")[0], set()))


def classify(ours, theirs, symbols):
    """The class of a pair of chains, and the index of the first frame that differs."""
    name, at = "same", 0
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if same_name(a[1], b[1]) and (a[1] or same_address(a[0], b[0])):
            continue
        if not same_address(a[0], b[0]):
            return "different", i
        if not b[1]:  # where perf has no name ours is no contradiction
            continue
        if name in ("same", "alias") and not symbols.are_one(a, b[1]):
            name, at = "names", i
        elif name == "same":
            name, at = "alias", i
    if len(ours) != len(theirs):
        return ("perf-early" if len(ours) > len(theirs) else "ours-early"), min(len(ours), len(theirs))
    return name, at


def compare(ours, theirs):
    """Counts by class, examples, and samples that only one of the two has."""
    counts = dict.fromkeys(CLASSES, 0)
    examples = {name: [] for name in CLASSES}
    common = [key for key in theirs if key in ours]
    symbols = Symbols()
    for key in common:
        frames, stop = ours[key]
        name, at = classify(frames, theirs[key], symbols)
        counts[name] += 1
        if name not in AGREE and len(examples[name]) < SHOWN:
            examples[name].append((key, at, stop, frames, theirs[key]))
    return counts, examples, len(ours) - len(common), len(theirs) - len(common)


def show(example):
    (tid, time), at, stop, ours, theirs = example

    def frame(frames):
        return f"{frames[at][0]:#x} {frames[at][1] or '?'}" if at < len(frames) else "the end"

    return (f"tid {tid} at {time}, frame {at}: ours {frame(ours)}, perf {frame(theirs)} "
            f"({len(ours)} and {len(theirs)} frames, ours stops at {stop})")


def report(ours_path, perf_path):
    """(counts, only ours, only perf's, lines of text)."""
    counts, examples, only_ours, only_perf = compare(read_ours(ours_path), read_perf(perf_path))
    total = sum(counts.values())
    lines = [f"{total} samples in both; {only_ours} only ours, {only_perf} only perf's"]
    for name, text in CLASSES.items():
        if counts[name]:
            lines.append(f"{counts[name]:8} {counts[name] / total:8.3%}  {text}")
            lines += ["          " + show(example) for example in examples[name]]
    return counts, only_ours, only_perf, lines


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    print("\n".join(report(*sys.argv[1:])[3]))
