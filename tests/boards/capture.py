#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The whole way: cgsnap captures a board through a stub, cgunwind unwinds what it wrote, and each
chain is the true one.

usage: capture.py BUILD-DIRECTORY [--halts N] [--seed N] [--only WORD …] [--all] [--show N]
                  [--keep DIRECTORY]

The stub stands between cgsnap and QEMU and lets the board go on by single steps only, so that the
true chain of each halt is known (stub.py, shadow.py). Options are those of halts.py.
"""

import os
import random
import signal
import subprocess
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build
import grade
import halts
import qemu
import shadow
import stub

# Of sifive_e a capture has the stack of the traps, and nobody tells of the one that was left.
QUICK = {"mps2-an386": ("tasks",), "virt64": ("tasks",)}


def capture(firmware, elf, code, options, snapshot, directory):
    """The halts, by their truth."""
    chance = random.Random("%s %d" % (firmware.name, options.seed))
    with qemu.Machine(firmware.board.name, firmware.elf, directory) as target:
        stack = shadow.shadow_of(target, firmware, code, chance)
        server = stub.Stub(stack, chance, halts.STEPS)
        with subprocess.Popen(
                [os.path.join(options.build, "cgsnap"), "-q", "--gdb", server.address, "-e", elf,
                 "-F", "1000", "--halt-budget", "100", "--force", "-o", snapshot],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as cgsnap:
            while len(server.halts) < options.halts and cgsnap.poll() is None:
                time.sleep(0.05)
            cgsnap.send_signal(signal.SIGINT)
            said = cgsnap.communicate(timeout=60)[0]
        server.close()
        if cgsnap.returncode:
            raise RuntimeError("cgsnap ends with %d: %s" % (cgsnap.returncode, said))
        return server.halts


def paired(found, told):
    """Each chain with its halt: they are in the same order, and not every halt was a sample."""
    pairs, at = [], 0
    for one in told:
        while at < len(found) and found[at].chain[0] != one.addresses[0]:
            at += 1
        if at == len(found):
            raise RuntimeError("chain %d of %d begins where no halt was" % (len(pairs), len(told)))
        pairs.append((found[at], one))
        at += 1
    return pairs


def measure(firmware, options, directory):
    build.build(firmware)
    code = shadow.Code(firmware)
    results = {}
    for kind, elf in (("cfi", firmware.elf), ("bare", firmware.bare)):
        snapshot = os.path.join(directory, "%s.%s.gdb.snap" % (firmware.name, kind))
        found = capture(firmware, elf, code, options, snapshot, directory)
        told = grade.chains(os.path.join(options.build, "cgunwind"), snapshot)
        if len(told) < options.halts * 0.9:
            raise RuntimeError("%d samples of %d halts" % (len(told), options.halts))
        results[kind] = grade.grade(code, *zip(*paired(found, told)))
    return results


def chosen(options, directory):
    for firmware in build.all_firmware(directory, options.only):
        if options.all or options.only or (
                firmware.program in QUICK.get(firmware.board.name, ()) and
                firmware.level in halts.QUICK[firmware.board.name]):
            yield firmware


if __name__ == "__main__":
    sys.exit(halts.run(chosen, measure))
