#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a function was called with, where its registers have something else by now, is what gdb says of it.

usage: entry_values.py BUILD-DIRECTORY

tests/programs/entries.c, by gcc -O1 to -O3, stops in what its function calls, three times. gdb prints each argument
and writes a core. Where it has an argument's value, cgunwind must have the same; where it has but the one at entry
("kind@entry"), cgunwind must have that under this name. --split divides by it, --where takes it only if asked to.
"""

import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

NAMES = ("request", "kind", "small", "real", "pair", "letter")
STOPS = 3


def gdb_values(program, directory):
    """Of each stop: the core, and of each argument what gdb has now and had at entry; None: it has not."""
    commands = ["set confirm off", "set debuginfod enabled off", "break spin", "run"]
    for stop in range(STOPS):
        commands += ["generate-core-file %s" % os.path.join(directory, "core%d" % stop), "up"]
        for name in NAMES:
            commands += ["echo \\nnow %d %s " % (stop, name), "print %s" % name]
            commands += ["echo \\nentry %d %s " % (stop, name), "print %s@entry" % name]
        commands += ["continue"]
    script = os.path.join(directory, "commands")
    # An error ends a script, not what Python does.
    with open(script, "w", encoding="utf-8") as out:
        out.write("python\nfor command in %r:\n    try:\n        gdb.execute(command)\n"
                  "    except gdb.error as error:\n        print('$0 = <%%s>' %% error)\nend\n" % commands)
    text = known.check_run(["gdb", "-q", "-nx", "-batch", "-x", script, program])
    found = re.findall(r"^(now|entry) (\d) (\w+) ?\$\d+ = (.*)$", text, re.M)
    if len(found) != 2 * STOPS * len(NAMES):
        raise known.Failure("gdb: " + text)
    return {(when, int(stop), name): None if value.startswith("<") else value for when, stop, name, value in found}


def our_values(tools, core, program):
    text = known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "json", "--variables", "-e", program, core])
    for record in map(json.loads, text.splitlines()):
        for frame in record["frames"] if record["type"] == "sample" else []:
            if frame.get("function") == "handle":
                return {v["name"]: v.get("value") for v in frame["variables"] if v["kind"] == "parameter"}
    raise known.Failure("no frame of handle: " + text)


def plain(value):
    """Pointers of ours have what they point to."""
    return re.sub(r"^\(.*\) (?=0x)", "", value).split(" ")[0] if value and "0x" in value else value


def check_stop(ours, theirs, stop):
    for name in NAMES:
        now, entry = theirs["now", stop, name], theirs["entry", stop, name]
        if name in ours and ours[name] is not None:
            if now is not None and plain(ours[name]) != plain(now):
                yield "%s is %s, gdb has %s" % (name, ours[name], now)
        elif name + "@entry" in ours:
            if plain(ours[name + "@entry"]) != plain(entry):
                yield "%s@entry is %s, gdb has %s" % (name, ours[name + "@entry"], entry)
        elif entry is not None and name not in ("real", "pair"):  # passed where integers are not, or in parts
            yield "%s is not known, and gdb has %s at entry" % (name, entry)


def check_split(tools, core, program, kind):
    def unwind(*options):
        return known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "folded", "-e", program, *options, core])

    for path in ("kind", "kind@entry"):
        text = unwind("--split", "handle:" + path)
        if "handle [kind@entry=%s]" % kind not in text:
            yield "divided by %s: %s" % (path, text)
    if "handle" not in unwind("--where", "handle:kind@entry == " + kind):
        yield "--where does not take what it asks for"
    if "handle" in unwind("--where", "handle:kind == " + kind):
        yield "--where takes what kind was at entry for what it is"


def check_level(tools, level, directory):
    program = os.path.join(directory, "entries" + level)
    known.check_run(["gcc", "-g", level, os.path.join(known.PROGRAMS, "entries.c"), "-o", program])
    theirs = gdb_values(program, directory)
    at_entry = 0
    for stop in range(STOPS):
        core = os.path.join(directory, "core%d" % stop)
        ours = our_values(tools, core, program)
        at_entry += sum(name.endswith("@entry") for name in ours)
        yield from (level + ": " + finding for finding in check_stop(ours, theirs, stop))
        if "kind@entry" in ours:
            yield from (level + ": " + finding
                        for finding in check_split(tools, core, program, theirs["entry", stop, "kind"]))
    if at_entry == 0:
        yield "%s: nothing is known at entry alone" % level


def test(tools):
    known.need("gcc", "gdb")
    with tempfile.TemporaryDirectory() as directory:
        return [finding for level in ("-O1", "-O2", "-O3") for finding in check_level(tools, level, directory)]


if __name__ == "__main__":
    known.main(test)
