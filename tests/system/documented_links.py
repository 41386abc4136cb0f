#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the documents link to is there, and so are the documents that sources name.

usage: documented_links.py [BUILD-DIRECTORY]

Links of all .md files to files and headings; paths below docs/ in comments of sources, tests and
scripts. Links to other sites are not followed. Checked first is that the check finds what it is for.
"""

import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SOURCES = ("src", "tests", "scripts", "corpus")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"\bdocs/[\w./-]*\w\.(?:md|svg|[15]|c)\b")


def slug(heading):
    """As GitHub makes anchors."""
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower())
    return kept.replace(" ", "-")


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def has_anchor(path, anchor):
    headings = re.findall(r"^#+ +(.*)$", without_code(read(path)), re.MULTILINE)
    return anchor in map(slug, headings)


def check_links(path, text):
    for link in LINK.findall(without_code(text)):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(os.path.join(ROOT, target)):
            yield "%s: no such file: %s" % (path, link)
        elif anchor and not has_anchor(target, anchor):
            yield "%s: no such heading: %s" % (path, link)


def check_paths(path, text):
    for named in PATH.findall(text):
        if not os.path.exists(os.path.join(ROOT, named)):
            yield "%s: names %s, which is not there" % (path, named)


def files(directory, suffixes):
    """Paths below the project; of what is built nothing."""
    for parent, directories, names in os.walk(os.path.join(ROOT, directory)):
        directories[:] = sorted(set(directories) - {"build", ".git", "demo", "seeds", "cases"})
        for name in sorted(names):
            if name.endswith(suffixes) or ("." not in name and "" in suffixes):
                yield os.path.relpath(os.path.join(parent, name), ROOT)


def check_the_check():
    wrong = "[a](nowhere.md) [b](README.md#no-such-heading)"
    if len(list(check_links("README.md", wrong))) != 2:
        yield "the check misses links"
    if list(check_links("README.md", "[a](https://example.org) [b](docs/limits.md#harm)")):
        yield "the check is wrong about links"
    if len(list(check_paths("src/a.c", "/* docs/" + "nowhere.md has it */"))) != 1:
        yield "the check misses paths"


def check():
    documents = list(files(".", (".md",)))
    if not documents:
        yield "no documents found"
    for path in documents:
        yield from check_links(path, read(path))
    for directory in SOURCES:
        for path in files(directory, (".c", ".h", ".py", ".sh", ".txt", "")):
            yield from check_paths(path, read(path))
    print("%d documents checked" % len(documents))


def main():
    failures = list(check_the_check()) + list(check())
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
