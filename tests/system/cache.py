#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cgunwind keeps of its searches of code: the output is the same without, with and beside it.

usage: cache.py BUILD-DIRECTORY

A compiler at work whose libraries, as they are said to be, have neither tables nor symbols: tens of
megabytes of code, searched in parts. And this interpreter, whose code is searched as a whole. The
cache is empty, filled, on a full disk, damaged, used by several runs at once, below a sysroot, and
of a file that is another one by now.
"""

import glob
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SOURCE = "#include <map>\n#include <string>\n#include <vector>\n" + "".join(
    "struct S%d { std::map<int, std::string> m; int f(int x) { std::vector<int> v(x);"
    " for (auto &y : v) y += x; return m.size() + v.size(); } }; int g%d(int x) { S%d s; return s.f(x); }\n" % (i, i, i)
    for i in range(3000))
WORK = "import json, zlib\nwhile True: zlib.compress(json.dumps([{'a': i} for i in range(999)]).encode())"
FORMATS = ("chains", "folded")
AT_ONCE = 4
DAMAGES = 12
SEED = 20261127


class Runs:
    """cgunwind on a snapshot, with files that tell nothing, and a cache of its own."""

    def __init__(self, tools, directory, name, snapshot, files):
        self.cgunwind = os.path.join(tools, "cgunwind")
        self.snapshot, self.directory = snapshot, directory
        self.files = [argument for file in files for argument in ("-e", file)]
        self.cache = os.path.join(directory, name + "-cache")

    def command(self, *options, form="folded"):
        return [self.cgunwind, "-q", "-f", form, *self.files, *options, self.snapshot]

    def output(self, *options, form="folded", cache=None, **more):
        environment = dict(os.environ, CGUNWIND_CACHE=self.cache if cache is None else cache)
        return known.check_run(self.command(*options, form=form), env=environment, **more)

    def entries(self):
        return sorted(glob.glob(os.path.join(self.cache, "*")))


def cold_and_warm(runs, name):
    for form in FORMATS:
        shutil.rmtree(runs.cache, ignore_errors=True)
        without = runs.output("--no-cache", form=form)
        if os.path.exists(runs.cache):
            yield "%s: --no-cache makes a cache" % name
        for what in ("cold", "warm", "warm again"):
            if runs.output(form=form) != without:
                yield "%s: -f %s: %s is not as without a cache" % (name, form, what)
    if not runs.entries():
        yield "%s: nothing is kept" % name
    for path in runs.entries():
        print("%s: %d bytes are kept" % (name, os.path.getsize(path)))


def is_used(runs, name, *options):
    """Strace tells: the cache's files are read, and nothing is sent to be written."""
    log = os.path.join(runs.directory, "strace")
    command = ["strace", "-o", log, "-e", "trace=openat,send,sendto", *runs.command(*options)]
    known.check_run(command, env=dict(os.environ, CGUNWIND_CACHE=runs.cache))
    with open(log, encoding="utf-8") as file:
        lines = file.read().splitlines()
    names = [os.path.basename(path) for path in runs.entries()]
    opened = [entry for entry in names if any('"%s"' % entry in line and " = -1" not in line for line in lines)]
    if not opened:
        yield "%s: %s: no file of the cache is read" % (name, options)
    if any("send" in line for line in lines):
        yield "%s: %s: something is written again" % (name, options)


def at_once(runs, name, expected):
    shutil.rmtree(runs.cache)
    environment = dict(os.environ, CGUNWIND_CACHE=runs.cache)
    processes = [subprocess.Popen(runs.command(), env=environment, text=True, stdout=subprocess.PIPE)
                 for _ in range(AT_ONCE)]
    if any(process.communicate()[0] != expected or process.returncode for process in processes):
        yield "%s: runs at the same time have other outputs" % name
    if runs.output() != expected or not runs.entries():
        yield "%s: nothing useful is kept by runs at the same time" % name


def no_room(runs, name, expected):
    """Files can have no byte, as on a full disk."""
    shutil.rmtree(runs.cache)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    if runs.output(preexec_fn=limit) != expected:
        yield "%s: another output where nothing can be written" % name
    if runs.entries():
        yield "%s: left on a full disk: %s" % (name, runs.entries())
    if runs.output(cache="/proc/nowhere") != expected or runs.output(cache="") != expected:
        yield "%s: another output where no cache can be" % name


def damaged(runs, name, expected):
    """The checksum does not hold: as if there were nothing."""
    dice = random.Random(SEED)
    runs.output()
    if not runs.entries():
        yield "%s: nothing is kept in a cache that was empty" % name
        return
    for _ in range(DAMAGES):
        path = dice.choice(runs.entries())
        with open(path, "r+b") as file:
            size = os.path.getsize(path)
            if dice.random() < 0.2:
                file.truncate(dice.randrange(size))
            else:
                file.seek(dice.randrange(size))
                file.write(dice.randbytes(8))
        if runs.output() != expected:
            yield "%s: another output with a damaged cache" % name
            return


def other_file(runs, name):
    """A file with another section keeps its build-id, and is another one."""
    for path in runs.files[1::2]:
        known.check_run(["objcopy", "--add-section", ".other=" + os.path.abspath(__file__), path])
    before = runs.entries()
    if runs.output() != runs.output("--no-cache"):
        yield "%s: another file's functions are taken for those of this one" % name
    if runs.entries() == before:
        yield "%s: a file is not told from one with another section" % name


def copies(tools, pid, directory, names):
    """Of the process's files with these names: copies that tell nothing."""
    with open("/proc/%d/maps" % pid, encoding="utf-8") as file:
        paths = {line.split(maxsplit=5)[5].strip() for line in file if len(line.split(maxsplit=5)) == 6}
    found = [path for path in paths if os.path.basename(path).startswith(names)]
    removed = ["--remove-section=" + section for section in (".eh_frame", ".eh_frame_hdr", ".gcc_except_table")]
    for path in found:
        copy = os.path.join(directory, os.path.basename(path))
        known.check_run(["objcopy", "--strip-all", *removed, path, copy])
        yield copy


def capture(tools, directory, name, command, names):
    snapshot = os.path.join(directory, name + ".bin")
    target = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-d", "1", "-p", str(target.pid), "-o", snapshot])
        files = list(copies(tools, target.pid, directory, names))
    finally:
        target.kill()
        target.wait()
    if not files:
        raise known.Failure("%s has none of %s" % (name, names))
    return Runs(tools, directory, name, snapshot, files)


def check_much(runs, name):
    yield from cold_and_warm(runs, name)
    yield from is_used(runs, name)
    yield from other_file(runs, name)


def check(runs, name):
    yield from cold_and_warm(runs, name)
    yield from is_used(runs, name)
    yield from is_used(runs, name, "--sysroot", "/")
    yield from is_used(runs, name, "--no-sandbox")
    expected = runs.output("--no-cache")
    yield from at_once(runs, name, expected)
    yield from no_room(runs, name, expected)
    yield from damaged(runs, name, expected)
    yield from other_file(runs, name)


def test(tools):
    known.need("clang++", "strace", "objcopy")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "many.cc")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        compiler = ["clang++", "-O2", "-c", source, "-o", "/dev/null"]
        runs = capture(tools, directory, "clang", compiler, ("libclang-cpp", "libLLVM"))
        failures += check_much(runs, "clang")
        runs = capture(tools, directory, "python3", [sys.executable, "-c", WORK], ("python3", "libpython3"))
        failures += check(runs, "python3")
    return failures


if __name__ == "__main__":
    known.main(test)
