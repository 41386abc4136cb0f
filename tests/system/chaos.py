#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever happens to cgsnap: sessions at 999 Hz of programs that compute, exec, fork, make threads
and send themselves signals, and of PostgreSQL that works for pgbench, ended, killed, stopped, suspended at
random moments, with an output that nobody reads, beside another tracer. Each program prints and returns
what it does alone, none is left held, and nothing is left behind.

chaos.py BUILD [SESSIONS [SEED [JOBS]]]: 60 by default, 4 at once; thousands for a release. With one
at once, on a machine that does nothing else, no signal may take 10 ms longer to come than cgsnap
has said at worst.
"""
import concurrent.futures
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import known
import postgres

STORM = ["storm", "1"]
PROGRAMS = (["worker", "40000"], ["lifecycle", "exec 3"], ["lifecycle", "fork"], ["lifecycle", "spawn"],
            ["lifecycle", "leader"], ["churn", "300", "1"], ["held"], STORM)
ENDS = (None, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, "stop", "suspend", "tracer", "unread")
HELD_MS = 2500  # as much as a busy machine adds
UNTOLD_MS = 10
PGBENCH = "pgbench"
SERVER = threading.Lock()
UNITS_MS = {"µs": 1e-3, "ms": 1, "s": 1e3}


class Session:
    def __init__(self, tools, directory, seed, server):
        self.rng = rng = random.Random(seed)
        self.tools, self.directory, self.server = tools, directory, server
        self.command = rng.choice(PROGRAMS + (([PGBENCH],) if server else ()))
        self.end = rng.choice(ENDS)
        self.options = rng.choice(([], [], ["--together"], ["--follow-forks"], ["--with-code"]))
        if self.command == [PGBENCH]:
            self.options = ["--follow-forks"]
        self.title = "%d: %s, %s %s" % (seed, " ".join(self.command), self.end, " ".join(self.options))
        self.processes = []
        self.untold_ms = None  # how much longer a signal took than cgsnap told

    def spawn(self, command, **how):
        self.processes.append(subprocess.Popen(command, text=True, **how))
        return self.processes[-1]

    def start_program(self):
        """It, and who is captured."""
        if self.command == [PGBENCH]:
            program = self.spawn(self.server.pgbench(3, 100), stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, cwd=self.server.directory)
            return program, self.server.process.pid
        words = self.command[1:] if len(self.command) != 2 else self.command[1].split()
        path = os.path.join(self.tools, "tests", "programs", self.command[0])
        program = self.spawn([path, *words], stdout=subprocess.PIPE)
        return program, program.pid

    def result(self, program, timeout=None):
        text = program.communicate(timeout=timeout)[0]
        if self.command == [PGBENCH]:  # without what it measures
            text = "".join(line for line in text.splitlines(True) if line.startswith("number of"))
        if self.command == STORM and text:
            sent, handled = text.split()
            # Those that a cgsnap is about to pass on when it is killed, by its guard, too, are lost.
            may_be = 2 if self.end in (signal.SIGKILL, "stop") else 0
            text = "all signals" if 0 <= int(sent) - int(handled) <= may_be else text
        return program.returncode, text

    def start_cgsnap(self, pid, output, *more):
        limit = [] if self.command == STORM else ["--overhead", "100"]  # its threads are left between samples
        return self.spawn([self.tools + "/cgsnap", "-F", "999", *limit, *self.options,
                           "-p", str(pid), "-o", output, *more],
                          process_group=0, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def disturb(self, cgsnap, pid, output):
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
            # Where it was the first, it captures to the end, which not all programs have by themselves.
            second = self.start_cgsnap(pid, output + "2", "-d", "1")
            second.communicate(timeout=60)

    def run(self, expected):
        """What it found wrong. Nothing of it runs on, whatever that is."""
        try:
            yield from self.run_disturbed(expected)
        except subprocess.TimeoutExpired as error:
            yield "%s: %s; %s" % (self.title, error, "; ".join(map(describe, self.processes)))
        finally:
            for process in self.processes:
                process.kill()

    def run_disturbed(self, expected):
        output = os.path.join(self.directory, "snap")
        if self.end == "unread":
            output = os.path.join(self.directory, "fifo")
            reader = os.open(output, os.O_RDONLY | os.O_NONBLOCK)
        program, pid = self.start_program()
        time.sleep(self.rng.uniform(0, 0.05))
        cgsnap = self.start_cgsnap(pid, output)
        time.sleep(self.rng.choice((0, 0.01, 0.1, 0.4)) * self.rng.random())
        self.disturb(cgsnap, pid, output)
        if self.command[0] == "held":
            time.sleep(0.3)
            program.terminate()
        result = self.result(program, timeout=60)
        if self.command == [PGBENCH]:
            cgsnap.send_signal(signal.SIGINT)
        _, errors = cgsnap.communicate(timeout=60)
        if self.end == "unread":
            os.close(reader)
        if self.command[0] == "held":
            yield from self.check_held(*result, errors)
        elif result != expected:
            yield "%s: %s instead of %s" % (self.title, result, expected)
        if "permission" in errors and self.end != "tracer":
            yield "%s: %s" % (self.title, errors)
        if cgsnap.returncode not in (0, 1, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP):
            yield "%s: cgsnap ended with %s: %s" % (self.title, cgsnap.returncode, errors)

    def check_held(self, status, text, errors):
        longest = float(text.split()[0]) if text else HELD_MS
        if longest >= HELD_MS or status:
            yield "%s: a signal took %s ms, status %s" % (self.title, longest, status)
        worst = re.search(r"([0-9.]+) (µs|ms|s) at most", errors)
        if worst:
            self.untold_ms = longest - float(worst[1]) * UNITS_MS[worst[2]]


def describe(process):
    """What one that does not end is doing: its state, its system call, where it is in the kernel."""
    files = (read("/proc/%d/%s" % (process.pid, name)) for name in ("stat", "syscall", "stack"))
    return "%s: %s" % (process.args[0], " | ".join(" ".join(text.split()) for text in files))


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


def run_session(tools, top, number, seed, server, expected):
    """(what it found wrong, how much longer a signal took than was told)"""
    directory = os.path.join(top, "%d." % number)
    os.mkdir(directory)
    os.mkfifo(os.path.join(directory, "fifo"))
    session = Session(tools, directory, seed + number, server)
    # One at a time has the server: two would be refused by one another.
    with SERVER if session.command == [PGBENCH] else contextlib.nullcontext():
        failures = list(session.run(expected.get(" ".join(session.command))))
        left = left_behind(directory + "/")
    if left:
        failures.append("%s: left behind: %s" % (session.title, ", ".join(left)))
    return failures, session.untold_ms


def results_alone(tools, server):
    """By program."""
    expected, seed = {}, 0
    while len(expected) < len(PROGRAMS) - 1 + (1 if server else 0):
        session = Session(tools, None, seed, server)
        key = " ".join(session.command)
        if key not in expected and key != "held":
            expected[key] = session.result(session.start_program()[0])
        seed += 1
    return expected


def test(tools, sessions=60, seed=None, jobs=4):
    sessions, jobs = int(sessions), int(jobs)
    seed = int(seed) if seed else random.randrange(1 << 32)
    tools = os.path.abspath(tools)
    failures, untold = [], []
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        server = None
        if postgres.is_installed():
            os.mkdir(directory + "/server")
            server = postgres.Server(directory + "/server")
        print("seed %d, %s pgbench" % (seed, "with" if server else "without"))
        expected = results_alone(tools, server)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = pool.map(lambda number: run_session(tools, directory, number, seed, server, expected),
                               range(sessions))
            for number, (wrong, more_ms) in enumerate(results):
                failures += wrong
                untold += [] if more_ms is None else [more_ms]
                if (number + 1) % 100 == 0:
                    print("%d sessions, %d failures" % (number + 1, len(failures)), flush=True)
        if server and server.stop():
            failures.append("the server ended with %d" % server.process.returncode)
    print("%d sessions" % sessions)
    if jobs == 1 and untold:
        line = ("held longer than told by %d ms: %d of %d times; by %.1f ms at most"
                % (UNTOLD_MS, sum(ms > UNTOLD_MS for ms in untold), len(untold), max(untold)))
        print(line)
        if max(untold) > UNTOLD_MS:
            failures.append(line)
    return failures


if __name__ == "__main__":
    known.main(test)
