#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files in a snapshot: cgsnap --bundle, and cgunwind where none of the target's files are.

usage: bundle.py BUILD-DIRECTORY

The chains, names and lines from the snapshot alone are those with the files at hand: also of a
program without build-id, one that was deleted, one in a root of its own that has gone, with debug
files by build-id, by link, and shared by dwz; from a pipe; merged. Each file is there once. What is
missing or damaged is told. The target goes on whatever happens to cgsnap or to who reads the files.
"""

import contextlib
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known

HEADER = """
#include <stdio.h>
#include <unistd.h>
extern FILE *in_both;
static inline __attribute__((always_inline)) void inlined(void (*callee)(void))
{
    callee();
    __asm__ volatile("");
}
"""
SOURCE = """
#include "common.h"
FILE *in_both;
extern void sleep_in_library(void);
static __attribute__((noinline)) void inner(void) { inlined(sleep_in_library); }
__attribute__((noinline)) void outer(void) { inner(); __asm__ volatile(""); }
int main(void) { for (;;) outer(); }
"""
LIBRARY = """
#include "common.h"
FILE *in_library;
static __attribute__((noinline)) void half_a_second(void) { usleep(500000); __asm__ volatile(""); }
__attribute__((noinline)) void sleep_in_library(void) { inlined(half_a_second); }
"""
FILE, FILE_PART, FILE_HEAD, HEAD = 17, 19, 32, 12


class Box(contextlib.ExitStack):
    """A directory with programs, and processes that end with it."""

    def __init__(self, tools):
        super().__init__()
        self.tools = tools
        self.directory = self.enter_context(tempfile.TemporaryDirectory())
        os.mkdir(self.path("empty"))

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def build(self, name, *options):
        directory = self.path(name)
        os.mkdir(directory)
        for part, text in (("common.h", HEADER), ("main.c", SOURCE), ("library.c", LIBRARY)):
            with open(self.path(name, part), "w", encoding="ascii") as file:
                file.write(text)
        gcc = ["gcc", "-g", "-O1", *options]
        known.check_run([*gcc, "-fPIC", "-shared", self.path(name, "library.c"), "-o", self.path(name, "libsleep.so")])
        known.check_run([*gcc, self.path(name, "main.c"), self.path(name, "libsleep.so"), "-Wl,-rpath,$ORIGIN",
                         "-o", self.path(name, "prog")])
        return self.path(name, "prog")

    def start(self, command):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.callback(process.wait)
        self.callback(process.kill)
        known.wait_until(lambda: self.state(process) == "S", "it sleeps")
        return process

    @staticmethod
    def state(process):
        with open("/proc/%d/stat" % process.pid, encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0]

    def capture(self, process, name, *options):
        """The snapshot, and what cgsnap said."""
        snapshot = self.path(name)
        done = known.run([os.path.join(self.tools, "cgsnap"), "-p", str(process.pid), "-n", "1", "--force",
                          "-o", snapshot, *options])
        if done.returncode:
            raise known.Failure("cgsnap: " + done.stderr.decode())
        return snapshot, done.stderr.decode()

    def chains(self, snapshot, *options, data=None):
        command = [os.path.join(self.tools, "cgunwind"), "-f", "chains", *options, snapshot]
        done = subprocess.run(command, input=data, capture_output=True, check=False, timeout=600)
        return done.stdout.decode(), done.stderr.decode()

    def alone(self, snapshot, **options):
        """The same where no other file is."""
        return self.chains(snapshot, "--sysroot", self.path("empty"), **options)


def expect_same(what, there, alone):
    text, said = alone
    for wanted in ("inner", "outer", "inlined", "main.c:", "stop: thread-start"):
        if wanted not in there[0]:
            yield "%s: with the files at hand there is no %s: %s" % (what, wanted, there)
    if text != there[0] or said:
        yield "%s: with the files of the snapshot:\n%s%s, with those at hand:\n%s" % (what, said, text, there[0])


def records(snapshot):
    """(type, offset, payload) of each."""
    with open(snapshot, "rb") as file:
        data = file.read()
    off = FILE_HEAD
    while off < len(data):
        kind, _, length, _ = struct.unpack_from("<HHII", data, off)
        yield kind, off, data[off + HEAD:off + HEAD + length]
        off += HEAD + length


def files_of(snapshot):
    """[(kind, build-id, path)]"""
    found = []
    for kind, _, payload in records(snapshot):
        if kind != FILE:
            continue
        _, of, size = struct.unpack_from("<IBB", payload)
        at = 6 + size + 16
        length, = struct.unpack_from("<H", payload, at)
        found.append((of, payload[6:6 + size], payload[at + 2:at + 2 + length].decode()))
    return found


def separate(directory):
    """Moves debug information to files of their own, and what these have in common to another."""
    paths = [os.path.join(directory, name) for name in ("prog", "libsleep.so")]
    debug = [path + ".debug" for path in paths]
    for path, of in zip(paths, debug):
        known.check_run(["objcopy", "--only-keep-debug", path, of])
    known.check_run(["dwz", "-m", "common.debug", *map(os.path.basename, debug)], cwd=directory)
    for path, of in zip(paths, debug):
        known.check_run(["objcopy", "--strip-debug", "--add-gnu-debuglink=" + of, path, path + ".new"])
        os.rename(path + ".new", path)


def plain(box):
    """With and without build-id; each file once; a stream; two snapshots at once."""
    snapshots = []
    for name, options in (("id", []), ("noid", ["-Wl,--build-id=none"])):
        process = box.start([box.build(name, *options)])
        snapshot, said = box.capture(process, name + ".bin", "--bundle")
        snapshots.append(snapshot)
        there = box.chains(snapshot)
        yield from expect_same(name, there, box.alone(snapshot))
        with open(snapshot, "rb") as file:
            yield from expect_same(name + ", a pipe", there, box.alone("-", data=file.read()))
        known.check_run([sys.executable, os.path.join(known.TESTS, "system", "snapdump.py"), "--check", snapshot])
        files = files_of(snapshot)
        mapped = [path for kind, _, path in files if kind == 1]
        if len(set(files)) != len(files) or not {"prog", "libsleep.so", "libc.so.6"} <= set(map(os.path.basename, mapped)):
            yield "%s: files in the snapshot: %s" % (name, files)
        if not re.search(r"cgsnap: %d files of \d+ bytes in the snapshot$" % len(files), said.rstrip()):
            yield "%s: cgsnap said: %s" % (name, said)
        without, _ = box.capture(process, "without.bin")
        if files_of(without):
            yield "without --bundle there are files"
        info = known.check_run([os.path.join(box.tools, "cgunwind"), "--info", "--sysroot", box.path("empty"), snapshot])
        if info.count(": in the input") != len(mapped):
            yield "--info: " + info
    trees = [known.check_run([os.path.join(box.tools, "cgunwind"), *options, *snapshots])
             for options in ([], ["--sysroot", box.path("empty")])]
    if trees[0] != trees[1] or trees[0].count("inner") < 2:
        yield "two snapshots at once: " + "\n".join(trees)


def gone(box):
    """A program that was deleted while it ran, and has ended when it is looked at."""
    program = box.build("gone")
    process = box.start([program])
    shutil.copytree(box.path("gone"), box.path("kept"))
    for name in ("prog", "libsleep.so"):
        os.unlink(box.path("gone", name))
    snapshot, _ = box.capture(process, "gone.bin", "--bundle")
    there = box.chains(snapshot, "-e", box.path("kept", "prog"), "-e", box.path("kept", "libsleep.so"))
    process.kill()
    if os.geteuid() == 0:  # the kernel's links to files that are mapped need a capability
        yield from expect_same("deleted", there, box.alone(snapshot))


def replaced(box):
    """The file that has the name now is another: it is not taken for the one that is mapped."""
    program = box.build("replaced", "-Wl,--build-id=none")
    process = box.start([program])
    there = box.chains(box.capture(process, "before.bin")[0])
    shutil.copy(program, program + ".old")
    shutil.copy("/bin/true", program + ".new")
    os.rename(program + ".new", program)
    snapshot, _ = box.capture(process, "replaced.bin", "--bundle")
    text, _ = box.alone(snapshot)
    if os.geteuid() == 0 and ("inner" not in text or "stop: thread-start" not in text):
        yield "replaced: %s, before: %s" % (text, there[0])


def debug_files(box):
    """Debug information in files of its own: by link, and shared as dwz has it."""
    program = box.build("linked")
    there = box.chains(box.capture(box.start([program]), "whole.bin")[0])[0]
    separate(box.path("linked"))
    process = box.start([program])
    snapshot, _ = box.capture(process, "linked.bin", "--bundle")
    with_files = box.chains(snapshot)
    yield from expect_same("debug file by link", with_files, box.alone(snapshot))
    files = files_of(snapshot)
    if sorted(kind for kind, _, path in files if "/linked/" in path) != [1, 1, 2, 2] or \
            [path for kind, _, path in files if kind == 3] != [""]:
        yield "debug files in the snapshot: %s" % files
    names = [re.findall(r" (inlined|inner|outer|main|sleep_in_library)\b", text) for text in (there, with_files[0])]
    if names[0] != names[1]:
        yield "debug files: %s" % names


MANY = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char path[4096];
    (void)!read(0, path, 1);
    for (int i = 0; i < COUNT; i++) {
        snprintf(path, sizeof(path), "%s/lib%d.so", argv[1], i);
        if (!dlopen(path, RTLD_NOW))
            return puts(dlerror());
    }
    for (;;)
        pause();
    return argc;
}
"""
COUNT = 300


def many(box):
    """More files than the process that opens them has taken at once: none is lost, and nobody waits."""
    yield from open_many(box, "many", readers_of, 4)


def late(box):
    """No file answers while the program runs; it sleeps then, and has no samples: they are asked for again."""
    yield from open_many(box, "late", helpers_of, 10)


def open_many(box, what, stopped, seconds):
    directory = box.path(what)
    os.mkdir(directory)
    source = os.path.join(directory, "many.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(MANY)
    known.check_run(["gcc", "-DCOUNT=%d" % COUNT, source, "-o", os.path.join(directory, "many")])
    known.check_run(["gcc", "-shared", "-fPIC", "-Wl,--build-id=none", "-xc", "/dev/null", "-o", os.path.join(directory, "lib0.so")])
    for i in range(1, COUNT):
        shutil.copy(os.path.join(directory, "lib0.so"), os.path.join(directory, "lib%d.so" % i))
    program = os.path.join(directory, "many")
    process = subprocess.Popen([program, directory], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    box.callback(process.wait)
    box.callback(process.kill)
    snapshot = box.path(what + ".bin")
    command = [os.path.join(box.tools, "cgsnap"), "-p", str(process.pid), "-F", "50", "-d", str(seconds), "--bundle", "-o", snapshot]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as writer:
        known.wait_until(lambda: readers_of(writer.pid, program), "the file is open")
        helpers = stopped(writer.pid, program)
        for pid in helpers:
            os.kill(pid, signal.SIGSTOP)
        process.stdin.write(b"x")
        process.stdin.flush()
        time.sleep(3)
        for pid in helpers:
            os.kill(pid, signal.SIGCONT)
        said = writer.communicate(timeout=60)[1]
    found = {os.path.basename(path) for _, _, path in files_of(snapshot)}
    missing = [i for i in range(COUNT) if "lib%d.so" % i not in found]
    if not helpers or missing or "could not" in said:
        yield "%s: %d helpers, of %d libraries %d are missing: %s" % (what, len(helpers), COUNT, len(missing), said)


STATIC = """
#include <unistd.h>
__attribute__((noinline)) void FUNCTION(void) { usleep(200000); __asm__ volatile(""); }
int main(int argc, char **argv)
{
    for (int i = 0; argc < 2 || i < 8; i++)
        FUNCTION();
    execl(argv[1], argv[1], (char *)0);
    return 1;
}
"""


def static(box, name, function):
    """Without build-id, at the same addresses as others."""
    source = box.path("static.c")
    with open(source, "w", encoding="ascii") as file:
        file.write(STATIC)
    known.check_run(["gcc", "-O1", "-static", "-no-pie", "-Wl,--build-id=none", "-DFUNCTION=" + function, source,
                     "-o", box.path(name)])
    return box.path(name)


def successor(box):
    """Two programs without build-id at the same addresses, one after the other: each has its own file."""
    first, second = static(box, "first", "alpha"), static(box, "second", "omega")
    snapshot = box.path("successor.bin")
    process = subprocess.Popen([first, second], stdout=subprocess.DEVNULL)
    box.callback(process.wait)
    box.callback(process.kill)
    command = [os.path.join(box.tools, "cgsnap"), "-p", str(process.pid), "-d", "4", "--bundle", "-o", snapshot]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as writer:
        writer.communicate(timeout=60)
    for options in ([], ["--sysroot", box.path("empty")]):
        text = known.check_run([os.path.join(box.tools, "cgunwind"), "-f", "folded", *options, snapshot])
        if "alpha" not in text or "omega" not in text:
            yield "two programs at the same addresses: " + text


def same_path(box):
    """Two files without build-id that had one path, one after the other."""
    path = box.path("same")
    one, two = static(box, "one", "alpha"), static(box, "two", "omega")
    script = 'cp "$1" "$3"; "$3" & sleep 1; cp "$2" "$3.new"; mv "$3.new" "$3"; "$3" & sleep 1; kill $(jobs -p)'
    snapshot = box.path("same.bin")
    known.check_run([os.path.join(box.tools, "cgsnap"), "--children", "--bundle", "-o", snapshot, "--",
                     "bash", "-c", script, "bash", one, two, path])
    text = known.check_run([os.path.join(box.tools, "cgunwind"), "-f", "folded", "--sysroot", box.path("empty"), snapshot])
    if "alpha" not in text or "omega" not in text:
        yield "two files of one path: " + text


def secret(box):
    """A path that the target tells leads to a file that has nothing to do with it."""
    hidden = box.path("hidden")
    shutil.copy("/bin/true", hidden)
    with open(box.path("link"), "wb") as file:
        file.write(hidden.encode() + b"\0" + bytes(range(20)))
    program = box.build("secret")
    known.check_run(["objcopy", "--add-section", ".gnu_debugaltlink=" + box.path("link"), program, program + ".new"])
    os.rename(program + ".new", program)
    snapshot, _ = box.capture(box.start([program]), "secret.bin", "--bundle")
    if 3 in {kind for kind, _, _ in files_of(snapshot)}:
        yield "a file that is no debug file is in the snapshot: %s" % files_of(snapshot)


def damaged(box):
    """Cut short, a byte changed, a file whose parts are left out."""
    process = box.start([box.build("damaged")])
    snapshot, _ = box.capture(process, "good.bin", "--bundle")
    with open(snapshot, "rb") as file:
        data = file.read()
    parts = [off for kind, off, _ in records(snapshot) if kind == FILE_PART]
    for what, bad in (("cut", data[:parts[1]]),
                      ("changed", data[:parts[0] + 60] + bytes([data[parts[0] + 60] ^ 1]) + data[parts[0] + 61:])):
        path = box.path(what)
        with open(path, "wb") as file:
            file.write(bad)
        done = known.run([os.path.join(box.tools, "cgunwind"), "-f", "chains", "--sysroot", box.path("empty"), path])
        said = done.stderr.decode()
        if done.returncode not in (0, 1) or not done.stdout.startswith(b"PID ") or "warning" not in said:
            yield "%s: status %d, %s" % (what, done.returncode, said)
        if what == "cut" and ("cut short" not in said or "not all there" not in said):
            yield "cut: " + said
        if what == "changed" and "damaged" not in said:
            yield "changed: " + said


def helpers_of(pid, _program=None):
    """The children of cgsnap but for its guard."""
    lines = known.run(["ps", "--ppid", str(pid), "-o", "pid=,comm="]).stdout.splitlines()
    return [int(line.split()[0]) for line in lines if line.split()[1] != "cg-guard"]


def readers_of(pid, program):
    """The child of cgsnap that has the program's file open."""
    for child in helpers_of(pid):
        directory = "/proc/%d/fd" % child
        with contextlib.suppress(OSError):
            for fd in os.listdir(directory):
                if os.readlink(os.path.join(directory, fd)) == program:
                    return [child]
    return []


def stuck(box):
    """Who reads the files does not answer: Ctrl-C ends it, or ten seconds; SIGKILL harms nobody."""
    program = box.build("stuck")
    process = box.start([program])
    for what, ends in (("interrupted", signal.SIGINT), ("a file system does not answer", None), ("", signal.SIGKILL)):
        snapshot = box.path("stuck.bin")
        command = [os.path.join(box.tools, "cgsnap"), "-p", str(process.pid), "-d", "1", "--bundle", "--force", "-o", snapshot]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as writer:
            known.wait_until(lambda: readers_of(writer.pid, program), "the file is open")
            helpers = readers_of(writer.pid, program)
            for pid in helpers:
                os.kill(pid, signal.SIGSTOP)
            try:
                time.sleep(1.5)
                if box.state(process) not in "SR":
                    yield "the target is held: " + box.state(process)
                with open("/proc/%d/status" % process.pid, encoding="ascii") as status:
                    if "TracerPid:\t0\n" not in status.read():
                        yield "the target is traced while files are waited for"
                if ends:
                    writer.send_signal(ends)
                said = writer.communicate(timeout=60)[1]
            finally:
                for pid in helpers:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGCONT)
        if what and (what not in said or writer.returncode != 0):
            yield "%s: status %d, %s" % (what, writer.returncode, said)
        if what and "stop: thread-start" not in box.chains(snapshot)[0]:
            yield "%s: %s" % (what, box.chains(snapshot))
        known.wait_until(lambda: not any(os.path.exists("/proc/%d" % pid) for pid in helpers), "helpers end")


def killed(box):
    """Who reads the files is killed: that is told at once, and the samples are whole."""
    program = box.build("killed")
    process = box.start([program])
    snapshot = box.path("killed.bin")
    command = [os.path.join(box.tools, "cgsnap"), "-p", str(process.pid), "-d", "1", "--bundle", "-o", snapshot]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as writer:
        known.wait_until(lambda: readers_of(writer.pid, program), "the file is open")
        os.kill(readers_of(writer.pid, program)[0], signal.SIGKILL)
        said = writer.communicate(timeout=60)[1]
    if "their reader has ended" not in said or writer.returncode != 0:
        yield "killed: status %d, %s" % (writer.returncode, said)
    if "stop: thread-start" not in box.chains(snapshot)[0]:
        yield "killed: %s" % (box.chains(snapshot),)


def test(tools):
    known.need("gcc", "objcopy", "dwz", "ps")
    with Box(tools) as box:
        return [failure for part in (plain, gone, replaced, debug_files, many, late, successor, same_path, secret,
                                              damaged, stuck, killed) for failure in part(box)]


if __name__ == "__main__":
    known.main(test)
