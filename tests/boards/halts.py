#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chains of firmware at instructions that nobody chose, beside the truth that a shadow stack kept.

usage: halts.py BUILD-DIRECTORY [--halts N] [--seed N] [--only WORD …] [--all] [--show N]
                [--keep DIRECTORY] [--family arm|riscv] [--without-psp] [--inside FUNCTION]

Firmware of our own runs on QEMU's boards and is stepped through; every so many steps, by the seed,
its registers and stacks are taken, and the chain of calls as it is (shadow.py). cgunwind reads the
same halts twice: with the firmware's symbols and tables, and with nothing but its code. A chain is
exact when it has all frames of the truth, no others, and is told to be complete.

  --halts N      of each firmware
  --only WORD    the board (microbit, mps2-an386, sifive_e, …), program (calls, tasks, faults) or
                 level (O0, Os, O2, lto, fp, save); several words must all hold
  --all          all firmware; otherwise one level of each board and program
  --family F     its boards only
  --show N       how many differences of each firmware to print
  --keep DIR     the firmware and the snapshots stay there
  --without-psp  as if MSP and PSP were not known, of which QEMU 7.2 tells nothing
  --inside F     halts at every instruction of this function instead, whenever it is executed
"""

import argparse
import collections
import os
import random
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boardsnap
import build
import grade
import qemu
import shadow

QUICK = {"microbit": ("Os",), "mps2-an385": ("O2",), "mps2-an386": ("O2",), "mps2-an505": ("lto",),
         "mps3-an547": ("O2",), "sifive_e": ("Os",), "virt64": ("O2",)}
STEPS = (1, 200)
KINDS = ("exact", "open", "short", "wrong", "false")


def vectors_of(firmware, code):
    """What a BOARD record has: the vector table, initial SP, reset handler."""
    board = firmware.board
    if not board.is_arm:
        return 0, 0, code.symbols["_start"][0]
    return board.regions[0][0], code.symbols["stack_top"][0], code.symbols["Reset_Handler"][0]


def next_halt(stack, chance, inside):
    stack.run(1 if inside else chance.randint(*STEPS))
    while inside and stack.code.function(stack.pc) != inside:
        stack.run(1)
    return stack.halt()


def take(firmware, code, count, seed, directory, inside=None):
    """Halts, each with its truth."""
    chance = random.Random("%s %d" % (firmware.name, seed))
    with qemu.Machine(firmware.board.name, firmware.elf, directory) as target:
        stack = shadow.shadow_of(target, firmware, code, chance)
        return [next_halt(stack, chance, inside) for _ in range(count)]


def measure(firmware, options, directory):
    """{"cfi" or "bare": (counts, differences)}"""
    build.build(firmware)
    code = shadow.Code(firmware)
    halts = take(firmware, code, options.halts, options.seed, directory, options.inside)
    if options.without_psp:
        for halt in halts:
            halt.mask |= (3 << 17 if firmware.board.is_arm else 0)
    results = {}
    for kind, elf in (("cfi", firmware.elf), ("bare", firmware.bare)):
        snapshot = os.path.join(directory, "%s.%s.snap" % (firmware.name, kind))
        boardsnap.write(snapshot, elf, firmware.board, vectors_of(firmware, code), halts)
        told = grade.chains(os.path.join(options.build, "cgunwind"), snapshot)
        results[kind] = grade.grade(code, halts, told)
        if not options.keep:
            os.unlink(snapshot)
    return results


def print_row(name, kind, counts):
    total = sum(counts.values())
    print("%-28s %-5s %6d %s  %6.2f %%" % (
        name, kind, total, " ".join("%6d" % counts[key] for key in KINDS),
        100 * counts["exact"] / max(1, total)), flush=True)


def chosen(options, directory):
    for firmware in build.all_firmware(directory, options.only):
        if options.all or options.only or firmware.level in QUICK[firmware.board.name]:
            yield firmware


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--halts", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--show", type=int, default=2)
    parser.add_argument("--keep")
    parser.add_argument("--family", choices=("arm", "riscv"))
    parser.add_argument("--without-psp", action="store_true")
    parser.add_argument("--inside")
    return parser.parse_args()


def run(chosen, measure):
    """What to measure, of options and directory; how, as `measure`. The exit status."""
    options = parse()
    options.build = os.path.abspath(options.build)
    sums = collections.defaultdict(collections.Counter)
    print("%-28s %-5s %6s %s" % ("firmware", "", "halts", " ".join("%6s" % k for k in KINDS)))
    with tempfile.TemporaryDirectory() as temporary:
        directory = options.keep or temporary
        for firmware in chosen(options, directory):
            if options.family and (options.family == "arm") != firmware.board.is_arm:
                continue
            for kind, (counts, differences) in measure(firmware, options, directory).items():
                print_row(firmware.name, kind, counts)
                sums["all", kind].update(counts)
                sums[firmware.board.name, kind].update(counts)
                for _, text in differences[: options.show]:
                    print(text)
    for (name, kind), counts in sorted(sums.items()):
        print_row(name, kind, counts)
    return verdict(sums)


def verdict(sums):
    failed = False
    for kind in ("cfi", "bare"):
        counts = sums["all", kind]
        share = counts["exact"] / max(1, sum(counts.values()))
        for what, good in (("%s: 99.5 %% exact" % kind, share >= 0.995),
                           ("%s: none falsely complete" % kind, not counts["false"])):
            print("%s %s" % ("PASS" if good else "FAIL", what))
            failed |= not good
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(run(chosen, measure))
