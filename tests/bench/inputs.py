# SPDX-License-Identifier: MIT
"""The inputs of the benchmark, made by it: perf.data files, a core file, snapshots, a live process."""

import mmap
import os
import select
import shutil
import struct
import subprocess
import time

from measure import Missing

HERE = os.path.dirname(os.path.abspath(__file__))
DEEP_THREADS, DEEP_DEPTH = 8, 500
SAMPLES_MIN = 1000
LIVE_THREADS, LIVE_DEPTH = 8, 86  # with main 9 threads, and about 750 frames in all


class Live:
    """The process of 9 threads, of which one notices pauses; on CPU 1."""

    def __init__(self, build, directory):
        self.path = os.path.join(directory, "gap")
        command = [os.path.join(build, "bench", "deep"), "rest", str(LIVE_THREADS), str(LIVE_DEPTH), self.path]
        self.process = subprocess.Popen(pinned(1) + command, stdout=subprocess.PIPE)
        if not select.select([self.process.stdout], [], [], 30)[0]:
            self.close()
            raise Missing("the live process does not get ready")
        with open(self.path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), 8)
        self.pid = self.process.pid

    def gap_begin(self):
        self.memory[:8] = bytes(8)

    def gap_ns(self):
        return struct.unpack("<Q", self.memory[:8])[0]

    def close(self):
        self.process.kill()
        self.process.wait()


def is_made(path, build):
    """Is the input there, and not older than the program that most of them are of?"""
    return os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(os.path.join(build, "bench", "deep"))


def pinned(cpu):
    """The words before a command that keep it on one CPU, where there are two."""
    if shutil.which("taskset") and cpu in os.sched_getaffinity(0) and len(os.sched_getaffinity(0)) > 1:
        return ["taskset", "-c", str(cpu)]
    return []


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing(f"{program} is not installed: scripts/deps bench")


def perf_event():
    """Cycles where the machine counts them, else the CPU clock; user space only, which is what is unwound."""
    need("perf")
    done = subprocess.run(["perf", "stat", "-x,", "-e", "cycles:u", "true"], capture_output=True, text=True)
    count = done.stderr.split(",", 1)[0]
    return "cycles:u" if done.returncode == 0 and count.isdigit() and int(count) > 0 else "cpu-clock:u"


def perf_record(event, path, frequency, command, stdin=None):
    """A perf.data with whole 64 KiB stacks."""
    record = ["perf", "record", "-q", "-e", event, "-F", str(frequency), "--call-graph", "dwarf,65528", "-o", path]
    for buffer in (["-m", "64M"], []):  # a large buffer needs the permission to lock memory
        if stdin:
            stdin.seek(0)
        done = subprocess.run(record + buffer + ["--"] + command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode == 0 and os.path.getsize(path) > 0:
            return path
    raise Missing("perf record: " + (done.stderr.strip().splitlines() or ["no data"])[-1])


def workloads(build, directory, seconds):
    """name -> (command, standard input), each busy for about so many seconds."""
    def sqlite():
        path = os.path.join(directory, "workload.sql")
        with open(os.path.join(HERE, "workload.sql")) as file:
            text = file.read()
        drop = "DROP TABLE item; DROP TABLE owner;\n"
        with open(path, "w") as file:
            file.write((text + drop) * max(1, round(seconds)))
        return ["sqlite3", ":memory:"], open(path, "rb")

    def gzip():
        path = os.path.join(directory, "gzip.input")
        with open(path, "wb") as file:  # text that repeats itself now and then, as text does
            x = 1
            for _ in range(round(seconds * 150000)):
                x = (x * 6364136223846793005 + 1442695040888963407) % 2**64
                file.write(b"%d line of %x and %x\n" % (x % 1000, x >> 50, x >> 37))
        return ["gzip", "-9", "-c", path], None

    deep = os.path.join(build, "bench", "deep")
    return {
        "deep": lambda: ([deep, "run", str(DEEP_THREADS), str(DEEP_DEPTH), str(seconds / 2)], None),  # two cores
        "python3": lambda: (["/usr/bin/python3", os.path.join(HERE, "workload.py"), str(seconds)], None),
        "sqlite3": sqlite,
        "gzip": gzip,
        "node": lambda: (["node", os.path.join(HERE, "workload.js"), str(seconds)], None),
    }


def count_samples(path):
    return subprocess.run(["perf", "script", "-i", path, "-G", "-F", "tid"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout.count("\n")


def make_perf_data(build, directory, name, quick):
    """The perf.data of one workload; at least SAMPLES_MIN samples, unless quick."""
    path = os.path.join(directory, name + ".data")
    if is_made(path, build):
        return path
    event = perf_event()
    for seconds in (1,) if quick else (5, 10, 20):  # longer where the machine is busy
        command, stdin = workloads(build, directory, seconds)[name]()
        need(command[0])
        try:
            perf_record(event, path + ".new", 199 if quick else 399, command, stdin)
        finally:
            if stdin:
                stdin.close()
        if quick or count_samples(path + ".new") >= SAMPLES_MIN:
            os.rename(path + ".new", path)
            return path
    raise Missing(f"fewer than {SAMPLES_MIN} samples in {seconds} s")


def make_snapshot(build, path, command, options, wait=0.5):
    """A snapshot of a command that is started for it and ended after it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.PIPE)
    try:
        if wait is None and not select.select([process.stdout], [], [], 120)[0]:
            raise Missing(f"{command[0]} does not get ready")
        time.sleep(wait or 0.1)
        done = subprocess.run([os.path.join(build, "cgsnap"), "-q", "-p", str(process.pid), "-o", path] + options, capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing("cgsnap: " + done.stderr.strip())
    finally:
        process.kill()
        process.communicate()
    return path


def make_core(build, directory):
    """A core of 8 threads and about 750 frames."""
    path = os.path.join(directory, "core")
    if is_made(path, build):
        return path
    need("gdb")
    live = Live(build, directory)
    try:
        done = subprocess.run(["gdb", "-nx", "-q", "-batch", "-p", str(live.pid), "-ex", f"generate-core-file {path}.new", "-ex", "detach"],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
    finally:
        live.close()
    if not os.path.exists(path + ".new"):
        raise Missing("gdb made no core: " + (done.stderr.strip().splitlines() or ["?"])[-1])
    os.rename(path + ".new", path)
    return path


def make_node_snapshot(build, directory):
    """One sample of a process that maps node."""
    path = os.path.join(directory, "node.snap")
    if os.path.exists(path):
        return path
    need("node")
    process = subprocess.Popen(["node", "-e", "setTimeout(() => {}, 1e8)"])
    try:
        time.sleep(1)
        done = subprocess.run([os.path.join(build, "cgsnap"), "-q", "-p", str(process.pid), "-t", str(process.pid), "-n", "1", "-o", path],
                              capture_output=True, text=True)
    finally:
        process.kill()
        process.wait()
    if done.returncode != 0:
        raise Missing("cgsnap: " + done.stderr.strip())
    return path


def symbol_files(directory):
    """What symbolize.py is to ask about, NAME=ELF[,DEBUG-DIRECTORY], and why sqlite3 is not among it."""
    files = ["python3=/usr/bin/python3.11,/usr/lib/debug"] if os.path.exists("/usr/bin/python3.11") else []
    path, source = os.path.join(directory, "libsqlite3.so"), os.environ.get("CG_SQLITE3_C", "")
    if not os.path.exists(path):
        if not os.path.exists(source):
            return files, "CG_SQLITE3_C names no sqlite3.c, SQLite in one file, which Debian does not have"
        subprocess.run(["gcc", "-gdwarf-5", "-O2", "-fPIC", "-shared", "-w", "-o", path, source], check=True)
    return files + ["sqlite3=" + path], ""
