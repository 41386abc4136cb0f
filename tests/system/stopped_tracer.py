#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgsnap is stopped itself: by Ctrl-Z, then it lets the program go first and captures it again
later; by SIGSTOP, which it is not told of, then its guard ends it. The program, which sends itself
signals all the time, goes on. For how long it was held is told, also where the guard is stopped,
too, as by a cgroup's freezer.
"""
import ctypes
import glob
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

import known

# Far above what a busy machine adds, and far below how long cgsnap is stopped for.
HELD_MS = 2500
STOPPED_S = 5
FROZEN_S = 1.5
TRIES = 5
GUARD_MS = 30  # between two looks of the guard, which have to find the same


def field(pid, name):
    with open("/proc/%d/status" % pid, encoding="utf-8") as status:
        return next(line.split()[1] for line in status if line.startswith(name + ":"))


def capture(tools, path, *options, quiet=True):
    """The program, and a capture of it in a process group of its own, as a shell starts a job."""
    program = subprocess.Popen([tools + "/tests/programs/held"], stdout=subprocess.PIPE, text=True)
    known.wait_until(lambda: field(program.pid, "SigCgt") != "0000000000000000", "its handlers")
    cgsnap = subprocess.Popen([tools + "/cgsnap", *["-q"] * quiet, "-p", str(program.pid), "-o", path, *options],
                              process_group=0, stderr=subprocess.PIPE, text=True)
    known.wait_until(lambda: field(program.pid, "TracerPid") == str(cgsnap.pid), "the capture")
    time.sleep(0.5)
    return program, cgsnap


def end(program, what):
    program.terminate()
    longest, count, _ = program.communicate()[0].split()
    if float(longest) >= HELD_MS:
        yield "%s: of %s signals one took %s ms" % (what, count, longest)


def dump(path):
    return known.check_run([sys.executable, os.path.join(os.path.dirname(__file__), "snapdump.py"), path])


def check_suspended(tools, path):
    program, cgsnap = capture(tools, path)
    for _ in range(2):
        os.kill(cgsnap.pid, signal.SIGTSTP)
        known.wait_until(lambda: field(cgsnap.pid, "State") == "T", "cgsnap to be stopped")
        if field(program.pid, "TracerPid") != "0":
            yield "suspended: the program is still traced"
        time.sleep(STOPPED_S / 2)
        os.kill(cgsnap.pid, signal.SIGCONT)
        known.wait_until(lambda: field(program.pid, "TracerPid") == str(cgsnap.pid), "cgsnap to go on")
        time.sleep(0.5)
    cgsnap.terminate()
    _, errors = cgsnap.communicate()
    if cgsnap.returncode or errors:
        yield "suspended: status %d, %s" % (cgsnap.returncode, errors)
    yield from end(program, "suspended")
    text = dump(path)
    if text.count('"type": "thread",') != 3 or '"cut": false' not in text:
        yield "suspended: not three parts in the snapshot"
    if text.count('"type": "sample"') < 20:
        yield "suspended: %d samples" % text.count('"type": "sample"')


def capture_vfork(tools, path, ms, what, disturb):
    """A capture of a program that cannot be let go for so long, which ends with it whatever is done to it."""
    program = subprocess.Popen([tools + "/tests/programs/vforks", str(ms)])
    cgsnap = subprocess.Popen([tools + "/cgsnap", "-q", "-p", str(program.pid), "-o", path], process_group=0)
    known.wait_until(lambda: field(program.pid, "TracerPid") == str(cgsnap.pid), "the capture")
    time.sleep(0.1)
    yield from disturb(cgsnap.pid)
    program.wait()
    try:
        cgsnap.wait(timeout=20)
    except subprocess.TimeoutExpired:
        yield "%s: cgsnap is in state %s" % (what, field(cgsnap.pid, "State"))
        cgsnap.kill()
        cgsnap.wait()


def check_continued_early(tools, path):
    """SIGCONT comes while a thread that cannot be let go yet is waited for, and is the last to come."""
    def disturb(pid):
        os.kill(pid, signal.SIGTSTP)
        time.sleep(0.1)
        if field(pid, "State") == "T":
            yield "continued early: it was stopped too early for what is tested"
        os.kill(pid, signal.SIGCONT)

    yield from capture_vfork(tools, path, 1200, "continued early", disturb)


def check_not_suspended(tools, path):
    """A thread cannot be let go for longer than is waited for: not stopped then, and not later."""
    def disturb(pid):
        os.kill(pid, signal.SIGTSTP)
        yield from ()

    yield from capture_vfork(tools, path, 4000, "not suspended", disturb)


def check_suspended_blocked(tools, path):
    """The same while nobody reads the output, for longer than a reader is waited for at the end."""
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    program, cgsnap = capture(tools, path, "-F", "999", "--overhead", "100", "-s", "1M")
    os.set_blocking(reader, True)
    known.wait_until(lambda: is_blocked(cgsnap.pid), "all pipes to be full", 60)
    os.kill(cgsnap.pid, signal.SIGTSTP)
    known.wait_until(lambda: field(cgsnap.pid, "State") == "T", "cgsnap to be stopped")
    if field(program.pid, "TracerPid") != "0":
        yield "suspended, blocked: the program is still traced"
    time.sleep(12)
    os.kill(cgsnap.pid, signal.SIGCONT)
    known.wait_until(lambda: field(program.pid, "TracerPid") == str(cgsnap.pid), "cgsnap to go on")
    with open(path + ".read", "wb") as copy, os.fdopen(reader, "rb") as stream:
        copy.write(stream.read(1 << 20))
        cgsnap.terminate()
        copy.write(stream.read())
    _, errors = cgsnap.communicate()
    if cgsnap.returncode or errors:
        yield "suspended, blocked: status %d, %s" % (cgsnap.returncode, errors)
    yield from end(program, "suspended, blocked")
    text = dump(path + ".read")
    if text.count('"type": "thread",') < 2 or '"cut": false' not in text:
        yield "suspended, blocked: not two parts in the snapshot"


def is_blocked(pid):
    """It has written something, and nothing for a second."""
    before = written(pid)
    time.sleep(1)
    return before > 100000 and written(pid) == before


def written(pid):
    with open("/proc/%d/io" % pid, encoding="utf-8") as counts:
        return next(int(line.split()[1]) for line in counts if line.startswith("wchar:"))


def check_duration(tools, path):
    """What -d gives is the time of the capture, without that of a stop."""
    begin = time.monotonic()
    program, cgsnap = capture(tools, path, "-d", "2")
    os.kill(cgsnap.pid, signal.SIGTSTP)
    known.wait_until(lambda: field(cgsnap.pid, "State") == "T", "cgsnap to be stopped")
    time.sleep(3)
    os.kill(cgsnap.pid, signal.SIGCONT)
    _, errors = cgsnap.communicate()
    took = time.monotonic() - begin
    if cgsnap.returncode or errors:
        yield "-d: status %d, %s" % (cgsnap.returncode, errors)
    if took < 5:
        yield "-d 2, stopped for 3 s: took only %.1f s" % took
    yield from end(program, "-d")


def told_ms(errors):
    """The longest pause, as cgsnap tells it."""
    number, unit = re.search(r"([0-9.]+) (s|ms|µs) at most", errors).groups()
    return float(number) * {"s": 1000, "ms": 1}.get(unit, 0.001)


def check_told(program, errors, least_ms, what):
    """True: it was held for so long. On a busy machine it may have had no CPU to be held on."""
    program.terminate()
    longest, count, held = program.communicate()[0].split()
    if float(held) >= least_ms and told_ms(errors) < least_ms:
        yield ("%s: of %s signals one took %s ms, %s without waits for a CPU, and told are %.1f"
               % (what, count, longest, held, told_ms(errors)))
    return float(held) >= least_ms


def until_held(check, *arguments):
    """Again where the program was not held: what is told of that could not be wrong."""
    for _ in range(TRIES):
        if (yield from check(*arguments)):
            return
    yield "%s: the program was never held" % check.__name__


def check_stopped(tools, path, stop=os.kill):
    yield from until_held(stop_once, tools, path, stop)


def stop_once(tools, path, stop):
    program, cgsnap = capture(tools, path, "--force", quiet=False)
    stop(cgsnap.pid, signal.SIGSTOP)
    time.sleep(STOPPED_S)
    if cgsnap.poll() is None:
        yield "stopped: cgsnap lives on"
        cgsnap.kill()
    _, errors = cgsnap.communicate()
    if "was stopped by somebody" not in errors:
        yield "stopped: nothing is said: " + errors
    held = yield from check_told(program, errors, GUARD_MS * 0.8, "stopped")
    if '"type": "sample"' not in dump(path) or "cannot write" in errors:
        yield "stopped: what there was is not in the file: " + errors
    return held


def check_job_stopped(tools, path):
    """As a shell does it (kill -STOP %1)."""
    return check_stopped(tools, path, os.killpg)


def guard_of(pid):
    for path in glob.glob("/proc/%d/task/*/children" % pid):
        with open(path, encoding="utf-8") as children:
            for child in children.read().split():
                if field(int(child), "Name") == "cg-guard":
                    return int(child)
    return None


def check_frozen(tools, path):
    yield from until_held(freeze_once, tools, path)


def freeze_once(tools, path):
    program, cgsnap = capture(tools, path, "--force", quiet=False)
    known.wait_until(lambda: guard_of(cgsnap.pid), "the guard")
    guard = guard_of(cgsnap.pid)
    os.kill(guard, signal.SIGSTOP)
    os.kill(cgsnap.pid, signal.SIGSTOP)
    time.sleep(FROZEN_S)
    os.kill(cgsnap.pid, signal.SIGCONT)
    os.kill(guard, signal.SIGCONT)
    time.sleep(0.5)
    cgsnap.terminate()
    _, errors = cgsnap.communicate()
    if cgsnap.returncode:
        yield "frozen: status %d, %s" % (cgsnap.returncode, errors)
    return (yield from check_told(program, errors, 1000 * FROZEN_S * 0.8, "frozen"))


def check_command(tools, path):
    """What is started goes on, and its status is cgsnap's."""
    cgsnap = subprocess.Popen([tools + "/cgsnap", "-q", "-o", path, "--", "sh", "-c", "sleep 3; exit 7"],
                              process_group=0)
    time.sleep(1)
    os.kill(cgsnap.pid, signal.SIGTSTP)
    known.wait_until(lambda: field(cgsnap.pid, "State") == "T", "cgsnap to be stopped")
    os.kill(cgsnap.pid, signal.SIGCONT)
    if cgsnap.wait() != 7:
        yield "command: status %d" % cgsnap.returncode


def trace(command, traced, pause):
    """Its status. It is stopped at each system call, and once, when it traces the program, for as long as pause takes."""
    libc = ctypes.CDLL(None, use_errno=True)
    ptrace_traceme, ptrace_syscall = 0, 24
    pid = os.fork()
    if pid == 0:
        libc.ptrace(ptrace_traceme, 0, None, None)
        os.execv(command[0], command)
    paused = False
    while True:
        _, status = os.waitpid(pid, 0)
        if not os.WIFSTOPPED(status):
            return os.waitstatus_to_exitcode(status) if paused else "it never traced the program"
        if not paused and field(traced, "TracerPid") == str(pid):
            pause()
            paused = True
        number = os.WSTOPSIG(status)
        libc.ptrace(ptrace_syscall, pid, None, ctypes.c_void_p(0 if number == signal.SIGTRAP else number))


def compute(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def check_traced(tools, path):
    """A tracer that has no CPU for a while has not stopped it; one that waits, or computes for long, has."""
    program = subprocess.Popen([tools + "/tests/programs/held"], stdout=subprocess.DEVNULL)
    command = [tools + "/cgsnap", "-q", "--force", "-p", str(program.pid), "-d", "1", "-o", path]
    busy, waiting, long = (trace(command, program.pid, pause)
                           for pause in (lambda: compute(0.5), lambda: time.sleep(0.5), lambda: compute(4)))
    program.kill()
    program.wait()
    if busy:
        yield "traced by one that computes: status %s" % busy
    if waiting != -signal.SIGKILL:
        yield "traced by one that waits: it was not ended, status %s" % waiting
    if long != -signal.SIGKILL:
        yield "traced by one that computes for long: it was not ended, status %s" % long


def check_strace(tools, path):
    """One that is traced, and so stopped again and again, is not taken for one that is stopped."""
    program = subprocess.Popen([tools + "/tests/programs/held"], stdout=subprocess.DEVNULL)
    traced = known.run(["strace", "-o", "/dev/null", tools + "/cgsnap", "-q", "-p", str(program.pid), "-d", "1",
                        "-o", path])
    program.kill()
    program.wait()
    if traced.returncode:
        yield "under strace: status %d, %s" % (traced.returncode, traced.stderr)


def test(tools):
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # which strace keeps from working
    known.need("strace")
    with tempfile.TemporaryDirectory() as directory:
        checks = (check_suspended, check_continued_early, check_not_suspended, check_suspended_blocked, check_duration,
                  check_stopped, check_job_stopped, check_frozen, check_command, check_traced, check_strace)
        return [failure for check in checks for failure in check(tools, os.path.join(directory, check.__name__))]


if __name__ == "__main__":
    known.main(test)
