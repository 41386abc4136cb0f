#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What of the project's style a program can check.

usage: source_style.py [BUILD-DIRECTORY]

Struct names are unique over src, so that a search finds one; lines have at most 100 columns; the
guard of a header is its path; each source says its licence; no index has a hash without a secret
(base/keyed_hash.h). Checked first is that the check finds
what it is for.
"""

import collections
import os
import re
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
COLUMNS = 100
STRUCT = re.compile(r"^(?:static )?(?:const )?struct (\w+) \{", re.MULTILINE)

# What has long lines by its nature, or must not change: tables of figures, inputs and outputs of
# programs, and the sources that the committed binaries of the corpus were built from.
LONG = re.compile(r"docs/bench\.md|corpus/(?:cases|programs)/.*|tests/golden/.*|tests/fuzz/seeds/.*|.*\.svg")
FIXED_HASH = re.compile(r"\bhash_(?:words|text|mix|bytes)\(")
SOURCE = re.compile(r"(?:src|tests|corpus|docs|scripts|cmake)/.*\.(?:c|h|cc|py|sh|S|cmake|js|mjs|css)|(?:.*/)?CMakeLists\.txt")
TEXT = re.compile(r"(?:.*\.(?:c|h|cc|md|cmake|mjs|css|[15])|src/output/html/.*|.*CMakeLists\.txt|scripts/[^/]*)")


def files():
    for directory, below, names in os.walk(TREE):
        below[:] = set(below) - {".git", "build", "demo"}
        yield from (os.path.relpath(os.path.join(directory, name), TREE) for name in names)


def long_lines(path, text):
    for number, line in enumerate(text.split("\n"), 1):
        is_row = path.endswith(".md") and line.startswith("|")  # which Markdown cannot divide
        is_import = path.endswith((".js", ".mjs")) and line.startswith("import ")  # embed_page.cmake wants one line
        if len(line) > COLUMNS and not is_row and not is_import:
            yield "%s:%d: %d columns" % (path, number, len(line))


def wrong_guard(path, text):
    want = re.sub(r"[/.]", "_", path[len("src/") :]).upper()
    guard = re.search(r"^#ifndef (\w+)\n#define (\w+)$", text, re.MULTILINE)
    if not guard or guard.group(1) != want or guard.group(2) != want:
        yield "%s: its guard is not %s" % (path, want)


def fixed_hashes(path, text):
    if re.search(r"\bindex_(?:find|add)\(", text) and FIXED_HASH.search(text):
        yield "%s: a file can hold keys that collide in its index: keyed_words, keyed_text or keyed_bytes" % path


def shared_structs(texts):
    """From {path: text}: structs that are defined more than once."""
    places = collections.defaultdict(list)
    for path, text in texts.items():
        for name in STRUCT.findall(text):
            places[name].append(path)
    for name, paths in sorted(places.items()):
        if len(paths) > 1:
            yield "struct %s is defined in %s" % (name, " and ".join(sorted(paths)))


def check_the_check():
    if not list(long_lines("a.c", "x" * 101)) or list(long_lines("a.c", "…" * 100)):
        yield "the check of columns is wrong"
    if not list(wrong_guard("src/a/b.h", "#ifndef A_C_H\n#define A_C_H\n")):
        yield "the check misses a wrong guard"
    if list(wrong_guard("src/a/b.h", "#ifndef A_B_H\n#define A_B_H\n")):
        yield "the check is wrong about a guard"
    if not list(fixed_hashes("a.c", "index_find(&index, hash_words(1, 2))")) or list(fixed_hashes("a.c", "index_add(&index, keyed_words(1, 2), 3)")):
        yield "the check of hashes is wrong"
    if not list(shared_structs({"a.c": "struct a {\n", "b.c": "static const struct a {\n"})):
        yield "the check misses a struct that is defined twice"
    if list(shared_structs({"a.c": "struct a {\n", "b.c": "struct a *f(void)\n{\n"})):
        yield "the check takes a function for a struct"


def check_files():
    sources = {}
    for path in files():
        full = os.path.join(TREE, path)
        if not TEXT.fullmatch(path) or LONG.fullmatch(path) or not os.path.isfile(full):
            continue
        with open(full, encoding="utf-8") as file:
            text = file.read()
        yield from long_lines(path, text)
        if re.fullmatch(r"src/.*\.[ch]", path):
            sources[path] = text
            yield from fixed_hashes(path, text)
        if re.fullmatch(r"src/.*\.h", path):
            yield from wrong_guard(path, text)
        if SOURCE.fullmatch(path) and "SPDX-License-Identifier: MIT" not in text[:400]:
            yield "%s: no SPDX line" % path
    yield from shared_structs(sources)
    if len(sources) < 100:
        yield "no sources found"
    print("%d sources checked" % len(sources))


def main():
    failures = list(check_the_check()) + list(check_files())
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
