#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads of a program whose tree is known are told as what they are.

usage: threads_known.py BUILD-DIRECTORY

thread_tree.c, gcc -O2, stripped: hierarchy, names and creation chains are exact for a program that cgsnap starts and for what is made
after it has attached; the hashes of identities are the same in five runs, with symbols and without, dynamic and static. Of threads that
were there before, the start routine stands in, and is told to.
"""

import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known
import thread_tree

SOURCE = os.path.join(known.PROGRAMS, "thread_tree.c")
RUNS = 5
# None: some ports' clone has no symbol where the new thread begins.
LIBC_INSIDE = ("__clone3", "clone3", "__clone3_internal", "__clone", "__clone_internal", "create_thread", "__pthread_create", "pthread_create",
               "__pthread_create_2_1", "start_thread", "thread_start", "__thread_start", None, "__libc_start_main", "__libc_start_call_main", "__libc_start_main_impl")


class Programs:
    """The program with and without symbols; both have the same name."""

    def __init__(self, directory, name, *options):
        self.name = name
        self.full = os.path.join(directory, "full", name)
        self.stripped = os.path.join(directory, "stripped", name)
        for path in (self.full, self.stripped):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        known.check_run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-O2", "-pthread", SOURCE, "-o", self.full, *options])
        known.check_run(["strip", "-o", self.stripped, self.full])


def wait_for_names(since):
    """A name is found again after twice the thread's age, and the threads are as old as it took to make them."""
    time.sleep(0.5 + 2 * (time.monotonic() - since))


def launched(cgsnap, program, output):
    """A capture of all that the program did."""
    began = time.monotonic()
    with subprocess.Popen([cgsnap, "-q", "-F", "50", "--overhead", "100", "-o", output, "--", program],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        run.stdin.write("go\n")
        run.stdin.flush()
        if run.stdout.readline() != "ready\n":
            raise known.Failure("the program did not come up")
        wait_for_names(began)
        run.stdin.close()
        if run.wait(timeout=60) != 0:
            raise known.Failure("cgsnap -- ended with %d" % run.returncode)
    return output


def is_traced(pid):
    with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as file:
        return "TracerPid:\t0\n" not in file.read()


def attached(cgsnap, program, output, go_first):
    """A capture from before the threads are there (or behind that), until they have been sampled."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as target:
        try:
            if go_first:
                target.stdin.write("go\n")
                target.stdin.flush()
                target.stdout.readline()
            with subprocess.Popen([cgsnap, "-q", "-F", "50", "--overhead", "100", "-p", str(target.pid),
                                   "-o", output]) as run:
                known.wait_until(lambda: is_traced(target.pid), "cgsnap to attach")
                began = time.monotonic()
                if not go_first:
                    target.stdin.write("go\n")
                    target.stdin.flush()
                    target.stdout.readline()
                wait_for_names(began)
                target.stdin.close()
                if run.wait(timeout=60) != 0:
                    raise known.Failure("cgsnap -p ended with %d" % run.returncode)
        finally:
            target.kill()
    return output


def check_text(text):
    for line in ("×40", "×24", "left-0 … left-39", "right-0 … right-23", "made in spawn",
                 "pthread_create ← spawn ← left_pool ← manager", "pthread_create ← start_manager ← main"):
        if line not in text:
            raise known.Failure("no \"%s\" in:\n%s" % (line, text))


def check_by_thread(cgunwind, snapshot, program):
    """--by-thread: workers of one identity are one root, whatever their names."""
    def roots(*options):
        folded = known.check_run([cgunwind, "-q", "-f", "folded", "-e", program, *options, snapshot])
        return {line.split(";")[0] for line in folded.splitlines()}

    if len(roots()) < 64:
        raise known.Failure("threads of 64 names have the roots %s" % roots())
    # CPU time without a sample is a root of its own, the process.
    by_thread = roots("--by-thread", "--weight", "wall")
    if by_thread != {"main", *thread_tree.EXPECTED}:
        raise known.Failure("--by-thread has the roots %s" % by_thread)


def check_program(build, programs, directory, outside):
    cgsnap, cgunwind = build + "/cgsnap", build + "/cgunwind"
    hashes = set()
    for i in range(RUNS):
        snapshot = launched(cgsnap, programs.stripped, os.path.join(directory, "run"))
        told = thread_tree.Told(cgunwind, snapshot, "-e", programs.full)
        thread_tree.check(told, "/" + programs.name, outside)
        hashes.add(frozenset(told.hashes().items()))
        bare = thread_tree.Told(cgunwind, snapshot)
        if bare.hashes() != told.hashes():
            raise known.Failure("%s: hashes without symbols %s, with them %s" % (
                programs.name, bare.hashes(), told.hashes()))
        if i == 0 and not outside:
            check_text(known.check_run([cgunwind, "-q", "-f", "threads", "-e", programs.full, snapshot]))
            check_by_thread(cgunwind, snapshot, programs.full)
    full = thread_tree.Told(cgunwind, launched(cgsnap, programs.full, os.path.join(directory, "full.snap")))
    hashes.add(frozenset(full.hashes().items()))
    later = thread_tree.Told(cgunwind, attached(cgsnap, programs.stripped, os.path.join(directory, "later"), False),
                             "-e", programs.full)
    thread_tree.check(later, "/" + programs.name, outside)
    hashes.add(frozenset(later.hashes().items()))
    if len(hashes) != 1:
        raise known.Failure("%s: hashes differ between runs: %s" % (programs.name, hashes))
    return "%s: %d runs and an attach, the same hashes and exact chains" % (programs.name, RUNS + 1)


def check_found(build, programs, directory):
    """Made before the capture: by their start routines."""
    told = thread_tree.Told(build + "/cgunwind", attached(build + "/cgsnap", programs.stripped,
                                                          os.path.join(directory, "found"), True), "-e", programs.full)
    for routine, (count, names, _) in thread_tree.EXPECTED.items():
        identity = told.of(routine)
        if identity["creation_seen"] or identity["threads"] != count:
            raise known.Failure("%s, found running: %s" % (routine, identity))
        if sorted(t["name"] for t in told.members(identity)) != sorted(names):
            raise known.Failure("%s, found running: names differ" % routine)
        if any("maker" in t or "start_ns" in t for t in told.members(identity)):
            raise known.Failure("%s, found running: a maker or a start is made up" % routine)
    return "threads found running: known by their start routines"


def main(build):
    known.need("gcc", "strip")
    with tempfile.TemporaryDirectory() as directory:
        dynamic = Programs(directory, "tree")
        print(check_program(build, dynamic, directory, ()))
        print(check_found(build, dynamic, directory))
        print(check_program(build, Programs(directory, "tree-static", "-static"), directory, LIBC_INSIDE))


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except known.Failure as failure:
        print("FAILED: %s" % failure)
        sys.exit(1)
