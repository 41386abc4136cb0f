#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The script of pages (src/output/html) by itself: its tests, its types, and what joins it.

usage: page_script.py [BUILD-DIRECTORY]

node runs tests/page; TypeScript checks the types that the comments say. The build joins the modules
into one script by leaving out their imports: so an import is one line, no name is that of two
modules, a module is imported by its own name from where it is, and it comes behind those that it
imports in cmake/page.cmake. No file has more than 600 lines.
"""

import collections
import glob
import os
import re
import shutil
import subprocess
import sys

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SCRIPT = os.path.join(TREE, "src", "output", "html")
TESTS = os.path.join(TREE, "tests", "page")
LINES = 600
LOADER = "loader.js"  # which is no module
DEFINED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let|var) +([\w$]+)", re.MULTILINE)
IMPORT = re.compile(r"^import \{([\w$, ]+)\} from '\./([\w.]+)';$")


def wrong_imports(name, text, defined):
    for number, line in enumerate(text.split("\n"), 1):
        if not re.match(r"\s*import\b", line):
            continue
        found = IMPORT.match(line)
        if not found:
            yield "%s:%d: not an import of names, on one line" % (name, number)
            continue
        for wanted in found.group(1).replace(" ", "").split(","):
            if wanted not in defined.get(found.group(2), ()):
                yield "%s:%d: %s has no %s" % (name, number, found.group(2), wanted)


def problems(texts):
    """From {file: text}."""
    owners = collections.defaultdict(list)
    defined = {name: set(DEFINED.findall(text)) for name, text in texts.items()}
    for name, names in defined.items():
        for each in names:
            owners[each].append(name)
    for each, files in sorted(owners.items()):
        if len(files) > 1:
            yield "%s is defined in %s" % (each, ", ".join(sorted(files)))
    for name, text in sorted(texts.items()):
        yield from wrong_imports(name, text, defined)
        if text.count("\n") > LINES:
            yield "%s has more than %d lines" % (name, LINES)
        if re.search(r"^export (?:default|\*|\{)", text, re.MULTILINE):
            yield "%s: an export that is no definition" % name
        if re.search(r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval)\b", text):
            yield "%s: text would become markup or script" % name


def wrong_order(texts, listed):
    """`listed`: the modules as they are joined."""
    for name in sorted(set(texts) - set(listed) - {LOADER}):
        yield "%s is not in cmake/page.cmake" % name
    for at, name in enumerate(listed):
        for wanted in re.findall(r"^import .* from '\./([\w.]+)';$", texts.get(name, ""), re.MULTILINE):
            if wanted not in listed[:at]:
                yield "%s comes before %s, which it imports, in cmake/page.cmake" % (name, wanted)


def check_itself():
    texts = {
        "a.js": "export function f() {}\nconst X = 1;\n",
        "b.js": "import {f, g} from './a.js';\nimport {\nconst X = node.innerHTML;\n" + "\n" * LINES,
    }
    found = "\n".join([*problems(texts), *wrong_order(texts, ["b.js"])])
    wanted = ["X is defined in a.js, b.js", "a.js has no g", "b.js:2: not an import", "b.js has more than", "markup",
              "a.js is not in", "b.js comes before a.js"]
    return [want for want in wanted if want not in found]


def run(what, command):
    done = subprocess.run(command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
    if done.returncode == 0:
        return []
    return ["%s:\n%s" % (what, done.stdout)]


def main():
    texts = {}
    for path in glob.glob(os.path.join(SCRIPT, "*.js")):
        with open(path, encoding="utf-8") as file:
            texts[os.path.basename(path)] = file.read()
    failures = ["check_itself: %s was not found" % want for want in check_itself()]
    failures += problems(texts)
    with open(os.path.join(TREE, "cmake", "page.cmake"), encoding="utf-8") as file:
        listed = re.search(r"set\(page_scripts\s+([^)]*)\)", file.read()).group(1).split()
    failures += wrong_order(texts, listed)
    for program in ("node", "tsc"):
        if not shutil.which(program):
            print("skipped: no %s: run scripts/deps quick" % program)
            return 77
    tests = sorted(glob.glob(os.path.join(TESTS, "*.test.mjs")))
    failures += run("node --test", ["node", "--test"] + tests)
    failures += run("tsc", ["tsc", "-p", os.path.join(TESTS, "tsconfig.json")])
    for failure in failures:
        print("FAIL " + failure)
    if not failures:
        print("%d modules, %d files of tests" % (len(texts), len(tests)))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
