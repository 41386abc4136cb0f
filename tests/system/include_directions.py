#!/usr/bin/env python3
"""Includes run downwards only, and each library is used in its own place; only the mains print
and exit.

usage: include_directions.py [BUILD-DIRECTORY]

The rules of the architecture as tables. Checked first is that the check finds what it is for.
"""

import os
import re
import sys

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")

# What the files of a room may include besides its own headers.
ROOMS = {
    "base": (),
    "snapshot": ("base",),
    "snapshot/import": ("snapshot", "base"),
    "capture": ("snapshot", "base"),
    "symbol": ("base",),
    "unwind": ("symbol", "snapshot", "base"),
    "graph": ("unwind", "symbol", "snapshot/import", "snapshot", "base"),
    "threads": ("graph", "unwind", "symbol", "snapshot/import", "snapshot", "base"),
}

# Who may include a library's header, as patterns of paths below src/.
LIBRARIES = {
    r"(libelf|gelf)\.h": r"symbol/.*",
    r"(libdw|libdwfl|libdwarf|libdwarf/.*)\.h": r"nowhere",
    # The numbers of the DWARF standard, which need no library.
    r"dwarf\.h": r"symbol/.*|unwind/(cfi|expr|lsda).*",
    r"capstone(/.*)?\.h": r"unwind/(insn|capstone_calls).*",
    r"(graphviz/)?(gvc|cgraph|gvcext|cdt)\.h": r"graph/render.*",
    r"sys/ptrace\.h|linux/ptrace\.h": r"capture/.*",
    r"jansson\.h": r"(graph|threads)/.*",
    r"(libiberty/)?demangle\.h": r"symbol/.*",
    r"(zlib|zstd|lzma)\.h": r"symbol/.*|snapshot/import/.*|graph/gzip.*",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PRINTS = re.compile(
    r"\b(?:printf|puts|putchar|perror|vprintf|exit|abort|err|errx|warn|warnx|syslog)\s*\("
    r"|\b(?:fprintf|vfprintf|fputs|fputc|putc|fwrite)\s*\([^;]*\b(?:stdout|stderr)\b"
)
COMMENTS_AND_TEXTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def check_room_include(room, header):
    """What is wrong with a file of `room` ("" for the mains) that includes "header", or None."""
    target = os.path.dirname(header)
    if not target and not room:
        return None  # what the files of one program share
    if target not in ROOMS:
        return "is not a header of a room"
    if room and target != room and target not in ROOMS[room]:
        return "runs against the permitted directions"
    return None


def check_library_include(path, header):
    for headers, users in LIBRARIES.items():
        if re.fullmatch(headers, header) and not re.fullmatch(users, path):
            return "belongs in %s alone" % users
    return None


def check_text(path, text):
    """The findings for one file; `path` is relative to src/."""
    room = os.path.dirname(path)
    for quote, header in INCLUDE.findall(text):
        if quote == '"':
            wrong = check_room_include(room, header)
        else:
            wrong = check_library_include(path, header)
        if wrong:
            yield "%s: #include %s %s" % (path, header, wrong)
    if room:
        for call in PRINTS.findall(COMMENTS_AND_TEXTS.sub(" ", text)):
            yield "%s: only the mains print and exit: %s" % (path, call.strip())


WRONG = (
    ("base/a.c", '#include "symbol/module.h"'),
    ("graph/a.c", '#include "cgunwind.h"'),
    ("snapshot/a.h", '#include "capture/procfs.h"'),
    ("capture/a.c", '#  include "symbol/module.h"'),
    ("symbol/a.c", '#include "unwind/row.h"'),
    ("unwind/a.c", '#include "capture/procfs.h"'),
    ("unwind/a.c", '#include "graph/profile.h"'),
    ("graph/a.c", '#include "capture/procfs.h"'),
    ("graph/a.c", '#include "profile.h"'),
    ("unwind/step.c", "#include <libelf.h>"),
    ("symbol/die.c", "#include <libdwarf.h>"),
    ("unwind/step.c", "#include <capstone/capstone.h>"),
    ("graph/tree.c", "#include <graphviz/gvc.h>"),
    ("cgunwind.c", "#include <dwarf.h>"),
    ("snapshot/a.c", "#include <sys/ptrace.h>"),
    ("symbol/a.c", 'void f(void) { printf("no"); }'),
    ("symbol/a.c", 'void f(void) { fprintf(stderr, "no"); }'),
    ("symbol/a.c", "void f(void) { exit(1); }"),
)
RIGHT = (
    ("base/a.c", '#include "base/vec.h"'),
    ("unwind/cfi.c", "#include <dwarf.h>"),
    ("unwind/insn_x86.c", "#include <capstone/capstone.h>"),
    ("graph/render.c", "#include <graphviz/gvc.h>"),
    ("cgunwind_options.c", '#include "cgunwind.h"'),
    ("cgunwind.c", '#include "capture/capture.h"\nint main(void) { exit(1); }'),
    ("symbol/a.c", '/* exit(1) */ void f(FILE *out) { fprintf(out, "exit(1)"); }'),
)


def check_the_check():
    for path, text in WRONG:
        if not list(check_text(path, text)):
            yield "the check misses %s: %s" % (path, text)
    for path, text in RIGHT:
        for finding in check_text(path, text):
            yield "the check is wrong about " + finding


def check_sources():
    count = 0
    for directory, _, names in os.walk(SOURCES):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                path = os.path.join(directory, name)
                with open(path, encoding="utf-8") as file:
                    yield from check_text(os.path.relpath(path, SOURCES), file.read())
                count += 1
    if count == 0:
        yield "no sources found"
    print("%d files checked" % count)


def main():
    failures = list(check_the_check()) + list(check_sources())
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
