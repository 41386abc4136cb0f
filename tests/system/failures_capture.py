#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgsnap when system calls fail: no crash, no hang, no wrong status, no snapshot that is not sound,
and a target that goes on as before.

usage: failures_capture.py BUILD-DIRECTORY [--all] [--seed N] [--seconds S]

One failure a run, of a capture of some rounds, by strace, with the errors that the call may have.
(Where memory is short is tests/unit/capture/test_capture_memory.c: cgsnap is static, and nothing can be
preloaded.) By default some are tried, which ones says the seed, until the time is over; --all tries
each.

A run is right when it ends with 1 and says why; or with 0, and then the snapshot has the threads and
the mappings that it has without a failure, and a sample of each thread, unless cgsnap says what it
does not have.
"""
import argparse
import collections
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known

TIMEOUT_S = 30
HELD_MS = 2500  # far more than a busy machine adds; 2 s are the most for a thread that is said to be gone and is not
ROUNDS = "6"
CAPTURES = (("--clock", "ptrace"), ("--clock", "auto", "--with-code"), ("--together", "--clock", "ptrace"))

# What a capture calls, and how that may fail. ptrace and its waiting are the kernel's answer about
# the target: ESRCH is that of a thread that has ended. close is not among them: it closes whatever it
# returns (close(2)), and strace would leave out the call.
ERRORS = {
    "clone": ("EAGAIN", "ENOMEM"),
    "fcntl": ("EINVAL",),
    "getdents64": ("EIO",),
    "lseek": ("EINVAL",),
    "mmap": ("ENOMEM",),
    "newfstatat": ("EIO",),
    "openat": ("EMFILE", "ENOMEM", "EACCES"),
    "pipe2": ("EMFILE",),
    "poll": ("ENOMEM",),
    "pread64": ("EIO",),
    "process_vm_readv": ("EFAULT", "EPERM"),
    "prctl": ("EINVAL",),
    "ptrace": ("ESRCH",),
    "read": ("EIO",),
    "rt_sigtimedwait": ("EINTR",),
    "sched_setaffinity": ("EINVAL",),
    "sched_setscheduler": ("EPERM",),
    "socketpair": ("EMFILE",),
    "write": ("EIO", "ENOSPC"),
}


def status_of(pid):
    with open("/proc/%d/status" % pid, encoding="utf-8") as status:
        return dict(line.rstrip("\n").split(":\t", 1) for line in status if ":\t" in line)


def is_free(pid):
    """Its threads are nobody's tracees, and none stands still."""
    for tid in os.listdir("/proc/%d/task" % pid):
        fields = status_of(int(tid))
        if fields["TracerPid"] != "0" or fields["State"][0] in "tT":
            return False
    return True


class Tries:
    def __init__(self, tools, directory, pid):
        self.tools, self.directory, self.pid = tools, directory, pid
        self.path = directory + "/snap"
        self.failures = []
        self.runs = collections.Counter()
        self.wholes = {}

    def command(self, options):
        return [self.tools + "/cgsnap", "-p", str(self.pid), "-F", "499", "-n", ROUNDS, "--force", "-o", self.path,
                *options]

    def run(self, options, prefix=()):
        """(status, standard error); a status of None: it hangs."""
        if os.path.exists(self.path):
            os.unlink(self.path)
        with subprocess.Popen([*prefix, *self.command(options)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            try:
                errors = process.communicate(timeout=TIMEOUT_S)[1]
            except subprocess.TimeoutExpired:
                process.kill()
                subprocess.run(["pkill", "-KILL", "-f", self.path], check=False)
                return None, process.communicate()[1]
        return process.returncode, errors

    def contents(self):
        """(is it sound, what is in it)"""
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            return True, None
        dump = [sys.executable, os.path.join(os.path.dirname(__file__), "snapdump.py"), self.path]
        done = subprocess.run(dump, capture_output=True, text=True, check=False)
        if done.returncode:
            return False, None
        records = [json.loads(line) for line in done.stdout.splitlines()]
        return True, {"threads": {r["tid"] for r in records if r["type"] == "thread"},
                      "maps": sum(r["type"] == "map" for r in records),
                      "sampled": {r["tid"] for r in records if r["type"] == "sample"}}

    def whole(self, options):
        """What there is without failures."""
        if options not in self.wholes:
            status, errors = self.run(options)
            sound, contents = self.contents()
            if status or not sound or not contents or contents["sampled"] != contents["threads"]:
                raise known.Failure("%s: status %s: %s, %s" % (options, status, errors, contents))
            self.wholes[options] = contents
        return self.wholes[options]

    def wrong(self, options, status, errors):
        sound, contents = self.contents()
        told = any(line.startswith("cgsnap: ") and " samples and " not in line for line in errors.splitlines())
        deadline = time.monotonic() + 5
        while not is_free(self.pid) and time.monotonic() < deadline:
            time.sleep(0.01)
        if not is_free(self.pid):
            return "the target is not let go"
        if status is None:
            return "hangs"
        if status not in (0, 1):
            return "ends with %d" % status
        if not sound:
            return "the snapshot is not sound"
        if status == 1:
            return None if told else "ends with 1 and does not say why"
        if not contents:
            return "ends with 0 and has written nothing"
        whole = dict(self.whole(options))
        if " 0 samples lost" not in errors:  # which is usual on a busy machine
            whole["sampled"] = contents["sampled"]
        if contents != whole and not told:
            return "ends with 0 and says nothing of what is missing: %s instead of %s" % (contents, whole)
        return None

    def check(self, options, how, prefix):
        status, errors = self.run(options, prefix)
        wrong = self.wrong(options, status, errors)
        self.runs["ended with %s" % status] += 1
        if wrong:
            self.failures.append("%s, %s: %s: %s\n  %s" % (" ".join(options), how, wrong, errors.strip()[-300:],
                                                          shlex.join([*prefix, *self.command(options)])))
            print("FAILED: " + self.failures[-1], flush=True)

    def calls(self, options):
        log = self.directory + "/calls"
        self.run(options, ("strace", "-qq", "-o", log, "-e", "trace=" + ",".join(ERRORS)))
        with open(log, encoding="utf-8", errors="replace") as file:
            called = re.findall(r"^(\w+)\(", file.read(), re.M)
        os.unlink(log)
        for call, count in sorted(collections.Counter(called).items()):
            for number in range(1, count + 1):
                for error in ERRORS[call]:
                    yield (options, "%s %d: %s" % (call, number, error),
                           ("strace", "-qq", "-o", "/dev/null", "-e", "trace=" + call,
                            "-e", "inject=%s:error=%s:when=%d" % (call, error, number)))


def try_all(tries, options):
    print("seed %d" % options.seed, flush=True)
    chosen = []
    for capture in CAPTURES:
        tries.whole(capture)
        chosen += tries.calls(capture)
    print("%d failures to choose from" % len(chosen), flush=True)
    end = time.monotonic() + options.seconds
    if not options.all:
        random.Random(options.seed).shuffle(chosen)
    for one in chosen:
        tries.check(*one)
        if not options.all and time.monotonic() > end:
            break


def test(tools, *arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seconds", type=float, default=40)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args(arguments)
    known.need("strace")
    try:
        os.nice(-10) # what else the machine does holds nothing
    except PermissionError:
        pass
    tools = os.path.abspath(tools)
    with tempfile.TemporaryDirectory(prefix="cg-failures-") as directory, \
            subprocess.Popen([tools + "/tests/programs/held"], stdout=subprocess.PIPE, text=True) as held:
        try:
            known.wait_until(lambda: status_of(held.pid)["SigCgt"] != "0" * 16, "its handlers")
            tries = Tries(tools, directory, held.pid)
            try_all(tries, options)
        finally:
            held.terminate()
        longest, count, _ = held.communicate()[0].split()
        print(", ".join("%d %s" % (n, what) for what, n in sorted(tries.runs.items())))
        print("of the target's %s signals one took %s ms" % (count, longest))
        if float(longest) >= HELD_MS:
            tries.failures.append("of the target's %s signals one took %s ms" % (count, longest))
        return ["%d failures ended wrongly" % len(tries.failures)] if tries.failures else []


if __name__ == "__main__":
    known.main(test)
