#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ARM snapshots of the corpus with files that lie: one clear line for each, and nothing lost of the rest.

usage: corpus_input.py BUILD-DIRECTORY
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus")
sys.path.insert(0, CORPUS)
import cases
import known

CASES = os.path.join(CORPUS, "cases")
SNAPSHOT = os.path.join(CASES, "throw-a32-gcc-O2", "armhf.snap")
PROGRAM = os.path.join(CASES, "throw-a32-gcc-O2", "program")


def unwind(tools, empty, *files):
    """(chains as lists of addresses, the lines that were said)"""
    command = [os.path.join(tools, "cgunwind"), "-f", "json", "--no-inline", "--sysroot", empty]
    case = [case for case in cases.all_cases() if case.name == "throw-a32-gcc-O2"][0]
    for path in (*files, *cases.libraries(case)):
        command += ["-e", path]
    done = subprocess.run(command + [SNAPSHOT], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != 0:
        raise known.Failure("exit status %d: %s" % (done.returncode, done.stderr))
    said = [line for line in done.stderr.splitlines() if "matches no module of the snapshot" not in line]
    samples = [item for item in map(json.loads, done.stdout.splitlines()) if item["type"] == "sample"]
    return [[frame["pc"] for frame in sample["frames"]] for sample in samples], said


def index_of(data):
    text = subprocess.run(["readelf", "-SW", PROGRAM], check=True, capture_output=True, text=True).stdout
    _, offset, size = re.search(r"ARM_EXIDX +(\w+) (\w+) (\w+)", text).groups()
    return int(offset, 16), int(size, 16)


def lying_files(directory):
    """{file: what has to be said of it}"""
    with open(PROGRAM, "rb") as file:
        data = bytearray(file.read())
    offset, size = index_of(data)
    data[offset:offset + size] = bytes((i * 89 + 7) & 0xff for i in range(size))
    scrambled = os.path.join(directory, "scrambled")
    with open(scrambled, "wb") as file:
        file.write(data)
    other = os.path.join(directory, "other", "program")
    os.mkdir(os.path.dirname(other))
    shutil.copy(os.path.join(CASES, "recurse-a32-gcc-O2", "program"), other)
    return {scrambled: r"scrambled: at offset \d+: exception index: .*",
            other: r"other/program: build-id \w+ differs from the snapshot's \w+; .*",
            os.path.join(CASES, "throw-a64-gcc-O2-pac", "program"): r".*program: is for aarch64, the snapshot is from arm",
            "/bin/true": r"/bin/true: is for \w+, the snapshot is from arm"}


def check(tools, directory):
    empty = os.path.join(directory, "empty")
    os.mkdir(empty)
    right, said = unwind(tools, empty, PROGRAM)
    if any("differs from the snapshot's" in line for line in said):
        known.skip("not the libraries of the capture")
    failures = ["with the right files: %s" % said] if said else []
    for path, wanted in lying_files(directory).items():
        chains, said = unwind(tools, empty, path)
        said = [line for line in said if "program: not found here" not in line]
        if len(said) != 1 or not re.fullmatch(r"cgunwind: warning: .*" + wanted, said[0]):
            failures.append("%s: said: %s" % (path, said))
        if len(chains) != len(right):
            failures.append("%s: %d samples instead of %d" % (path, len(chains), len(right)))
        # What lies in the C library is found as before.
        if any(a[:1] != b[:1] for a, b in zip(chains, right)):
            failures.append("%s: another innermost frame" % path)
        print("%s: %d of %d chains are the same" % (path, sum(a == b for a, b in zip(chains, right)), len(right)))
    return failures


def test(tools):
    directory = tempfile.mkdtemp(prefix="cg-input-")
    try:
        return check(tools, directory)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
