#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cgsnap --with-code`: the snapshot alone is enough to unwind, on a host that has none of the files.

usage: with_code_chains.py BUILD-DIRECTORY

The program with known chains (tests/programs/chains.c), stripped and without call frame
information, with a build-id and without, is captured and deleted; its libraries are hidden by an
empty --sysroot. All chains, by PC, are those that call frame information gives with the files, by
`prologue` alone, to the thread's start; the report names the files as not found. Without
--with-code they are not to be had.
"""

import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import known


def pcs(sample):
    return [frame["pc"] for frame in known.real_frames(sample)]


def make(directory, title, option):
    """The program with everything, and the same one with nothing but code."""
    program, bare = os.path.join(directory, title), os.path.join(directory, title + "-bare")
    sources = [os.path.join(known.PROGRAMS, name) for name in ("chains.c", "park.c")]
    flags = ["-std=c11", "-D_GNU_SOURCE", "-pthread", "-O2", option]
    known.check_run(["gcc", *flags, *sources, "-o", program])
    removed = ["--remove-section=.eh_frame", "--remove-section=.eh_frame_hdr"]
    known.check_run(["objcopy", "--strip-all", *removed, program, bare])
    return program, bare


def missing_modules(tools, snapshot, empty):
    done = known.run([os.path.join(tools, "cgunwind"), "--stats", "--sysroot", empty, snapshot])
    text = (done.stdout + done.stderr).decode()
    return text.partition("modules not found: ")[2]


def check(tools, directory, title, option):
    program, bare = make(directory, title, option)
    empty = os.path.join(directory, "empty")
    os.makedirs(empty, exist_ok=True)
    with_code, without = os.path.join(directory, "with"), os.path.join(directory, "without")
    with known.start_chains(bare) as target:
        command = [os.path.join(tools, "cgsnap"), "-q", "-n", "1", "-p", str(target.pid), "-o"]
        known.check_run([*command, with_code, "--with-code"])
        known.check_run([*command, without])
        os.rename(program, bare)
        exact = known.unwind(tools, with_code, "-e", bare)
        os.unlink(bare)
    alone = known.unwind(tools, with_code, "--sysroot", empty)
    nothing = known.unwind(tools, without, "--sysroot", empty, "--method", "prologue")
    if len(exact) < 9:
        yield "%s: only %d chains" % (title, len(exact))
    right = 0
    for tid, sample in exact.items():
        name, found = "%s: %s" % (title, sample["name"]), alone[tid]
        right += pcs(found) == pcs(sample)
        if pcs(found) != pcs(sample):
            yield "%s shows %s instead of %s" % (name, pcs(found), pcs(sample))
        if found["stop"] != "thread-start":
            yield "%s ends with %s" % (name, found["stop"])
        trusts = {frame["trust"] for frame in known.real_frames(found)[1:]}
        # The vDSO's own tables are in any snapshot.
        if not trusts <= {"prologue", "eh_frame"} or "prologue" not in trusts:
            yield "%s: frames by %s" % (name, sorted(trusts))
        if pcs(nothing[tid]) == pcs(sample):
            yield name + " comes out right without code, so that this test shows nothing"
    missing = missing_modules(tools, with_code, empty)
    for file in (os.path.basename(bare), "libc"):
        if file not in missing:
            yield "%s: the report does not name %s: %s" % (title, file, missing)
    print("%s: %d of %d chains exact by the snapshot alone" % (title, right, len(exact)))


def test(tools):
    known.need("gcc", "objcopy")
    directory = tempfile.mkdtemp(prefix="cg-with-code-")
    try:
        failures = list(check(tools, directory, "build-id", "-Wl,--build-id=sha1"))
        return failures + list(check(tools, directory, "no-build-id", "-Wl,--build-id=none"))
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
