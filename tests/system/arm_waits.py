#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What blocked threads wait for, and who for whom, on emulated ARM, AArch64 and RISC-V machines with Debian's kernels.

usage: arm_waits.py BUILD-DIRECTORY [arm64|armhf|riscv64]

waits_known.py's program and some cases of deadlocks.py's as A64, A32, T32 and RV64 programs, with glibc's and musl's locks, with names and
stripped: captured live by cgsnap as it is made for the target. Read here, by waittool and by cgunwind, they are what those tests demand
of x86: kinds, objects and owners are exact, and so is what is told of deadlocks. The dynamic programs' libraries are stripped, as they
are on targets. The machines' time is counted in instructions: whether the host is busy makes no difference.
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import arm
import deadlocks
import known
import waits_known

KINDS = (("glibc", "dynamic"), ("glibc", "stripped"), ("musl", "static"), ("musl", "stripped"))
# Debian 12's linker dies of the symbols of musl for RISC-V, which is of Debian 13; not where it strips.
WITHOUT = {"rv64": {("musl", "static")}}
JUMPED = {"a64": {"checked", "robust", "pi", "sem", "join", "once2"},
          "a32": {"robust", "pi", "sem", "once2"}, "t32": {"robust", "pi", "sem", "once2"},
          "rv64": {"checked", "robust", "pi", "sem", "join", "once2"}}
JUMPED_SINCE = (2, 41), {"a32": {"checked"}, "t32": {"checked"}}  # as gcc 14 made Debian 13's
CASES = {"glibc": ("two", "three", "readers", "self"), "musl": ("two",)}
WAITS = """
/waits/{name} {library} >/out/{name}.says & target=$!
until grep -q ready /out/{name}.says 2>/dev/null; do sleep 0.1; done
while cat /proc/$target/task/*/status | grep '^State:' | grep -qv 'S (sleeping)'; do sleep 0.1; done
for task in /proc/$target/task/*; do echo "${{task##*/}} $(cat $task/comm)"; done >/out/{name}.names
/{isa} -q -n 1 -p $target -o /out/{name}.snap; echo "status {name} $?"
kill -9 $target
"""
STUCK = """
{environment} /deadlocks/{name} {case} >/tmp/ready & target=$!
until grep -q ready /tmp/ready; do sleep 0.1; done
/{isa} -q -F 20 --overhead 100 -d 2 -p $target -o /out/{name}-{case}.snap; echo "status {name}-{case} $?"
kill -9 $target
"""


class Told:
    """What waits_known.Waiting has, as it was written down in the machine."""

    def __init__(self, out, name):
        self.expected = {}
        with open(os.path.join(out, name + ".says"), encoding="utf-8") as file:
            for line in file:
                if line != "ready\n":
                    waits_known.expect(self.expected, line)
        with open(os.path.join(out, name + ".names"), encoding="utf-8") as file:
            self.names = {int(tid): name for tid, name in map(str.split, file)}


def jumped(arch, isa):
    with open(arm.libraries(arch)["libc.so.6"], "rb") as library:
        version = re.search(rb"release version (\d+)\.(\d+)", library.read())
    since, more = JUMPED_SINCE
    return JUMPED[isa] | (more.get(isa, set()) if tuple(map(int, version.groups())) >= since else set())


def waits_programs(arch, isa, directory):
    for library, linked in (kind for kind in KINDS if kind not in WITHOUT.get(isa, ())):
        program = waits_known.Program(isa, library, linked, directory)
        if linked == "dynamic":
            program.jumped = jumped(arch, isa)
            program.files += arm.libraries(arch).values()
        yield program


def deadlock_programs(arch, isa, directory):
    for library in CASES:
        if (library, "static") in WITHOUT.get(isa, ()):
            continue
        program = deadlocks.Program(isa, library, library == "musl", directory)
        if library == "glibc":
            program.files += arm.libraries(arch).values()
        yield program


def check_waits(tools, program, out):
    target = Told(out, program.name)
    if len(target.expected) < 30 or len(target.names) != len(target.expected) + 1:
        yield "%s: %d threads said what they wait for" % (program.title, len(target.expected))
    snapshot = os.path.join(out, program.name + ".snap")
    yield from waits_known.check_file(tools, program, target, snapshot, False)


def check_deadlock(tools, program, case, out):
    snapshot = os.path.join(out, "%s-%s.snap" % (program.name, case))
    files = [option for path in program.files for option in ("-e", path)]
    report = deadlocks.waits(tools, snapshot, *files)
    for wrong in deadlocks.checks_of(program, case)(program, case, report, False):
        yield "%s, %s: %s\n%s" % (program.title, case, wrong, report[:3000])
    print("%s: %s" % (program.title, case))


def build(arch, directory):
    """The programs of waits.c, and those of deadlocks.c with each case; all are built."""
    waits, stuck = [], []
    for isa in arm.NATIVE[arch]:
        waits += waits_programs(arch, isa, os.path.join(directory, "waits"))
        for program in deadlock_programs(arch, isa, os.path.join(directory, "deadlocks")):
            program.build()
            stuck += [(program, case) for case in CASES[program.library]]
    for program in waits:
        program.build()
    return waits, stuck


def capture(emulator, arch, agents, waits, stuck, directory):
    """All in one machine: where the snapshots are."""
    files = {"lib/" + name: path for name, path in arm.libraries(arch).items()}
    files.update({isa: agents[isa] for isa in arm.NATIVE[arch]})
    for program in {*waits, *(program for program, _ in stuck)}:
        files[os.path.relpath(program.path, directory)] = program.path
    script = "".join(WAITS.format(name=program.name, library=program.library, isa=program.arch)
                     for program in waits)
    script += "".join(STUCK.format(environment=" ".join("%s=%s" % item for item in program.environment.items()),
                                   name=program.name, case=case, isa=program.arch) for program, case in stuck)
    out, log = arm.run(emulator, arch, files, script, directory)
    captured = len(re.findall("^status .* 0$", log, re.MULTILINE))
    if captured != len(waits) + len(stuck):
        raise known.Failure("%s: %d captures of %d" % (arch, captured, len(waits) + len(stuck)))
    return out


def check(emulator, tools, arch, agents, directory):
    waits, stuck = build(arch, directory)
    out = capture(emulator, arch, agents, waits, stuck, directory)
    for program in waits:
        yield from check_waits(tools, program, out)
    for program, case in stuck:
        yield from check_deadlock(tools, program, case, out)


def test(tools, *archs):
    emulator = arm.need_emulator(tools)
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-waits-") as directory:
        for name in ("waits", "deadlocks"):
            os.mkdir(os.path.join(directory, name))
        for arch in archs or arm.NATIVE:
            agents = arm.build_agents(*arm.NATIVE[arch])
            failures += check(emulator, tools, arch, agents, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
