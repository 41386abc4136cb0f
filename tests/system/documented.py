#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs' options are those of their tables, their help and their man pages; so are the
choices, cgunwind's formats and their suffixes. Each format of the sources is registered.

The tables are read from what the programs print for fish to complete: a line for each option.

usage: documented.py BUILD-DIRECTORY

Checked first is that the check finds a format that is missing in any of these places.
"""

import os
import re
import sys

sys.dont_write_bytecode = True
import known

SOURCES = os.path.join(os.path.dirname(known.TESTS), "src")
DOCS = os.path.join(os.path.dirname(known.TESTS), "docs")
PROGRAMS = ("cgsnap", "cgunwind", "cgrules", "cgtop")
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


def help_formats(text):
    """Of --format, in cgunwind's --help."""
    described = re.search(r"--format F +(.*?)\n +-", text, re.DOTALL).group(1)
    return re.findall(r"[\w-]+", described.replace("(default)", ""))


def man_words(text):
    """Names and suffixes of a line of macros' arguments."""
    return [word for word in text.split() if re.fullmatch(r"[a-z.][a-z.-]*[a-z]", word)]


def man_formats(text):
    """Of the option --format, and of the section FORMATS."""
    option = re.search(r"^\.It Fl f , Fl -format .*?\n(.*?)^\.Sx FORMATS", text, re.M | re.S).group(1)
    section = re.search(r"^\.Sh FORMATS$(.*?)^\.Sh ", text, re.M | re.S).group(1)
    listed = re.findall(r"^\.Cm (.*)", option, re.M)
    items = re.findall(r"^\.It Cm (.*)", section, re.M)
    return [[name for line in lines for name in man_words(line)] for lines in (listed, items)]


def man_suffixes(text):
    output = re.search(r"^\.It Fl o , Fl -output .*?\n(.*?)another one is refused", text, re.M | re.S)
    lines = re.findall(r"^\.Pa (.*)", output.group(1), re.M)
    return [word for line in lines for word in man_words(line)]


def source_formats():
    """What the sources define, whether it is in the list or not."""
    names = []
    for directory, _, files in os.walk(os.path.join(SOURCES, "output")):
        for name in sorted(name for name in files if name.endswith(".c")):
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                text = file.read()
            for body in re.findall(r"\boutput_format_\w+ = \{(.*?)^\};", text, re.M | re.S):
                names.append(re.search(r'\.name = "([^"]*)"', body).group(1))
    return names


def compare_formats(places):
    """`places`: {where: names}; the first is what the others have to have."""
    first, *others = places
    want = set(places[first])
    for where in others:
        names = places[where]
        if want - set(names):
            yield "formats: in %s, not in %s: %s" % (first, where, " ".join(sorted(want - set(names))))
        if set(names) - want:
            yield "formats: in %s, not in %s: %s" % (where, first, " ".join(sorted(set(names) - want)))
    for where, names in places.items():
        if len(names) != len(set(names)):
            yield "formats: twice in " + where


def check_the_check(places):
    first, *others = places
    for where in others:
        for name in places[where]:
            one_less = [other for other in places[where] if other != name]
            if not list(compare_formats({**places, where: one_less})):
                yield "the check does not miss %s in %s" % (name, where)
    if not list(compare_formats({**places, first: places[first] + ["nonsense"]})):
        yield "the check does not see a format that is in %s alone" % first


def read(*path):
    with open(os.path.join(DOCS, *path), encoding="utf-8") as file:
        return file.read()


def check_formats(tools):
    cgunwind = os.path.join(tools, "cgunwind")
    man = read("man", "cgunwind.1")
    option, section = man_formats(man)
    places = {
        "--help": help_formats(known.check_run([cgunwind, "--help"])),
        "src/output": source_formats(),
        "the man page's --format": option,
        "the man page's FORMATS": section,
        "the completion": table_options(tools, "cgunwind")[1]["--format"],
    }
    yield from check_the_check(places)
    yield from compare_formats(places)
    for name in places["--help"]:
        if known.run([cgunwind, "-f", name, "--help"]).returncode != 0:
            yield "--help names a format that is not known: " + name
    error = known.run([cgunwind, "-o", "x.nonsense", "/dev/null"]).stderr.decode()
    suffixes = re.search("a suffix of ([^,]*),", error).group(1).split()
    if sorted(suffixes) != sorted(man_suffixes(man)):
        yield "suffixes: %s, in the man page %s" % (suffixes, man_suffixes(man))
    print("cgunwind: %d formats, %d suffixes" % (len(places["--help"]), len(suffixes)))


def test(tools):
    failures = [failure for program in PROGRAMS for failure in check_program(tools, program)]
    return failures + list(check_formats(tools))


if __name__ == "__main__":
    known.main(test)
