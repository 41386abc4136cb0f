#!/usr/bin/env python3
"""The programs' options are those of their help, their man pages and their completions.

usage: documented.py BUILD-DIRECTORY
"""

import os
import re
import sys

sys.dont_write_bytecode = True
import known

DOCS = os.path.join(os.path.dirname(known.TESTS), "docs")
PROGRAMS = ("cgsnap", "cgunwind", "cgrules")
SCREEN = (24, 100)
OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)")


def help_options(tools, program):
    text = known.check_run([os.path.join(tools, program), "--help"])
    # An option is where a line describes it: after the indent, before the description.
    listed = set()
    for line in text.splitlines():
        if line.startswith("  "):
            listed.update(OPTION.findall(line))
    return text, listed


def man_options(program):
    with open(os.path.join(DOCS, "man", program + ".1"), encoding="utf-8") as file:
        text = file.read()
    listed = set()
    for line in re.findall(r"^\.It ((?:Fl|Xo).*)$", text, re.MULTILINE):
        for flag in re.findall(r"\bFl +(\S+)", line):
            listed.add("-" + flag)
    return listed


def completion_options(program):
    with open(os.path.join(DOCS, "completion", program), encoding="utf-8") as file:
        words = re.findall(r"compgen -W '(-[^']*)'", file.read())
    return {word for part in words for word in part.split()} - {"--"}


def is_accepted(tools, program, option):
    """Whether the program knows the option; it may want a value, or something else besides."""
    done = known.run([os.path.join(tools, program), option, "1", "--help"])
    error = done.stderr.decode(errors="replace")
    return not re.search("unknown option|unrecognized option|invalid option", error)


def check_program(tools, program):
    text, in_help = help_options(tools, program)
    lines = text.splitlines()
    if len(lines) > SCREEN[0] or max(map(len, lines)) > SCREEN[1]:
        yield "%s --help does not fit a screen: %d lines" % (program, len(lines))
    places = {"man page": man_options(program), "completion": completion_options(program)}
    for where, listed in places.items():
        if in_help - listed:
            yield "%s: not in the %s: %s" % (program, where, " ".join(sorted(in_help - listed)))
        for option in sorted(listed):
            if not is_accepted(tools, program, option):
                yield "%s: in the %s, but not known: %s" % (program, where, option)
    if is_accepted(tools, program, "--nonsense"):
        yield "%s accepts --nonsense" % program
    print("%s: %d options" % (program, len(in_help)))


def test(tools):
    return [failure for program in PROGRAMS for failure in check_program(tools, program)]


if __name__ == "__main__":
    known.main(test)
