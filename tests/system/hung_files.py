#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cgsnap would have to wait for never comes: the file of a program, whose server does not
answer, and pages beside the code that runs. The capture is as long as it was to be, and the program
goes on.

usage: hung_files.py BUILD-DIRECTORY
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import fanotify
import known

SECONDS = 1
WAIT_MAX = 30  # far above what a busy machine adds


def sampled(path):
    text = known.check_run([sys.executable, os.path.join(known.TESTS, "system", "snapdump.py"), path])
    return text.count('"type": "sample",')


def capture(tools, what, program, path, *options):
    """It ends, and with samples; the program ends with its own status."""
    cgsnap = subprocess.Popen([tools + "/cgsnap", "-q", "--force", "--overhead", "100", "-p", str(program.pid), "-d", str(SECONDS),
                               "-o", path, *options], stderr=subprocess.PIPE, text=True)
    try:
        _, errors = cgsnap.communicate(timeout=WAIT_MAX)
    except subprocess.TimeoutExpired:
        cgsnap.kill()
        yield "%s: it waits for ever" % what
        return
    if cgsnap.returncode or sampled(path) < 5:
        yield "%s: status %d, %d samples: %s" % (what, cgsnap.returncode, sampled(path), errors)
    program.terminate()
    if program.wait(timeout=WAIT_MAX) not in (0, 42):
        yield "%s: the program ended with %d" % (what, program.returncode)


def check_file(tools, directory):
    """All who read the program's file are held, from before the capture on."""
    path = known.program(tools, "held", directory)
    program = subprocess.Popen([path], stdout=subprocess.DEVNULL)
    with fanotify.HeldReads(path):
        yield from capture(tools, "the file", program, directory + "/snap")
    program.kill()
    program.wait()


def check_pages(tools, directory):
    """Of code that was made, and so is written without being asked for."""
    program = subprocess.Popen([tools + "/tests/programs/missing"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True)
    said = program.stdout.readline().strip()
    if said != "ready":
        known.skip("no memory that does not come: " + said)
    yield from capture(tools, "pages", program, directory + "/snap")
    program.kill()
    program.wait()


def test(tools):
    if os.geteuid() != 0:
        known.skip("only root can hold who reads a file")
    with tempfile.TemporaryDirectory() as directory:
        return [failure for check in (check_file, check_pages) for failure in check(tools, directory)]


if __name__ == "__main__":
    known.main(test)
