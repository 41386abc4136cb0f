# SPDX-License-Identifier: MIT
"""Moments of programs whose variables are compared: builds, stopped processes, their snapshots and
cores, and what gdb and cgunwind tell of them."""

import collections
import contextlib
import json
import os
import resource
import signal
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import known

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "gdb_variables.py")
LANGUAGES = {"c": ("variables_c.c", ["-std=gnu11", "-D_GNU_SOURCE", "-pthread"]),
             "cxx": ("variables_cxx.cc", ["-std=c++17"]),
             "rust": ("variables_rust.rs", [])}
X86_64, I386, ARMHF, ARM64, RISCV64 = "x86_64", "i386", "armhf", "arm64", "riscv64"
TRIPLES = {I386: "i686-linux-gnu", ARMHF: "arm-linux-gnueabihf", ARM64: "aarch64-linux-gnu",
           RISCV64: "riscv64-linux-gnu"}
EMULATORS = {ARMHF: "qemu-arm", ARM64: "qemu-aarch64"}
LEVELS = ("-O0", "-O1", "-O2", "-O3")
GDB_TIMEOUT = 120
CRASHES_MAX = 200  # of gdb, over variables that it cannot print

Build = collections.namedtuple("Build", "arch language compiler level options")


class Moment:
    """A stopped program: files of it, and what it is a case of."""

    def __init__(self, title, level, exe, core, snapshots=(), modules=None):
        self.modules = modules  # [(path, bias)] that gdb does not find, or None
        self.title, self.level, self.exe, self.core = title, level, exe, core
        self.snapshots = dict(snapshots)  # {"stack": path, …}
        self.out, self.other_core, self.other_out = core + ".json", core + ".other", core + ".other.json"

    def job(self):
        return {**self.program(), "core": {"core": self.core, "out": self.out},
                "other": {"core": self.other_core, "out": self.other_out}}

    def program(self):
        """What gdb is to open beside a core."""
        return {"exe": self.exe, **({} if self.modules is None else {"modules": self.modules})}

    def gdb(self):
        with open(self.out, encoding="utf-8") as file, \
                open(self.other_out, encoding="utf-8") as other:
            return json.load(file), json.load(other)

    def remove(self):
        for path in (self.core, self.other_core, self.out, self.other_out,
                     *self.snapshots.values()):
            os.remove(path)


def title(build):
    return " ".join([build.arch, build.language, build.compiler, build.level, *build.options])


def command(build):
    """The compiler and what it is always told."""
    source, flags = LANGUAGES[build.language]
    if build.language == "rust":
        return ["rustc", "--edition", "2021", "-g", "-Awarnings", "-C",
                "opt-level=" + build.level[2:], *build.options, os.path.join(known.PROGRAMS, source)]
    compiler = {"gcc": {"c": "gcc", "cxx": "g++"},
                "clang": {"c": "clang", "cxx": "clang++"}}[build.compiler][build.language]
    target = []
    if build.arch != X86_64:
        triple = TRIPLES[build.arch]
        if build.compiler == "gcc":
            compiler = triple + "-" + compiler
        else:
            target = ["--target=" + triple]
        target += ["-static"]
    return [compiler, *target, *flags, "-g", build.level, "-w", *build.options,
            os.path.join(known.PROGRAMS, source)]


def make(build, directory):
    path = os.path.join(directory, "".join(c if c.isalnum() or c in "+-" else "_"
                                           for c in title(build)))
    known.check_run([*command(build), "-o", path])
    return path


def run_gdb(program, jobs):
    """(exit status or None, the end of what it said)"""
    try:
        done = known.run([program, "-nx", "-batch", "-x", SCRIPT], timeout=GDB_TIMEOUT,
                         cwd=os.path.dirname(jobs),
                         env=dict(os.environ, CG_JOBS=jobs, LC_ALL="C"))
    except subprocess.TimeoutExpired:
        return None, "it takes longer than %d s" % GDB_TIMEOUT
    said = done.stdout + done.stderr
    return done.returncode, said.decode(errors="replace")[-3000:]


def gdb(jobs, directory, program="gdb"):
    """
    Runs gdb_variables.py; how often gdb died. The variable over which it dies, or is busy for ever,
    is passed over when it is run again.
    """
    path = os.path.join(directory, "jobs.json")
    crashes = 0
    while jobs:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(jobs, file)
        status, error = run_gdb(program, path)
        jobs = [job for job in jobs if not finished(job)]  # its status is 0 after an error, too
        if not jobs:
            break
        crashes += 1
        dead = [job for job in parts(jobs[:1]) if os.path.exists(job["out"] + ".at")]
        if crashes > CRASHES_MAX or len(dead) != 1:
            raise known.Failure("gdb: status %s: %s" % (status, error))
        with open(dead[0]["out"] + ".at", encoding="utf-8") as file:
            dead[0].setdefault("skip", []).append(json.load(file))
        os.remove(dead[0]["out"] + ".at")
    return crashes


def explained(moment, findings, directory, program):
    """[{"size": …, "location": …}] of the variables of findings."""
    out = os.path.join(directory, "explained.json")
    job = {**moment.program(), "core": moment.core, "out": out,
           "explain": [[*found.level, found.name] for found in findings]}
    path = os.path.join(directory, "explain.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump([job], file)
    status, error = run_gdb(program, path)
    if not os.path.exists(out):
        raise known.Failure("gdb: status %s: %s" % (status, error))
    with open(out, encoding="utf-8") as file:
        found = json.load(file)
    os.remove(out)
    return found


def parts(jobs):
    return [job[key] for job in jobs if "exe" in job for key in ("core", "other")]


def finished(job):
    return os.path.exists(job["core"] if "pid" in job else job["other"]["out"])


def stop(pid):
    os.kill(pid, signal.SIGSTOP)

    def stopped():
        tasks = os.listdir("/proc/%d/task" % pid)
        for tid in tasks:
            with open("/proc/%d/task/%s/stat" % (pid, tid)) as stat:
                if stat.read().rpartition(")")[2].split()[0] != "T":
                    return False
        return True

    known.wait_until(stopped, "the program to stop")


def snapshots(tools, pid, prefix, pointees):
    """The process is stopped: all see the same."""
    found = {}
    for name, options in (("stack", []), ("pointees", ["--pointees", str(pointees)])):
        if name == "pointees" and not pointees:
            continue
        found[name] = "%s.%s.snap" % (prefix, name)
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-n", "1", "--force", *options, "-o",
                         found[name], "-p", str(pid)])
    return found


@contextlib.contextmanager
def running(arguments, wait, **options):
    """A program, from when `wait(process)` returns until the end of the context."""
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, **options) as process:
        try:
            wait(process)
            yield process
        finally:
            process.kill()


def begins(process):
    if process.stdout.readline() != b"ready\n":
        raise known.Failure("the program does not say that it is ready")


def says_ready(process):
    begins(process)

    def asleep():
        with open("/proc/%d/stat" % process.pid) as file:
            return file.read().rpartition(")")[2].split()[0] == "S"

    known.wait_until(asleep, "the program to block")


def of_processes(tools, directory, started, pointees=0):
    """
    A moment each of running programs, [(title, level, exe, command, wait)]: stopped, captured, and
    all cores are written by one gdb.
    """
    moments, jobs = [], []
    with contextlib.ExitStack() as stack:
        for number, (name, level, exe, arguments, wait, options) in enumerate(started):
            process = stack.enter_context(running(arguments, wait, **options))
            stop(process.pid)
            prefix = os.path.join(directory, "moment%d" % number)
            moments.append(Moment(name, level, exe, prefix + ".core",
                                  snapshots(tools, process.pid, prefix, pointees)))
            jobs.append({"pid": process.pid, "core": prefix + ".core"})
        gdb(jobs, directory)
    return moments


def load_address(path):
    """Where a 64-bit ELF file asks to be loaded, or None of any other file."""
    with open(path, "rb") as file:
        header = file.read(64)
        if header[:5] != b"\x7fELF\x02":
            return None
        start, = struct.unpack_from("<Q", header, 32)
        size, count = struct.unpack_from("<HH", header, 54)
        file.seek(start)
        table = file.read(size * count)
    return next((struct.unpack_from("<Q", table, at + 16)[0] & ~0xfff
                 for at in range(0, len(table), size)
                 if struct.unpack_from("<I", table, at)[0] == 1), None)


def modules_of(pid, exe):
    """[(path, bias)] of the ELF files that a process has mapped, but for its own."""
    found = []
    with open("/proc/%d/maps" % pid, encoding="ascii") as maps:
        for line in maps:
            addresses, _, offset, _, _, *path = line.split()
            if not path or path[0] == exe or not os.path.isfile(path[0]) or int(offset, 16):
                continue
            base = load_address(path[0])
            if base is not None:
                found.append((path[0], int(addresses.split("-")[0], 16) - base))
    return found


def of_stops(tools, directory, program, stops, pointees=0, runs_others=False):
    """
    Some moments of a program that computes, (name, level, exe, arguments, wait): each a little
    later after its start. Of one that runs others gdb does not find what it has loaded.
    """
    name, level, exe, arguments, wait = program
    for number in range(stops):
        with running(arguments, wait, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(0.02 + 0.013 * number)
            if process.poll() is not None:
                break
            stop(process.pid)
            prefix = os.path.join(directory, "stop%d" % number)
            taken = snapshots(tools, process.pid, prefix, pointees)
            gdb([{"pid": process.pid, "core": prefix + ".core"}], directory)
            modules = modules_of(process.pid, exe) if runs_others else None
        yield Moment("%s %d" % (name, number), level, exe, prefix + ".core", taken, modules)


def of_emulated(directory, name, level, exe, arch, arguments):
    """A program for another machine that ends by SIGABRT under qemu's user emulation."""
    work = os.path.join(directory, "cores")
    os.makedirs(work, exist_ok=True)
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    subprocess.run([EMULATORS[arch], exe, *arguments], cwd=work, check=False, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, unlimited))
    cores = [item for item in os.listdir(work) if item.startswith("qemu_")]
    if len(cores) != 1:
        raise known.Failure("%s: the emulator wrote %d cores" % (name, len(cores)))
    core = os.path.join(directory, "%s.%s.core" % (os.path.basename(exe), "-".join(arguments)))
    os.rename(os.path.join(work, cores[0]), core)
    return Moment(name, level, exe, core)


def told(tools, moment, path, options=()):
    """cgunwind's JSON lines, its CPU time and what it said."""
    arguments = [os.path.join(tools, "cgunwind"), "-f", "json", "--variables=all", "--raw", "-e",
                 moment.exe, *options, path]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = known.check_run(arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [json.loads(line) for line in text.splitlines()], seconds
