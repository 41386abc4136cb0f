#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A port takes the files that docs/dev/porting.md names, no more and no fewer.

usage: porting.py BUILD-DIRECTORY

Adds a stub architecture, a copy of AArch64 under another name, to a copy of the tree, with exactly
the files and lines of the page's first table. With all of them the programs build and the tests of
the tables pass; without any one of them something fails.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

TREE = os.path.dirname(known.TESTS)
PAGE = os.path.join(TREE, "docs", "dev", "porting.md")
NAME, MODEL = "stub", "aarch64"
TARGETS = ("cgsnap", "cgunwind", "cgrules")
CHECKS = ("arch_tables.py", "include_directions.py")


def listed_files():
    """Of the first table, with the stub's name."""
    with open(PAGE, encoding="utf-8") as file:
        table = file.read().split("\n## The files", 1)[1].split("Without these the port works", 1)[0]
    files = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    return [path.replace("<name>", NAME) for path in files]


def rename(text):
    """AArch64's source as the stub's."""
    for pattern, new in (
        (r"\baarch64_", NAME + "_"),
        (r"\barch_aarch64\b", "arch_" + NAME),
        (r"\bARCH_AARCH64\b", "ARCH_" + NAME.upper()),
        (r"\bEM_AARCH64\b", "EM_LOONGARCH"),
        (r"\bplt_aarch64_", "plt_%s_" % NAME),
        (r"\binsn_set_a64\b", "insn_set_" + NAME),
        (r"arch/aarch64/insn\.h", "arch/%s/insn.h" % NAME),
        (r"ARCH_AARCH64_INSN_H", "ARCH_%s_INSN_H" % NAME.upper()),
    ):
        text = re.sub(pattern, new, text)
    return text


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def stub_of(path):
    """What the stub's file, or the common file with the stub's line, holds."""
    if path == "src/arch/arch.h":
        text = read(os.path.join(TREE, path))
        end = " X(RISCV32, riscv32)\n"
        assert end in text
        return text.replace(end, end.rstrip() + " X(STUB, stub)\n", 1)
    if path == "tests/system/include_directions.py":
        line = '    "arch/aarch64": '
        text = read(os.path.join(TREE, path))
        rule = re.search(r"^%s.*$" % re.escape(line), text, re.MULTILINE).group(0)
        rule = rule.replace('"base"', '"base", "arch/aarch64"').replace(line, '    "arch/stub": ')
        return text.replace(line, rule + "\n" + line, 1)
    return rename(read(os.path.join(TREE, path.replace("/%s/" % NAME, "/%s/" % MODEL))))


def run(command, directory):
    done = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def builds_and_passes(copy):
    """(True, "") or (False, why)."""
    # Configured anew: the files of a folder are globbed.
    code, out = run(["cmake", "--preset", "debug", "-DCG_WERROR=ON"], copy)
    if code == 0:
        code, out = run(["cmake", "--build", "build/debug", "--target", *TARGETS], copy)
    if code:
        return False, out
    for check in CHECKS:
        code, out = run([os.path.join("tests", "system", check)], copy)
        if code:
            return False, check + ": " + out
    return True, ""


def test(tools):
    known.need("cmake", "ninja")
    files, failures = listed_files(), []
    if len(files) < 5:
        return ["%s: no table of files" % PAGE]
    with tempfile.TemporaryDirectory() as copy:
        for part in ("src", "tests", "docs", "cmake", "corpus/CMakeLists.txt", "CMakeLists.txt",
                     "CMakePresets.json", "LICENSE", "CHANGELOG.md"):
            source = os.path.join(TREE, part)
            if os.path.isdir(source):
                shutil.copytree(source, os.path.join(copy, part), symlinks=True)
            elif os.path.exists(source):
                os.makedirs(os.path.dirname(os.path.join(copy, part)), exist_ok=True)
                shutil.copy(source, os.path.join(copy, part))
        before = {path: read(os.path.join(copy, path)) if os.path.exists(os.path.join(copy, path))
                  else None for path in files}
        after = {path: stub_of(path) for path in files}
        for path, text in after.items():
            if text == before[path]:
                failures.append("%s: the stub's line was not added" % path)
            write(os.path.join(copy, path), text)
        fine, why = builds_and_passes(copy)
        if not fine:
            return failures + ["the files of the page are not enough:\n" + why[-3000:]]
        # The file that all others include comes last: after it, all would be built again.
        for path in sorted(files, key=lambda path: path == "src/arch/arch.h"):
            if before[path] is None:
                os.remove(os.path.join(copy, path))
            else:
                write(os.path.join(copy, path), before[path])
            fine, why = builds_and_passes(copy)
            if fine:
                failures.append("%s is not needed: without it all builds and passes" % path)
            else:
                lines = [line for line in why.splitlines() if "rror" in line or "FAILED" in line
                         or "undefined" in line]
                print("without %s: %s" % (path, lines[0].strip()[:150] if lines else "fails"))
            write(os.path.join(copy, path), after[path])
    return failures


if __name__ == "__main__":
    known.main(test)
