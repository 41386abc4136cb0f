#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program whose signals would cost more than --overhead permits is attached to for its samples only.

No signal of it is lost; threads that it makes meanwhile are found, and so are exec and its end;
and whatever happens to cgsnap or to it, it goes on. Where that is not permitted, or not possible,
it stays attached to.
"""
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import fanotify
import known

CLOCKS = ("ptrace", "auto")
SAID = "the program's own signals"


class Capture:
    def __init__(self, tools, directory, program, *options, path=None):
        self.path = os.path.join(directory, "snap")
        self.program = subprocess.Popen([path or tools + "/tests/programs/storm", *program], stdout=subprocess.PIPE, text=True)
        self.cgsnap = subprocess.Popen([tools + "/cgsnap", "--force", "-p", str(self.program.pid), "-o", self.path,
                                        *options], process_group=0, stderr=subprocess.PIPE, text=True)
        self.errors = ""
        known.wait_until(lambda: len(self.threads()) >= (4 if program[1:2] == ["leave"] else 3), "its threads")
        self.worker = max(self.threads())  # one that sends itself signals
        known.wait_until(lambda: status(self.worker, "TracerPid") == str(self.cgsnap.pid), "the capture")

    def threads(self):
        try:
            return [int(tid) for tid in os.listdir("/proc/%d/task" % self.program.pid)]
        except OSError:
            return []

    def wait_until_left(self):
        """Not once, but between samples."""
        known.wait_until(lambda: status(self.worker, "TracerPid") == "0", "a thread to be left")
        left = 0
        for _ in range(50):
            left += status(self.worker, "TracerPid") == "0"
            time.sleep(0.01)
        if left < 5:  # one that waits for a CPU stays attached until it stops
            raise known.Failure("a thread was left at %d of 50 times" % left)

    def end(self, what, kept=False):
        """What is wrong with the program's end; then with that of cgsnap, and with what it said."""
        text = self.program.communicate(timeout=120)[0]
        counts = [int(count) for count in text.split()] or [1, 0]
        lost = sum(counts[::2]) - sum(counts[1::2])
        # Those that cgsnap was about to pass on when it was killed are lost.
        may_be = 2 if self.cgsnap.returncode == -signal.SIGKILL else len(counts) > 2
        if self.program.returncode != 7 or abs(lost) > may_be:
            yield "%s: the program ended with %d, and printed: %s" % (what, self.program.returncode, text)
        try:
            self.errors = self.cgsnap.communicate(timeout=30)[1]
        except subprocess.TimeoutExpired:
            self.cgsnap.kill()
            self.errors = self.cgsnap.communicate()[1]
            yield "%s: cgsnap does not end" % what
        if self.cgsnap.returncode not in (0, -signal.SIGKILL) or (SAID in self.errors) == kept:
            yield "%s: cgsnap ended with %d and said: %s" % (what, self.cgsnap.returncode, self.errors)

    def records(self):
        dump = [sys.executable, os.path.join(os.path.dirname(__file__), "snapdump.py"), self.path]
        return [json.loads(line) for line in known.check_run(dump).splitlines()]


def status(tid, name):
    try:
        with open("/proc/%d/status" % tid, encoding="utf-8") as file:
            return next(line.split()[1] for line in file if line.startswith(name + ":"))
    except (OSError, StopIteration):
        return None


def sampled_names(records):
    """Of the threads that have a sample, the last that they had."""
    sampled = {record["tid"] for record in records if record["type"] in ("sample", "tick")}
    return {record["name"] for record in records if record["type"] == "thread" and record["tid"] in sampled}


def check_left(tools, directory, clock, mode=()):
    """Samples go on, to the end, and threads that are made later have some."""
    what = " ".join(["left, clock", clock, *mode])
    capture = Capture(tools, directory, ["6", *mode], "--clock", clock)
    capture.wait_until_left()
    yield from capture.end(what)
    records = capture.records()
    if "late" not in sampled_names(records):
        yield "%s: a thread that was made later has no sample" % what
    times = [record["time"] for record in records if record["type"] in ("sample", "tick")]
    if max(times) - min(times) < 3e9:  # it is left within two
        yield "%s: its samples lie within %.1f s of 6" % (what, (max(times) - min(times)) / 1e9)


def check_exec(tools, directory, clock, arguments):
    """By a thread that was left, while the first one, which sleeps, is attached."""
    what = "exec of %s, clock %s" % (" ".join(arguments), clock)
    capture = Capture(tools, directory, ["5", "exec", *arguments], "--clock", clock)
    capture.wait_until_left()
    yield from capture.end(what)
    if arguments[0] == "0":  # it has ended before anybody looked, or not
        return
    records = capture.records()
    if "second" not in sampled_names(records):
        yield "%s: the second program has no sample" % what
    programs = [i for i, record in enumerate(records) if record["type"] == "process"]
    if len(programs) != 2:
        yield "%s: there are %d programs" % (what, len(programs))
    used = sum(record.get("cpu", record.get("cpu_ns")) for record in records[programs[-1]:]
               if record["type"] in ("sample", "tick") and record["tid"] == record["pid"])
    if len(arguments) == 1 and used > 5e8:
        yield "%s: its first thread, which sleeps, has used %.1f s" % (what, used / 1e9)


def check_held_exec(tools, directory):
    """The program's file cannot be read for a second: no thread of it can be attached to meanwhile."""
    if os.geteuid() != 0:
        print("not root: exec is not held")
        return
    shutil.copy(tools + "/tests/programs/storm", directory)
    capture = Capture(tools, directory, ["5", "exec", "2"], path=directory + "/storm")
    with fanotify.HeldReads(directory + "/storm") as held:
        capture.wait_until_left()
        held.wait()
        time.sleep(1)
    yield from capture.end("held exec")
    records = capture.records()
    lost = sum(record["count"] for record in records if record["type"] == "loss" and record["reason"] == 3)
    if lost < 20:
        yield "held exec: only %d samples of the second were lost" % lost
    if "second" not in sampled_names(records):
        yield "held exec: the second program has no sample"


def check_command(tools, directory):
    """Its status is cgsnap's."""
    done = known.run([tools + "/cgsnap", "--force", "-o", directory + "/snap", "--", tools + "/tests/programs/storm",
                      "3"], text=True)
    if done.returncode != 7 or SAID not in done.stderr:
        yield "command: cgsnap ended with %d and said: %s" % (done.returncode, done.stderr)


def check_killed(tools, directory):
    capture = Capture(tools, directory, ["60"])
    capture.wait_until_left()
    capture.cgsnap.kill()
    capture.cgsnap.wait()
    capture.program.terminate()
    yield from capture.end("killed", kept=True)


def check_suspended(tools, directory):
    capture = Capture(tools, directory, ["60"])
    capture.wait_until_left()
    for _ in range(3):
        begin = time.monotonic()
        capture.cgsnap.send_signal(signal.SIGTSTP)
        known.wait_until(lambda: status(capture.cgsnap.pid, "State") in ("T", "Z"), "cgsnap to be stopped")
        if status(capture.cgsnap.pid, "State") == "Z":
            capture.program.terminate()
            yield "suspended: it ended with %d and said: %s" % (capture.cgsnap.wait(), capture.cgsnap.stderr.read())
            return
        print("suspended: took %.2f s" % (time.monotonic() - begin))
        if {status(tid, "TracerPid") for tid in capture.threads()} != {"0"}:
            yield "suspended: a thread is attached"
        before = run_ns(capture)
        known.wait_until(lambda: run_ns(capture) > before, "the program to run")
        capture.cgsnap.send_signal(signal.SIGCONT)
        continued = time.monotonic_ns()
        time.sleep(0.3)
    capture.program.terminate()
    yield from capture.end("suspended")
    if max(record["time"] for record in capture.records() if record["type"] in ("sample", "tick")) < continued:
        yield "suspended: no sample afterwards"


def run_ns(capture):
    with open("/proc/%d/task/%d/schedstat" % (capture.program.pid, capture.worker), encoding="utf-8") as file:
        return int(file.read().split()[0])


def check_group_stop(tools, directory):
    """The program is stopped by job control: it stops, goes on, and its signals are its own."""
    capture = Capture(tools, directory, ["60"])
    capture.wait_until_left()
    for _ in range(3):
        capture.program.send_signal(signal.SIGSTOP)
        known.wait_until(lambda: status(capture.worker, "State") in ("T", "t"), "the program to be stopped")
        time.sleep(0.2)
        before = run_ns(capture)
        time.sleep(0.5)
        if run_ns(capture) - before > 1e8:  # but for stops of cgsnap's
            yield "group stop: it runs on"
        capture.program.send_signal(signal.SIGCONT)
        time.sleep(0.1)
    capture.program.terminate()
    yield from capture.end("group stop")


def check_kept(tools, directory):
    """What is not left stays attached to all the time: three at once, which compete for the CPUs."""
    captures, left = {}, set()
    for options in (["--overhead", "100"], ["--follow-forks"], ["-F", "0.4"]):
        where = os.path.join(directory, options[0])
        os.mkdir(where)
        captures[" ".join(options)] = Capture(tools, where, ["5"], *options)
    end = time.monotonic() + 2.5
    while time.monotonic() < end:
        left |= {what for what, capture in captures.items() if status(capture.worker, "TracerPid") == "0"}
        time.sleep(0.001)
    for what, capture in captures.items():
        if what in left:
            yield what + ": it was left"
        yield from capture.end(what, kept=True)


def test(tools):
    if platform.machine() not in ("x86_64", "i686"):
        known.skip("on this machine no thread is left")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for clock in CLOCKS:
            failures += check_left(tools, directory, clock)
            for arguments in ["2", "single"], ["2"], ["2", "leave"], ["0", "single"]:
                failures += check_exec(tools, directory, clock, arguments)
        failures += check_left(tools, directory, "ptrace", ["leave"])
        for check in (check_held_exec, check_command, check_killed, check_suspended, check_group_stop, check_kept):
            failures += check(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
