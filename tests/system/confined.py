#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgunwind and cgrules confine themselves before they look at their input.

usage: confined.py BUILD-DIRECTORY

misbehave.c, loaded by LD_PRELOAD, tries from within the parser, from within the process that draws,
and from within the one that reads debug information, to write, to connect, to run programs and more.
With --no-sandbox nearly all of it works, but for the last, which is confined always; confined, none
of it does. What is printed is the same in both. A kernel without one of the means is simulated by
strace. cgtop.py tries the same in cgtop.
"""

import ctypes
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

ROOT = os.path.dirname(known.TESTS)
CASE = os.path.join(ROOT, "corpus", "cases", "leaves-a64-gcc-O2-pac")
SNAPSHOT, PROGRAM = os.path.join(CASE, "arm64.snap"), os.path.join(CASE, "program")
# What may fail without a sandbox, too, as the kernel or the file system may not have it.
MAY_FAIL = {"unnamed", "openat2", "openat2-pipe", "memory-file", "attach", "io_uring", "execute-in-child", "descriptor",
            "bpf", "perf", "user-faults", "keys", "clone3", "mount", "x32", "int80", "fast-open", "change-socket",
            "accept", "type", "read-memory", "write-memory"}
if os.geteuid() != 0:
    MAY_FAIL.add("chown")
if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
    MAY_FAIL.add("core-file")
# What Landlock and the missing capabilities do not forbid where there is no seccomp.
NOT_LANDLOCK = {"openat2-pipe", "write-pipe", "async", "chmod", "socket", "connect-unix", "fork", "memory-file", "io_uring", "kill",
                "signal-thread", "queue-signal", "pidfd", "set-limit", "set-own-limit", "set-owner", "type", "bpf", "perf",
                "user-faults", "keys", "namespace", "other-namespace", "clone3", "mount", "attribute", "x32", "int80",
                "change-socket", "fast-open", "read-memory", "write-memory"}
SIGNALS_FROM = 6  # the version of Landlock that keeps signals back
NAMES = ("victim", "goner", "moved")
# Below these are fonts, and what else people have.
DESKTOP = ("XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CONFIG_HOME")


def landlock_version():
    """0: the kernel has none."""
    create_ruleset, version_flag = 444, 1
    return max(0, ctypes.CDLL(None).syscall(create_ruleset, None, 0, version_flag))


class Victims:
    """A directory, a process and a socket to misbehave against."""

    def __enter__(self):
        self.directory = tempfile.mkdtemp()
        for name in NAMES:
            with open(os.path.join(self.directory, name), "w", encoding="ascii") as file:
                file.write("as it was\n")
        self.process = subprocess.Popen(["sleep", "600"])
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(os.path.join(self.directory, "socket"))
        self.unix.listen()
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        self.tcp.close()
        self.unix.close()
        shutil.rmtree(self.directory)

    def untouched(self):
        if sorted(os.listdir(self.directory)) != sorted((*NAMES, "socket")):
            return False
        for name in NAMES:
            with open(os.path.join(self.directory, name), encoding="ascii") as file:
                if file.read() != "as it was\n":
                    return False
        return True


def misbehave(tools, place, command, before=()):
    """({what: "done" or an errno}, whether all is as it was, the run)."""
    with Victims() as victims, tempfile.NamedTemporaryFile("r", encoding="ascii") as report:
        os.truncate(report.name, 65536)
        environment = dict(
            os.environ,
            MISBEHAVE_IN=place,
            MISBEHAVE_DIRECTORY=victims.directory,
            MISBEHAVE_PORT=str(victims.tcp.getsockname()[1]),
            MISBEHAVE_PID=str(victims.process.pid),
            MISBEHAVE_REPORT=report.name,
            **{name: victims.directory for name in DESKTOP},
        )
        preload = "LD_PRELOAD=" + os.path.join(tools, "tests", "misbehave.so")
        done = known.run([*before, "env", preload, *command], env=environment)
        lines = [line.split() for line in report.read().rstrip("\0").splitlines()]
        return dict(lines), victims.untouched(), done


def sent_to(*ports):
    """
    A command's beginning: who connects to the command behind it, and sends the snapshot to each port, until that has
    ended, which does not wait for it.
    """
    send = "; ".join('until cat "$0" >/dev/tcp/127.0.0.1/%d; do kill -0 $$ || exit; sleep 0.05; done' % port
                     for port in ports)
    return ["bash", "-c", "(%s) >/dev/null 2>&1 & exec \"$@\"" % send, SNAPSHOT]


def captured(tools, directory):
    """A snapshot of a program that has debug information."""
    program = known.program(tools, "requests", directory)
    with known.Target([program, "1", "60"]) as target:
        target.process.stdout.readline()
        snapshot = os.path.join(directory, "requests.snap")
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-n", "20", "-o", snapshot, "-p", str(target.pid)])
    return snapshot


def commands(tools, directory):
    """(name, place, command without --no-sandbox, what begins it)"""
    cgunwind, cgrules = (os.path.join(tools, name) for name in ("cgunwind", "cgrules"))
    svg, json = os.path.join(directory, "x.svg"), os.path.join(directory, "x.json")
    unwind = [cgunwind, "-v", "--elf", PROGRAM]
    yield "cgunwind", "parser", [*unwind, "-f", "json", SNAPSHOT]
    yield "cgunwind -o", "parser", [*unwind, "-f", "json", "-o", json, SNAPSHOT]
    yield "cgunwind --sysroot", "parser", [*unwind, "--sysroot", CASE, "-o", json, SNAPSHOT]
    yield "cgunwind -o x.svg", "parser", [*unwind, "-o", svg, SNAPSHOT]
    yield "cgunwind, drawing", "drawing", [*unwind, "-o", svg, SNAPSHOT]
    variables = [cgunwind, "-v", "-f", "json", "-o", json, captured(tools, directory)]
    yield "cgunwind --variables", "parser", [*variables, "--variables"]
    yield "cgunwind --split", "parser", [*variables, "--split", "handle:kind"]
    yield "cgunwind --where", "parser", [*variables, "--where", "handle:kind == READ"]
    yield "cgunwind --variables, reading", "reader", [*variables, "--variables"]
    yield "cgrules", "parser", [cgrules, "-m", "prologue", PROGRAM]
    # While the first is read nobody has come to the second.
    ports = known.free_port(), known.free_port()
    listen = ["tcp-listen:127.0.0.1:%d" % port for port in ports]
    yield "cgunwind tcp-listen", "parser", [*unwind, "-o", json, listen[0]], sent_to(ports[0])
    yield "cgunwind tcp-listen twice", "parser", [*unwind, "-o", json, *listen], sent_to(*ports)


def check_misbehaviour(tools, directory):
    for name, place, command, *begin in commands(tools, directory):
        free, untouched, run = misbehave(tools, place, [command[0], "--no-sandbox", *command[1:]], *begin)
        failed = {what for what, how in free.items() if how != "done"} - MAY_FAIL
        if place == "drawing":
            failed.discard("core-file")  # it has none in any case
        if len(free) < 20 or (place != "reader" and (failed or untouched)):
            yield "%s --no-sandbox: of %d things, failed: %s" % (name, len(free), failed or "none")
        confined, untouched, run = misbehave(tools, place, command, *begin)
        allowed = {"read", "device"} if place == "parser" and "--sysroot" not in command else set()
        has_children = {"--variables", "--split", "--where"} & set(command) or command[-2].endswith(".svg")
        if place == "parser" and has_children:
            allowed |= {"fork", "set-own-limit"}  # to draw, to read variables; what is forked is as confined
            if landlock_version() < SIGNALS_FROM:
                allowed.add("kill")
        worked = {what for what, how in confined.items() if how == "done"}
        if place == "parser":
            worked.discard("descriptor")  # it has its inputs
        if len(confined) < len(free) or worked != allowed or not untouched:
            yield "%s: of %d things, worked: %s" % (name, len(confined), worked or "none")
        if run.returncode != 0:
            yield "%s: status %d: %s" % (name, run.returncode, run.stderr.decode())
        print("%s: %d things tried, %d work free, %d confined" % (
            name, len(confined), list(free.values()).count("done"), len(worked)))


def check_missing(tools):
    """Without Landlock, or without seccomp, the rest holds, and -v tells."""
    if not shutil.which("strace"):
        known.skip("strace not found")
    command = [os.path.join(tools, "cgunwind"), "-f", "folded", "--elf", PROGRAM, SNAPSHOT]
    usual = known.check_run(command)
    for what, inject, still in (
        ("Landlock", "landlock_create_ruleset:error=ENOSYS", {"read", "device", "descriptor"}),
        ("seccomp", "prctl:error=EINVAL:when=2", {"read", "device", "descriptor"} | NOT_LANDLOCK),
        ("no_new_privs", "prctl:error=EINVAL:when=1", None),
    ):
        strace = ["strace", "-f", "-o", "/dev/null", "-e", "inject=" + inject]
        for verbose in ((), ("-v",)):
            done = known.run([*strace, command[0], *verbose, *command[1:]])
            told = "not confined in full" in done.stderr.decode() and what in done.stderr.decode()
            if done.returncode != 0 or done.stdout.decode() != usual or told != bool(verbose):
                yield "without %s %s: %d: %s" % (what, verbose, done.returncode, done.stderr.decode())
        if still is None:
            continue
        tried, _, _ = misbehave(tools, "parser", command, strace)
        worked = {name for name, how in tried.items() if how == "done"}
        if not tried or worked - still:
            yield "without %s: worked: %s" % (what, worked - still)
        print("without %s: %d things tried, %d work" % (what, len(tried), len(worked)))


def same(one, other):
    """Two runs' output; of JSON without how long things took."""
    texts = []
    for done in (one, other):
        texts.append(re.sub(rb'_ns": ?\d+', b"", done.stdout + done.stderr))
    return one.returncode == other.returncode and texts[0] == texts[1]


def both(command, **options):
    """A command with the sandbox and without it, in this order."""
    return [
        subprocess.run([command[0], *more, *command[1:]], capture_output=True, timeout=600, **options)
        for more in ((), ("--no-sandbox",))
    ]


def check_inputs(tools, directory):
    """From a file, a pipe and standard input; to standard output and to a file."""
    cgunwind = os.path.join(tools, "cgunwind")
    usual = [cgunwind, "-f", "folded", "-q", "--elf", PROGRAM]
    with open(SNAPSHOT, "rb") as file:
        snapshot = file.read()
    with open(PROGRAM, "rb") as file:
        damaged_core = file.read()
    missing = os.path.join(directory, "none", "x")
    for name, command, options in (
        ("a file", [*usual, SNAPSHOT], {}),
        ("two files and a base", [*usual, "--diff-base", SNAPSHOT, SNAPSHOT, SNAPSHOT], {}),
        ("a pipe", [*usual, "-"], {"input": snapshot}),
        ("/dev/stdin", [*usual, "/dev/stdin"], {"input": snapshot}),
        ("a core through a pipe", [*usual, "-"], {"input": damaged_core}),
        ("a core, TMPDIR missing", [*usual, "-"],
         {"input": damaged_core, "env": dict(os.environ, TMPDIR=missing)}),
        ("an output that cannot be", [*usual, "-o", missing, SNAPSHOT], {}),
        ("an output that is no file", [*usual, "-o", "/dev/stdout", SNAPSHOT], {}),
        ("no Capstone", [*usual, SNAPSHOT], {"env": dict(os.environ, LD_LIBRARY_PATH=directory)}),
        ("memory", [*usual, "--memory", "1G", SNAPSHOT], {}),
        ("cgrules", [os.path.join(tools, "cgrules"), "--functions", PROGRAM], {}),
        ("cgrules, a pipe", [os.path.join(tools, "cgrules"), "--pcs", "-", PROGRAM], {"input": b"400\n"}),
    ):
        confined, free = both(command, **options)
        if not same(confined, free):
            yield "%s: %s, without a sandbox %s" % (name, confined, free)
    print("inputs: from files, pipes and standard input the same")
    yield from check_output(cgunwind, directory)
    done = known.run([*usual, "--memory", "4M", SNAPSHOT])
    if done.returncode == 0 or done.returncode < 0:
        yield "--memory 4M: status %d: %s" % (done.returncode, done.stderr.decode())
    for wrong in ("0", "-1", "1X", "M", "1MB", "99999999999999999999", "99999999T"):
        if known.run([*usual, "--memory", wrong, SNAPSHOT]).returncode != 2:
            yield "--memory %s is taken" % wrong


def check_output(cgunwind, directory):
    """What is in a file stays when there is nothing to put there; then it is replaced."""
    path = os.path.join(directory, "kept.txt")
    with open(path, "w", encoding="ascii") as file:
        file.write("old\n" * 100000)
    empty = os.path.join(directory, "empty")
    open(empty, "w", encoding="ascii").close()
    for output in (path, os.path.join(directory, "new.txt")):
        if known.run([cgunwind, "--force", "-f", "tree", "-o", output, empty]).returncode != 1:
            yield "an empty snapshot is read"
    if os.path.getsize(path) != 400000 or os.path.exists(os.path.join(directory, "new.txt")):
        yield "an output is touched when there is nothing to put there"
    done = known.run([cgunwind, "-q", "--force", "-f", "tree", "-o", path, "--elf", PROGRAM, SNAPSHOT])
    usual = known.check_run([cgunwind, "-q", "-f", "tree", "--elf", PROGRAM, SNAPSHOT])
    with open(path, encoding="utf-8") as file:
        if done.returncode != 0 or file.read() != usual:
            yield "-o FILE is not what standard output would be"
    # A picture that is not finished in time leaves the text, beside it or here.
    for output in (os.path.join(directory, "late.svg"), None):
        where = ["-o", output] if output else ["-f", "svg"]
        command = [cgunwind, "-q", "--layout-time", "0", *where, "--elf", PROGRAM, SNAPSHOT]
        done = known.run(command, cwd=directory)
        text = output + ".dot" if output else os.path.join(directory, "callgraph.dot")
        if done.returncode != 1 or not os.path.exists(text) or os.path.getsize(text) == 0:
            yield "no text is left of a picture: " + done.stderr.decode()


def test(tools):
    if not os.path.exists(os.path.join(tools, "tests", "misbehave.so")):
        known.skip("misbehave.so is not built")
    if landlock_version() == 0:
        known.skip("this kernel has no Landlock")
    with tempfile.TemporaryDirectory() as directory:
        yield from check_misbehaviour(tools, directory)
        yield from check_inputs(tools, directory)
    yield from check_missing(tools)


if __name__ == "__main__":
    known.main(lambda tools: list(test(tools)))
