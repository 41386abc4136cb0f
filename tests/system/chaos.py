#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever happens to cgsnap: sessions at 999 Hz of programs that compute, exec, fork, make threads
and send themselves signals, ended, killed, stopped, suspended at random moments, with an output that
nobody reads, beside another tracer. Each program prints and returns what it does alone, none is left
held, and nothing is left behind.

chaos.py BUILD [SESSIONS [SEED]]: 60 by default; thousands for a release.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import known

PROGRAMS = (["worker", "40000"], ["lifecycle", "exec 3"], ["lifecycle", "fork"], ["lifecycle", "spawn"],
            ["lifecycle", "leader"], ["churn", "300", "1"], ["held"])
ENDS = (None, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, "stop", "suspend", "tracer", "unread")
HELD_MS = 2500  # as much as a busy machine adds


class Session:
    def __init__(self, tools, directory, rng):
        self.tools, self.directory, self.rng = tools, directory, rng
        self.command = rng.choice(PROGRAMS)
        self.end = rng.choice(ENDS)
        self.options = rng.choice(([], [], ["--together"], ["--follow-forks"], ["--with-code"]))
        self.title = "%s, %s %s" % (" ".join(self.command), self.end, " ".join(self.options))

    def start_program(self):
        words = self.command[1:] if len(self.command) != 2 else self.command[1].split()
        path = os.path.join(self.tools, "tests", "programs", self.command[0])
        return subprocess.Popen([path, *words], stdout=subprocess.PIPE, text=True)

    def start_cgsnap(self, pid, output):
        return subprocess.Popen([self.tools + "/cgsnap", "-q", "-F", "999", "--overhead", "100", *self.options,
                                 "-p", str(pid), "-o", output],
                                process_group=0, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def disturb(self, cgsnap, pid, output):
        """True: cgsnap has been told to end."""
        if isinstance(self.end, signal.Signals):
            cgsnap.send_signal(self.end)
        elif self.end == "stop":
            cgsnap.send_signal(signal.SIGSTOP)
            time.sleep(self.rng.uniform(0, 0.3))
            cgsnap.send_signal(signal.SIGCONT)
        elif self.end == "suspend":
            for _ in range(3):
                cgsnap.send_signal(signal.SIGTSTP)
                time.sleep(self.rng.uniform(0, 0.2))
                cgsnap.send_signal(signal.SIGCONT)
                time.sleep(self.rng.uniform(0, 0.1))
        elif self.end == "tracer":
            second = self.start_cgsnap(pid, output + "2")
            second.communicate(timeout=60)

    def run(self, expected):
        output = os.path.join(self.directory, "snap")
        if self.end == "unread":
            output = os.path.join(self.directory, "fifo")
            reader = os.open(output, os.O_RDONLY | os.O_NONBLOCK)
        program = self.start_program()
        time.sleep(self.rng.uniform(0, 0.05))
        cgsnap = self.start_cgsnap(program.pid, output)
        time.sleep(self.rng.choice((0, 0.01, 0.1, 0.4)) * self.rng.random())
        self.disturb(cgsnap, program.pid, output)
        if self.command[0] == "held":
            time.sleep(0.3)
            program.terminate()
        text = program.communicate(timeout=60)[0]
        _, errors = cgsnap.communicate(timeout=60)
        if self.end == "unread":
            os.close(reader)
        if self.command[0] == "held":
            longest = float(text.split()[0]) if text else HELD_MS
            if longest >= HELD_MS or program.returncode:
                yield "%s: a signal took %s ms, status %s" % (self.title, longest, program.returncode)
        elif (program.returncode, text) != expected:
            yield "%s: %s instead of %s" % (self.title, (program.returncode, text), expected)
        if cgsnap.returncode not in (0, 1, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP):
            yield "%s: cgsnap ended with %s: %s" % (self.title, cgsnap.returncode, errors)


def left_behind(directory):
    """Processes of cgsnap with an output in DIRECTORY, once they had time to end: number, state, parent, call."""
    end = time.monotonic() + 10
    while True:
        found = subprocess.run(["pgrep", "-f", "cgsnap .*-o " + directory], capture_output=True, text=True, check=False)
        if not found.stdout or time.monotonic() > end:
            break
        time.sleep(0.1)
    return [" ".join([number, *read("/proc/%s/stat" % number).split()[2:4], read("/proc/%s/syscall" % number)])
            for number in found.stdout.split()]


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError as error:
        return str(error)


def test(tools, sessions=60, seed=None):
    seed = int(seed) if seed else random.randrange(1 << 32)
    print("seed %d" % seed)
    rng = random.Random(seed)
    tools = os.path.abspath(tools)
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        os.mkfifo(os.path.join(directory, "fifo"))
        expected = {}
        for number in range(int(sessions)):
            session = Session(tools, directory, rng)
            key = " ".join(session.command)
            if key not in expected and session.command[0] != "held":
                alone = session.start_program()
                text = alone.communicate()[0]
                expected[key] = (alone.returncode, text)
            failures += session.run(expected.get(key))
            left = left_behind(directory)
            if left:
                failures.append("%s: left behind: %s" % (session.title, ", ".join(left)))
                break
            if (number + 1) % 100 == 0:
                print("%d sessions, %d failures" % (number + 1, len(failures)), flush=True)
    print("%d sessions" % (number + 1))
    return failures


if __name__ == "__main__":
    known.main(test)
