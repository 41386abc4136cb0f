# SPDX-License-Identifier: MIT
"""Timing commands against each other, and what comes of it."""

import json
import re
import statistics
import subprocess
import sys


class Missing(Exception):
    """Something that cannot be made or run here; says why."""


class Run:
    """One run of commands, one after the other: wall seconds, the largest peak memory, exit status."""

    def __init__(self, tool, commands, limit):
        self.timed_out, self.seconds, self.peak_kb, self.status = False, 0, 0, 0
        for command in commands:
            left = max(1, round(limit - self.seconds))
            output = subprocess.run([tool, str(left)] + command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout
            nanoseconds, peak_kb, self.status, timed_out, _ = map(int, output.split())
            self.seconds += nanoseconds / 1e9
            self.peak_kb = max(self.peak_kb, peak_kb)
            self.timed_out = bool(timed_out)
            if self.timed_out or self.status:
                break


def checked(result, commands):
    if result.status and not result.timed_out:
        raise Missing(f"status {result.status} of " + " && ".join(" ".join(command) for command in commands))
    return result


def alternate(run, count, ours, theirs):
    """Runs both in turn, in both orders, `count` pairs; what the peer does not end in time is not tried again.

    `ours` and `theirs` are lists of commands, `run` makes a Run of such a list. Returns two lists of Run, as long as
    each other but for that case.
    """
    checked(run(ours), ours)  # files are in memory from here on
    results = ([], [])
    for i in range(count):
        for which in ((0, 1) if i % 2 else (1, 0)):
            if which and results[1] and results[1][0].timed_out:
                continue
            results[which].append(checked(run((ours, theirs)[which]), (ours, theirs)[which]))
    return results


def spread(values, digits=3):
    """'median (min–max)'."""
    median = statistics.median(values)
    return f"{number(median, digits)} ({number(min(values), digits)}–{number(max(values), digits)})"


def number(value, digits=3):
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return f"{value:,.0f}" if "e" in text or abs(value) >= 1000 else text


class Results:
    """Lines of results: printed, and kept as JSON Lines."""

    def __init__(self, path):
        self.file = open(path, "w", encoding="utf-8")

    def add(self, **line):
        """`kind` is ratio, value, skipped or run; see compare, value and skip for what else there is."""
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()
        print("  " + describe(line))
        sys.stdout.flush()

    def compare(self, stage, what, unit, ours, peer, theirs, wanted="", note="", at_least=False):
        """Both lists hold one value for each pair; `at_least`: the peer was stopped, it takes longer."""
        self.add(kind="ratio", stage=stage, what=what, unit=unit, ours=ours, peer=peer, theirs=theirs, wanted=wanted, note=note, at_least=at_least)

    def value(self, stage, what, unit, values, wanted="", note=""):
        self.add(kind="value", stage=stage, what=what, unit=unit, ours=values, wanted=wanted, note=note)

    def skip(self, stage, what, why):
        self.add(kind="skipped", stage=stage, what=what, note=str(why))


def ratios(line):
    """Of each pair; the medians' where the pairs are not as many."""
    ours, theirs = line["ours"], line["theirs"]
    if len(ours) == len(theirs):
        return [b / a for a, b in zip(ours, theirs) if a]
    return [statistics.median(theirs) / statistics.median(ours)]


def verdict(line):
    """Is the median what was wanted? 'reached', 'missed by 1.5x', or '' where nothing was wanted."""
    wanted = re.match(r"([≤≥]) ([\d.]+)", line.get("wanted", ""))
    if not wanted or line["kind"] not in ("ratio", "value"):
        return ""
    value = statistics.median(ratios(line) if line["kind"] == "ratio" else line["ours"])
    goal = float(wanted[2])
    if value >= goal if wanted[1] == "≥" else value <= goal:
        return "reached"
    if line.get("at_least"):
        return "not known: the peer was stopped"
    factor = goal / value if wanted[1] == "≥" else value / goal
    return f"missed by {number(factor)}x"


def describe(line):
    note = f"   {line['note']}" if line.get("note") else ""
    wanted = f"   [wanted {line['wanted']}: {verdict(line)}]" if line.get("wanted") else ""
    if line["kind"] == "run":
        return line["what"]
    if line["kind"] == "skipped":
        return f"{line['what']}: SKIPPED: {line['note']}"
    if line["kind"] == "value":
        return f"{line['what']}: {spread(line['ours'])} {line['unit']}{wanted}{note}"
    more = "> " if line.get("at_least") else ""
    return (f"{line['what']}: ours {spread(line['ours'])} {line['unit']}, {line['peer']} {more}{spread(line['theirs'])}, "
            f"ratio {more}{spread(ratios(line))}{wanted}{note}")
