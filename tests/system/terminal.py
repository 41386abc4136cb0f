#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What people see at a terminal, and programs do not: colours, a pager, lines cut to its width, brief names, progress.

usage: terminal.py BUILD-DIRECTORY

The programs run at a pseudo-terminal of their own. What is piped is compared with it, and is plain.
"""

import contextlib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

sys.dont_write_bytecode = True
import known

STOP, GO_ON, INTERRUPT = b"\x13", b"\x11", b"\x03"  # what Ctrl-S, Ctrl-Q and Ctrl-C send
# Ideographs take two columns, what combines takes none. 255 bytes at most.
WIDE_NAME = "wide-characters" + "\u6f22\u5b57" * 14 + "e\u0301" * 20 + "\u6f22" * 10
PAGER_RIGHTS = 1 << 1 | 1 << 2 | 1 << 34  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_SYSLOG
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal:
    """A program in the foreground of a terminal."""

    def __init__(self, directory, command, columns=200, rows=50, stdin=None, **environment):
        wanted = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LESS", "NO_COLOR", "PAGER")}
        wanted.update({"TERM": "xterm", "CGUNWIND_PAGER": "", **environment})
        wanted = {name: value for name, value in wanted.items() if value is not None}
        begin, go = os.pipe()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.close(go)
            os.read(begin, 1)  # the terminal has its size
            os.chdir(directory)
            if stdin is not None:
                os.dup2(stdin, 0)
            os.execve(command[0], command, wanted)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.close(begin)
        os.close(go)
        self.bytes = b""

    def type(self, keys):
        os.write(self.fd, keys)

    def read(self, until=None, seconds=20):
        """What it prints, up to its end, or until there is a text like this."""
        end = time.monotonic() + seconds
        while until is None or not re.search(until, self.text()):
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            if not ready:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                raise known.Failure("no end, or no %s, after %d s: %r" % (until, seconds, self.text()))
            try:
                self.bytes += os.read(self.fd, 65536)
            except OSError:  # the last program has closed it
                break
        return self.text()

    def text(self):
        return self.bytes.decode(errors="replace").replace("\r\n", "\n")

    def end(self):
        """(what it has printed, its exit status)"""
        text = self.read()
        _, status = os.waitpid(self.pid, 0)
        os.close(self.fd)
        return text, os.waitstatus_to_exitcode(status)


def width(text):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Box:
    def __init__(self, tools, directory):
        self.tools, self.directory = tools, directory
        self.cgunwind, self.cgsnap = os.path.join(tools, "cgunwind"), os.path.join(tools, "cgsnap")

    def path(self, name):
        return os.path.join(self.directory, name)

    def see(self, *options, **terminal):
        return Terminal(self.directory, [self.cgunwind, *options], **terminal).end()

    def pipe(self, *options, **environment):
        return known.check_run([self.cgunwind, *options], cwd=self.directory, env={**os.environ, "TERM": "xterm", **environment})


def check_colours(box):
    plain = box.pipe("w.bin")
    cases = (
        ("a terminal", box.see("w.bin")[0], True),
        ("NO_COLOR", box.see("w.bin", NO_COLOR="1")[0], False),
        ("NO_COLOR that is empty", box.see("w.bin", NO_COLOR="")[0], True),
        ("--color=never", box.see("--color=never", "w.bin")[0], False),
        ("TERM=dumb", box.see("w.bin", TERM="dumb")[0], False),
        ("-o -", box.see("-o", "-", "w.bin")[0], False),
        ("json", box.see("-f", "json", "w.bin")[0], False),
        ("a pipe", plain, False),
        ("--color=auto and a pipe", box.pipe("--color=auto", "w.bin"), False),
        ("--color=always and a pipe", box.pipe("--color=always", "w.bin"), True),
        ("--color and NO_COLOR", box.pipe("--color", "w.bin", NO_COLOR="1"), True),
    )
    for what, text, coloured in cases:
        if ("\x1b" in text) != coloured:
            yield "colours: %s: %r" % (what, text[:200])
    for form in ("tree", "chains", "stats", "waits", "threads"):
        text = box.pipe("--color=always", "-f", form, "w.bin")
        if ESCAPE.sub("", text) != box.pipe("-f", form, "w.bin"):
            yield "colours change more than colours in " + form
    if box.see("-o", "-", "w.bin")[0] != plain:
        yield "-o - is not as it is in a pipe"


def check_pager(box):
    pager = "cat >seen; echo PAGED"
    cases = (
        ("PAGER", dict(CGUNWIND_PAGER=None, PAGER=pager), (), True),
        ("CGUNWIND_PAGER", dict(CGUNWIND_PAGER=pager, PAGER="false"), (), True),
        ("an empty one", dict(CGUNWIND_PAGER="", PAGER=pager), (), False),
        ("cat", dict(CGUNWIND_PAGER="cat", PAGER=pager), (), False),
        ("--no-pager", dict(CGUNWIND_PAGER=pager), ("--no-pager",), False),
        ("one that is missing", dict(CGUNWIND_PAGER="/nowhere/pager -x"), (), False),
        ("--info", dict(CGUNWIND_PAGER=pager), ("--info",), True),
        ("json", dict(CGUNWIND_PAGER=pager), ("-f", "json"), True),
    )
    for what, environment, options, paged in cases:
        if os.path.exists(box.path("seen")):
            os.remove(box.path("seen"))
        text, status = box.see(*options, "w.bin", **environment)
        seen = ""
        if os.path.exists(box.path("seen")):
            with open(box.path("seen"), encoding="utf-8") as file:
                seen = file.read()
        wanted = {"json": '"type"', "--info": "w.bin"}.get("".join(options[-1:]), "wall time: ")
        if (text == "PAGED\n") != paged or wanted not in (seen if paged else text) or status != 0:
            yield "pager: %s: %d, %r, %r" % (what, status, text[:200], seen[:200])
    text, _ = box.see("w.bin", CGUNWIND_PAGER='cat >seen; echo "LESS is $LESS"')
    if text != "LESS is FRX\n":
        yield "pager: " + text
    text, _ = box.see("w.bin", CGUNWIND_PAGER='cat >seen; echo "LESS is $LESS"', LESS="M")
    if text != "LESS is M\n":
        yield "pager, with LESS set: " + text
    tell = "cat >seen; echo secure $LESSSECURE; grep -e NoNewPrivs -e CapPrm -e CapEff /proc/self/status"
    text, _ = box.see("w.bin", CGUNWIND_PAGER=tell, LESSSECURE="0")
    lines = dict(line.replace(":", "").split() for line in text.splitlines())
    rights = {int(lines.get(name, "-1"), 16) & ~PAGER_RIGHTS for name in ("CapPrm", "CapEff")}
    if lines.get("secure") != "1" or lines.get("NoNewPrivs") != "1" or rights != {0}:
        yield "what the pager may do: " + text
    if shutil.which("less"):
        text, status = box.see("--color=never", "w.bin", CGUNWIND_PAGER=None)
        if "wall time: " not in text or status != 0:
            yield "less: %d, %r" % (status, text)


def check_pager_ends(box):
    # Long enough that no pipe holds it.
    for form in ("chains", "json", "tree"):
        many = ["w.bin"] * 40
        text, status = box.see("-f", form, *many, CGUNWIND_PAGER="head -n 1")
        if len(text.splitlines()) != 1 or status != 0:
            yield "%s: a pager that is quit: %d, %r" % (form, status, text)
    with open(box.path("other"), "w", encoding="utf-8") as file:
        file.write("no snapshot\n")
    pager = "cat >seen; sleep 0.1; echo PAGED"
    text, status = box.see("w.bin", "other", CGUNWIND_PAGER=pager)
    if not re.fullmatch(r"PAGED\ncgunwind: other: .*\n", text) or status != 1:
        yield "an error beside a pager: %d, %r" % (status, text)
    text, status = box.see("other", CGUNWIND_PAGER=pager)
    if not re.fullmatch(r"cgunwind: other: .*\n", text) or status != 1:
        yield "an error and nothing to show: %d, %r" % (status, text)
    # Ctrl-C is the pager's as well, and the shell must not come back before it has ended.
    terminal = Terminal(box.directory, [box.cgunwind, "w.bin"], CGUNWIND_PAGER="trap 'sleep 0.2; echo LAST; exit' INT; echo FIRST; while :; do sleep 0.05; done")
    terminal.read("FIRST")
    terminal.type(INTERRUPT)
    text, status = terminal.end()
    if not text.endswith("LAST\n") or status != -signal.SIGINT:
        yield "Ctrl-C beside a pager: %d, %r" % (status, text)
    # Who ignores it is not ended by it, nor is the pager.
    command = "trap '' INT; exec %s w.bin" % box.cgunwind
    terminal = Terminal(box.directory, ["/bin/sh", "-c", command], CGUNWIND_PAGER="echo FIRST; cat >seen; sleep 0.3; echo LAST")
    terminal.read("FIRST")
    terminal.type(INTERRUPT)
    text, status = terminal.end()
    if not text.endswith("LAST\n") or status != 0:
        yield "Ctrl-C that is ignored beside a pager: %d, %r" % (status, text)
    # Only the shell knows that there is none.
    for missing in ("/", "X=1 nowhere"):
        text, status = box.see("w.bin", CGUNWIND_PAGER=missing)
        if "cgunwind: the pager could not be run" not in text or status != 1:
            yield "pager %s: %d, %r" % (missing, status, text)
    text, status = box.see("--stats", "w.bin", CGUNWIND_PAGER=pager)
    if not text.startswith("PAGED\nsamples: ") or status != 0:
        yield "many messages beside a pager: %d, %r" % (status, text)


def check_width(box):
    for columns in (40, 80):
        for form in ("tree", "chains", "stats", "waits", "threads"):
            text, _ = box.see("--color=never", "-f", form, "w.bin", columns=columns)
            wide = [line for line in text.splitlines() if width(line) > columns]
            if wide:
                yield "%s at %d columns: %r" % (form, columns, wide[0])
        for form in ("chains", "tree"):
            options = ("-f", form) if form == "chains" else ("-v",)
            lines = ESCAPE.sub("", box.see(*options, "w.bin", columns=columns)[0]).splitlines()
            whole = box.pipe(*options, "w.bin").splitlines()
            if form == "tree":  # of which the title is cut, and the rest is indented by the width
                lines, whole = lines[:1], whole[:1]
            cut = [(line, all_of_it) for line, all_of_it in zip(lines, whole) if line != all_of_it]
            wrong = [line for line, all_of_it in cut if line[-1] != "…" or not all_of_it.startswith(line[:-1]) or width(line) < columns - 1]
            if len(lines) != len(whole) or wrong or not cut:
                yield "%s at %d columns: %d of %d lines, %r" % (form, columns, len(lines), len(whole), wrong[:1])
            if form == "tree" and "\u5b57" not in lines[0]:
                yield "no wide character is left at %d columns: %s" % (columns, lines[0])
        text, _ = box.see("-f", "chains", "w.bin", COLUMNS=str(columns))
        if max(map(width, ESCAPE.sub("", text).splitlines())) != columns:
            yield "COLUMNS=%d is not the width" % columns
    for options in (("-f", "json"), ("-f", "folded"), ("-f", "dot")):
        text, _ = box.see(*options, "w.bin", columns=40)
        if max(map(len, text.splitlines())) <= 40:
            yield "%s is cut" % options[1]


def check_tree(box):
    starts = (" _start [", " start_thread [", " __libc_start_main [")
    piped, seen, full = box.pipe("w.bin"), box.see("--color=never", "w.bin")[0], box.see("--color=never", "-v", "w.bin")[0]
    if any(start in seen for start in starts) or "main [" not in seen:
        yield "tree at a terminal: " + seen
    if full != piped or not any(start in piped for start in starts):
        yield "tree with -v, or in a pipe: " + full


def check_binary(box):
    for form in ("pprof", "png", "pdf"):
        text, status = box.see("-f", form, "w.bin")
        if not re.fullmatch(r"cgunwind: %s is binary.*use -o FILE.*\n" % form, text) or status != 1:
            yield "%s at a terminal: %d, %r" % (form, status, text)
    text, status = box.see("-f", "pprof", "-o", "-", "w.bin")
    if "\x1f" not in text or status != 0:
        yield "pprof with -o -: %d, %r" % (status, text)


def check_default(box):
    text, status = box.see()
    if text != "cgunwind: a snapshot is needed; try --help\n" or status != 2:
        yield "nothing given, and no snap.bin: %d, %r" % (status, text)
    os.rename(box.path("w.bin"), box.path("snap.bin"))
    if box.pipe() != box.pipe("snap.bin"):
        yield "nothing given, and snap.bin there"
    os.rename(box.path("snap.bin"), box.path("w.bin"))


# A job of another's terminal, on which who writes is stopped.
BEHIND = "set -m; stty tostop </dev/tty; %s - >behind & wait $!; echo status $?"


class Late:
    """What reads a snapshot at a terminal, most of which comes after more than two seconds."""

    def __init__(self, box, snapshot, early, columns, command):
        self.rest = snapshot[early:]
        read, self.fd = os.pipe()
        self.terminal = Terminal(box.directory, ["/bin/sh", "-c", command], columns=columns, stdin=read)
        os.close(read)
        os.write(self.fd, snapshot[:early])
        self.begun = time.monotonic()

    def end(self):
        time.sleep(max(0, self.begun + 2.5 - time.monotonic()))
        with contextlib.suppress(BrokenPipeError), os.fdopen(self.fd, "wb") as pipe:
            pipe.write(self.rest)
        return self.terminal.end()[0]


def check_reading(box):
    """The snapshot comes late: then it is told that it is waited for."""
    read, write = os.pipe()
    terminal = Terminal(box.directory, [box.cgunwind, "-"], stdin=read)
    os.close(read)
    quiet = subprocess.Popen([box.cgunwind, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(box.path("w.bin"), "rb") as file:
        snapshot = file.read()
    others = [Late(box, snapshot, *late) for late in ((0, 20, box.cgunwind + " -"), (0, 80, BEHIND % box.cgunwind), (len(snapshot) // 2, 80, box.cgunwind + " -f chains -o - -"))]
    terminal.read(r"\rcgunwind: reading, 2 s")
    others[0].terminal.read(r"\rcgunwind: reading, ")
    with os.fdopen(write, "wb") as pipe:
        pipe.write(snapshot)
    text, status = terminal.end()
    if not re.match(r"(\rcgunwind: reading, \d+ s)+(\rcgunwind: [a-z ]+, \d+ s *)*\r +\r[^\r]*wall time: [^\r]*$", text) or status != 0:
        yield "progress of cgunwind: %d, %r" % (status, text)
    narrow, behind, itself = (late.end() for late in others)
    if not re.match(r"(\rcgunwind: reading, )+(\rcgunwind: [a-z ]{9})*\r {19}\r[^\r]*wall time: [^\r]*$", narrow):
        yield "progress of cgunwind on a narrow terminal: %r" % narrow
    if behind != "status 0\n":
        yield "progress of cgunwind in the background: %r" % behind
    if itself != box.pipe("-f", "chains", "w.bin"):
        yield "progress of cgunwind within what it prints: %r" % itself
    out, err = quiet.communicate(snapshot)
    if err or b"wall time: " not in out:
        yield "progress of cgunwind in a pipe: %r" % err


def tracer(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as status:
        return int(re.search(r"^TracerPid:\s+(\d+)", status.read(), re.M)[1])


def check_sampling(box, target):
    """One is let alone, one has its terminal stopped by Ctrl-S, one has none."""
    with known.Target([known.program(box.tools, "idle", box.directory, "second"), "2", "1000"]) as second:
        command = [box.cgsnap, "-d", "2.5", "--clock", "ptrace", "--overhead", "100", "-o"]
        seen = Terminal(box.directory, command + ["seen.bin", "-p", str(target.pid)])
        held = Terminal(box.directory, command + ["held.bin", "-p", str(second.pid)])
        held.read("Ctrl-C ends")
        held.type(STOP)
        text, status = seen.end()
        lines = r"\rcgsnap: sampling \d+ threads? at 99 Hz, Ctrl-C ends\n(\rcgsnap: \d s, \d+ samples, \d+ lost, \d+ bytes *[\x08]*)+\r +\rcgsnap: [^\r]*\n"
        if not re.fullmatch(lines, text) or status != 0:
            yield "progress of cgsnap: %d, %r" % (status, text)
        known.wait_until(lambda: not tracer(second.pid), "a cgsnap whose terminal is stopped to let its process go", 5)
        if "bytes" in held.text():
            yield "Ctrl-S did not stop the terminal: %r" % held.text()
        held.type(GO_ON)
        text, status = held.end()
        rate = re.search(r", ([\d.]+) Hz, ", text)
        if status != 0 or not rate or float(rate[1]) < 50:
            yield "a stopped terminal: %d, %r" % (status, text)
    for options, words in (((), ""), (("-q",), None)):
        done = known.run([box.cgsnap, "-n", "5", *options, "-p", str(target.pid), "-o", box.path("piped.bin")])
        if b"Ctrl-C" in done.stderr or b"\r" in done.stderr or (words is None and done.stderr):
            yield "progress of cgsnap in a pipe: %r" % done.stderr
    text, _ = Terminal(box.directory, [box.cgsnap, "-q", "-d", "2.1", "-p", str(target.pid), "-o", "quiet.bin"]).end()
    if text:
        yield "cgsnap -q: %r" % text


def test(tools):
    known.need_terminals()
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        os.environ["CGUNWIND_CACHE"] = os.path.join(directory, "cache")  # the warning that there is none is a line more
        box = Box(tools, directory)
        with known.Target([known.program(tools, "idle", directory, WIDE_NAME), "2", "1000"]) as target:
            known.wait_until(lambda: [target.state(tid) for _, tid in target.threads()] == ["S"] * 3, "three threads that wait")
            known.check_run([box.cgsnap, "-q", "-n", "50", "-p", str(target.pid), "-o", box.path("w.bin")])
            failures += check_sampling(box, target)
        for check in (check_colours, check_pager, check_pager_ends, check_width, check_tree, check_binary, check_default, check_reading):
            failures += check(box)
    return failures


if __name__ == "__main__":
    known.main(test)
