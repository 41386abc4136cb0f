#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Job control of a captured process: stops and continues are seen by its parent, and a stopped one stays so.

jobcontrol.py CGSNAP WORKER DIRECTORY
"""
import os
import signal
import subprocess
import sys
import time

cgsnap, worker, directory = sys.argv[1:]
failed = False


def check(what, ok):
    global failed
    print(("PASS " if ok else "FAIL ") + what, flush=True)
    failed |= not ok


def wait_for(pid, flags, seconds=5):
    """waitpid with a time limit; None when nothing was reported."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        got, status = os.waitpid(pid, flags | os.WNOHANG)
        if got:
            return status
        time.sleep(0.005)
    return None


def cpu(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def state(pid):
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


def comes_to(pid, states, seconds=2):
    """Does the process come to one of the states, and is it still there a moment later?"""
    end = time.monotonic() + seconds
    while state(pid) not in states and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(0.1)
    return state(pid) in states


def start_worker():
    # In a process group of its own, or SIGTSTP is ignored where that of the test is an orphan.
    return subprocess.Popen([worker, "100000000"], stdout=subprocess.DEVNULL, process_group=0)


def start_cgsnap(pid, *options):
    snap = subprocess.Popen([cgsnap, "-q", "-F", "500", "--overhead", "100", "-p", str(pid), "-o",
                             os.path.join(directory, "job"), *options])
    time.sleep(0.3)
    return snap


for mode in ([], ["--together"]):
    target = start_worker()
    snap = start_cgsnap(target.pid, *mode)
    name = " ".join(mode) or "default"
    for i, sig in enumerate([signal.SIGSTOP, signal.SIGTSTP] * 3):
        os.kill(target.pid, sig)
        status = wait_for(target.pid, os.WUNTRACED)
        check(f"{name}: stop {i} is seen by the parent",
              status is not None and os.WIFSTOPPED(status) and os.WSTOPSIG(status) == sig)
        before = cpu(target.pid)
        time.sleep(0.2)
        check(f"{name}: it stays stopped", cpu(target.pid) - before <= 1)
        os.kill(target.pid, signal.SIGCONT)
        status = wait_for(target.pid, os.WCONTINUED)
        check(f"{name}: continuing is seen by the parent",
              status is not None and os.WIFCONTINUED(status))
        before = cpu(target.pid)
        time.sleep(0.2)
        check(f"{name}: it runs", cpu(target.pid) > before)
    # Ending the capture while it is stopped leaves it stopped.
    os.kill(target.pid, signal.SIGSTOP)
    wait_for(target.pid, os.WUNTRACED)
    time.sleep(0.1)
    snap.send_signal(signal.SIGINT)
    check(f"{name}: cgsnap ends", snap.wait(10) == 0)
    check(f"{name}: still stopped after the capture", comes_to(target.pid, "T"))
    os.kill(target.pid, signal.SIGCONT)
    check(f"{name}: runs again", comes_to(target.pid, "RS"))
    target.kill()
    target.wait()

# A process that is stopped before cgsnap comes.
target = start_worker()
while len(os.listdir(f"/proc/{target.pid}/task")) < 5:
    time.sleep(0.01)
os.kill(target.pid, signal.SIGSTOP)
wait_for(target.pid, os.WUNTRACED)
time.sleep(0.1)
path = os.path.join(directory, "stopped")
done = subprocess.run([cgsnap, "-q", "-n", "3", "-p", str(target.pid), "-o", path], timeout=10)
check("stopped before: captured", done.returncode == 0)
dump = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "snapdump.py"), path],
                      capture_output=True, text=True, check=False)
samples = [line for line in dump.stdout.splitlines() if '"type": "sample"' in line]
check(f"stopped before: one sample for each of 5 threads ({len(samples)})", len(samples) == 5)
check("stopped before: state T", all('"state": "T"' in line for line in samples))
check("stopped before: still stopped", comes_to(target.pid, "T"))
snap = start_cgsnap(target.pid)
snap.kill()
snap.wait()
check("stopped, cgsnap killed: still stopped", comes_to(target.pid, "T"))
os.kill(target.pid, signal.SIGCONT)
before = cpu(target.pid)
time.sleep(0.3)
check("stopped before: runs again", cpu(target.pid) > before)
target.kill()
target.wait()
sys.exit(failed)
