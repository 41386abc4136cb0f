#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Locks are told by the variables that lead to them: of owned_locks.c and owned_locks.cc, not
optimised and optimised, each of which has a thread for each way.

usage: variables_locks.py BUILD-DIRECTORY

Places are told beside the names, and alone where no variable is asked for, or none is known.
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

# What each thread waits for: in a deadlock or by itself.
C = {
    "left": r"mutex to->lock in move \(heap\+0x\w+\)",
    "right": r"mutex to->lock in move \(heap\+0x\w+\)",
    "worker": r"mutex queue->lock in take \(heap\+0x\w+\)",
    "reader": r"condition queue->ready in await \(\S+\+0x\w+\)",
    "pool": r"mutex pool\.slots\[2\]\.lock in pool \(stack of pool \(\d+\)\+0x\w+\)",
    "server": r"mutex server->queue->lock in serve \(\S+\+0x\w+\)",
    "table": r"mutex slot->lock in look \(g_table\+0x38\)",
}
CXX = {
    "deposit": r"mutex this->mutex_ in Account::deposit \(heap\+0x\w+\)",
    "transfer": r"mutex from->mutex_ in transfer \(heap\+0x\w+\)",
    "save": r"mutex savings\.mutex_ in save \(heap\+0x\w+\)",
    "wait": r"condition this->changed_ in Account::wait \(stack of owned \(\d+\)\+0x\w+\)",
}
PROGRAMS = (("gcc", "owned_locks.c", "O0", C), ("gcc", "owned_locks.c", "O2", C),
            ("g++", "owned_locks.cc", "O0", CXX), ("g++", "owned_locks.cc", "O2", CXX))
# Of the deadlock of two, whose locks have one name: each holds what the other waits for.
MEMBER = re.compile(r"T\d '(left|right)' .* holds mutex to->lock in move \((\S+)\), waits for"
                    r" mutex to->lock in move \((\S+)\), held by")


def report(tools, name, path, *options):
    """A line of the output is a sentence, however it is broken."""
    text = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", name, *options, path])
    return re.sub(r"\n {6,}(?=\S)", " ", text)


def captured(tools, title, command, directory):
    path = os.path.join(directory, title + ".bin")
    with known.Target(command) as target:
        target.wait_ready()
        # What a unique_ptr that was passed by reference has is on its owner's stack.
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-p", str(target.pid), "-n", "2",
                         "--together", "--pointees", "64", "-o", path])
    return path


def places(text):
    """The text with names taken away: what it was before there were any."""
    return re.sub(r"(mutex|condition) \S+ in \S+ \(([^,\n]*?\+0x\w+)\)", r"\1 \2", text)


def check_names(text, expected, title):
    for thread, wanted in expected.items():
        if not re.search(r"'%s' \(tid \d+[^\n]*?(: |waits for )%s" % (thread, wanted), text):
            yield "%s: %s does not wait for \"%s\" in:\n%s" % (title, thread, wanted, text)


def check_deadlock(text, title):
    members = {name: (held, wanted) for name, held, wanted in MEMBER.findall(text)}
    if len(members) != 2 or members["left"] != members["right"][::-1] \
            or len(set(members["left"])) != 2:
        yield "%s: %s in:\n%s" % (title, members, text)


def check(tools, compiler, source, level, expected, directory):
    title = "%s-%s" % (source, level)
    program = os.path.join(directory, "owned")
    known.check_run([compiler, "-g", "-" + level, "-D_GNU_SOURCE", "-pthread", "-o", program,
                     os.path.join(known.PROGRAMS, source)])
    path = captured(tools, title, [program], directory)
    plain = report(tools, "waits", path)
    named = report(tools, "waits", path, "--variables")
    yield from check_names(named, expected, title)
    if expected is C:
        yield from check_deadlock(named, title)
    if re.search(r"->| in \S+ \(", re.sub(r"(in|does|took in):.*", "", plain)):
        yield "%s: names that nobody asked for:\n%s" % (title, plain)
    if sorted(places(named).split()) != sorted(plain.split()):
        yield "%s: more than names differs in:\n%s\nand\n%s" % (title, named, plain)
    for wanted in expected.values():
        if not re.search(wanted, report(tools, "waits-dot", path, "--variables")):
            yield "%s: \"%s\" is not in the graph" % (title, wanted)
    # Without debug information they are called by their places.
    known.check_run(["strip", "--strip-debug", program])
    if report(tools, "waits", path, "--variables") != report(tools, "waits", path):
        yield "%s: stripped, it has names" % title


def test(tools):
    known.need("gcc", "g++", "strip")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for compiler, source, level, expected in PROGRAMS:
            failures += check(tools, compiler, source, level, expected, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
