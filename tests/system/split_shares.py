# SPDX-License-Identifier: MIT
"""What the tests of functions that are divided by values share: the program's counts
(tests/programs/requests.c), a snapshot of it, and whether their shares are the same."""

import json
import math
import os
import re
import sys

sys.dont_write_bytecode = True
import known

FUNCTION = "handle"
VARIABLES = {"kind": "kind", "table": "request.table", "size": "request.head.size"}
KINDS = ("READ", "WRITE", "SCAN", "COMMIT")
LABEL = re.compile(r"(?:^|;)%s(?: \[([^;]*)\])?(?=;|$)" % FUNCTION)
SIGMAS = 4
SAMPLES_MIN = 250  # else chance may do anything


def separate(path, directory, prefix=""):
    """Strips a program; its debug information goes into the directory, by build-id."""
    notes = known.check_run(["readelf", "-n", path])
    build_id = re.search(r"Build ID: ([0-9a-f]+)", notes)[1]
    debug = os.path.join(directory, ".build-id", build_id[:2], build_id[2:] + ".debug")
    os.makedirs(os.path.dirname(debug))
    known.check_run([prefix + "objcopy", "--only-keep-debug", path, debug])
    known.check_run([prefix + "strip", path])


class Counts:
    """What the program has counted: {what: {label: CPU time}}, and {what: {label: requests}}."""

    def __init__(self, text):
        self.cpu, self.requests = {}, {}
        for what, label, cpu, requests in map(str.split, text.splitlines()):
            label = '"%s"' % label if what == "table" else label
            self.cpu.setdefault(what, {})[label] = int(cpu)
            self.requests.setdefault(what, {})[label] = int(requests)
        if {"kind", "table", "size", "clock"} != set(self.cpu):
            raise known.Failure("the program told: " + text)
        self.clock_ns = self.cpu["clock"]["clock"] / self.requests["clock"]["clock"]

    def shares(self, what, looks=0):
        """With so many looks at the clock beside what was counted of each request."""
        sums = {label: cpu + looks * self.clock_ns * self.requests[what][label]
                for label, cpu in self.cpu[what].items()}
        return {label: amount / sum(sums.values()) for label, amount in sums.items()}


class Snapshot:
    def __init__(self, tools, path, directory, *options):
        self.tools, self.path, self.directory = tools, path, directory
        self.options = ["--debug-dir", directory, "--weight", "cpu", *options]
        self.outputs = {}

    def command(self, form, *options, loud=False):
        quiet = [] if loud else ["-q"]
        return [os.path.join(self.tools, "cgunwind"), *quiet, "-f", form, *self.options, *options,
                self.path]

    def output(self, form, *options):
        key = (form, *options)
        if key not in self.outputs:
            self.outputs[key] = known.check_run(self.command(form, *options))
        return self.outputs[key]

    def amounts(self, *options):
        """CPU time by the label of the function; "" undivided, None: where it is not."""
        amounts = {}
        for line in self.output("folded", *options).splitlines():
            chain, _, amount = line.rpartition(" ")
            label = LABEL.search(chain)
            label = label and (label[1] or "")
            amounts[label] = amounts.get(label, 0) + int(amount)
        return amounts

    @staticmethod
    def parts_of(amounts, variable):
        """{value: CPU time} of what is divided by the variable."""
        prefix = variable + "="
        return {label[len(prefix):]: amount for label, amount in amounts.items()
                if label and label.startswith(prefix)}

    def parts(self, variable, *options):
        return self.parts_of(self.amounts("--split", FUNCTION + ":" + variable, *options), variable)

    def independent(self):
        """As how many samples of one weight those count that found a thread on a CPU."""
        items, _ = known.with_cpu_time(map(json.loads, self.output("json").splitlines()))
        found = [item["given_ns"] for item in items]
        return sum(found) ** 2 / max(sum(one * one for one in found), 1)


def bound(share, count):
    return SIGMAS * math.sqrt(share * (1 - share) / max(count, 1))


def compare(counts, what, parts, count):
    """[(label, share counted, share found, by how much that may differ)]"""
    whole = sum(parts.values()) or 1
    bare, looked = counts.shares(what), counts.shares(what, 2)
    return [(label, share, parts.get(label, 0) / whole,
             bound(share, count) + abs(looked[label] - share))
            for label, share in bare.items()]


def is_wrong(rows):
    return [row for row in rows if abs(row[1] - row[2]) > row[3]]


def judge(snapshot, counts, title, unknown_max, show):
    """What is wrong with the shares of all variables."""
    count = snapshot.independent()
    whole = snapshot.amounts()
    print("%s: as %d samples, %.2f %% of CPU time in %s" % (
        title, count, 100 * whole.get("", 0) / sum(whole.values()), FUNCTION), flush=True)
    if count < SAMPLES_MIN:
        yield "%s: as %d samples only" % (title, count)
    for what, variable in VARIABLES.items():
        amounts = snapshot.amounts("--split", FUNCTION + ":" + variable)
        parts = snapshot.parts_of(amounts, variable)
        if sum(parts.values()) != whole[""] or amounts.get(None) != whole.get(None):
            yield "%s: by %s the parts have %d ns, the whole has %d" % (
                title, variable, sum(parts.values()), whole[""])
        unknown = {label: parts.pop(label) for label in list(parts)
                   if label not in counts.cpu[what]}
        rows = compare(counts, what, parts, count)
        worst = max(rows, key=lambda row: abs(row[1] - row[2]) / row[3])
        print("    by %s: %.2f %% not known %s; furthest off is %s: counted %.2f %%, found %.2f, "
              "allowed %.2f points" % (variable, 100 * sum(unknown.values()) / whole[""],
                                       list(unknown), worst[0], 100 * worst[1], 100 * worst[2],
                                       100 * worst[3]), flush=True)
        for row in rows if show else ():
            print("        %-12s counted %6.2f %%, found %6.2f %%, allowed %.2f points"
                  % (row[0], *(100 * value for value in row[1:])))
        if sum(unknown.values()) > unknown_max * whole[""]:
            yield "%s: by %s %s" % (title, variable, unknown)
        for label, share, found, allowed in is_wrong(rows):
            yield "%s: %s has %.2f %% of CPU time, found %.2f, allowed %.2f points" % (
                title, label, 100 * share, 100 * found, 100 * allowed)
        if what == "kind":  # what takes one kind for another is found out
            swapped = {**parts, "READ": parts.get("WRITE", 0), "WRITE": parts.get("READ", 0)}
            if not is_wrong(compare(counts, what, swapped, count)):
                yield "%s: READ and WRITE could be taken for each other" % title
