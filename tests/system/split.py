#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A function that is divided by a value has of CPU time, for each, what the program counted.

usage: split.py BUILD-DIRECTORY [show]

The program (tests/programs/requests.c) does all kinds of its work in the same functions: a value in
a frame is all that tells whose time it was. It runs stripped, with its debug information in another
file, and is captured by root and by somebody without privileges.

A sample falls on a kind as often as that has a CPU: of independent samples of weights w, a share p
is off by no more than four standard deviations, 4 * sqrt(p * (1 - p) * sum(w^2)) / sum(w). To that
comes what the program does not count of its own: looking at the clock, for each request. "show"
prints all shares.
"""

import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import split_shares
import weights

SECONDS, RATE, THREADS = 2.0, 997, 2
UNKNOWN_MAX = 0.03  # of its time: what comes before values are where they stay, and after


def build(tools, directory):
    """The program without its debug information, and the directory that has that by build-id."""
    path = known.program(tools, "requests", directory)
    os.chmod(path, 0o755)
    files = os.path.join(directory, "debug")
    split_shares.separate(path, files)
    return path, files


def capture(tools, directory, program, is_root, seconds):
    """A snapshot, and what the program counted."""
    path = os.path.join(directory, "%s-%g" % ("root" if is_root else "user", seconds))
    user = weights.NOBODY if os.geteuid() == 0 and not is_root else []
    command = [*user, os.path.join(directory, "cgsnap"), "-q", "-F", str(RATE), "--overhead", "100",
               "-d", str(seconds), "-o", path]
    command += [] if is_root else ["--clock", "ptrace"]
    program = [program, str(THREADS), str(seconds + 0.5)]
    if is_root or not weights.may_trace_others():
        told, errors, status = weights.capture_own(command, program)
    else:
        told, errors, status = weights.capture_other(command, user, program)
    if status:
        raise known.Failure("cgsnap: " + errors)
    return path, split_shares.Counts(told.partition("ready\n")[2])


def check_conditions(s, kind, size, table):
    """What each condition leaves is what the labels have for which it holds."""
    numbers = {label: int(label.rpartition("..")[2]) for label in size if label[0].isdigit()}
    under = lambda limit: sum(size[label] for label, most in numbers.items() if most < limit)
    known_size = sum(size[label] for label in numbers)
    known_kind = sum(kind[label] for label in split_shares.KINDS)
    conditions = {
        "kind != READ": known_kind - kind["READ"],
        "kind =~ ^(READ|SCAN)$": kind["READ"] + kind["SCAN"],
        "kind == 2": kind["SCAN"],
        "request.head.size < 64": under(64),
        "request->head.size >= 64": known_size - under(64),
        "request.table == orders": table['"orders"'],
        'request.table =~ ^.?(users|li)': table['"users"'] + table['"lines"'],
        "request.table == nothing": 0,
    }
    conditions.update({"kind == " + name: kind[name] for name in split_shares.KINDS})
    for condition, weight in conditions.items():
        whole = s.amounts("--where", "handle:" + condition)
        if sum(whole.values()) != weight:
            yield "--where '%s' leaves %d ns, its labels have %d" % (
                condition, sum(whole.values()), weight)
    both = s.amounts("--where", "handle:kind == READ", "--where", "handle:request.table == users",
                     "--split", "handle:kind")
    if not 0 < sum(both.values()) < kind["READ"] or set(both) != {"kind=READ"}:
        yield "two conditions leave %s" % both


def check_two(s, kind, table):
    """Divided by both at once, the parts are as many, and as much."""
    two = s.amounts("--split", "handle:kind", "--split", "handle:request.table")
    for name in split_shares.KINDS:
        parts = {label: amount for label, amount in two.items()
                 if label and label.startswith("kind=%s, request.table=" % name)}
        if len(parts) < len(table) - 1 and name != "COMMIT":
            yield "of %s and tables: %s" % (name, parts)
        if sum(parts.values()) != kind[name]:
            yield "%s has %d ns in parts, %d in one" % (name, sum(parts.values()), kind[name])


def check_numbers(s, size):
    """Of negative numbers, too; and one by one, where that is asked for."""
    signed = s.parts("request.head.priority")
    if not {"-2", "-1", "0", "1", "2"} <= set(signed):
        yield "priorities are %s" % signed
    single = s.parts("request.head.size", "--split-values", "100000")
    numbers = [label for label in single if label.isdigit()]
    if len(numbers) < 100 or any(".." in label for label in single):
        yield "%d sizes one by one" % len(numbers)
    for label in ("32..63", "1024..2047"):
        least, most = map(int, label.split(".."))
        amount = sum(single[number] for number in numbers if least <= int(number) <= most)
        if amount != size[label]:
            yield "sizes %s have %d ns one by one, %d in their range" % (label, amount, size[label])


def check_formats(s, kind, whole):
    """All formats have the labels, and those that say how much have the same."""
    patterns = {"top": r" ([\d.]+)%% +\S+ \S+  %s", "tree": r"^ +([\d.]+)%%.*%s", "callgrind": "%s()",
                "dot": r"label=\"%s\\n([\d.]+)%%", "chains": "%s()"}
    for form, pattern in patterns.items():
        output = s.output(form, "--split", "handle:kind")
        for name in split_shares.KINDS:
            share = 100 * kind[name] / whole
            found = re.search(pattern % re.escape("handle [kind=%s]" % name), output, re.MULTILINE)
            if not found or (found[1] and abs(float(found[1]) - share) > 0.1):
                yield "-f %s: %s has %s, not %.2f %%" % (form, name, found and found[1], share)
    amounts = {}
    items, _ = known.with_cpu_time(map(json.loads, s.output("json", "--split", "handle:kind").splitlines()))
    for item in items:
        for frame in item["frames"]:
            name = frame.get("function")
            amounts[name] = amounts.get(name, 0) + item["given_ns"]
    for name in split_shares.KINDS:
        if amounts.get("handle [kind=%s]" % name) != kind[name]:
            yield "json: %s has %s, not %d" % (name, amounts.get("handle [kind=%s]" % name), kind[name])
    pprof = known.run(s.command("pprof", "--split", "handle:kind"))
    path = os.path.join(s.directory, "pprof")
    with open(path, "wb") as file:
        file.write(pprof.stdout)
    again = split_shares.Snapshot(s.tools, path, s.directory)
    if again.parts_of(again.amounts(), "kind") != kind:
        yield "by way of a pprof profile: %s" % again.amounts()
    done = known.run(again.command("folded", "--split", "handle:kind"))
    if done.returncode == 0 or b"--split" not in done.stderr:
        yield "a profile is divided: %s" % done.stderr


def check_nothing_found(s):
    """What is not there is told of, and the rest is as it was."""
    for options, message in (
            (("--split", "handel:kind"), "'handel:kind': there is no frame of handel"),
            (("--split", "handle:knid"), "knid is <unavailable: no such variable here> in all "),
            (("--where", "handle:knid == 1"), "no sample passes --where"),
            (("--where", "handle:knid == 1"), "'handle:knid == 1': knid is <unavailable: ")):
        done = known.run(s.command("folded", *options, loud=True))
        if done.returncode or message not in done.stderr.decode():
            yield "%s: %s" % (options, done.stderr.decode())
    unknown = s.parts("knid")
    if set(unknown) != {"<unavailable>"}:
        yield "handle:knid is %s" % unknown
    nothing = os.path.join(s.directory, "nothing")
    os.mkdir(nothing)
    without = split_shares.Snapshot(s.tools, s.path, nothing)
    done = known.run(without.command("folded", "--split", "handle:kind", loud=True))
    if b"there is no frame of handle" not in done.stderr:
        yield "without debug information: %s" % done.stderr.decode()


def check(tools, directory, program, debug, is_root, show):
    for seconds in (SECONDS, 4 * SECONDS):  # the second where CPUs had other things to do
        path, counts = capture(tools, directory, program, is_root, seconds)
        s = split_shares.Snapshot(tools, path, debug)
        if s.independent() >= split_shares.SAMPLES_MIN:
            break
    yield from split_shares.judge(s, counts, "root" if is_root else "user", UNKNOWN_MAX, show)
    if not is_root:
        return
    parts = {what: s.parts(variable) for what, variable in split_shares.VARIABLES.items()}
    yield from check_conditions(s, parts["kind"], parts["size"], parts["table"])
    yield from check_two(s, parts["kind"], parts["table"])
    yield from check_numbers(s, parts["size"])
    yield from check_formats(s, parts["kind"], sum(s.amounts().values()))
    yield from check_nothing_found(s)


def test(tools, *options):
    known.need("readelf", "objcopy", "strip", "setpriv")
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-split-") as directory:
        program, debug = build(tools, directory)
        known.check_run(["cp", os.path.join(tools, "cgsnap"), directory])
        os.chmod(directory, 0o777)
        for is_root in (True, False):
            failures += check(tools, directory, program, debug, is_root, "show" in options)
    return failures


if __name__ == "__main__":
    known.main(test)
