#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The known tree of threads on emulated ARM, AArch64 and RISC-V machines with Debian's kernels.

usage: arm_threads.py BUILD-DIRECTORY [arm64|armhf|riscv64]

thread_tree.c, gcc -O2, stripped, as A64, A32, T32 and RV64 program, dynamic and static, started by cgsnap and attached to: hierarchy, names and
creation chains are exact, the hashes of both captures the same. cgunwind runs here. Of static programs with the stripped file alone the
hashes are the same, too.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
import arm
import known
import thread_tree
import threads_known

SCRIPT = """
mkfifo /tmp/in-{name}
for how in started attached; do
    if [ $how = started ]; then
        /{agent} -q -F 20 --overhead 100 -o /out/{name}-$how -- /{name} </tmp/in-{name} >/tmp/ready & capture=$!
        exec 3>/tmp/in-{name}
    else
        /{name} </tmp/in-{name} >/tmp/ready & target=$!
        exec 3>/tmp/in-{name}
        sleep 1
        /{agent} -q -F 20 --overhead 100 -p $target -o /out/{name}-$how 3>&- & capture=$!
        until grep -q '^TracerPid:[^0]*[1-9]' /proc/$target/status; do sleep 0.1; done
        sleep 0.5
    fi
    echo go >&3
    until grep -q ready /tmp/ready; do sleep 0.2; done
    sleep 4
    exec 3>&-
    wait $capture; echo "status {name} $how $?"
    rm /tmp/ready
done
"""


class Program:
    def __init__(self, directory, isa, link):
        self.isa, self.name = isa, "tree-%s-%s" % (isa, link)
        self.full = os.path.join(directory, "full", self.name)
        self.stripped = os.path.join(directory, "stripped", self.name)
        for path in (self.full, self.stripped):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        options = ["-static"] if link == "static" else []
        known.check_run([*arm.COMPILE[isa], "-std=c11", "-D_GNU_SOURCE", "-O2", "-pthread", *options,
                         threads_known.SOURCE, "-o", self.full])
        known.check_run([arm.COMPILE[isa][0].replace("gcc", "strip"), "-o", self.stripped, self.full])
        self.outside = threads_known.LIBC_INSIDE if link == "static" else ()


def build(arch, directory):
    """The programs, and {path in the guest: path here}."""
    programs, files = [], arm.build_agents(*arm.NATIVE[arch])
    for isa in arm.NATIVE[arch]:
        for link in ("dynamic", "static"):
            programs.append(Program(directory, isa, link))
            files[programs[-1].name] = programs[-1].stripped
    return programs, files


def check_program(cgunwind, program, out, sysroot):
    hashes = []
    for how in ("started", "attached"):
        snapshot = os.path.join(out, program.name + "-" + how)
        told = thread_tree.Told(cgunwind, snapshot, "--sysroot", sysroot, "-e", program.full)
        try:
            thread_tree.check(told, "/" + program.name, program.outside)
        except known.Failure as failure:
            yield "%s, %s: %s" % (program.name, how, failure)
        hashes.append(told.hashes())
        if program.outside:
            bare = thread_tree.Told(cgunwind, snapshot, "--sysroot", sysroot, "-e", program.stripped)
            if bare.hashes() != told.hashes():
                yield "%s, %s: without symbols the hashes are %s, with them %s" % (
                    program.name, how, bare.hashes(), told.hashes())
    if hashes[0] != hashes[1]:
        yield "%s: hashes when started %s, when attached to %s" % (program.name, *hashes)


def check(emulator, cgunwind, arch, directory):
    programs, files = build(arch, directory)
    sysroot = arm.make_sysroot(directory, arch)
    files.update({"lib/" + name: path for name, path in arm.libraries(arch).items()})
    script = "".join(SCRIPT.format(agent=program.isa, name=program.name) for program in programs)
    out, log = arm.run(emulator, arch, files, script, directory)
    for program in programs:
        for how in ("started", "attached"):
            if "status %s %s 0\n" % (program.name, how) not in log:
                yield "%s: %s, %s: cgsnap failed" % (arch, program.name, how)
                return
        yield from check_program(cgunwind, program, out, sysroot)


def test(tools, *archs):
    emulator = arm.need_emulator(tools)
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for arch in archs or arm.NATIVE:
            failures += check(emulator, tools + "/cgunwind", arch, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
