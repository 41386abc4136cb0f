#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cgunwind keeps of its searches of code: the output is the same without, with and beside it.

usage: cache.py BUILD-DIRECTORY

A compiler at work whose libraries, as they are said to be, have neither tables nor symbols: tens of
megabytes of code, searched in parts. And this interpreter, whose code is searched as a whole. The
cache is empty, filled, on a full disk, damaged, used by several runs at once, below a sysroot, and
of a file that is another one by now, or has symbols from elsewhere.
"""

import contextlib
import glob
import os
import platform
import random
import resource
import shutil
import signal
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
# Waits in g, called from main, at a place that `far`, the last of many functions, may call as well. Is
# the place a function? That is told by that call, or by a symbol without a size.
ASSEMBLY = """
    .text
    .globl _start
    .balign 16
g:  push %%rbp
    mov %%rsp, %%rbp
    mov $34, %%eax          # pause
    syscall
    pop %%rbp
    ret
    .balign 16
main:
    push %%rbx
    sub $0x20, %%rsp
    mov %%edi, %%ebx
    lea 1(%%rbx), %%ebx
    lea 1(%%rbx), %%ebx
    lea 1(%%rbx), %%edi
    .balign 16, 0x90
    .type place, @function
place:
    call g
    add $0x20, %%rsp
    pop %%rbx
    ret
    .balign 16
outer:
    push %%rbx
    sub $0x30, %%rsp
    call main
    add $0x30, %%rsp
    pop %%rbx
    ret
    .balign 16
_start:
    xor %%ebp, %%ebp
1:  call outer
    jmp 1b
    .rept %d
    .balign 16
    push %%rbp
    mov %%rsp, %%rbp
    push %%rbx
    mov %%edi, %%ebx
    lea 500000(%%rbx, %%rbx, 2), %%ebx
    mov %%ebx, %%eax
    pop %%rbx
    pop %%rbp
    ret
    .endr
    .balign 16
far:
    push %%rbp
    mov %%rsp, %%rbp
    call %s
    pop %%rbp
    ret
"""
BUILD_ID = "ca5e0123456789ab"
FEW, MANY = 1500, 150000  # functions: searched as a whole, and in parts
FORMATS = ("chains", "folded")
AT_ONCE = 4
DAMAGES = 12
TRIES = 5
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


def without_capstone(runs, name, expected):
    """What a run finds that cannot decode is kept for nobody."""
    shutil.rmtree(runs.cache)
    for library in ("libcapstone.so.4", "libcapstone.so.5"):
        with open(os.path.join(runs.directory, library), "w", encoding="utf-8") as file:
            file.write("none")
    environment = dict(os.environ, CGUNWIND_CACHE=runs.cache, LD_LIBRARY_PATH=runs.directory)
    if known.run(runs.command(), env=environment).stdout.decode() == expected:
        yield "%s: Capstone was found" % name
    if runs.output() != expected:
        yield "%s: the run without Capstone is kept" % name


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
    """Files can have no byte, or a page, as on a full disk."""
    for size in 0, 4096:
        shutil.rmtree(runs.cache)
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        if runs.output(preexec_fn=limit) != expected:
            yield "%s: another output where %d bytes can be written" % (name, size)
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


def assemble(directory, name, count, called):
    """The program, stripped, and its symbols in a directory of their own."""
    path = os.path.join(directory, name)
    with open(path + ".s", "w", encoding="ascii") as file:
        file.write(ASSEMBLY % (count, called))
    known.check_run(["gcc", "-nostdlib", "-static", "-Wl,--build-id=0x" + BUILD_ID, "-o", path, path + ".s"])
    by_id = os.path.join(path + "-debug", ".build-id", BUILD_ID[:2])
    os.makedirs(by_id)
    known.check_run(["objcopy", "--only-keep-debug", path, os.path.join(by_id, BUILD_ID[2:] + ".debug")])
    known.check_run(["strip", path])
    return path


def waiting(tools, path):
    """A snapshot of the program in its wait."""
    target = subprocess.Popen([path])

    def is_waiting():
        with open("/proc/%d/syscall" % target.pid, encoding="ascii") as file:
            return file.read().startswith("34 ")

    try:
        known.wait_until(is_waiting, "the program waits")
        return known.capture(tools, target.pid, path + ".bin")
    finally:
        target.kill()
        target.wait()


def strange_entries(runs, name, expected):
    """What has the name of a file of the cache is none of ours: it is not read, nor written through."""
    runs.output()
    path, victim = runs.entries()[0], os.path.join(runs.directory, "victim")
    makers = {"a link": lambda: os.symlink(victim, path), "another name": lambda: os.link(victim, path),
              "a FIFO": lambda: os.mkfifo(path), "a directory": lambda: os.mkdir(path)}
    for what, make in makers.items():
        with open(victim, "w", encoding="ascii") as file:
            file.write("precious")
        shutil.rmtree(runs.cache)
        os.mkdir(runs.cache, 0o700)
        make()
        if runs.output() != expected:
            yield "%s: another output where %s is in the cache" % (name, what)
        with open(victim, encoding="ascii") as file:
            if file.read() != "precious" or len(runs.entries()) != 1:
                yield "%s: %s in the cache: %s" % (name, what, runs.entries())


def no_own_directory(runs, name, expected):
    """Others may write there, or it is a link: there is no cache."""
    for mode in 0o770, 0o707, None:
        shutil.rmtree(runs.cache)
        if mode is None:
            os.symlink(runs.directory, runs.cache)
        else:
            os.mkdir(runs.cache)
            os.chmod(runs.cache, mode)
        before = runs.entries()
        if runs.output() != expected or runs.entries() != before:
            yield "%s: a directory of mode %s is used" % (name, mode)
    os.unlink(runs.cache)


def with_symbols(tools, directory):
    """A debug file comes, and goes."""
    program = assemble(directory, "told", FEW, "g")
    runs = Runs(tools, directory, "told", waiting(tools, program), [program])
    found = ("--debug-dir", program + "-debug")
    without, told = runs.output("--no-cache"), runs.output("--no-cache", *found)
    if without == told:
        yield "told: symbols make no difference"
    for _ in range(2):
        if runs.output() != without:
            yield "told: another output without symbols, behind a run with them"
        if runs.output(*found) != told:
            yield "told: another output with symbols, behind a run without"
    yield from strange_entries(runs, "told", without)
    yield from no_own_directory(runs, "told", without)


def other_code(tools, directory):
    """Another program of the same name, size and build-id."""
    paths = [assemble(directory, name, MANY, called) for name, called in (("one", "place"), ("two", "g"))]
    sizes = {os.path.getsize(path) for path in paths}
    program, outputs = os.path.join(directory, "program"), []
    for path in paths * 2:
        shutil.copy(path, program)
        runs = Runs(tools, directory, "other", waiting(tools, program), [program])
        outputs.append(runs.output("--no-cache"))
        if runs.output() != outputs[-1]:
            yield "another program's functions are taken for those of this one"
    if len(sizes) != 1 or outputs[0] == outputs[1]:
        yield "the programs are not as they are meant to be: sizes %s" % sizes


def stalled_once(runs):
    """The helpers that were stopped, and what came of the run."""
    shutil.rmtree(runs.cache, ignore_errors=True)
    process = subprocess.Popen(runs.command(), env=dict(os.environ, CGUNWIND_CACHE=runs.cache), text=True,
                               stdout=subprocess.PIPE)
    helpers = []

    def stop_helper():
        helpers[:] = map(int, known.run(["pgrep", "-P", str(process.pid)], text=True).stdout.split())
        return helpers or process.poll() is not None

    known.wait_until(stop_helper, "the helper")
    for pid in helpers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    output, _ = process.communicate(timeout=60)
    for pid in helpers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return helpers, output, process.returncode


def stalled(runs, name, expected):
    """The helper stands still: the output comes, and its end."""
    for _ in range(TRIES):
        helpers, output, status = stalled_once(runs)
        if helpers:
            break
    if not helpers or output != expected or status:
        yield "%s: with a helper that stands still: status %s, %d helpers" % (name, status, len(helpers))


def closed_output(runs, name):
    """What the cache opens does not become standard output."""
    command = " ".join(runs.command()) + " <&- >&-"
    done = known.run(["bash", "-c", command], text=True, env=dict(os.environ, CGUNWIND_CACHE=runs.cache))
    if done.returncode != 1 or "Bad file descriptor" not in done.stderr:
        yield "%s: without standard output: status %d: %s" % (name, done.returncode, done.stderr)


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
    yield from without_capstone(runs, name, expected)
    yield from at_once(runs, name, expected)
    yield from no_room(runs, name, expected)
    yield from damaged(runs, name, expected)
    yield from stalled(runs, name, expected)
    yield from closed_output(runs, name)
    yield from other_file(runs, name)


def test(tools):
    known.need("clang++", "strace", "objcopy", "pgrep")
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
        if platform.machine() == "x86_64":
            failures += with_symbols(tools, directory)
            failures += other_code(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
