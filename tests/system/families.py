#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Captures of several processes: asked for one by one, as descendants, as members of a cgroup.

usage: families.py BUILD-DIRECTORY [cgroup | i386]

Who is captured and who is not, those that come and end meanwhile, one that cannot be attached to,
and that all go on unharmed, whatever happens to cgsnap. With `cgroup`: the same of a cgroup and one
in it, which takes a version 2 hierarchy that we may write to. With `i386`: one in it that becomes a
program of another word size, in an emulated machine where this one's kernel executes none (i386.py).
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import i386
import known

LOOP = ["sh", "-c", "while :; do :; done"]
SLEEP = ["sleep", "1000"]
# A child and a grandchild at once, and another child when a line is read.
FAMILY = ["bash", "-c", "(while :; do :; done) & (sleep 1000 & wait) & read x; (while :; do :; done) & wait"]
# Wakes up each millisecond, and tells of the longest time between.
TICKER = """
import signal, sys, time
signal.signal(signal.SIGALRM, lambda *unused: None)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
last, worst, end = time.monotonic(), 0, time.monotonic() + 6
while time.monotonic() < end:
    signal.pause()
    now = time.monotonic()
    last, worst = now, max(worst, now - last)
print(worst)
"""
# The main thread calls exec when told to, which waits for the other to end: that is its tracer's to see.
STUCK = """
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
static void *wait_for_ever(void *unused)
{
    printf("%ld\\n", syscall(SYS_gettid));
    fflush(stdout);
    for (;;)
        pause();
    return unused;
}
int main(void)
{
    pthread_t thread;
    char byte;
    pthread_create(&thread, NULL, wait_for_ever, NULL);
    if (read(0, &byte, 1) != 1)
        return 1;
    execl("/bin/sleep", "sleep", "1000", (char *)NULL);
    return 1;
}
"""
NAMED = "import time; open('/proc/self/comm', 'w').write('\x1b[31mEVIL'); time.sleep(1000)"
ZOMBIES = "import os, time\nfor _ in range(3): os.fork() or os._exit(0)\ntime.sleep(1000)"
CGROUPS = ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
EXIT_USAGE = 2


class Processes(contextlib.ExitStack):
    def start(self, command, **options):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True, **options)
        self.callback(self.end, process)
        return process

    @staticmethod
    def end(process):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def status_of(pid):
    with open("/proc/%d/status" % pid, encoding="ascii", errors="replace") as file:
        return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)


def harmed(what, pids):
    for pid in pids:
        status = status_of(pid)
        if status["TracerPid"] != "0" or status["State"][0] not in "RS":
            yield "%s: process %d was left in state %s, traced by %s" % (
                what, pid, status["State"], status["TracerPid"])


def descendants(pid):
    out = known.check_run(["ps", "-e", "-o", "pid=,ppid="]).split()
    found, pairs = [pid], list(zip(map(int, out[::2]), map(int, out[1::2])))
    for parent in found:
        found += [child for child, of in pairs if of == parent]
    return found


class Capture:
    """
    What a capture with these options has of each process: how many samples, and when the last was. `meanwhile` is
    called some time after the process `traced` is.
    """

    def __init__(self, tools, directory, *options, meanwhile=None, traced=None, seconds=1.5):
        path = os.path.join(directory, "snap")
        command = [os.path.join(tools, "cgsnap"), "--force", "-d", str(seconds), "--overhead", "100", "-o", path,
                   *options]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as writer:
            if meanwhile:
                known.wait_until(lambda: status_of(traced)["TracerPid"] == str(writer.pid), "it is traced")
                time.sleep(seconds / 3)
                meanwhile()
            self.messages = writer.stderr.read()
        self.code = writer.returncode
        self.count, self.last_ns = {}, {}
        if self.code:
            return
        self.path, self.cgunwind = path, os.path.join(tools, "cgunwind")
        for line in known.check_run([self.cgunwind, "-q", "-f", "json", path]).splitlines():
            item = json.loads(line)
            if item["type"] == "sample":
                self.count[item["pid"]] = self.count.get(item["pid"], 0) + 1
                self.last_ns[item["pid"]] = item["time_ns"]

    def wrong(self, what, pids):
        if self.code or set(self.count) != set(pids):
            yield "%s: status %d, captured %s, not %s: %s" % (
                what, self.code, sorted(self.count), sorted(pids), self.messages)
        elif min(self.count.values()) < 5:
            yield "%s: few samples: %s" % (what, self.count)


def roots(capture):
    lines = known.check_run([capture.cgunwind, "-q", "-f", "folded", "--by-process", capture.path]).splitlines()
    return {line.split(";")[0] for line in lines}


def one_by_one(tools, directory):
    with Processes() as processes:
        loop, other, sleeper = (processes.start(command) for command in (LOOP, LOOP, SLEEP))
        pids = [loop.pid, other.pid, sleeper.pid]
        asked = [argument for pid in (*pids, loop.pid) for argument in ("-p", str(pid))]
        time.sleep(0.3)
        capture = Capture(tools, directory, *asked)
        yield from capture.wrong("three processes", pids)
        yield from harmed("three processes", pids)
        named = {int(re.search(r"\(pid (\d+)\)$", root)[1]) for root in roots(capture)}
        if named != set(pids):
            yield "--by-process tells %s apart, not %s" % (named, pids)
        title = known.check_run([capture.cgunwind, "-q", capture.path]).splitlines()[0]
        if "sleep" not in title or "dash" not in title and "sh" not in title:
            yield "the title does not name both programs: %s" % title
        capture = Capture(tools, directory, *asked, meanwhile=other.kill, traced=other.pid)
        yield from capture.wrong("three, of which one ends", pids)
        if capture.last_ns.get(loop.pid, 0) < capture.last_ns.get(other.pid, 0) + 300_000_000:
            yield "the capture ended with one of its processes"
        yield from harmed("three, of which one ended", [loop.pid, sleeper.pid])
        other.wait()
        capture = Capture(tools, directory, "-p", str(loop.pid), "-p", str(other.pid))
        if capture.code != 1 or str(other.pid) not in capture.messages:
            yield "one that has ended: status %d: %s" % (capture.code, capture.messages)
        yield from harmed("with one that had ended", [loop.pid])
        capture = Capture(tools, directory, "-p", str(loop.pid), "-p", str(sleeper.pid), "-t", str(loop.pid))
        if capture.code != EXIT_USAGE:
            yield "-t with two processes: status %d: %s" % (capture.code, capture.messages)
        writer = subprocess.Popen([os.path.join(tools, "cgsnap"), "-q", "-o", "/dev/null", "--force", *asked[:2], *asked[4:]])
        known.wait_until(lambda: status_of(sleeper.pid)["TracerPid"] != "0", "both are traced")
        time.sleep(0.3)
        writer.kill()
        writer.wait()
        time.sleep(0.2)
        yield from harmed("cgsnap was killed", [loop.pid, sleeper.pid])


def children(tools, directory):
    with Processes() as processes:
        stranger = processes.start(LOOP)
        parent = processes.start(FAMILY, stdin=subprocess.PIPE, text=True)
        known.wait_until(lambda: len(descendants(parent.pid)) == 4, "three descendants")

        def make_another():
            parent.stdin.write("\n")
            parent.stdin.flush()

        first = descendants(parent.pid)
        capture = Capture(tools, directory, "-p", str(parent.pid), "--children", meanwhile=make_another,
                          traced=parent.pid)
        everybody = descendants(parent.pid)
        yield from capture.wrong("descendants", everybody)
        if len(first) != 4 or len(everybody) != 5 or stranger.pid in everybody:
            yield "there were %s, then %s" % (first, everybody)
        yield from harmed("descendants", everybody)
        # One of them is traced already.
        tracer = processes.start(["strace", "-o", "/dev/null", "-p", str(first[1])], stderr=subprocess.DEVNULL)
        known.wait_until(lambda: status_of(first[1])["TracerPid"] == str(tracer.pid), "strace traces it")
        capture = Capture(tools, directory, "-p", str(parent.pid), "--children")
        yield from capture.wrong("descendants but one", set(everybody) - {first[1]})
        if "1 process could not be attached to" not in capture.messages or "strace" not in capture.messages:
            yield "one that is traced is not told of: %s" % capture.messages


def left_out(tools, directory):
    """What cannot be attached to, of descendants: all of them, zombies, one with a name that is none."""
    with Processes() as processes:
        parent = processes.start(["bash", "-c", "%s -c \"$1\" & wait" % sys.executable, "bash", NAMED])
        known.wait_until(lambda: len(descendants(parent.pid)) == 2, "the child")
        time.sleep(0.5)
        evil = descendants(parent.pid)[1]
        tracer = processes.start(["strace", "-o", "/dev/null", "-p", str(evil)], stderr=subprocess.DEVNULL)
        known.wait_until(lambda: status_of(evil)["TracerPid"] == str(tracer.pid), "strace traces it")
        capture = Capture(tools, directory, "-p", str(parent.pid), "--children")
        yield from capture.wrong("a parent alone", [parent.pid])
        if "EVIL" not in capture.messages or "\x1b" in capture.messages:
            yield "a name with escapes is told as %r" % capture.messages
        zombies = processes.start([sys.executable, "-c", ZOMBIES])
        known.wait_until(lambda: [status_of(pid)["State"][0] for pid in descendants(zombies.pid)][1:] == list("ZZZ"),
                         "zombies")
        capture = Capture(tools, directory, "-p", str(zombies.pid), "--children")
        yield from capture.wrong("a parent of zombies", [zombies.pid])
        if "attached" in capture.messages:
            yield "zombies are told of: %s" % capture.messages


def suspended(tools, directory):
    """A child that is made while cgsnap is stopped by its terminal."""
    with Processes() as processes:
        parent = processes.start(FAMILY, stdin=subprocess.PIPE, text=True)
        known.wait_until(lambda: len(descendants(parent.pid)) == 4, "three descendants")
        path = os.path.join(directory, "suspended")
        # Signals of a terminal do not stop a job without a parent in its session; so it is a job of ours.
        writer = subprocess.Popen([os.path.join(tools, "cgsnap"), "-q", "-o", path, "-p", str(parent.pid), "--children"],
                                  preexec_fn=os.setpgrp)
        known.wait_until(lambda: status_of(parent.pid)["TracerPid"] == str(writer.pid), "it is traced")
        writer.send_signal(signal.SIGTSTP)
        known.wait_until(lambda: status_of(writer.pid)["State"][0] == "T", "cgsnap is stopped")
        before = descendants(parent.pid)
        yield from harmed("cgsnap is stopped", before)
        parent.stdin.write("\n")
        parent.stdin.flush()
        known.wait_until(lambda: len(descendants(parent.pid)) == 5, "another child")
        writer.send_signal(signal.SIGCONT)
        new = (set(descendants(parent.pid)) - set(before)).pop()
        known.wait_until(lambda: status_of(new)["TracerPid"] == str(writer.pid), "the new child is traced")
        writer.send_signal(signal.SIGINT)
        writer.wait()
        yield from harmed("after Ctrl-Z", descendants(parent.pid))


def in_exec(tools, directory):
    """One is in an exec that does not get on: the others are not held, and the capture ends in time."""
    source, program = os.path.join(directory, "stuck.c"), os.path.join(directory, "stuck")
    with open(source, "w", encoding="ascii") as file:
        file.write(STUCK)
    known.check_run(["gcc", "-pthread", "-o", program, source])
    with Processes() as processes:
        ticker = subprocess.Popen([sys.executable, "-c", TICKER], stdout=subprocess.PIPE, text=True)
        stuck = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        processes.callback(stuck.kill)
        thread = int(stuck.stdout.readline())
        tracer = processes.start(["strace", "-o", "/dev/null", "-p", str(thread)], stderr=subprocess.DEVNULL)
        known.wait_until(lambda: status_of(thread)["TracerPid"] == str(tracer.pid), "strace traces it")
        tracer.send_signal(signal.SIGSTOP)
        stuck.stdin.write("x")
        stuck.stdin.flush()
        known.wait_until(lambda: status_of(stuck.pid)["State"][0] == "D", "it is in exec")
        begin = time.monotonic()
        capture = Capture(tools, directory, "-p", str(ticker.pid), "-p", str(stuck.pid))
        if capture.code != 1 or "in exec" not in capture.messages or time.monotonic() - begin > 20:
            yield "one in exec: status %d in %.1f s: %s" % (
                capture.code, time.monotonic() - begin, capture.messages)
        tracer.kill()
        worst = float(ticker.communicate()[0])
        if worst > 2:
            yield "one in exec: another was held for %.0f ms" % (1000 * worst)


class Cgroup:
    """One with another in it, for the length of a with statement. Both are empty at its end."""

    def __init__(self):
        for place in CGROUPS:
            self.outer = os.path.join(place, "cgsnap-test-%d" % os.getpid())
            self.inner = os.path.join(self.outer, "inner")
            self.name = os.path.basename(self.outer)
            if os.path.exists(os.path.join(place, "cgroup.controllers")):
                with contextlib.suppress(OSError):
                    os.makedirs(self.inner)
                    return
        known.skip("no hierarchy of cgroups that we may write to")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        known.wait_until(lambda: not remove(self.inner) and not remove(self.outer), "the cgroups are gone")


def move(process, where):
    with open(os.path.join(where, "cgroup.procs"), "w", encoding="ascii") as file:
        file.write(str(process.pid))


def cgroup(tools, directory):
    with Cgroup() as group:
        yield from members(tools, directory, group)
        yield from refused(tools, directory, group)
        capture = Capture(tools, directory, "--cgroup", group.name)
        if capture.code != 1 or "no process is in that cgroup" not in capture.messages:
            yield "an empty cgroup: status %d: %s" % (capture.code, capture.messages)
        capture = Capture(tools, directory, "--cgroup", group.name + "-not")
        if capture.code != 1 or "no such cgroup" not in capture.messages:
            yield "no cgroup: status %d: %s" % (capture.code, capture.messages)


def members(tools, directory, group):
    with Processes() as processes:
        stranger, loop, sleeper, late = (processes.start(command) for command in (LOOP, LOOP, SLEEP, LOOP))
        parent = processes.start(FAMILY, stdin=subprocess.PIPE, text=True)
        known.wait_until(lambda: len(descendants(parent.pid)) == 4, "three descendants")
        move(loop, group.outer)
        move(sleeper, group.inner)
        for path in (group.name, "/" + group.name, group.outer):
            capture = Capture(tools, directory, "--cgroup", path)
            yield from capture.wrong("--cgroup " + path, [loop.pid, sleeper.pid])
        capture = Capture(tools, directory, "--cgroup", group.name, "-p", str(parent.pid), seconds=4,
                          meanwhile=lambda: move(late, group.inner), traced=loop.pid)
        yield from capture.wrong("--cgroup, with another process, and one that comes",
                                 [loop.pid, sleeper.pid, late.pid, parent.pid])
        yield from harmed("a cgroup", [loop.pid, sleeper.pid, late.pid, parent.pid, stranger.pid])


def refused(tools, directory, group):
    """All in it, then one of two."""
    with Processes() as processes:
        sleeper = processes.start(SLEEP)
        traced = processes.start(LOOP)
        tracer = processes.start(["strace", "-o", "/dev/null", "-p", str(traced.pid)], stderr=subprocess.DEVNULL)
        known.wait_until(lambda: status_of(traced.pid)["TracerPid"] == str(tracer.pid), "strace traces it")
        move(traced, group.outer)
        capture = Capture(tools, directory, "--cgroup", group.name)
        if capture.code != 1 or "strace" not in capture.messages:
            yield "of all that are refused: status %d: %s" % (capture.code, capture.messages)
        move(sleeper, group.outer)
        capture = Capture(tools, directory, "--cgroup", group.name)
        yield from capture.wrong("one of two refused", [sleeper.pid])


def other_word_size(tools, directory):
    with Cgroup() as group, Processes() as processes:
        command = "read x; exec %s" % other_sleep(directory)
        sleeper = processes.start(SLEEP)
        changing = processes.start(["bash", "-c", command], stdin=subprocess.PIPE, text=True)
        move(sleeper, group.outer)
        move(changing, group.outer)
        capture = Capture(tools, directory, "--cgroup", group.name, traced=changing.pid,
                          meanwhile=lambda: (changing.stdin.write("\n"), changing.stdin.flush()))
        if capture.code or sleeper.pid not in capture.count or "1 process was let go" not in capture.messages:
            yield "one that calls exec on a program of another word size: status %d: %s" % (
                capture.code, capture.messages)
        yield from harmed("another word size", [sleeper.pid, changing.pid])


def other_sleep(directory):
    """A program of 32 bits."""
    source, program = os.path.join(directory, "sleep32.c"), os.path.join(directory, "sleep32")
    with open(source, "w", encoding="ascii") as file:
        file.write("#include <unistd.h>\nint main(void) { sleep(30); return 0; }\n")
    known.check_run(["i686-linux-gnu-gcc", "-static", "-o", program, source])
    return program


def remove(path):
    """Is it still there?"""
    with contextlib.suppress(OSError):
        os.rmdir(path)
    return os.path.exists(path)


def test(tools, part=None):
    known.need("strace", "ps", "bash", "i686-linux-gnu-gcc")
    with tempfile.TemporaryDirectory() as directory:
        if part == "i386":
            return list(other_word_size(tools, directory))
        if part == "cgroup":
            return list(cgroup(tools, directory))
        return [failure for check in (one_by_one, children, left_out, suspended, in_exec)
                for failure in check(tools, directory)]


if __name__ == "__main__":
    known.main(test)
