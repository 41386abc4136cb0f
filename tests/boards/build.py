#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the firmware of tests/boards/firmware: for each board, program and way of building, with
symbols and tables, and with nothing but the code.

usage: build.py DIRECTORY [WORD …]     what has all the words in its name: microbit, O2, tasks, …
"""

import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import known

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(HERE, "firmware")

ARM, RISCV = 40, 243  # e_machine


class Board:
    def __init__(self, name, machine, target, regions, clock, stack, task_stack, defines=()):
        self.name, self.machine = name, machine
        self.target = target.split()    # the compiler's options for the processor
        self.target += ["-masm-syntax-unified"] if machine == ARM else []
        self.regions = regions          # (origin, size) of code and of ram
        self.clock = clock              # the period of the clock, in its cycles
        self.stack, self.task_stack = stack, task_stack
        self.defines = list(defines)
        self.is_arm = machine == ARM
        self.word = 8 if "rv64" in target else 4
        self.prefix = "arm-none-eabi-" if self.is_arm else "riscv64-unknown-elf-"


FLASH, RAM = 256 << 10, 16 << 10

BOARDS = {board.name: board for board in (
    Board("microbit", ARM, "-mcpu=cortex-m0 -mthumb", ((0, FLASH), (0x20000000, RAM)),
          2500, 5120, 1536, ["TASK_RETURNS_TO=(uint32_t)task_ended"]),
    Board("mps2-an385", ARM, "-mcpu=cortex-m3 -mthumb", ((0, 4 * FLASH), (0x20000000, 4 * RAM)),
          3500, 8192, 2048, ["TASK_RETURNS_TO=(uint32_t)task_ended"]),
    Board("mps2-an386", ARM, "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16",
          ((0, 4 * FLASH), (0x20000000, 4 * RAM)), 3500, 8192, 2048, ["TASK_RETURNS_TO=0"]),
    Board("mps2-an505", ARM, "-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16",
          ((0x10000000, 4 * FLASH), (0x38000000, 4 * RAM)), 3000, 8192, 2048,
          ["TASK_RETURNS_TO=0xffffffff"]),
    Board("mps3-an547", ARM, "-mcpu=cortex-m55 -mthumb -mfloat-abi=hard",
          ((0x10000000, 2 * FLASH), (0x30000000, 4 * RAM)), 3000, 8192, 2048,
          ["TASK_RETURNS_TO=0xffffffff"]),
    Board("sifive_e", RISCV, "-march=rv32imac -misa-spec=2.2 -mabi=ilp32 -mcmodel=medany",
          ((0x20400000, FLASH), (0x80000000, RAM)), 1000, 4096, 1792, ["TRAP_STACK=2048"]),
    Board("virt64", RISCV, "-march=rv64gc -misa-spec=2.2 -mabi=lp64d -mcmodel=medany",
          ((0x80000000, 4 * FLASH), (0x80200000, 8 * RAM)), 1000, 16384, 4096),
)}

PROGRAMS = ("calls", "tasks", "faults")

LEVELS = {
    "O0": ["-O0"],
    "Os": ["-Os"],
    "O2": ["-O2"],
    "lto": ["-O2", "-flto", "-flto-partition=one"],
    "fp": ["-O2", "-fno-omit-frame-pointer"],
    "save": ["-Os", "-msave-restore"],  # of RISC-V
}

CLOCK_LEVEL = {"O0": 2}  # the same work takes longer


class Firmware:
    """One build: `elf` has all, `bare` the code alone."""

    def __init__(self, board, program, level, directory):
        self.board, self.program, self.level = board, program, level
        self.name = "%s-%s-%s" % (board.name, program, level)
        self.elf = os.path.join(directory, self.name + ".elf")
        self.bare = os.path.join(directory, self.name + ".bare.elf")


def all_firmware(directory, words=()):
    """Those whose names have all the words between their dashes, in a stable order."""
    made = [Firmware(board, program, level, directory)
            for board in BOARDS.values() for program in PROGRAMS for level in LEVELS
            if level != "save" or not board.is_arm]
    return [one for one in made
            if all(word in (one.board.name, one.program, one.level) for word in words)]


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise RuntimeError("%s\n%s" % (" ".join(command), done.stdout))


def link_script(firmware):
    path, board = firmware.elf.replace(".elf", ".ld"), firmware.board
    with open(path, "w") as file:
        file.write("MEMORY {\n")
        for name, access, (origin, size) in zip(("code", "ram"), ("rx", "rwx"), board.regions):
            file.write("  %s (%s) : ORIGIN = %#x, LENGTH = %#x\n" % (name, access, origin, size))
        file.write("}\nmain_stack = %d;\nINCLUDE sections.ld\n" % board.stack)
    return path


def build(firmware):
    board = firmware.board
    directory = os.path.dirname(firmware.elf)
    os.makedirs(directory, exist_ok=True)
    names = ["work.c", "tasks.c", "program_%s.c" % firmware.program]
    names += ["arm.c"] if board.is_arm else ["riscv.c", "riscv_start.S"]
    start = "Reset_Handler" if board.is_arm else "_start"
    clock = board.clock * CLOCK_LEVEL.get(firmware.level, 1)
    defines = board.defines + ["TASK_STACK=%d" % board.task_stack, "CLOCK_CYCLES=%d" % clock]
    specs = os.path.join("/usr/lib/picolibc", board.prefix[:-1], "picolibc.specs")
    known.need(board.prefix + "gcc", specs)
    run(board.prefix + "gcc", "--specs=" + specs, *board.target, *LEVELS[firmware.level],
        "-g", "-std=gnu11", "-Wall", "-ffunction-sections", "-fdata-sections", "-ffp-contract=off",
        *("-D" + define for define in defines),
        *(os.path.join(SOURCES, name) for name in names),
        "-nostartfiles", "-L", SOURCES, "-T", link_script(firmware),
        "-Wl,--gc-sections", "-Wl,-e," + start, "-Wl,-z,max-page-size=0x100",
        "-o", firmware.elf)
    run(board.prefix + "objcopy", "--strip-all", "--remove-section=.eh_frame",
        "--remove-section=.ARM.*", "--remove-section=.comment", "--remove-section=.debug*",
        firmware.elf, firmware.bare)
    return firmware


def main():
    directory, words = sys.argv[1], sys.argv[2:]
    for firmware in all_firmware(directory, words):
        build(firmware)
        print(firmware.name)


if __name__ == "__main__":
    main()
