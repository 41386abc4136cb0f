#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files of processes that still run: in a mount namespace, in a chroot, deleted, replaced.

usage: namespaces.py BUILD-DIRECTORY

While the process lives its chains have names without any option, from a sandbox and without one;
also without build-id, where another file has the path here. When it has ended the file is missing,
or another's is not taken for it. Nothing is opened for another process that has the number.
"""

import contextlib
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
import known

SOURCE = """
#include <unistd.h>
__attribute__((noinline)) void inner(void) { usleep(200000); __asm__ volatile(""); }
__attribute__((noinline)) void outer(void) { inner(); __asm__ volatile(""); }
int main(void) { for (;;) outer(); }
"""
NAMED = re.compile(r" inner\+0x[0-9a-f]+ .* outer\+0x[0-9a-f]+ .* main\+0x[0-9a-f]+ .*\nstop: thread-start", re.S)


class Place(contextlib.ExitStack):
    def __init__(self, tools):
        super().__init__()
        self.tools = tools
        self.captures = 0
        self.directory = self.enter_context(tempfile.TemporaryDirectory())
        os.chmod(self.directory, 0o755)
        with open(self.path("main.c"), "w", encoding="ascii") as file:
            file.write(SOURCE)

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def build(self, name, *options):
        known.check_run(["gcc", "-O1", *options, self.path("main.c"), "-o", self.path(name)])
        return self.path(name)

    def start(self, command, **options):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, **options)
        self.callback(process.wait)
        self.callback(process.kill)

        def sleeps():
            with open("/proc/%d/stat" % process.pid, encoding="ascii") as stat:
                return "(prog) S " in stat.read()
        known.wait_until(sleeps, "it sleeps")
        return process

    def in_namespace(self, *files):
        """The first one runs from a file system that nobody else has mounted."""
        mount = self.path("mount")
        os.makedirs(mount, exist_ok=True)
        script = 'dir=$1; shift; mount -t tmpfs none "$dir" && cp "$@" "$dir" && exec "$dir/prog"'
        return self.start(["unshare", "-m", "sh", "-c", script, "sh", mount, *files])

    def capture(self, process, *options):
        self.captures += 1
        snapshot = self.path("snap-%d.bin" % self.captures)
        known.check_run([os.path.join(self.tools, "cgsnap"), "-p", str(process.pid), "-n", "1", "--force", "-q",
                         "-o", snapshot, *options])
        return snapshot

    def unwind(self, snapshot, *options):
        done = known.run([os.path.join(self.tools, "cgunwind"), "-f", "chains", *options, snapshot])
        return done.stdout.decode(), done.stderr.decode()


def end(process):
    process.kill()
    process.wait()


def expect_names(what, place, snapshot, *options):
    text, said = place.unwind(snapshot, *options)
    if not NAMED.search(text) or said:
        yield "%s: %s%s" % (what, said, text)


def expect_none(what, place, snapshot, wanted, *options):
    text, said = place.unwind(snapshot, *options)
    if "inner" in text or wanted not in said:
        yield "%s: %s%s" % (what, said, text)


def namespace(place):
    for what, options in (("namespace", []), ("namespace, no build-id", ["-Wl,--build-id=none"])):
        process = place.in_namespace(place.build("prog", *options))
        snapshot = place.capture(process)
        yield from expect_names(what, place, snapshot)
        yield from expect_names(what + ", no sandbox", place, snapshot, "--no-sandbox")
        yield from expect_none(what + ", a sysroot", place, snapshot, "not found here", "--sysroot", place.path("mount"))
        # Another program has the path here: it is not the one that was mapped.
        shutil.copy("/bin/sleep", place.path("mount", "prog"))
        yield from expect_names(what + ", another file here", place, snapshot)
        os.unlink(place.path("mount", "prog"))
        with_files = place.capture(process, "--bundle")
        end(process)
        yield from expect_none(what + ", ended", place, snapshot, "not found here")
        yield from expect_names(what + ", ended, with files", place, with_files)


def gone(place):
    for what, options in (("deleted", []), ("deleted, no build-id", ["-Wl,--build-id=none"])):
        program = place.build("prog", *options)
        process = place.start([program])
        os.unlink(program)
        snapshot = place.capture(process, "--no-jit")
        yield from expect_names(what, place, snapshot)
        place.build("prog", *options, "-DOTHER", "-O0")
        yield from expect_names(what + ", and made anew", place, snapshot)
        end(process)


def chroot(place):
    """The kernel tells its paths from our root. Below its own root there is nothing of that name."""
    root = place.path("root")
    os.makedirs(os.path.join(root, "bin"))
    for what, options in (("chroot", []), ("chroot, no build-id", ["-Wl,--build-id=none"])):
        program = place.build("prog", "-static", *options)
        shutil.copy(program, os.path.join(root, "bin", "prog"))
        process = place.start(["chroot", root, "/bin/prog"])
        snapshot = place.capture(process)
        info = known.check_run([os.path.join(place.tools, "cgunwind"), "--info", snapshot])
        if "deleted" in info or "not found" in info:
            yield "%s: %s" % (what, info)
        with_files = place.capture(process, "--bundle")
        end(process)
        yield from expect_names(what + ", ended", place, snapshot)
        os.unlink(os.path.join(root, "bin", "prog"))
        yield from expect_none(what + ", ended and gone", place, snapshot, "not found here")
        yield from expect_names(what + ", with files", place, with_files)


def build_id(place, snapshot):
    info = known.check_run([os.path.join(place.tools, "cgunwind"), "--info", snapshot])
    return bytes.fromhex(re.search(r"/prog, build-id ([0-9a-f]+)", info)[1])


def rewrite(snapshot, was, becomes):
    """The same with another build-id, checksums right."""
    with open(snapshot, "rb") as file:
        data = bytearray(file.read())
    off = 32
    while off < len(data):
        length, = struct.unpack_from("<I", data, off + 4)
        payload = bytes(data[off + 12:off + 12 + length]).replace(was, becomes)
        data[off + 12:off + 12 + length] = payload
        struct.pack_into("<I", data, off + 8, zlib.crc32(bytes(data[off:off + 8]) + payload))
        off += 12 + length
    with open(snapshot, "wb") as file:
        file.write(data)


def debug_link(place):
    """The debug file lies beside the program, in its own mount namespace, and is found by link."""
    program = place.build("prog", "-g", "-Wl,--build-id=none")
    known.check_run(["objcopy", "--only-keep-debug", program, program + ".debug"])
    known.check_run(["objcopy", "--strip-all", "--add-gnu-debuglink=" + program + ".debug", program])
    for what, process in (("here", place.start([program])), ("there", place.in_namespace(program, program + ".debug"))):
        snapshot = place.capture(process)
        yield from expect_names("debug file, " + what, place, snapshot)
        end(process)


def wrong_file(place):
    """A file that is given for the program, and is another: that is told, though the right one is found."""
    program = place.build("prog")
    process = place.start([program])
    os.unlink(program)
    os.mkdir(place.path("given"))
    shutil.copy("/bin/true", place.path("given", "prog"))
    text, said = place.unwind(place.capture(process, "--no-jit"), "-e", place.path("given", "prog"))
    if not NAMED.search(text) or "given/prog" not in said:
        yield "a wrong file given: %s%s" % (said, text)
    end(process)


def another(place):
    """A process with the number and mappings that the snapshot tells runs another program."""
    process = place.in_namespace(place.build("prog"))
    snapshot = place.capture(process)
    wanted = build_id(place, snapshot)
    rewrite(snapshot, wanted, bytes(reversed(wanted)))
    yield from expect_none("another program", place, snapshot, "not found here")
    end(process)
    process = place.in_namespace(place.build("prog", "-Wl,--build-id=none"))
    snapshot = place.capture(process)
    inode = os.stat("/proc/%d/exe" % process.pid).st_ino.to_bytes(8, "little")
    rewrite(snapshot, inode, (2**40).to_bytes(8, "little"))
    yield from expect_none("another program without build-id", place, snapshot, "not found here")
    end(process)


def unprivileged(place):
    """Nobody's own process: the links of its mappings need a capability, its root does not."""
    program = place.build("prog")
    os.chmod(place.directory, 0o777)
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    process = place.start([*nobody, program])
    os.unlink(program)
    snapshot = place.path("nobody.bin")
    known.check_run([*nobody, os.path.join(place.tools, "cgsnap"), "-p", str(process.pid), "-n", "1", "-q", "--no-jit", "-o", snapshot])
    done = known.run([*nobody, os.path.join(place.tools, "cgunwind"), "-f", "chains", snapshot])
    if not NAMED.search(done.stdout.decode()):
        yield "nobody's: %s%s" % (done.stderr.decode(), done.stdout.decode())
    end(process)


def test(tools):
    known.need("gcc", "objcopy", "unshare", "chroot", "setpriv")
    if os.geteuid() != 0:
        known.skip("only root makes mount namespaces and roots")
    with Place(tools) as place:
        for part in (gone, chroot, wrong_file, unprivileged):
            yield from part(place)
        reason = known.no_mounts()
        if reason:
            known.skip(reason)
        for part in (namespace, debug_link, another):
            yield from part(place)


if __name__ == "__main__":
    known.main(test)
