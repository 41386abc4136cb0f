#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What blocked threads wait for, and who holds it: each thread of waits.c is blocked in another way,
and says in which. Found in a live snapshot and in a core of gdb's; of glibc's and musl's locks, with
names and without any; of glibc also where its file says that it is a version that nobody knows.

usage: waits_known.py BUILD-DIRECTORY [i386]

Kind, object's address and name, and owner are to be exactly what the program says, and read where a
name tells the kind. In a stripped static program the kind of what its memory shows is inferred, and
of the rest not told. With "i386" the i386 programs alone (i386_waits.py).
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import arm
import known

SOURCE = os.path.join(known.PROGRAMS, "waits.c")
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-O2"]
# By architecture or instruction set: the compiler, Debian's name, what musl's is called.
COMPILE = {"x86_64": ["gcc"], "i386": ["i686-linux-gnu-gcc"], **arm.COMPILE}
DEBIAN = {"x86_64": "amd64", "i386": "i386", "a64": "arm64", "a32": "armhf", "t32": "armhf",
          "rv64": "riscv64"}
MUSL = {"x86_64": "x86_64-linux-musl", "i386": "i386-linux-musl", "a64": "aarch64-linux-musl",
        "a32": "arm-linux-musleabihf", "t32": "arm-linux-musleabihf",
        "rv64": "riscv64-linux-musl"}
# Of programs without names: what is told by the memory alone, and what is not told.
INFERRED = {"mutex", "rwlock (read)", "rwlock (write)", "condition", "join"}
UNTOLD = {"glibc": {"semaphore", "barrier", "once"},
          "musl": {"semaphore", "barrier", "once", "rwlock (read)", "rwlock (write)"}}
FIELDS = ("thread", "kind", "evidence", "name", "detail", "addr", "owner", "owner_evidence",
          "readers", "doubt")
DETAILS = {"recursive": "recursive", "checked": "errorcheck", "robust": "robust", "pi": "PI",
           "shared": "shared"}
READERS = {"readers": 1}
# What the memory of these does not make sure.
UNSURE = {"semaphore", "once"}
STRANGE = "the locks of its C library's version are not known"


class Program:
    source = SOURCE
    is_strange = False
    # Threads whose library's functions have gone on, by a jump, to one of which a stripped library
    # has no name: what they wait for is inferred, or not told, as where there are no names at all.
    jumped = frozenset()

    def __init__(self, arch, library, linked, directory):
        self.arch, self.library = arch, library
        self.named = not linked.endswith("stripped")
        self.title = "%s, %s %s" % (arch, library, linked)
        # short enough to be the name of threads
        self.path = os.path.join(directory, "-".join((arch[:4], library, linked[:4])))
        self.name = os.path.basename(self.path)
        self.files = [self.path]
        self.options = ["-static"] if linked != "dynamic" else []
        if not self.named:
            self.options.append("-s")

    def build(self):
        command = [*COMPILE[self.arch], *FLAGS, *self.options]
        if self.library == "glibc":
            command += ["-pthread", self.source]
        else:
            command += self.with_musl()
        known.check_run([*command, "-o", self.path])

    def command(self):
        return [self.path, self.library]

    def tool(self, name):
        """Of the compiler's binutils."""
        return COMPILE[self.arch][0].replace("gcc", name)

    def with_musl(self):
        """As cmake/musl.cmake has it."""
        package = os.path.join(known.CACHE, DEBIAN[self.arch], "musl-dev", "usr")
        include, lib = (os.path.join(package, name, MUSL[self.arch]) for name in ("include", "lib"))
        own = known.check_run([*COMPILE[self.arch], "-print-file-name=include"]).strip()
        libc = os.path.join(lib, "libc.a")
        return ["-nostdinc", "-isystem", include, "-isystem", own, "-fno-pie", "-no-pie",
                "-nostartfiles", "-nodefaultlibs", os.path.join(lib, "crt1.o"),
                os.path.join(lib, "crti.o"), self.source, libc, "-lgcc", libc,
                os.path.join(lib, "crtn.o")]


class Strange(Program):
    """With a copy of the C library that says another version of itself."""

    is_strange = True

    def __init__(self, arch, directory):
        super().__init__(arch, "glibc", "dynamic", directory)
        self.title += ", version 2.99"
        self.directory = os.path.join(directory, "strange")

    def build(self):
        super().build()
        found = re.search(r"libc\.so\.6 => (\S+)", known.check_run(["ldd", self.path]))
        with open(found[1], "rb") as file:
            text, count = re.subn(rb"(release version 2\.)\d\d", rb"\g<1>99", file.read())
        if count != 1:
            raise known.Failure("%s says its version %d times" % (found[1], count))
        os.makedirs(self.directory, exist_ok=True)
        with open(os.path.join(self.directory, "libc.so.6"), "wb") as file:
            file.write(text)

    def command(self):
        return ["env", "LD_LIBRARY_PATH=" + self.directory, *super().command()]


def expect(expected, line):
    """What the program says of a thread: {tid: (kind, address, name, owner, descriptor)}."""
    tid, kind, addr, name, owner, fd = line.rstrip("\n").split("\t")
    expected[int(tid)] = (kind, int(addr, 16), name, int(owner), int(fd))


class Waiting(known.Target):
    """The program, what its threads are called and what it says of them."""

    def __init__(self, program):
        super().__init__(program.command())

    def wait_ready(self, spinning=()):
        for line in iter(self.process.stdout.readline, ""):
            if line == "ready\n":
                break
            expect(self.expected, line)
        else:
            raise known.Failure("the program ended before it was ready")
        known.wait_until(lambda: all(self.state(tid) == "S" for _, tid in self.threads()),
                         "all threads to block")
        self.names = {tid: name for name, tid in self.threads()}


def answers(tools, path, program):
    """(tid, {field: value}) of each sample."""
    command = [os.path.join(tools, "tests", "waittool"), path, *program.files]
    for line in known.check_run(command).splitlines():
        tid, *values = line.split("\t")
        yield int(tid), dict(zip(FIELDS, values + [""] * len(FIELDS)))


def wanted_name(program, target, expected, kind, in_core):
    """What the object's name is, or begins with."""
    _, addr, name, _, fd = expected
    if fd >= 0 and in_core:
        return "descriptor %d%s" % (fd, name[name.index(" and "):] if " and " in name else "")
    if in_core:
        for thread in target.names.values():
            name = name.replace("thread %s (" % thread, "thread %s (" % program.name)
            name = name.replace("stack of %s" % thread, "stack of %s" % program.name)
    if addr and kind != "join" and not program.named and not name.startswith("stack"):
        return "" if name == "?" else "%s+0x%x" % (program.name, addr)
    if kind == "futex" and not program.named and not name.startswith("stack"):
        return ""
    return "" if name == "?" else name


def wanted_kind(program, kind, in_core, again):
    if program.named:
        return {kind}
    # A call that the kernel makes again after a stop is only known by the function that made it.
    if kind in ("poll", "sleep") and (in_core or again):
        return {kind, "system call"}
    if kind == "condition" and program.library == "musl" and not in_core:
        return {"futex"}
    return {"futex"} if kind in UNTOLD[program.library] else {kind}


def wanted_owner(tid, owner, one_moment):
    """In one look memory is read after the sample: who holds what it waits for may have got it since."""
    return 0 if owner == tid and not one_moment else owner


def check_answer(program, target, tid, answer, in_core, again, one_moment):
    expected = target.expected[tid]
    thread = target.names[tid]
    jumped = thread in program.jumped
    kinds = wanted_kind(program, expected[0], in_core, again)
    if jumped and expected[0] in UNTOLD[program.library]:
        kinds.add("futex")
    wrong = []
    if answer["kind"] not in kinds:
        wrong.append("is no %s" % " or ".join(kinds))
    if wrong or answer["kind"] == "system call":
        return wrong
    evidence = "inferred" if not program.named and answer["kind"] in INFERRED else "read"
    if answer["evidence"] != evidence and not (jumped and answer["kind"] in INFERRED):
        wrong.append("is not %s" % evidence)
    if answer["kind"] == "futex" or (program.library == "musl" and expected[0] == "condition" and not in_core):
        return wrong  # the object is the word itself, or on the waiter's own stack
    if expected[1] and int(answer["addr"], 16) != expected[1]:
        wrong.append("is not at %#x" % expected[1])
    name = wanted_name(program, target, expected, answer["kind"], in_core)
    if not answer["name"].startswith(name) or (name and not name.startswith("stack") and answer["name"] != name):
        wrong.append("is not '%s'" % name)
    owner = wanted_owner(tid, expected[3], one_moment)
    if int(answer["owner"]) != owner:
        wrong.append("is not of %d" % owner)
    if answer["detail"] != DETAILS.get(thread, ""):
        wrong.append("is not '%s'" % DETAILS.get(thread, ""))
    if int(answer["readers"]) != READERS.get(thread, 0):
        wrong.append("has not %d readers" % READERS.get(thread, 0))
    if answer["doubt"] != (STRANGE if program.is_strange and expected[0] in UNSURE else ""):
        wrong.append("is doubted otherwise")
    return wrong


def check_file(tools, program, target, path, in_core, again=False, together=False):
    title = "%s, %s" % (program.title, "core" if in_core else "at one moment" if together
                        else "again" if again else "live")
    seen = set()
    for tid, answer in answers(tools, path, program):
        if tid not in target.expected:
            continue
        seen.add(tid)
        for wrong in check_answer(program, target, tid, answer, in_core, again, in_core or together):
            yield "%s: %s (%d) %s: %s" % (title, target.names[tid], tid, wrong, answer)
    if seen != set(target.expected):
        yield "%s: no sample of %s" % (title, sorted(set(target.expected) - seen))
    print("%s: %d threads" % (title, len(seen)))


def capture_moment(tools, pid, path):
    """All threads stopped at once. On a busy machine one may come too late for that, as the report says."""
    for _ in range(5):
        known.check_run([os.path.join(tools, "cgsnap"), "--together", "-n", "1", "-o", path, "-p", str(pid)])
        if "one look" not in known.check_run([os.path.join(tools, "cgunwind"), "-f", "waits", path]):
            break


def check_warnings(tools, program, path):
    """A version that is not known is told once."""
    command = [os.path.join(tools, "cgunwind"), "-f", "waits", "-o", "/dev/null", "--force", path]
    told = known.run(command).stderr.decode().splitlines()
    wanted = [line for line in told if line.endswith("told") and "is glibc 2.99, whose locks" in line]
    if len(wanted) != program.is_strange or len(told) != len(wanted):
        yield "%s: told is %s" % (program.title, told)


def check_program(tools, program, directory):
    program.build()
    with Waiting(program) as target:
        target.wait_ready()
        snapshot = os.path.join(directory, "snap.bin")
        known.capture(tools, target.pid, snapshot)
        yield from check_file(tools, program, target, snapshot, False)
        # Calls with a timeout, which that has interrupted, go on as another call.
        known.capture(tools, target.pid, snapshot)
        yield from check_file(tools, program, target, snapshot, False, True)
        capture_moment(tools, target.pid, snapshot)
        yield from check_file(tools, program, target, snapshot, False, True, True)
        yield from check_warnings(tools, program, snapshot)
        prefix = os.path.join(directory, "core")
        known.check_run(["gcore", "-o", prefix, str(target.pid)])
        core = "%s.%d" % (prefix, target.pid)
        yield from check_file(tools, program, target, core, True)
        os.unlink(core)


def programs(arch, directory):
    yield Program(arch, "glibc", "dynamic" if arch == "x86_64" else "static", directory)
    yield Program(arch, "glibc", "stripped", directory)
    if arch == "x86_64":
        yield Strange(arch, directory)
    yield Program(arch, "musl", "static", directory)
    yield Program(arch, "musl", "stripped", directory)


def check(tools, arch, directory):
    for program in programs(arch, directory):
        yield from check_program(tools, program, directory)


def test(tools, part=None):
    known.need("gcc", "i686-linux-gnu-gcc", "gcore")
    for arch in ("amd64", "i386"):
        if not os.path.isdir(os.path.join(known.CACHE, arch, "musl-dev")):
            known.skip("no musl-dev of %s: run scripts/deps test" % arch)
    with tempfile.TemporaryDirectory(prefix="cg-waits-") as directory:
        if part == "i386":
            return list(check(tools, "i386", directory))
        return list(check(tools, "x86_64", directory))


if __name__ == "__main__":
    known.main(test)
