#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of calls: their graph is exact, the sampled graph of the same program is part of it, and
what cannot be read of them is told.

usage: traces.py BUILD-DIRECTORY

The trace of traced.c is read here by a few lines of Python, which cgunwind has to agree with, call by
call. A build without instrumentation is sampled at 999 Hz: each of its edges has to be in the trace;
how its weights correlate with exact calls times known costs is printed.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SECONDS = 3
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Werror", "-O1", "-g", "-fno-optimize-sibling-calls"]


def build(path, *options, traced=True, pairs=False):
    source = os.path.join(known.PROGRAMS, "traced.c")
    tracer = []
    if traced:
        tracer = [path + ".tracer.o"]
        define = ["-DPAIRS"] if pairs else []
        known.check_run(["gcc", *FLAGS, *define, "-c", os.path.join(known.PROGRAMS, "tracer.c"), "-o", tracer[0]])
        options += ("-finstrument-functions",)
    known.check_run(["gcc", *FLAGS, *options, source, *tracer, "-o", path])
    return path


def run_traced(program, trace):
    known.check_run([program], env={**os.environ, "TRACE": trace})
    return trace


def symbols(program):
    """Of functions: {address: name}."""
    table = {}
    for line in known.check_run(["nm", program]).splitlines():
        field = line.split()
        if len(field) == 3 and field[1] in "tT":
            table[int(field[0], 16)] = field[2]
    return table


def costs():
    """What each function spends by itself, by the source."""
    with open(os.path.join(known.PROGRAMS, "traced.c"), encoding="utf-8") as file:
        text = file.read()
    found = re.findall(r"^static APART \w+ (\w+)\([^;{]*\)\n\{\n(.*?)^\}", text, re.M | re.S)
    spends = {name: re.search(r"spend\((\d+)\)", body) for name, body in found}
    return {name: int(spend[1]) if spend else 0 for name, spend in spends.items()}


class Exact:
    """A trace of entries and exits, and what the costs make of it."""

    def __init__(self, path, table, bias=0):
        self.calls = collections.Counter()  # by function
        self.edges = collections.Counter()  # by (caller, callee)
        self.self = collections.Counter()
        self.edge_cost = collections.Counter()
        self.max_depth = 0
        cost = costs()
        stack = []
        with open(path, encoding="ascii") as file:
            for line in file:
                name = table[int(line[1:], 16) - bias]
                if line[0] == "X":
                    assert stack.pop() == name
                    continue
                self.calls[name] += 1
                if stack:
                    self.edges[stack[-1], name] += 1
                stack.append(name)
                self.max_depth = max(self.max_depth, len(stack))
                self.self[name] += cost.get(name, 0)
                for edge in set(zip(stack, stack[1:])):  # once, however often it is on the path
                    self.edge_cost[edge] += cost.get(name, 0)
        assert not stack


def cgunwind(tools, *options):
    return known.check_run([os.path.join(tools, "cgunwind"), *options])


def exact_json(tools, trace, *options):
    objects = [json.loads(line) for line in cgunwind(tools, "-q", "-f", "json", *options, trace).splitlines()]
    calls = {item["function"]: item["calls"] for item in objects if item["type"] == "function"}
    edges = {(item["caller"], item["callee"]): item["calls"] for item in objects if item["type"] == "call"}
    return calls, edges, objects


def compare(what, got, want):
    for key in sorted(set(got) | set(want), key=str):
        if got.get(key, 0) != want.get(key, 0):
            yield "%s: %s: %s, in the trace %s" % (what, key, got.get(key, 0), want.get(key, 0))


def check_entries(tools, directory, program, exact, trace, *options):
    calls, edges, objects = exact_json(tools, trace, "-e", program, *options)
    yield from compare("calls", calls, exact.calls)
    yield from compare("edges", edges, exact.edges)
    summary = objects[-1]
    if summary["max_depth"] != exact.max_depth or summary["lines_not_read"] or summary["left_open"]:
        yield "summary: %s, deepest is %d" % (summary, exact.max_depth)
    marked = {mark: [item["function"] for item in objects if item.get(mark) is True] for mark in ("first", "last")}
    if marked != {"first": ["main"], "last": ["now"]}:
        yield "first and last: %s" % marked
    folded = cgunwind(tools, "-f", "folded", "-e", program, *options, trace).splitlines()
    by_leaf = collections.Counter()
    for line in folded:
        stack, _, count = line.rpartition(" ")
        by_leaf[stack.split(";")[-1]] += int(count)
    yield from compare("folded", by_leaf, exact.calls)
    by_root = collections.Counter()
    for line in cgunwind(tools, "-f", "folded", "--invert", "-e", program, *options, trace).splitlines():
        by_root[line.split(";")[1].partition(" ")[0]] += int(line.rpartition(" ")[2])
    yield from compare("folded --invert", by_root, exact.calls)
    table = cgunwind(tools, "-f", "top", "--nodes", "0", "-e", program, *options, trace)
    rows = re.findall(r"^ *[\d.]+% +(\d+) +[\d.]+% +[\d.]+% +\d+  (\w+) \[", table, re.M)
    yield from compare("top", {name: int(calls) for calls, name in rows}, exact.calls)
    dot = cgunwind(tools, "-f", "dot", "--sequence", "-e", program, *options, trace)
    for name, count in exact.calls.items():
        label = '[label="%s\\n%d call%s"' % (name, count, "" if count == 1 else "s")
        if label not in dot:
            yield "dot: there is no " + label
    if '[label=" #2: 2"' not in dot:
        yield "dot: the first edge has no number"


def check_pairs(tools, directory, exact):
    program = build(os.path.join(directory, "pairs"), "-no-pie", pairs=True)
    trace = run_traced(program, os.path.join(directory, "pairs.txt"))
    calls, edges, objects = exact_json(tools, trace, "-e", program)
    # The C library calls main and compare; these calls have no caller of the program's own.
    own = {edge: count for edge, count in edges.items() if not edge[0].startswith("[unknown]")}
    outside = {edge[1] for edge in edges if edge not in own}
    want = {edge: count for edge, count in exact.edges.items() if edge[1] not in outside}
    if outside != {"main", "compare"}:
        yield "pairs: called from outside: %s" % outside
    yield from compare("calls of pairs", {name: count for name, count in calls.items() if count}, exact.calls)
    yield from compare("edges of pairs", own, want)
    with open(os.path.join(known.PROGRAMS, "traced.c"), encoding="utf-8") as file:
        source = file.read().splitlines()
    for item in objects:
        for site in item.get("sites", ()):
            text = source[site["line"] - 1]
            called = "function" if item["caller"] == "by_pointer" else item["callee"]
            if called not in text:
                yield "pairs: %(caller)s calls %(callee)s" % item + " in line %d: %s" % (site["line"], text)


def correlation(pairs):
    count = len(pairs)
    mean_x, mean_y = (sum(pair[i] for pair in pairs) / count for i in (0, 1))
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in pairs)
    spread = [sum((pair[i] - mean) ** 2 for pair in pairs) for i, mean in ((0, mean_x), (1, mean_y))]
    return covariance / (spread[0] * spread[1]) ** 0.5


def check_sampled(tools, directory, exact):
    program = build(os.path.join(directory, "plain"), traced=False)
    snapshot = os.path.join(directory, "snap.bin")
    cgsnap = os.path.join(tools, "cgsnap")
    known.check_run([cgsnap, "-q", "-F", "999", "--overhead", "100", "-o", snapshot, "--", program, str(SECONDS)])
    weights, edges, samples = collections.Counter(), collections.Counter(), 0
    for line in cgunwind(tools, "-q", "-f", "json", snapshot).splitlines():
        item = json.loads(line)
        if item["type"] != "sample":
            continue
        own = [
            frame["function"]
            for frame in reversed(known.real_frames(item))
            if frame.get("module") == program and frame.get("function") in exact.calls
        ]
        samples += bool(own)
        if own:
            weights[own[-1]] += 1
        for edge in set(zip(own, own[1:])):
            edges[edge] += 1
    for edge in sorted(set(edges) - set(exact.edges)):
        yield "the sampled edge %s -> %s is not in the trace (%d samples)" % (*edge, edges[edge])
    if samples < 100:
        yield "only %d samples are in the program" % samples
        return
    print("sampled at 999 Hz: %d samples; %d of %d edges seen, all of them exact" % (samples, len(edges), len(exact.edges)))
    print("correlation with exact calls times known costs: %.4f (%d functions, self), %.4f (%d edges)"
          % (correlation([(exact.self[name], weights[name]) for name in exact.calls]), len(exact.calls),
             correlation([(exact.edge_cost[edge], edges[edge]) for edge in exact.edges]), len(exact.edges)))


def check_refusals(tools, directory, program, trace, snapshot):
    def lines(*command, data=None):
        done = subprocess.run([os.path.join(tools, "cgunwind"), *command], input=data, capture_output=True, timeout=120)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    with open(trace, "rb") as file:
        good = file.read()
    first = good.split(b"\n")[0]
    cases = [
        # (what is asked, standard input, status, what the one line says)
        ((trace,), None, 1, "name the one program that wrote it with --elf FILE"),
        (("-e", program, "-f", "chains", trace), None, 1, "there is no chains"),
        (("-e", program, "--state", "running", trace), None, 1, "there is no --state"),
        (("-e", program, "--from", "1", trace), None, 1, "there is no --from"),
        (("-e", program, trace, trace), None, 1, "which is read alone"),
        (("-e", __file__, trace), None, 1, "not an ELF file"),
        (("-e", program, "--load-bias", "0xg", trace), None, 2, "bad value '0xg' for option --load-bias, which takes a hexadecimal number"),
        (("-e", program, "--sequence", "-f", "tree", trace), None, 2, "tree does not honour --sequence"),
        (("-e", program, "-"), b"E0x1\nE0xzz\n" + good, 0, "line 2: is no record: 'E0xzz'"),
        (("-e", program, "-"), first + b"\nX0x1\n", 0, "line 2: the function is not open at 'X0x1'"),
        (("-e", program, "-"), good[: len(good) // 2 - 1], 0, "the trace is cut short"),
        (("-e", program, "--load-bias", "10000000", "-"), good, 0, "needs --load-bias"),
        (("-e", program, "-"), b"X0x1\nX0x1\n", 1, "holds no call that can be read"),
        (("-e", program, "-"), b"E0x1\n" + b"y" * 1000000, 0, "is longer than any record"),
        (("--load-bias", "1", snapshot), None, 1, "is no trace of calls, which --load-bias is for"),
    ]
    for command, data, status, text in cases:
        got, out, error = lines(*command, data=data)
        if got != status or text not in error or bool(out) != (status == 0):
            yield "%s: status %d, %d bytes, %r" % (" ".join(command[-2:]), got, len(out), error)


def test(tools):
    known.need("gcc", "nm")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-traces-") as directory:
        fixed = build(os.path.join(directory, "fixed"), "-no-pie")
        trace = run_traced(fixed, os.path.join(directory, "trace.txt"))
        exact = Exact(trace, symbols(fixed))
        print("%d calls, %d functions, %d edges" % (sum(exact.calls.values()), len(exact.calls), len(exact.edges)))
        failures += check_entries(tools, directory, fixed, exact, trace)
        anywhere = build(os.path.join(directory, "anywhere"), "-fPIE", "-pie")
        moved = run_traced(anywhere, os.path.join(directory, "moved.txt"))
        table = symbols(anywhere)
        with open(moved, encoding="ascii") as file:
            bias = int(file.readline()[1:], 16) - min(a for a, name in table.items() if name == "main")
        failures += check_entries(
            tools, directory, anywhere, Exact(moved, table, bias), moved, "--load-bias", hex(bias)
        )
        failures += check_pairs(tools, directory, exact)
        failures += check_sampled(tools, directory, exact)
        snapshot = os.path.join(directory, "snap.bin")
        failures += check_refusals(tools, directory, fixed, trace, snapshot)
    return failures


if __name__ == "__main__":
    known.main(test)
