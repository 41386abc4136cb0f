#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes run downwards only and in no circle, each library is used in its own place, and only the mains
print and exit.

usage: include_directions.py [BUILD-DIRECTORY]

The rules of the architecture as tables. Checked first is that the check finds what it is for.
"""

import os
import re
import sys

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")

# What the files of a folder may include besides its own headers: of these folders, with "/*" of all
# folders below as well.
ROOMS = {
    "base": (),
    "cache": ("base",),
    "confine": ("base",),
    "fetch": ("base",),
    "arch": ("base",),
    "arch/analysis": ("arch", "base", "unwind/row"),
    "arch/x86": ("arch", "arch/analysis", "base", "unwind/row"),
    "arch/x86_64": ("arch", "arch/analysis", "arch/x86", "base", "unwind/row"),
    "arch/i386": ("arch", "arch/analysis", "arch/x86", "base", "unwind/row"),
    "arch/arm": ("arch", "arch/analysis", "base", "unwind/row"),
    "arch/aarch64": ("arch", "arch/analysis", "base", "unwind/row"),
    "arch/riscv": ("arch", "arch/analysis", "base", "unwind/row"),
    "arch/riscv64": ("arch", "arch/analysis", "arch/riscv", "base", "unwind/row"),
    "arch/riscv32": ("arch", "arch/analysis", "arch/riscv", "base", "unwind/row"),
    "snapshot": ("arch", "base"),
    "snapshot/import": ("snapshot", "arch", "base"),
    "snapshot/import/core": (
        "snapshot/import",
        "snapshot",
        "runtime/go/memory",
        "arch/analysis",
        "arch",
        "base",
    ),
    "snapshot/import/perf": ("snapshot/import", "snapshot", "arch/analysis", "arch", "base"),
    "recent": ("snapshot", "arch", "base"),
    "capture/target": ("snapshot", "runtime/go/memory", "arch", "base"),
    "capture": ("capture/target", "runtime/go/capture", "snapshot", "arch", "base"),
    # Backends: the seam is capture/target/backend.h, and who picks one is cgsnap's main.
    "capture/ptrace": ("runtime/jit/capture", "capture/target", "capture", "snapshot", "arch", "base"),
    # Runtimes of languages.
    "runtime/go/memory": ("snapshot", "base"),
    "runtime/go/capture": ("capture/target", "runtime/go/memory", "snapshot", "base"),
    "runtime/go": ("symbol/elf", "base"),
    "runtime/go/rows": ("runtime/go", "unwind/row", "arch", "base"),
    "runtime/go/unwind": ("runtime/go/rows", "unwind"),
    "runtime/jit/capture": ("snapshot", "arch", "base"),
    "runtime/jit": ("base",),
    "runtime/jit/rows": ("unwind/sources", "unwind/row", "symbol/elf", "base"),
    "runtime/jit/unwind": ("runtime/jit", "unwind"),
    "runtime/jit/load": ("runtime/jit", "runtime/jit/rows", "symbol", "snapshot", "base"),
    # Targets without Linux, and stubs for gdb.
    "boards/gdb": (
        "capture/target",
        "capture",
        "boards/rtos",
        "snapshot",
        "confine",
        "arch",
        "base",
    ),
    "boards/rtos": ("snapshot", "arch", "base"),
    # Of symbol/dwarf the forms alone, which need nothing: what captures is linked statically.
    "boards/rtos/debug": ("boards/rtos", "symbol/dwarf", "snapshot", "confine", "arch", "base"),
    "boards/dump": ("boards/rtos/debug", "snapshot/import", "snapshot", "arch/analysis", "base"),
    "boards/unwind": ("unwind", "symbol", "symbol/elf", "snapshot", "arch/analysis", "arch", "base"),
    "boards/firmware": ("symbol", "symbol/elf", "snapshot/import", "snapshot", "base"),
    "unwind/row": ("snapshot", "arch", "base"),
    "symbol/elf": ("arch/analysis", "arch", "cache", "base"),
    "symbol/dwarf": ("symbol/elf", "arch", "base"),
    "symbol": ("symbol/*", "runtime/go", "runtime/jit", "arch", "fetch", "base"),
    "unwind/sources": ("unwind/row", "symbol/elf", "arch/analysis", "arch", "base"),
    "unwind/code": ("symbol/elf", "arch/analysis", "arch", "base"),
    "unwind/prologue": ("unwind/code", "unwind/sources", "unwind/row", "arch/analysis", "arch", "base"),
    "unwind/functions": (
        "runtime/go",
        "unwind/prologue",
        "unwind/code",
        "unwind/sources",
        "unwind/row",
        "symbol",
        "symbol/elf",
        "arch/analysis",
        "arch",
        "cache",
        "base",
    ),
    "unwind": (
        "runtime/go/rows",
        "runtime/jit/rows",
        "runtime/jit",
        "unwind/code",
        "unwind/functions",
        "unwind/prologue",
        "unwind/row",
        "unwind/sources",
        "symbol",
        "symbol/*",
        "snapshot",
        "arch/analysis",
        "arch",
        "base",
    ),
    "unwind/explain": (
        "runtime/go",
        "unwind",
        "unwind/*",
        "symbol",
        "symbol/elf",
        "arch/analysis",
        "arch",
        "base",
    ),
    "unwind/audit": ("unwind", "unwind/*", "symbol", "symbol/*", "arch/analysis", "arch", "base"),
    "graph": (
        "boards/firmware",
        "runtime/jit/load",
        "variables",
        "unwind",
        "unwind/audit",
        "symbol",
        "symbol/elf",
        "snapshot/import",
        "snapshot",
        "arch",
        "base",
    ),
    "graph/pprof": (
        "runtime/jit",
        "graph",
        "unwind",
        "symbol",
        "snapshot/import",
        "snapshot",
        "arch",
        "base",
    ),
    "threads/waits": (
        "graph",
        "variables",
        "unwind",
        "symbol",
        "symbol/elf",
        "snapshot",
        "arch/analysis",
        "arch",
        "base",
    ),
    "threads": ("threads/waits", "graph", "unwind", "symbol", "snapshot", "arch", "base"),
    "threads/blocking": ("threads", "threads/waits", "graph", "unwind", "symbol", "base"),
    "variables/model": ("arch", "base"),
    "variables/value": ("variables/model", "arch/analysis", "arch", "base"),
    "variables/dwarf": ("variables/model", "confine", "symbol", "symbol/elf", "arch", "base"),
    # symbol/dwarf reads lists of ranges and line programs for names as well.
    "variables/dwarf/reader": ("variables/dwarf", "variables/model", "symbol/dwarf", "confine",
                               "arch", "base"),
    "variables": (
        "variables/*",
        "unwind",
        "unwind/row",
        "symbol",
        "symbol/elf",
        "snapshot",
        "arch",
        "base",
    ),
    "output": (
        "boards/unwind",
        "runtime/jit",
        "confine",
        "threads",
        "threads/*",
        "graph",
        "graph/pprof",
        "variables",
        "unwind",
        "symbol",
        "snapshot/import",
        "snapshot",
        "arch",
        "base",
    ),
    "output/html": (
        "output",
        "output/threads",
        "threads",
        "threads/*",
        "graph",
        "variables",
        "unwind",
        "unwind/row",
        "symbol",
        "snapshot",
        "base",
    ),
    "output/threads": ("output", "threads", "threads/*", "graph", "base"),
    "tools": ("base",),
    "tools/cgsnap": (
        "tools",
        "capture",
        "capture/*",
        "boards/gdb",
        "boards/rtos/debug",
        "snapshot",
        "base",
    ),
    "tools/cgunwind": ("*",),
    "tools/cgtop": ("*",),
    "tools/cgrules": (
        "runtime/go/rows",
        "runtime/go",
        "tools",
        "confine",
        "unwind",
        "unwind/*",
        "symbol",
        "symbol/*",
        "arch/analysis",
        "arch",
        "base",
    ),
}

# Who may include a library's header, as patterns of paths below src/.
LIBRARIES = {
    r"(libelf|gelf)\.h": r"symbol/.*",
    r"(libdw|libdwfl)\.h": r"nowhere",
    r"(libdwarf|libdwarf/.*)\.h": r"variables/dwarf/reader/.*",
    # The numbers of the DWARF standard, which need no library.
    r"dwarf\.h": r"symbol/.*|unwind/sources/(cfi|lsda).*|unwind/row/expr.*|variables/.*|boards/rtos/debug/.*",
    r"capstone(/.*)?\.h": r"arch/.*/.*",
    r"(graphviz/)?(gvc|cgraph|gvcext|cdt)\.h": r"output/render_library.*",
    r"sys/ptrace\.h|linux/ptrace\.h": r"capture/ptrace/.*|arch/(.*/)?capture\.c",
    # Also cgsnap, for the exit status of the command.
    r"sys/wait\.h": r"capture/ptrace/.*|tools/cgsnap/main\.c|tools/cgunwind/pager\.c|output/render.*|confine/opener\.c|confine/child\.c|cache/keeper\.c|capture/guard\.c|boards/gdb/transport\.c",
    r"expat\.h": r"boards/gdb/xml\.c",
    r"sys/uio\.h": r"capture/ptrace/.*|arch/(.*/)?capture\.c",
    r"jansson\.h": r"output/.*",
    r"(n?curses)\.h": r"tools/cgtop/screen\.c",
    r"(libiberty/)?demangle\.h": r"symbol/.*",
    r"(zlib|zstd|lzma)\.h": r"symbol/.*|snapshot/import/.*|output/gzip.*|capture/ptrace/kept_files.*",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PRINTS = re.compile(
    r"\b(?:printf|puts|putchar|perror|vprintf|exit|abort|err|errx|warn|warnx|syslog)\s*\("
    r"|\b(?:fprintf|vfprintf|fputs|fputc|putc|fwrite)\s*\([^;]*\b(?:stdout|stderr)\b"
)
COMMENTS_AND_TEXTS = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def is_permitted(room, target):
    return any(
        target == pattern or pattern.endswith("*") and target.startswith(pattern[:-1])
        for pattern in ROOMS[room]
    )


def check_room_include(room, header):
    """What is wrong with a file of `room` that includes "header", or None."""
    target = os.path.dirname(header)
    if target not in ROOMS or room not in ROOMS:
        return "is not of a room that is known here"
    if target != room and (target.startswith("tools/") or not is_permitted(room, target)):
        return "runs against the permitted directions"
    return None


def find_circle(edges):
    """Folders that include each other, by whatever way, from {folder: folders}; [] for none."""

    def visit(folder, path):
        if folder in path:
            return path[path.index(folder) :] + [folder]
        if folder in done:
            return []
        for other in sorted(edges.get(folder, ())):
            circle = visit(other, path + [folder])
            if circle:
                return circle
        done.add(folder)
        return []

    done = set()
    for start in sorted(edges):
        circle = visit(start, [])
        if circle:
            return circle
    return []


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
    if not path.startswith("tools/"):
        for call in PRINTS.findall(COMMENTS_AND_TEXTS.sub(" ", text)):
            yield "%s: only the mains print and exit: %s" % (path, call.strip())


WRONG = (
    ("unwind/row/a.c", '#include "unwind/step.h"'),
    ("unwind/sources/a.c", '#include "unwind/prologue/value.h"'),
    ("arch/a.c", '#include "arch/x86/insn.h"'),
    ("new/a.c", '#include "base/vec.h"'),
    ("base/a.c", '#include "symbol/module.h"'),
    ("graph/a.c", '#include "tools/cgunwind/cgunwind.h"'),
    ("snapshot/a.h", '#include "capture/target/maps.h"'),
    ("capture/a.c", '#  include "symbol/module.h"'),
    ("symbol/a.c", '#include "unwind/row/row.h"'),
    ("symbol/a.c", '#include "runtime/jit/rows/made_rows.h"'),
    ("unwind/a.c", '#include "runtime/go/capture/go_program.h"'),
    ("capture/a.c", '#include "boards/gdb/client.h"'),
    ("unwind/a.c", '#include "capture/target/maps.h"'),
    ("unwind/a.c", '#include "graph/profile.h"'),
    ("graph/a.c", '#include "capture/target/maps.h"'),
    ("graph/a.c", '#include "profile.h"'),
    ("unwind/step.c", "#include <libelf.h>"),
    ("symbol/dwarf/die.c", "#include <libdwarf.h>"),
    ("unwind/step.c", "#include <capstone/capstone.h>"),
    ("output/tree.c", "#include <graphviz/gvc.h>"),
    ("tools/cgtop/draw.c", "#include <ncurses.h>"),
    ("tools/cgunwind/main.c", "#include <dwarf.h>"),
    ("snapshot/a.c", "#include <sys/ptrace.h>"),
    ("capture/stops.c", "#include <sys/ptrace.h>"),
    ("capture/stops.c", "#include <sys/wait.h>"),
    ("capture/stops.c", '#include "capture/ptrace/tracing.h"'),
    ("symbol/a.c", 'void f(void) { printf("no"); }'),
    ("symbol/a.c", 'void f(void) { fprintf(stderr, "no"); }'),
    ("symbol/a.c", "void f(void) { exit(1); }"),
)
RIGHT = (
    ("base/a.c", '#include "base/vec.h"'),
    ("unwind/sources/cfi.c", "#include <dwarf.h>"),
    ("arch/x86/insn.c", "#include <capstone/capstone.h>"),
    ("output/render_library.c", "#include <graphviz/gvc.h>"),
    ("capture/ptrace/tracing.c", '#include "capture/target/backend.h"\n#include <sys/ptrace.h>'),
    ("tools/cgunwind/options.c", '#include "tools/cgunwind/cgunwind.h"'),
    ("tools/cgsnap/main.c", '#include "capture/capture.h"\nint main(void) { exit(1); }'),
    ("symbol/a.c", '/* exit(1) */ void f(FILE *out) { fprintf(out, "exit(1)"); }'),
)


def check_the_check():
    for path, text in WRONG:
        if not list(check_text(path, text)):
            yield "the check misses %s: %s" % (path, text)
    if find_circle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) != ["a", "b", "c", "a"]:
        yield "the check misses a circle"
    if find_circle({"a": {"b", "c"}, "b": {"c"}}):
        yield "the check sees a circle where there is none"
    for path, text in RIGHT:
        for finding in check_text(path, text):
            yield "the check is wrong about " + finding


def check_sources():
    count = 0
    edges = {}
    for directory, _, names in os.walk(SOURCES):
        for name in sorted(names):
            if name.endswith((".c", ".h")):
                path = os.path.relpath(os.path.join(directory, name), SOURCES)
                with open(os.path.join(SOURCES, path), encoding="utf-8") as file:
                    text = file.read()
                yield from check_text(path, text)
                for quote, header in INCLUDE.findall(text):
                    if quote == '"' and os.path.dirname(header) != os.path.dirname(path):
                        edges.setdefault(os.path.dirname(path), set()).add(os.path.dirname(header))
                count += 1
    if count == 0:
        yield "no sources found"
    circle = find_circle(edges)
    if circle:
        yield "folders include each other: " + " > ".join(circle)
    print("%d files checked" % count)


def main():
    failures = list(check_the_check()) + list(check_sources())
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
