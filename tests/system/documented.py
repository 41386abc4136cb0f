#!/usr/bin/env python3
"""The programs' options are those of their tables, their help and their man pages; and so are the choices.

The tables are read from what the programs print for fish to complete: a line for each option.

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


def table_options(tools, program):
    """The options, and {option: its choices}."""
    listed, choices = set(), {}
    for line in known.check_run([os.path.join(tools, program), "--completion", "fish"]).splitlines():
        line = line.split(" -d '")[0] if line.startswith("complete -c ") else ""
        line = line.split(" -a '(__fish_complete_subcommand")[0]
        names = ["-" + letter for letter in re.findall(r" -s (\S)", line)]
        names += ["--" + name for name in re.findall(r" -l (\S+)", line)]
        listed.update(names)
        words = re.search(r" -a '(?:\(__fish_append , )?([a-z][^()']*)", line)
        if words and names:
            choices[names[-1]] = words[1].split()
    return listed, choices


def check_choices(program, choices, text):
    """Each choice is a word of the man page's item of its option, and of the help where that lists any of them."""
    with open(os.path.join(DOCS, "man", program + ".1"), encoding="utf-8") as file:
        manual = file.read()
    for option, words in choices.items():
        item = re.search(r"^\.It Fl (?:\S+ , Fl )?%s\b(.*?)^\.(It Fl|El)" % option[1:], manual, re.M | re.S)
        missing = [word for word in words if not item or not re.search(r"(?<![\w-])%s(?![\w-])" % word, item[1])]
        if missing:
            yield "%s %s: not in the man page: %s" % (program, option, " ".join(missing))
        in_help = [word for word in words if re.search(r"(?<![\w-])%s(?![\w-])" % word, text)]
        if option in ("--format", "--method", "--by", "--weight", "--cluster") and in_help != words:
            yield "%s %s: not in the help: %s" % (program, option, " ".join(set(words) - set(in_help)))


def is_accepted(tools, program, option):
    """Whether the program knows the option; it may want a value, or something else besides."""
    done = known.run([os.path.join(tools, program), option, "1", "--help"])
    error = done.stderr.decode(errors="replace")
    return "unknown option" not in error


def check_program(tools, program):
    text, in_help = help_options(tools, program)
    lines = text.splitlines()
    if len(lines) > SCREEN[0] or max(map(len, lines)) > SCREEN[1]:
        yield "%s --help does not fit a screen: %d lines" % (program, len(lines))
    in_table, choices = table_options(tools, program)
    for where, listed in (("help", in_help), ("man page", man_options(program))):
        for option in sorted(in_table - listed):
            yield "%s: not in the %s: %s" % (program, where, option)
        for option in sorted(listed - in_table):
            yield "%s: in the %s, but not in the table: %s" % (program, where, option)
    for option in sorted(in_table):
        if not is_accepted(tools, program, option):
            yield "%s: in the table, but not known: %s" % (program, option)
    yield from check_choices(program, choices, text)
    if is_accepted(tools, program, "--nonsense"):
        yield "%s accepts --nonsense" % program
    print("%s: %d options, %d with choices" % (program, len(in_table), len(choices)))
    if not in_table or not choices:
        yield "%s: the table is not understood" % program


def test(tools):
    return [failure for program in PROGRAMS for failure in check_program(tools, program)]


if __name__ == "__main__":
    known.main(test)
