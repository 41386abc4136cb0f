# SPDX-License-Identifier: MIT
"""The programs of this folder: building them, running them under QEMU for a while, and what a halt
leaves: an ELF core of a bare-metal target."""

import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(HERE, "..", "..", "system")]

import known  # noqa: E402
import qemu  # noqa: E402

RAM, RAM_SIZE = 0x20000000, 65536  # board.ld
EM_ARM, EM_RISCV = 40, 243

CPUS = {
    "mps2-an385": ["-mcpu=cortex-m3"],
    "mps2-an386": ["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"],
}


def build(directory, program, board, *flags):
    """The path of the program's ELF file."""
    elf = os.path.join(directory, "-".join((program, board) + flags).replace("/", "") + ".elf")
    known.need("arm-none-eabi-gcc")
    sources = [os.path.join(HERE, name + ".c") for name in ("start", "kernel", program)]
    subprocess.run(["arm-none-eabi-gcc", "-mthumb", *CPUS[board], "-ffreestanding", "-nostdlib",
                    "-Wall", "-Wextra", "-Werror", "-g", *flags,
                    "-T", os.path.join(HERE, "board.ld"), "-o", elf, *sources, "-lgcc"], check=True)
    return elf


def note(name, kind, data):
    name += b"\0"
    return struct.pack("<III", len(name), len(data), kind) + name.ljust(-len(name) % 4 + len(name),
                                                                       b"\0") + data


def write_core(path, registers, memory, machine=EM_ARM):
    """One context in NT_PRSTATUS as Linux has it: of ARM r0 to r15 and xPSR, of RISC-V (32 bits) PC
    and x1 to x31; memory in PT_LOAD."""
    status = struct.pack("<3i2H2I4I8I", 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, *[0] * 8)
    status += struct.pack("<%dI" % len(registers), *registers)
    status += bytes(8 if machine == EM_ARM else 4)  # r0 of a system call; the FPU's registers
    notes = note(b"CORE", 1, status)
    head_size = 52 + 2 * 32
    with open(path, "wb") as file:
        file.write(b"\x7fELF\1\1\1" + bytes(9))
        file.write(struct.pack("<HHIIIIIHHHHHH", 4, machine, 1, 0, 52, 0, 0, 52, 32, 2, 0, 0, 0))
        file.write(struct.pack("<8I", 4, head_size, 0, 0, len(notes), 0, 0, 4))
        file.write(struct.pack("<8I", 1, head_size + len(notes), RAM, RAM, len(memory),
                               len(memory), 6, 4))
        file.write(notes + memory)


def run_to(target, address):
    target.must(b"Z1,%x,2" % address)
    target.link.send(b"c")
    target.link.receive()
    target.must(b"z1,%x,2" % address)


def halt(elf, board, core, directory, ticks, function):
    """Runs the board for so many ticks of its kernel, until its running task comes to the function;
    the halt's core is in `core`. No clock of this machine says when."""
    places = [symbol(elf, name) & ~1 for name in ("SysTick_Handler", "PendSV_Handler", function)]
    with qemu.Machine(board, elf, directory) as target:
        for address in places[:2] * ticks + places[2:]:
            run_to(target, address)
        raw = target.registers()
        write_core(core, struct.unpack("<16I", raw[:64]) + (xpsr(raw),),
                   target.memory(RAM, RAM_SIZE))


def xpsr(raw):
    """Behind r15 there may be what a stub of gdb's older days had in between."""
    return struct.unpack("<I", raw[64:68] if len(raw) < 168 else raw[164:168])[0]


def symbol(elf, name):
    out = subprocess.run(["nm", elf], check=True, capture_output=True, text=True)
    for line in out.stdout.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[2] == name:
            return int(fields[0], 16)
    raise RuntimeError("%s has no %s" % (elf, name))
