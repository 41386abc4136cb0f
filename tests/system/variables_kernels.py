# SPDX-License-Identifier: MIT
"""Moments of programs under Debian's kernels for ARM, AArch64 and RISC-V, emulated: of each the snapshot
that cgsnap takes there and the core that the kernel writes, both of one stop.

The program waits below a signal handler, is stopped, captured, and gets SIGABRT before it goes on.
Only threads that do not take that signal may be a few instructions on in the core.
"""

import os
import sys

sys.dont_write_bytecode = True
import arm
import emulator
import known
import variables_moments as moments
from variables_moments import LEVELS, Build

ARCHS = {"a64": moments.ARM64, "a32": moments.ARMHF, "t32": moments.ARMHF,
         "rv64": moments.RISCV64}
SEEDS = ("1", "77", "20261", "90909090")
PREPARE = """
ulimit -c unlimited
echo /tmp/core >/proc/sys/kernel/core_pattern
"""
SCRIPT = """
rm -f /tmp/core
: >/tmp/ready
/{name} {seed} >/tmp/ready & target=$!
tries=0
until grep -q ready /tmp/ready || [ $tries = 500 ]; do sleep 0.02; tries=$((tries + 1)); done
sleep 0.2
kill -STOP $target
tries=0
until grep -q '^State:.T' /proc/$target/status || [ $tries = 500 ]; do
    sleep 0.02; tries=$((tries + 1))
done
/{isa} -q -n 1 -p $target -o /out/{name}.{seed}.snap
echo "status {name} {seed} $?"
kill -ABRT $target
kill -CONT $target
wait $target 2>/dev/null
mv /tmp/core /out/{name}.{seed}.core
"""


def builds(isa):
    for language in ("c", "cxx"):
        for level in LEVELS:
            for dwarf in ("-gdwarf-4", "-gdwarf-5"):
                yield Build(ARCHS[isa], language, "gcc", level, (*arm.COMPILE[isa][1:], dwarf))


def title(isa, build):
    return " ".join(["kernel", isa, build.language, build.compiler, build.level, *build.options])


def group_of(moment_title):
    """The line of the table: all but the instruction set's options and the DWARF version."""
    return " ".join(moment_title.split()[:5])


def of_kernel(kernel, chosen, directory):
    """A moment each of the builds [(isa, build)], which the kernel can execute, and seeds."""
    files = arm.build_agents(*sorted({isa for isa, _ in chosen}))
    script, found = PREPARE, []
    out = os.path.join(directory, "out-" + kernel)
    for isa, build in chosen:
        exe = moments.make(build, directory)
        name = os.path.basename(exe)
        files[name] = exe
        for seed in SEEDS:
            script += SCRIPT.format(name=name, isa=isa, seed=seed)
            prefix = os.path.join(out, "%s.%s." % (name, seed))
            found.append(moments.Moment(title(isa, build), build.level, exe, prefix + "core",
                                        {"stack": prefix + "snap"}))
    arm.run(emulator, kernel, files, script, directory)
    for moment in found:
        for path in (moment.core, *moment.snapshots.values()):
            if not os.path.exists(path):
                raise known.Failure("%s: the machine has left no %s" % (
                    moment.title, os.path.basename(path)))
    return found
