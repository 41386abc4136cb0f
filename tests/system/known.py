# SPDX-License-Identifier: MIT
"""Programs with known chains: building, starting, stopping and unwinding them, for the tests
beside this file."""

import ctypes
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import time

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = os.path.join(TESTS, "programs")
GOLDEN = os.path.join(TESTS, "golden")
COMPILERS = ("gcc", "clang")
CFI = ("debug_frame", "eh_frame")
DEBUG_DIR = "/usr/lib/debug"
CACHE = os.environ.get("CG_CACHE") or os.path.expanduser("~/.cache/cg-debian")
UNPACK = os.path.join(os.path.dirname(TESTS), "scripts", "debian-package")


class Failure(Exception):
    """What a test found wrong, as one or more lines."""


def skip(reason):
    print("skipped: " + reason)
    sys.exit(77)


def need(*programs):
    """Or files, by their paths."""
    for program in programs:
        if shutil.which(program) is None and not os.path.isfile(program):
            skip(program + " not found")


def unpacked(arch, *packages):
    """The directories of Debian packages that are not installed: fetched once and unpacked. Where
    there is no such package, or none to be fetched, the test is skipped."""
    done = subprocess.run([UNPACK, arch, *packages], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
        skip("no package %s of %s: %s" % (" ".join(packages), arch, said[-1]))
    return done.stdout.decode().splitlines()


def is_sanitized(tools):
    with open(os.path.join(tools, "cgsnap"), "rb") as file:
        return b"__asan_init" in file.read()


def need_terminals():
    """Where nobody has mounted /dev/pts, as in a bare chroot, there are none."""
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError as error:
        skip("no pseudo-terminal: " + error.strerror)


def no_mounts():
    """Why no process here can have mounts of its own, or None."""
    done = run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/tmp"])
    said = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
    return "no namespace of mounts: " + said[-1] if done.returncode != 0 else None


def run(command, timeout=600, **options):  # that long on the busiest of machines
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, **options
    )


def check_run(command, **options):
    done = run(command, **options)
    if done.returncode != 0:
        error = done.stderr.decode(errors="replace").strip()
        raise Failure("%s: exit status %d: %s" % (" ".join(command), done.returncode, error))
    return done.stdout.decode(errors="replace")


def build(compiler, level, directory, *options):
    """Builds chains.c, without debug information at -O2 and with it otherwise; returns its path."""
    path = os.path.join(directory, "%s-O%d" % (compiler, level))
    sources = [os.path.join(PROGRAMS, name) for name in ("chains.c", "park.c")]
    flags = ["-std=c11", "-D_GNU_SOURCE", "-pthread", "-O%d" % level]
    flags += ["-g"] if level != 2 else []
    check_run([compiler, *flags, *options, *sources, "-o", path])
    return path


def program(tools, name, directory, path=None):
    """A program of tests/programs that is built once, as a file in the directory; its path."""
    path = os.path.join(directory, path or name)
    built = os.path.join(tools, "tests", "programs", name)
    if not os.path.exists(built):
        raise Failure(built + " is not built")
    shutil.copy(built, path)
    return path


def die_with_parent():
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


class Target:
    """A program under test; a context manager that kills it at the end."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=die_with_parent,
        )
        self.pid = self.process.pid
        self.expected = {}

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def wait_ready(self, spinning=()):
        """Reads the expected chains up to "ready", then waits until all but `spinning` sleep."""
        for line in iter(self.process.stdout.readline, ""):
            if line == "ready\n":
                break
            name, chain = line.rstrip("\n").split(": ", 1)
            self.expected[name] = chain
        else:
            raise Failure("the program ended before it was ready")
        # Being counted as in place comes a few instructions before being blocked.
        asleep = lambda: all(
            self.state(tid) == "S" for name, tid in self.threads() if name not in spinning
        )
        wait_until(asleep, "all threads to block")

    def threads(self):
        """(name, tid) of each thread."""
        for tid in sorted(map(int, os.listdir("/proc/%d/task" % self.pid))):
            with open("/proc/%d/task/%d/comm" % (self.pid, tid)) as comm:
                yield comm.read().rstrip("\n"), tid

    def cpu_seconds(self):
        """CPU time that the process has used so far."""
        with open("/proc/%d/stat" % self.pid) as file:
            user, system = file.read().rpartition(") ")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def state(self, tid):
        with open("/proc/%d/task/%d/stat" % (self.pid, tid)) as stat:
            return stat.read().rpartition(")")[2].split()[0]

    def is_stopped(self):
        return all(self.state(tid) == "T" for _, tid in self.threads())

    def stop(self):
        os.kill(self.pid, signal.SIGSTOP)
        wait_until(self.is_stopped, "all threads to stop")

    def go_on(self):
        os.kill(self.pid, signal.SIGCONT)

    def stop_in_vdso(self, name, tries=2000):
        """Stops the program at a moment when thread `name` is inside the vDSO."""
        tid = dict(self.threads())[name]
        start, end = vdso_range(self.pid)
        for _ in range(tries):
            self.stop()
            with open("/proc/%d/task/%d/syscall" % (self.pid, tid)) as syscall:
                if start <= int(syscall.read().split()[-1], 16) < end:
                    return
            self.go_on()
            time.sleep(0.001)
        raise Failure("thread %s was never seen inside the vDSO in %d stops" % (name, tries))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, what, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failure("waited %d s for %s" % (seconds, what))
        time.sleep(0.002)


def vdso_range(pid):
    with open("/proc/%s/maps" % pid) as maps:
        for line in maps:
            if line.rstrip().endswith("[vdso]"):
                return tuple(int(part, 16) for part in line.split()[0].split("-"))
    raise Failure("no vDSO")


def start_chains(path):
    """Starts a build of chains.c and stops it with everything in place."""
    target = Target([path])
    try:
        target.wait_ready(spinning=("vdso",))
        target.stop_in_vdso("vdso")
    except BaseException:
        target.__exit__()
        raise
    return target


def capture(tools, pid, output):
    """One round of cgsnap on a stopped process, which has to stay stopped."""
    check_run([os.path.join(tools, "cgsnap"), "-n", "1", "-o", output, "-p", str(pid)])
    return output


def unwind(tools, snapshot, *options):
    """cgunwind's JSON: {tid: sample}; a tid has one sample."""
    command = [os.path.join(tools, "cgunwind"), "-f", "json", *options, snapshot]
    objects = [json.loads(line) for line in check_run(command).splitlines()]
    kinds = [item["type"] for item in objects]
    if kinds[0] != "snapshot" or kinds[-1] != "summary":
        raise Failure("JSON does not go from snapshot to summary: " + " ".join(kinds))
    names = {item["tid"]: item["name"] for item in objects if item["type"] == "thread"}
    samples = {}
    for item in objects:
        if item["type"] != "sample":
            continue
        if item["tid"] in samples:
            raise Failure("two samples of thread %d in a snapshot of one round" % item["tid"])
        item["name"] = names[item["tid"]]
        samples[item["tid"]] = item
    return samples


def time_text(ns):
    """As the texts for people have it."""
    if ns == 0 or ns >= 10**9:
        return "%d.%03d s" % (ns // 10**9, ns // 10**6 % 1000) if ns else "0 s"
    if ns >= 10**6:
        return "%d.%d ms" % (ns // 10**6, ns // 10**5 % 10)
    return "%d µs" % (ns // 1000) if ns >= 1000 else "%d ns" % ns


def with_cpu_time(objects):
    """Samples and ticks of cgunwind's JSON, each with the CPU time that it stands for as "given_ns";
    and what none stands for: {(pid, tid, or None of a process): ns}."""
    items, rest, at = [], {}, {}
    for item in objects:
        if item["type"] in ("sample", "tick"):
            item["given_ns"] = 0
            items.append(item)
            at[item["tid"], item["time_ns"]] = item
        elif item["type"] == "cpu" and "time_ns" in item:
            at[item["tid"], item["time_ns"]]["given_ns"] += item["cpu_ns"]
        elif item["type"] == "cpu":
            whose = item["pid"], item.get("tid")
            rest[whose] = rest.get(whose, 0) + item["cpu_ns"]
    return items, rest


def real_frames(sample):
    """A sample's frames without those that exist in debug information only."""
    return [frame for frame in sample["frames"] if not frame.get("inline")]


EU_FRAME = re.compile(r"#(\d+) +0x([0-9a-f]+)(?: +(.*))?$")


def eu_stack(pid):
    """What eu-stack shows of a process: {tid: [(pc, name or None), …]}."""
    return eu_stack_of("-p", str(pid))


def eu_stack_of(*options):
    stacks, frames = {}, None
    for line in check_run(["eu-stack", "-n", "0", *options]).splitlines():
        frame = EU_FRAME.match(line)
        if line.startswith("TID "):
            frames = stacks.setdefault(int(line[4:].rstrip(":")), [])
        elif frame and frames is not None:
            if int(frame[1]) != len(frames):
                raise Failure("eu-stack: frames out of order at: " + line)
            frames.append((int(frame[2], 16), frame[3]))
        elif not line.startswith("PID "):
            raise Failure("eu-stack printed: " + line)
    return stacks


def without_version(name):
    return name.split("@", 1)[0]


class Symbols:
    """Which names an ELF file and its separate debug file give to one address, by readelf."""

    def __init__(self, directory):
        self.directory = directory
        self.tables = {}

    def _files(self, module, build_id):
        if module == "[vdso]":
            path = os.path.join(self.directory, "vdso")
            start, end = vdso_range("self")
            with open("/proc/self/mem", "rb") as memory, open(path, "wb") as copy:
                memory.seek(start)
                copy.write(memory.read(end - start))
            return [path]
        files = [module]
        if build_id:
            debug = "%s/.build-id/%s/%s.debug" % (DEBUG_DIR, build_id[:2], build_id[2:])
            files += [debug] if os.path.exists(debug) else []
        return files

    def _table(self, module, build_id):
        if module not in self.tables:
            table = {}
            for path in self._files(module, build_id):
                for line in check_run(["readelf", "-sW", path]).splitlines():
                    field = line.split()
                    if len(field) >= 8 and field[0].rstrip(":").isdigit() and field[6] != "UND":
                        table.setdefault(without_version(field[7]), set()).add(int(field[1], 16))
            self.tables[module] = table
        return self.tables[module]

    def same(self, frame, name):
        """Whether the frame's name is `name`, or both are names of one place."""
        ours, theirs = without_version(frame["function"]), without_version(name)
        if ours == theirs:
            return True
        if "module" not in frame:
            return False
        table = self._table(frame["module"], frame.get("build_id"))
        return bool(table.get(ours, set()) & table.get(theirs, set()))


def expected_runs(chain):
    """`a < b*3 < ..` as [("a", 1), ("b", 3), ("..", 1)]."""
    runs = []
    for part in chain.split(" < "):
        name, _, count = part.partition("*")
        runs.append((name, int(count or 1)))
    return runs


def shown_runs(sample, program):
    """A sample's chain in the same form: frames outside `program` are `..`."""
    runs = []
    for frame in real_frames(sample):
        name = frame.get("function", "?") if frame.get("module") == program else ".."
        if runs and runs[-1][0] == name and name != "..":
            runs[-1] = (name, runs[-1][1] + 1)
        elif not runs or runs[-1][0] != name:
            runs.append((name, 1))
    return runs


def runs_text(runs):
    return " < ".join(name if count == 1 else "%s*%d" % (name, count) for name, count in runs)


def main(test):
    """Runs test(build directory, options…): one line a finding, exit status 0, 1 or 77."""
    if len(sys.argv) < 2:
        print("usage: %s BUILD-DIRECTORY" % sys.argv[0])
        sys.exit(2)
    tools = os.path.abspath(sys.argv[1])
    for program in ("cgsnap", "cgunwind"):
        if not os.access(os.path.join(tools, program), os.X_OK):
            print("no %s in %s" % (program, tools))
            sys.exit(1)
    failures = []
    try:
        for failure in test(tools, *sys.argv[2:]):
            failures.append(failure)
    except (Failure, subprocess.TimeoutExpired) as error:
        failures.append(str(error))
    except SystemExit:  # skipped; what has failed before has failed
        if not failures:
            raise
    for failure in failures:
        print("FAILED: " + failure)
    sys.exit(1 if failures else 0)
