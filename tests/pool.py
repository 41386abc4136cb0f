#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has ctest run the tests of several builds at once: those of one that sleep leave the CPUs to the
others, and only one run has an end at which most CPUs have nothing to do.

usage: pool.py DIRECTORY BUILD-DIRECTORY…

Writes DIRECTORY/CTestTestfile.cmake, with all tests of these builds, which are built. A test's name
there is that of its build (the directory's), a colon, a space and its own.
"""

import json
import os
import subprocess
import sys

def quoted(text):
    """A bracket argument of CMake, with as many `=` as it takes."""
    level = 0
    while "]%s]" % ("=" * level) in text + "]":
        level += 1
    return "[%s[%s]%s]" % ("=" * level, text, "=" * level)


def value_of(value):
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, list):
        return ";".join(item.replace(";", "\\;") for item in value)
    return str(value)


def tests_of(build):
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)["tests"]


def lines_of(build):
    tests = tests_of(build)
    if not tests:
        raise SystemExit("pool.py: %s has no tests" % build)
    for test in tests:
        if "command" not in test:
            raise SystemExit("pool.py: %s: %s is not built" % (build, test["name"]))
        name = quoted("%s: %s" % (os.path.basename(build), test["name"]))
        yield "add_test(%s %s)" % (name, " ".join(map(quoted, test["command"])))
        properties = ["%s %s" % (item["name"], quoted(value_of(item["value"])))
                      for item in test["properties"]]
        yield "set_tests_properties(%s PROPERTIES %s)" % (name, " ".join(properties))


def main():
    directory, *builds = sys.argv[1:]
    with open(os.path.join(directory, "CTestTestfile.cmake"), "w", encoding="utf-8") as file:
        for build in builds:
            file.writelines(line + "\n" for line in lines_of(build))


if __name__ == "__main__":
    main()
