#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Programs, processes and threads are called what they are called: by who started them, and by themselves.

usage: program_names.py BUILD-DIRECTORY

A program is started by a link's name. Its child gives itself a title, and both name their threads. All formats must
call the program as it was started, the child by its title, and the threads by their names, first.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

ARGUMENTS = ["of some length, which the title takes the place of"]
TITLE = "started: checkpointer"


def capture(tools, directory):
    """The snapshot of both."""
    snapshot = os.path.join(directory, "snap.bin")
    real = known.program(tools, "titled", directory)
    os.symlink(real, os.path.join(directory, "started"))
    environment = dict(os.environ, PATH=directory)
    with subprocess.Popen(["started", *ARGUMENTS], env=environment, stdout=subprocess.PIPE, text=True,
                          executable=os.path.join(directory, "started"), start_new_session=True) as process:
        try:
            process.stdout.readline()
            known.wait_until(lambda: {"flusher", "listener"} <= names_of(process.pid), "the threads' names")
            known.check_run([os.path.join(tools, "cgsnap"), "-q", "-p", str(process.pid), "--children", "-n", "20",
                             "-o", snapshot])
        finally:
            os.killpg(process.pid, 9)
    return snapshot


def names_of(pid):
    tasks = "/proc/%d/task" % pid
    return {open(os.path.join(tasks, tid, "comm"), encoding="utf-8").read().strip() for tid in os.listdir(tasks)}


def check_titles(unwind):
    for form in ("tree", "top", "threads", "stats", "waits"):
        first = unwind("-f", form).splitlines()[0]
        if first != "started":
            yield "%s begins with %r" % (form, first)
    for form in ("svg", "flame", "timeline-svg", "html"):
        if not re.search(r">started<|label=\"started|\"started\"", unwind("-f", form, "-o", "-")):
            yield "%s has no title" % form


def check_processes(unwind):
    text = unwind("-f", "tree", "--by-process", "--weight", "samples")
    found = set(re.findall(r"(\S.*) \(pid \d+\) \[process\]", text.replace("|-- ", "\n").replace("`-- ", "\n")))
    if found != {"started", TITLE}:
        yield "processes are called %s" % found


def check_threads(unwind):
    text = unwind("-f", "tree", "--by-thread", "--weight", "samples")
    found = set(re.findall(r"(?:\|-- |`-- )(.*) \[thread\]", text))
    wanted = {"'flusher' work", "'listener' work", "main", "'%s' main" % TITLE}
    if found != wanted:
        yield "threads are called %s, not %s" % (sorted(found), sorted(wanted))
    lines = unwind("-f", "threads")
    if not re.search(r'"flusher, listener" work ×2', lines) or '  "%s"\n' % TITLE not in lines:
        yield "threads: %s" % lines
    for line in ('"flusher" work (', '"listener" work (', '"%s" main (' % TITLE):
        if line not in unwind("-f", "chrome").replace('\\"', '"'):
            yield "chrome has no %s" % line


def test(tools):
    with tempfile.TemporaryDirectory() as directory:
        snapshot = capture(tools, directory)

        def unwind(*options):
            return known.check_run([os.path.join(tools, "cgunwind"), "-q", *options, snapshot])

        return [*check_titles(unwind), *check_processes(unwind), *check_threads(unwind)]


if __name__ == "__main__":
    known.main(test)
