# SPDX-License-Identifier: MIT
"""What more than one test needs and takes long to build: cgsnap for the targets, and the programs
of the corpus. Built below build/ when it is first asked for, and again when a source is newer;
whoever asks meanwhile waits.

usage: built.py PRESET…     prints the path of the cgsnap of each of the presets agent-PRESET
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, "build")


class Failure(Exception):
    """What the compiler said."""


@contextlib.contextmanager
def _locked(name):
    """The directory build/NAME, for this process alone."""
    os.makedirs(BUILD, exist_ok=True)
    directory = os.path.join(BUILD, name)
    with open(directory + ".lock", "w", encoding="ascii") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield directory


def _run(*command):
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise Failure("%s: %s" % (" ".join(command), (done.stdout + done.stderr)[-3000:]))


def agent(preset):
    """The cgsnap of the preset agent-PRESET; warnings are errors."""
    with _locked("agent-" + preset) as directory:
        _run("cmake", "--preset", "agent-" + preset, "-B", directory, "-DCG_WERROR=ON")
        _run("cmake", "--build", directory)
    return os.path.join(directory, "cgsnap")


def corpus(output):
    """Makes OUTPUT/cases/NAME/program and so on, and OUTPUT/versions.txt."""
    with _locked("corpus") as directory:
        _run("cmake", "-S", os.path.join(ROOT, "corpus"), "-B", directory, "-G", "Ninja")
        _run("cmake", "--build", directory)
        shutil.copytree(os.path.join(directory, "cases"), os.path.join(output, "cases"),
                        dirs_exist_ok=True)
        shutil.copy2(os.path.join(directory, "versions.txt"), output)


def main():
    try:
        for preset in sys.argv[1:]:
            print(agent(preset))
    except Failure as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
