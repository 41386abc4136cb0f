#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Why a process cannot be attached to, whoever forbids it: one line that says what it is, why, and
what to try; the process goes on.

usage: refused.py BUILD-DIRECTORY

ptrace(2) is made to fail in cgsnap by a seccomp filter, as in a sandbox, or because root lacks a
capability, as in a container; a process lets its own user not trace it. errors.sh has another tracer
and another user.
"""

import ctypes
import errno
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

# Of x86 and ARM, of x86-64, and of others, which have the same.
PTRACE = 26 if sys.maxsize < 1 << 32 else 101 if platform.machine() == "x86_64" else 117
CAP_SYS_PTRACE = 19
PR_CAPBSET_DROP, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 24, 22, 38
LIBC = ctypes.CDLL(None, use_errno=True)

SANDBOX = ("there is no ptrace here; a sandbox or an emulator leaves it out (gVisor, seccomp, "
           "qemu-user): run cgsnap outside of it, or give cgunwind a core")
FORBIDDEN = ("a container or a security module forbids ptrace: start the container with "
             "--cap-add=SYS_PTRACE, or run cgsnap outside of it")
UNDUMPABLE = "it is set-user-ID or made itself undumpable: run cgsnap as root"


NOBODY = ("--reuid", "65534", "--regid", "65534", "--clear-groups")
HIDDEN = """import ctypes, time
open("/proc/self/comm", "w").write("python3")
ctypes.CDLL(None).prctl(4, 0)  # PR_SET_DUMPABLE
print("hidden", flush=True)
time.sleep(600)"""


class Filter(ctypes.Structure):  # struct sock_fprog
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def prctl(*arguments):
    if LIBC.prctl(*arguments) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def ptrace_fails_with(error):
    """A function for the child: load the number; is it ptrace's? then fail, else allow."""
    instructions = ((0x20, 0, 0, 0), (0x15, 0, 1, PTRACE), (0x06, 0, 0, 0x00050000 | error),
                    (0x06, 0, 0, 0x7FFF0000))
    code = ctypes.create_string_buffer(b"".join(
        op.to_bytes(2, sys.byteorder) + bytes((true, false)) + value.to_bytes(4, sys.byteorder)
        for op, true, false, value in instructions))
    program = Filter(len(instructions), ctypes.addressof(code))

    def forbid(_keep=code):
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        prctl(PR_SET_SECCOMP, 2, ctypes.byref(program), 0, 0)

    return forbid


def without_capability():
    prctl(PR_CAPBSET_DROP, CAP_SYS_PTRACE, 0, 0, 0)


def cases(pid):
    """What it is, what is done to cgsnap, whom it is to capture, and what it has to say."""
    process, command = ["-p", str(pid)], ["--", "true"]
    attach, permission = "cannot attach to ", "no permission to attach to process %d (sleep); "
    yield "ENOSYS", ptrace_fails_with(errno.ENOSYS), process, attach + "process %d: " % pid + SANDBOX
    yield "ENOSYS", ptrace_fails_with(errno.ENOSYS), command, attach + "the command: " + SANDBOX
    yield ("EIO", ptrace_fails_with(errno.EIO), process,
           attach + "process %d: %s" % (pid, os.strerror(errno.EIO)))
    yield ("EPERM", ptrace_fails_with(errno.EPERM), command,
           attach + "the command: %s; %s" % (os.strerror(errno.EPERM), FORBIDDEN))
    if os.geteuid() == 0:
        yield "EPERM", ptrace_fails_with(errno.EPERM), process, permission % pid + FORBIDDEN
        yield "no capability", without_capability, process, permission % pid + FORBIDDEN


def check_undumpable(cgsnap, directory):
    """Of a user's own."""
    os.chmod(directory, 0o755)
    copy = shutil.copy(cgsnap, directory)
    with known.Target(["setpriv", *NOBODY, sys.executable, "-c", HIDDEN]) as target:
        target.process.stdout.readline()
        wanted = "no permission to attach to process %d (python3); " % target.pid + UNDUMPABLE
        yield from check("undumpable", None, ["setpriv", *NOBODY, copy], ["-p", str(target.pid)],
                         wanted)


def check(what, forbid, cgsnap, whom, wanted):
    command = [*cgsnap, "-n", "1", "-o", "/dev/null", "--force", *whom]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=60, preexec_fn=forbid, check=False)
    if done.returncode != 1 or done.stderr != "cgsnap: %s\n" % wanted:
        return ["%s, %s: status %d, '%s' instead of '%s'"
                % (what, " ".join(whom), done.returncode, done.stderr, wanted)]
    print(done.stderr, end="")
    return []


def test(tools):
    failures = []
    cgsnap = os.path.join(tools, "cgsnap")
    with subprocess.Popen(["sleep", "600"]) as target:
        try:
            for what, forbid, whom, wanted in cases(target.pid):
                failures += check(what, forbid, [cgsnap], whom, wanted)
            if target.poll() is not None:
                failures.append("the process has ended")
        finally:
            target.send_signal(signal.SIGKILL)
    if os.geteuid() == 0 and shutil.which("setpriv"):
        with tempfile.TemporaryDirectory() as directory:
            failures += check_undumpable(cgsnap, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
