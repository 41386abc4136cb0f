#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who waits for whom: each case of deadlocks.c gets stuck in another way, or does not get stuck at
all. Found and named in a live snapshot, in a core of gdb's and in the kernel's.

usage: deadlocks.py BUILD-DIRECTORY [i386]

Live is a capture of some time, and one of a single moment at which all threads are stopped.
Of glibc's locks (dynamic, stripped) and musl's (static), which keep an owner where they are
recursive and none where they are not: then all threads are told to wait for one another. A correct
program that takes many locks, and redis under its own benchmark, are never said to be in a deadlock.
With "i386" the i386 programs alone (i386_deadlocks.py).
"""

import os
import re
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import core_kernel
import known
import waits_known

SECONDS = 1.7  # locks of sleeping threads are read again twice a second
LONGER = 3  # times as long, where something must be seen twice in its different ways
MOMENTS = 50  # at which a busy program is looked at
LOOKS = 30  # at its threads one after another
ITSELF = "waits for what it holds itself"
CERTAIN = re.compile("^(Likely deadlock|Deadlock):", re.MULTILINE)
MEMBER = re.compile(r"  T(\d) '([^']*)' \(tid \d+[^)]*\) holds (\w+) (\S+?)(?: \(\w+\))?(?: \[[^]]*\])?, waits for"
                    r" (\w+)(?: \(\w+\))? (\S+?)(?: \(\w+\))?(?: \[[^]]*\])?, held by T(\d)$")
# (thread, what it holds, what it waits for) of those that wait for one another.
CIRCLES = {
    "two": [("left", "g_left", "g_right"), ("right", "g_right", "g_left")],
    "three": [("first", "g_table", "g_second"), ("second", "g_second", "g_third"),
              ("third", "g_third", "g_table")],
    "self": [("self", "g_left", "g_left")],
}
CHAINS = {"left": "take_right .*← left ", "right": "take_left .*← right ",
          "self": "take_left .*← self "}


class Program(waits_known.Program):
    source = os.path.join(known.PROGRAMS, "deadlocks.c")

    def __init__(self, arch, library, recursive, directory):
        linked = "static" if library == "musl" or arch == "i386" else "dynamic"
        super().__init__(arch, library, linked, directory)
        self.title += ", recursive" if recursive else ""
        self.environment = {"DEADLOCKS_RECURSIVE": "1"} if recursive else {}
        self.knows_owner = library == "glibc" or recursive
        self.named = linked == "static"
        self.title += "" if self.named else " stripped"

    def build(self):
        super().build()
        os.rename(self.path, self.path + ".named")
        if self.named:
            shutil.copy(self.path + ".named", self.path)
        else:
            known.check_run([self.tool("strip"), "-o", self.path, self.path + ".named"])


class Case(known.Target):
    def __init__(self, program, case):
        os.environ.pop("DEADLOCKS_RECURSIVE", None)
        os.environ.update(program.environment)
        super().__init__([program.path, case])
        self.wait_ready()

    def wait_ready(self, spinning=()):
        if self.process.stdout.readline() != "ready\n":
            raise known.Failure("the program ended before it was ready")

    def wait_asleep(self):
        """A tracer that lets go wakes each thread, which then waits again."""
        def is_asleep(tid):
            with open("/proc/%d/task/%s/stat" % (self.pid, tid)) as stat:
                return stat.read().rpartition(")")[2].split()[0] == "S"
        known.wait_until(lambda: all(map(is_asleep, os.listdir("/proc/%d/task" % self.pid))),
                         "all threads to sleep")


def waits(tools, path, *options):
    return known.check_run([os.path.join(tools, "cgunwind"), "-f", "waits", *options, path])


def lines_of(report):
    """The report's paragraphs as single lines, without what they are filled with."""
    return re.sub(r"\n {6,}(?!waits in:|took in:|in:|does:|held by ')(?=\S)", " ", report).splitlines()


def check_circle(program, case, report, in_core):
    """The deadlock, its members in their order, what each holds and waits for, and where."""
    circle = CIRCLES[case]
    if "\nDeadlock: %s" % ("a thread waits for what it holds itself" if len(circle) == 1
                           else "%d threads wait for one another" % len(circle)) not in report:
        yield "no deadlock of %d" % len(circle)
        return
    members = [match.groups() for match in map(MEMBER.match, lines_of(report)) if match]
    if len(members) != len(circle):
        yield "%d members in %s" % (len(members), lines_of(report))
        return
    names = {}
    for number, name, _, held, _, wanted, by in members:
        names[held] = wanted
        if not in_core and name not in [thread for thread, _, _ in circle]:
            yield "no thread is called " + name
        if int(by) != int(number) % len(circle) + 1:
            yield "T%s waits for T%s" % (number, by)
    if len(circle) > 1 and names != {names_of(program, held, names): names_of(program, wanted, names)
                                     for _, held, wanted in circle}:
        yield "they hold and want %s" % names
    if program.named and not in_core:
        for name, _, _ in circle:
            if name in CHAINS and not re.search(CHAINS[name], " ".join(lines_of(report))):
                yield "the chain of %s is not there" % name


def names_of(program, name, given):
    """The name itself; in a stripped program any one: its address says which."""
    if program.named:
        return name
    symbols = known.check_run([program.tool("nm"), program.path + ".named"])
    addr = re.search(r"^0*([0-9a-f]+) \w %s$" % name, symbols, re.MULTILINE)[1]
    return "%s+0x%x" % (program.name, int(addr, 16))


def check_together(program, case, report, in_core):
    """No lock tells who holds it: all threads are told to wait for one another."""
    count = len(CIRCLES.get(case, "123")) + 1
    what = "Likely deadlock" if "[kind inferred]" in report else "Deadlock"
    if not re.search("^%s: all %d threads of process [0-9]+ wait for one another$" % (what, count),
                     report, re.MULTILINE):
        yield "no deadlock of all %d threads" % count


def check_lost(program, case, report, in_core):
    if CERTAIN.search(report):
        yield "a lost wake-up is called a deadlock"
    if "Standstill: all 2 threads of process" not in report:
        yield "no standstill"
    blocked = [line for line in lines_of(report) if line.startswith("  'lost' (tid")]
    if "one moment" not in report and (len(blocked) != 1 or ": condition" not in blocked[0]
                        or not re.search(r"nothing has woken it|for 1\.", blocked[0])):
        yield "the thread is not told to wait all the time: %s" % blocked


def check_convoy(program, case, report, in_core):
    if re.search("[Dd]eadlock:", report):
        yield "a convoy is called a deadlock"
    row = re.search(r"^Locks, .*\n.* object\n *([\d.]+) s +(?:≥ )?(\d+) +([\d.]+) +(\d+) +(\d+)  mutex (\S+)",
                    report, re.MULTILINE)
    if not row:
        yield "no table of locks"
        return
    if float(row[1]) < SECONDS * 5 or int(row[4]) != 8 or int(row[5]) < 7 or float(row[3]) < 5:
        yield "the convoy's numbers are " + row[0]
    if program.knows_owner and "held by 'worker' (tid " not in report:
        yield "nobody holds it"


def check_order(program, case, report, in_core):
    if CERTAIN.search(report):
        yield "contradictory orders are called a deadlock"
    told = report.partition("contradictory orders")[2]
    if program.knows_owner and not ("'forth' (tid" in told and "'back' (tid" in told):
        yield "the contradiction was not seen"


def check_no_deadlock(program, case, report, in_core):
    found = CERTAIN.search(report)
    if found:
        yield "there is none: " + report[found.start():][:600]


def checks_of(program, case):
    if case in CIRCLES and (program.knows_owner and not (case == "three" and
                                                         program.library == "musl")):
        return check_circle
    return {"lost": check_lost, "convoy": check_convoy, "order": check_order,
            "dissolving": check_no_deadlock, "busy": check_no_deadlock}.get(case, check_together)


def capture(tools, pid, path, *options):
    known.check_run([os.path.join(tools, "cgsnap"), "--overhead", "100", *options, "-o", path, "-p", str(pid)])


def kernel_core(target, directory):
    """The core that the kernel writes of a process that is ended."""
    there = set(os.listdir(directory))
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(target.pid, resource.RLIMIT_CORE, unlimited)
    os.kill(target.pid, signal.SIGABRT)
    target.process.wait(60)
    cores = [name for name in set(os.listdir(directory)) - there if name.startswith("core")]
    if len(cores) != 1:
        raise known.Failure("the kernel has written %d cores" % len(cores))
    return os.path.join(directory, cores[0])


def check_case(tools, program, case, directory):
    """Live, in gdb's core and in the kernel's; what never gets stuck live alone."""
    check = checks_of(program, case)
    stuck = case in CIRCLES or case in ("readers", "lost")
    with Case(program, case) as target:
        snapshot = os.path.join(directory, "snap.bin")
        seconds = SECONDS * (LONGER if case == "order" else 1)
        capture(tools, target.pid, snapshot, "-F", "99", "-d", str(seconds))
        files = [("live", snapshot)]
        if stuck:
            moment = os.path.join(directory, "moment.bin")
            target.wait_asleep()
            waits_known.capture_moment(tools, target.pid, moment)
            files.append(("live, at one moment", moment))
            prefix = os.path.join(directory, "gcore")
            known.check_run(["gcore", "-o", prefix, str(target.pid)])
            files.append(("gdb's core", "%s.%d" % (prefix, target.pid)))
            # The thread that takes the signal waits no more.
            if case in ("two", "three") and check is check_circle:
                files.append(("the kernel's core", kernel_core(target, directory)))
        for what, path in files:
            report = waits(tools, path)
            for wrong in check(program, case, report, "live" not in what):
                yield "%s, %s, %s: %s\n%s" % (program.title, case, what, wrong, report[:3000])
            os.unlink(path)
    print("%s: %s, %d files" % (program.title, case, len(files)))


def check_programs(tools, arch, directory):
    cases = ["two", "three", "readers", "self", "lost", "convoy", "order", "dissolving"]
    for library, recursive in (("glibc", False), ("musl", True), ("musl", False)):
        program = Program(arch, library, recursive, directory)
        program.build()
        for case in ["two", "three"] if library == "musl" and not recursive else cases:
            if case == "self" and recursive:
                continue  # such a lock may be taken twice
            yield from check_case(tools, program, case, directory)
        if library == "glibc":
            yield from check_processes(tools, program, directory)
            yield from check_parts(tools, program, directory)


def check_processes(tools, program, directory):
    """Two processes that share two locks, both captured."""
    path = os.path.join(directory, "processes.bin")
    known.run([os.path.join(tools, "cgsnap"), "-F", "99", "--overhead", "100", "-d", "2.5", "--follow-forks", "-o", path,
               "--", program.path, "processes"])
    report = waits(tools, path)
    if "\nDeadlock: 2 threads wait for one another" not in report or "not seen" in report:
        yield "no deadlock of two processes: " + report[:3000]


def check_parts(tools, program, directory):
    """What is captured of one thread, or shown of one, is no more than that."""
    path = os.path.join(directory, "part.bin")
    with Case(program, "convoy") as target:
        tids = sorted(int(name) for name in os.listdir("/proc/%d/task" % target.pid))
        capture(tools, target.pid, path, "-F", "99", "-d", "1.5", "-t", str(tids[1]))
        for wrong in check_no_deadlock(program, "convoy", waits(tools, path), False):
            yield "one thread of a convoy: " + wrong
    with Case(program, "two") as target:
        tids = sorted(int(name) for name in os.listdir("/proc/%d/task" % target.pid))
        capture(tools, target.pid, path, "-F", "99", "-d", str(SECONDS))
        report = waits(tools, path, "--thread", str(tids[0]))
        if "\nDeadlock: 2 threads wait for one another" not in report:
            yield "the deadlock that the first thread waits for is not shown: " + report[:3000]


def samples_of(tools, path):
    text = known.check_run([os.path.join(tools, "cgunwind"), "-f", "folded", path])
    return sum(int(line.rpartition(" ")[2]) for line in text.splitlines())


def check_busy(tools, directory):
    """A correct program that takes locks all the time, at the highest rate, several times."""
    program = Program("x86_64", "glibc", False, directory)
    samples = 0
    with Case(program, "busy") as target:
        for _ in range(4):
            path = os.path.join(directory, "busy.bin")
            capture(tools, target.pid, path, "-F", "999", "--overhead", "100", "-d", "1")
            samples += samples_of(tools, path)
            for wrong in check_no_deadlock(program, "busy", waits(tools, path), False):
                yield "busy: " + wrong
        for _ in range(MOMENTS):
            path = os.path.join(directory, "moment.bin")
            capture(tools, target.pid, path, "--together", "-n", "1")
            for wrong in check_no_deadlock(program, "busy", waits(tools, path), False):
                yield "busy: " + wrong
        for _ in range(LOOKS):
            path = os.path.join(directory, "look.bin")
            capture(tools, target.pid, path, "-n", "1")
            report = waits(tools, path)
            if ITSELF in report:
                yield "busy: a lock that was got after the sample: " + report[:600]
    if samples < 1000:
        yield "busy: %d samples only" % samples
    print("busy: %d samples" % samples)


def redis(name, *arguments):
    """A program of Debian's redis-tools with its libraries: the server is in its checker's file."""
    tools, *libraries = known.unpacked("amd64", "redis-tools", "libjemalloc2", "liblzf1")
    libraries = [os.path.join(package, "usr/lib/x86_64-linux-gnu") for package in libraries]
    path = os.path.join(tools, "usr/bin", name)
    return ["env", "LD_LIBRARY_PATH=" + ":".join(libraries), "bash", "-c",
            'exec -a "$0" "$@"', "redis-server" if name == "redis-check-rdb" else name, path,
            *arguments]


def check_redis(tools, directory):
    """redis with threads for input and output, under redis-benchmark."""
    place = os.path.join(directory, "redis")
    server = redis("redis-check-rdb", "--port", "0", "--unixsocket", place, "--save", "",
                   "--io-threads", "4", "--io-threads-do-reads", "yes", "--appendonly", "yes",
                   "--dir", directory, "--daemonize", "no")
    load = redis("redis-benchmark", "-s", place, "-c", "50", "-n", "100000000", "-q", "-P", "4",
                 "-t", "set,get,lpush")
    samples = 0
    with known.Target(server) as target:
        known.wait_until(lambda: is_served(place), "redis to listen")
        with known.Target(load):
            time.sleep(0.5)
            for _ in range(3):
                path = os.path.join(directory, "redis.bin")
                capture(tools, target.pid, path, "-F", "199", "--overhead", "100", "-d", "2")
                samples += samples_of(tools, path)
                for wrong in check_no_deadlock(None, "redis", waits(tools, path), False):
                    yield "redis: " + wrong
    if samples < 1000:
        yield "redis: %d samples only" % samples
    print("redis: %d samples" % samples)


def is_served(place):
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(place)
        return True
    except OSError:
        return False


def test(tools, part=None):
    known.need("gcc", "i686-linux-gnu-gcc", "gcore", "strip", "nm")
    core_kernel.need_cores()
    for package in ("amd64/musl-dev", "i386/musl-dev"):
        if not os.path.isdir(os.path.join(known.CACHE, package)):
            known.skip("no %s: run scripts/deps test" % package)
    with tempfile.TemporaryDirectory(prefix="cg-deadlocks-") as directory:
        os.chdir(directory)  # where the kernel writes cores
        if part == "i386":
            return list(check_programs(tools, "i386", directory))
        failures = list(check_programs(tools, "x86_64", directory))
        failures += check_busy(tools, directory)
        failures += check_redis(tools, directory)
        os.chdir(known.TESTS)
        return failures


if __name__ == "__main__":
    known.main(test)
