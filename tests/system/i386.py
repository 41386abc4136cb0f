# SPDX-License-Identifier: MIT
"""i386 programs, for the tests beside this file: where the kernel cannot execute them, an emulated
x86-64 machine with Debian's kernel can (corpus/emulator.py).

usage: i386.py [DIRECTORY COMMAND [ARGUMENT…]]

Runs the command in that machine: it finds this machine's files at their places, none of which it
can change but those in DIRECTORY; what it changes there is lost. Its output is copied, its exit
status passed on; 77 says why there is none. Without arguments: exit status 0 if i386 programs run
here, without another machine.
"""

import os
import platform
import shlex
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

sys.path.insert(0, os.path.join(os.path.dirname(known.TESTS), "corpus"))
import emulator

GUEST = """
mkdir /host /writable
mount -t 9p -o trans=virtio,version=9p2000.L,cache=loose,msize=262144,ro {shared} /host || exit 1
mount -t tmpfs writable /writable && cp -a /host{directory}/. /writable || exit 1
mount --bind /writable /host{directory} && mount --bind /dev /host/dev || exit 1
mount -t proc proc /host/proc && mount -t sysfs sys /host/sys || exit 1
mount -t cgroup2 cgroup /host/sys/fs/cgroup || exit 1
echo 2 >/proc/sys/kernel/randomize_va_space
chroot /host env -i {environment} sh -c 'cd "$0" && exec "$@"' {command}
"""


def runs_here():
    """Whether the kernel executes a program of three instructions: exit(0)."""
    base, code = 0x08048000, b"\xb8\1\0\0\0" b"\x31\xdb" b"\xcd\x80"
    head = struct.pack("<16sHHIIIIIHHHHHH", b"\x7fELF\1\1\1", 2, 3, 1, base + 84, 52, 0, 0,
                       52, 32, 1, 0, 0, 0)
    size = len(head) + 32 + len(code)
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "exit")
        with open(path, "wb") as file:
            file.write(head + struct.pack("<8I", 1, 0, base, base, size, size, 5, 4096) + code)
        os.chmod(path, 0o755)
        try:
            return subprocess.run([path], check=False).returncode == 0
        except OSError:
            return False


def unable():
    """Why i386 programs run neither here nor in the emulated machine, or None."""
    if runs_here():
        return None
    reason = "no x86-64" if platform.machine() != "x86_64" else emulator.available("amd64")
    return "i386 programs cannot be executed here, nor emulated: " + reason if reason else None


def run_emulated(directory, *command):
    """(exit status, output) of a command in the emulated machine."""
    environment = dict(os.environ, TMPDIR=directory)
    script = GUEST.format(
        shared=emulator.SHARED, directory=shlex.quote(directory),
        environment=shlex.join("%s=%s" % item for item in environment.items()),
        command=shlex.join([os.getcwd(), *command]))
    with tempfile.TemporaryDirectory() as out:
        emulator.run("amd64", {}, script, out, shared=True)
        with open(os.path.join(out, "log"), errors="replace") as file:
            output, _, status = file.read().rpartition("status ")
    return int(status), output


def failures_of(directory, *command):
    """A test's part in the emulated machine: what it printed is copied, what it found returned."""
    try:
        status, output = run_emulated(directory, *command)
    except emulator.Failure as failure:
        return [str(failure)]
    print("emulated:\n" + output, end="")
    return ["emulated: exit status %d" % status] if status else []


def anywhere(test, tools, call):
    """The failures of a test's part "i386": the call's, made here, or the machine runs TEST TOOLS i386."""
    if runs_here():
        return list(call())
    with tempfile.TemporaryDirectory() as empty:
        return failures_of(empty, sys.executable, os.path.abspath(test), tools, "i386")


def test_of(module, tools):
    """The same, where the part is all that there is to test."""
    reason = unable()
    if reason:
        known.skip(reason)
    return anywhere(module.__file__, tools, lambda: module.test(tools, "i386"))


def main():
    if len(sys.argv) < 2:
        sys.exit(0 if runs_here() else 1)
    reason = unable()
    if reason:
        known.skip(reason)
    failures = failures_of(*sys.argv[1:])
    if failures:
        print("\n".join(failures))
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
