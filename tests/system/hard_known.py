#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared by the tests of programs that broke other unwinders: hard_*.py."""

import glob
import os
import resource
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
import known


COMPILERS = {"x86_64": "gcc", "i386": "i686-linux-gnu-gcc", "arm": "arm-linux-gnueabihf-gcc",
             "arm -marm": "arm-linux-gnueabihf-gcc", "aarch64": "aarch64-linux-gnu-gcc"}
FRAMES = ("-fno-omit-frame-pointer", "-fomit-frame-pointer")


def put(directory, name, text):
    path = os.path.join(directory, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    return path


def core_of(directory, machine, program, *arguments):
    """What qemu-user writes when the program ends by a signal."""
    for old in glob.glob(os.path.join(directory, "qemu_*.core")):
        os.unlink(old)
    unlimited = lambda: resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)
    subprocess.run(["qemu-" + machine, program, *arguments], cwd=directory, check=False, capture_output=True,
                   timeout=120, preexec_fn=unlimited)
    written = glob.glob(os.path.join(directory, "qemu_%s_*.core" % os.path.basename(program)))
    if len(written) != 1:
        raise known.Failure("%s: %d cores" % (program, len(written)))
    return written[0]


def chain_of(tools, path, *options):
    """Names, trusts and the stop reason of the one thread's chain."""
    sample, = known.unwind(tools, path, *options).values()
    frames = known.real_frames(sample)
    return [frame.get("function") for frame in frames], [frame["trust"] for frame in frames], sample["stop"]


def live_chain(tools, directory, *command):
    snapshot = os.path.join(directory, "snap")
    with known.Target(command) as target:
        if target.process.stdout.readline().strip() != "ready":
            raise known.Failure("%s does not begin" % command[0])
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-n", "1", "-p", str(target.pid),
                         "-o", snapshot])
    return chain_of(tools, snapshot)


def differs(title, chain, expected, stop="thread-start"):
    names, trusts, stopped = chain
    if names[:len(expected)] != expected or stopped != stop:
        yield "%s: %s by %s, %s" % (title, names, trusts, stopped)


def told_of(tools, path, *options):
    """What cgunwind says of the file besides the chains."""
    command = [os.path.join(tools, "cgunwind"), "-f", "folded", "--no-cache", *options, path]
    return subprocess.run(command, check=True, capture_output=True, text=True).stderr
