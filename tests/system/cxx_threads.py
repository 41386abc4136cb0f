#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads of a C++ program (tasks.cc), not optimised and optimised, are told by the program's own
functions: what libstdc++ puts around these is short in all chains.

usage: cxx_threads.py BUILD-DIRECTORY
"""

import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SOURCE = os.path.join(known.PROGRAMS, "tasks.cc")
# What is told of each thread that waits, innermost first.
CHAINS = ("std::lock_guard::lock_guard ← take_stock() ← …",
          "std::condition_variable::wait ← serve_orders() ← …",
          "std::this_thread::sleep_for ← keep_stock(int) ← …",
          "std::this_thread::sleep_for ← add_up(int) ← …",
          "std::this_thread::sleep_for ← load_prices() ← std::call_once ← look_up_prices() ← …",
          "listener::listen(char const*) ← …",
          "std::future::get ← main")
# What each thread is known by.
FUNCTIONS = {"main", "take_stock()", "serve_orders()", "keep_stock(int)", "look_up_prices()",
             "add_up(int)", "listener::listen(char const*)"}
# Of what the library calls within itself.
INTERNAL = re.compile(r"← [^←\n]*(__invoke|__gthread|_M_run|_M_invoke|_Function_handler|libstdc\+\+)")


def told(tools, name, *options):
    """The output, without what chains are broken with and the lines of functions."""
    text = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", name, *options])
    return re.sub(r" \([\w.-]+:\d+\)", "", re.sub(r"\n +←", " ←", text))


def check_chains(text, title):
    for chain in CHAINS:
        if chain not in text:
            yield "%s: no \"%s\" in:\n%s" % (title, chain, text)
    internal = INTERNAL.search(text)
    if internal:
        yield "%s: \"%s\" in:\n%s" % (title, internal[0], text)


def check_once(text, title):
    """No chain is told in full twice."""
    chains = re.findall(r"(?:in|does): +(.* ← .*)", text)
    for chain in {chain for chain in chains if chains.count(chain) > 1}:
        yield "%s: twice: \"%s\" in:\n%s" % (title, chain, text)


def chains_with_threads(text):
    """What is told in the report, as (tid or None, chain). A line is of the one that it is below."""
    lines = []
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        found = re.match(r" *(waits in|took in|in|does): +(.*)", line)
        if not found:
            lines.append((indent, line.strip()))
            continue
        owner = next((line for at, line in reversed(lines) if at < indent), "")
        tid = re.search(r"\(tid (\d+)", owner)
        is_thread = re.match(r"(T\d+ |held by )?'", owner) or found[1] == "does"
        yield tid[1] if tid and is_thread else None, found[2]


def check_references(text, title):
    """Each "f, as tid 7 above" leads to one chain with such a part, among those of tid 7."""
    chains, count = [], 0
    for tid, chain in chains_with_threads(re.sub(r",\n +as ", ", as ", text)):
        reference = re.match(r"(.*), as(?: tid (\d+))? above$", chain)
        if reference:
            part, whose = " ← %s ←" % reference[1], reference[2]
            found = {full for other, full in chains if whose in (None, other)
                     and part in " ← %s ←" % full}
            if len(found) != 1:
                yield "%s: \"%s\" leads to %s in:\n%s" % (title, chain, found, text)
            chain, count = min(found, default=""), count + 1
        chains.append((tid, chain))
    if not count:
        yield "%s: no reference in:\n%s" % (title, text)


def check_identities(tools, snapshot, title):
    """Each thread is one, with its function's name."""
    text = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "threads-json", snapshot])
    objects = map(json.loads, text.splitlines())
    names = [o["name"] for o in objects if o["type"] == "identity"]
    if sorted(names) != sorted(FUNCTIONS):
        yield "%s: threads are %s" % (title, names)


def check_level(tools, level, directory):
    program = os.path.join(directory, "tasks")
    snapshot = os.path.join(directory, "snap.bin")
    known.check_run(["g++", "-std=c++17", "-g", "-O%d" % level, "-pthread", SOURCE, "-o", program])
    with known.Target([program]) as target:
        target.wait_ready()
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-d", "0.5", "--force", "-o", snapshot,
                         "-p", str(target.pid)])
    yield from check_once(told(tools, "waits", snapshot), "waits, -O%d" % level)
    yield from check_references(told(tools, "waits", snapshot), "waits, -O%d" % level)
    yield from check_identities(tools, snapshot, "threads, -O%d" % level)
    for name in ("waits", "stats"):
        yield from check_chains(told(tools, name, snapshot), "%s, -O%d" % (name, level))
        if not INTERNAL.search(told(tools, name, "-v", snapshot)):
            yield "%s -v, -O%d: not the whole chains" % (name, level)
    print("-O%d: captured and told" % level)


def test(tools):
    known.need("g++")
    with tempfile.TemporaryDirectory(prefix="cg-cxx-") as directory:
        return [wrong for level in (0, 2) for wrong in check_level(tools, level, directory)]


if __name__ == "__main__":
    known.main(test)
