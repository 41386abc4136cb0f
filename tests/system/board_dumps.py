#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dumps of boards without Linux: chains of all formats are those that gdb has of the live target.

usage: board_dumps.py BUILD-DIRECTORY [--halts N] [WORD …]

Firmware of tests/boards runs on QEMU's boards and is halted in functions of its own. gdb tells the
chain, and what is in registers and memory; of Cortex-M it writes a core, too. From these are made
an ELF core, with flash and without, with flash that reads as erased, a
dump of Zephyr as a file and as a log, and files of raw memory. Of each cgunwind's chain has to be
gdb's, with the program as it is and without symbols and tables, and where the dump has the code also
without any program. Another build is refused; nothing that is cut ends without a line.
A core of a Linux program that is linked for its place needs no list of files either.

--halts N   so many halts for each function (1); WORD: boards and programs, as of tests/boards/build.py
"""

import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "boards"))
import boarddump
import build
import corefile
import qemu

# What gdb's "info registers" leaves out: by these a fault is told, and what a handler interrupted.
SYSTEM = {False: "info registers mepc mcause mtval mstatus", True: ""}

# Of each: board, program, level; the functions to halt in.
FUNCTIONS = ("fib", "visit_sum", "visit_mix", "odd")
SCENES = (("mps2-an385", "calls", "O2"), ("sifive_e", "calls", "O2"), ("virt64", "calls", "Os"))
ARCHES = {"mps2-an385": boarddump.ARM, "mps2-an386": boarddump.ARM, "microbit": boarddump.ARM,
          "sifive_e": boarddump.RISCV32, "virt64": boarddump.RISCV64}

# Of RISC-V: what they have interrupted gdb does not know, and takes RA for their return address.
TRAP_HANDLERS = ("soft_handler", "trap_handler", "trap_entry")

GDB = """
set pagination off
set confirm off
set width 0
target remote %(socket)s
python
import gdb
def tell(number):
    frame = gdb.newest_frame()
    while frame:
        # Those of inlined functions, and of ones that have left by a tail call, are gdb's own.
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            gdb.write("FRAME %%d %%d %%x %%s\\n" %% (number, frame.type(), frame.pc(), frame.name()))
        frame = frame.older()
    gdb.write("DONE %%d\\n" %% number)
end
"""
GDB_HALT = """
tbreak %(function)s
ignore $bpnum %(ignore)d
continue
echo HALT %(number)d\\n
info registers
%(system)s
python tell(%(number)d)
%(dump)s
"""


class Failure(Exception):
    pass


def check(holds, *what):
    if not holds:
        raise Failure(" ".join(str(word) for word in what))


class Run:
    def __init__(self, build_directory, directory):
        self.cgunwind = os.path.join(build_directory, "cgunwind")
        self.directory, self.chains = directory, 0

    def path(self, name, data=None):
        path = os.path.join(self.directory, name)
        if data is not None:
            with open(path, "wb") as file:
                file.write(data)
        return path

    def unwind(self, *arguments, status=0):
        done = subprocess.run([self.cgunwind, "--no-cache", "--no-inline", "-f", "chains",
                               *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, text=True)
        check(done.returncode == status, arguments, "status", done.returncode, done.stderr)
        return done

    def chain(self, *arguments):
        """The addresses, innermost first, and how the chain ends."""
        done = self.unwind(*arguments)
        addresses = [int(word, 16) for word in re.findall(r"^#\d+ +0x([0-9a-f]+)", done.stdout,
                                                          re.MULTILINE)]
        self.chains += 1
        return addresses, done


def boot(firmware, directory):
    socket = os.path.join(directory, "gdb-%s.sock" % firmware.name)
    command = qemu.PROGRAMS[firmware.board.name] + [
        "-display", "none", "-monitor", "none", "-serial", "null", "-nodefaults",
        "-icount", "shift=6,align=off,sleep=on", "-S", "-kernel", firmware.elf,
        "-gdb", "unix:%s,server=on,wait=off" % socket]
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    for _ in range(1000):
        if os.path.exists(socket):
            return machine, socket
        time.sleep(0.01)
    machine.kill()
    raise Failure("QEMU does not come up: " + " ".join(command))


class Halted:
    """What gdb has told of a halt: registers, and its chain as (kind, address, name)."""

    def __init__(self, number, function, text, prefix):
        self.number, self.function, self.prefix = number, function, prefix
        part = text[text.index("HALT %d\n" % number):text.index("DONE %d\n" % number)]
        self.registers = {}
        for name, value in re.findall(r"^(\w+) +0x([0-9a-f]+)\b", part, re.MULTILINE):
            self.registers.setdefault(name, int(value, 16))
        self.frames = [(int(kind), int(address, 16), name) for kind, address, name in
                       re.findall(r"^FRAME %d (\d+) ([0-9a-f]+) (.*)$" % number, part,
                                  re.MULTILINE)
                       if int(address, 16) >> 4 != 0xFFFFFFF]  # EXC_RETURN, which is no frame
        for i, (_, _, name) in enumerate(self.frames):
            if name in TRAP_HANDLERS:
                self.frames[i + 1:] = []
                break


def halt(firmware, directory, halts, functions=FUNCTIONS):
    """Halts the board in the functions, in turn."""
    regions = firmware.board.regions
    script, plan = GDB, []
    for turn in range(halts):
        for function in functions:
            number = len(plan)
            prefix = os.path.join(directory, "%s-%d" % (firmware.name, number))
            dumps = ["dump binary memory %s.%s 0x%x 0x%x" % (prefix, name, origin, origin + size)
                     for name, (origin, size) in zip(("code", "ram"), regions)]
            if firmware.board.is_arm: # of RISC-V gdb gives up at registers that QEMU does not have
                dumps.append("generate-core-file %s.core" % prefix)
            script += GDB_HALT % {"function": function, "number": number, "dump": "\n".join(dumps),
                                  "ignore": 3 + 7 * turn,
                                  "system": SYSTEM[firmware.board.is_arm]}
            plan.append((number, function, prefix))
    machine, socket = boot(firmware, directory)
    try:
        path = os.path.join(directory, "script.gdb")
        with open(path, "w") as file:
            file.write(script.replace("%(socket)s", socket).replace("%%", "%") + "kill\n")
        done = subprocess.run(["gdb-multiarch", "-batch", "-nx", "-x", path, firmware.elf],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              stdin=subprocess.DEVNULL, timeout=300)
    finally:
        machine.kill()
        machine.wait()
    check("DONE %d\n" % plan[-1][0] in done.stdout, "gdb:", done.stdout[-3000:])
    return [Halted(number, function, done.stdout, prefix) for number, function, prefix in plan]


def same_chain(run, halted, what, *arguments):
    """gdb stops at main; we may go on to where the board began."""
    wanted = [address for _, address, _ in halted.frames]
    found, done = run.chain(*arguments)
    check(found[:len(wanted)] == wanted, what, "of", halted.function, halted.number, "has",
          [hex(pc) for pc in found], "gdb", [(hex(pc), name) for _, pc, name in halted.frames],
          done.stderr)
    return found, done


def formats_of(run, halted, arch, regions):
    """Each format's arguments by its name; and the core with the code."""
    with open(halted.prefix + ".code", "rb") as file:
        code = (regions[0][0], file.read())
    with open(halted.prefix + ".ram", "rb") as file:
        ram = (regions[1][0], file.read())
    made = boarddump.Halt(arch, halted.registers, [ram, code])
    if arch == boarddump.ARM and "msp" not in made.registers:
        made.registers.update(msp=made.registers["sp"], psp=0)
    erased = (code[0], b"\xff" * len(code[1]))
    files = {"core": boarddump.core(made, [ram]),
             "core with code": boarddump.core(made, flags=7),
             "core with erased flash": boarddump.core(made, [ram, erased])}
    if arch == boarddump.RISCV32:
        files[CUT_CORE] = boarddump.core(made, [ram], words=18)
    for version in boarddump.ZEPHYR[arch]:
        files["Zephyr %d" % version] = boarddump.zephyr(made, version, [ram])
        files["Zephyr's log %d" % version] = boarddump.zephyr_log(files["Zephyr %d" % version])
    formats = {name: [run.path(name.replace(" ", "-"), data)] for name, data in files.items()}
    if arch == boarddump.ARM:
        formats["gdb's core"] = [halted.prefix + ".core"]
    formats["raw memory"] = ["--ram", "%s.ram@0x%x" % (halted.prefix, ram[0]), "--regs",
                             run.path("registers", boarddump.registers_text(made))]
    return formats, files["core with code"]


# What a call keeps is not in these: where a rule needs it a chain ends early.
FEW_REGISTERS = ("Zephyr 1", "Zephyr's log 1", "Zephyr 2", "Zephyr's log 2")
CUT_CORE = "cut core"


def lacks_registers(name, arch):
    return name == CUT_CORE or name in (FEW_REGISTERS[:2] if arch != boarddump.RISCV64 else FEW_REGISTERS[2:])


def prefix_of(run, halted, name, arguments):
    found, done = run.chain(*arguments)
    check((name == CUT_CORE) == ("registers are missing" in done.stderr), name, "says", done.stderr)
    wanted = [address for _, address, _ in halted.frames]
    common = min(len(found), len(wanted))
    check(found[:common] == wanted[:common] and common > 0, name, "has", [hex(pc) for pc in found],
          "gdb", [hex(pc) for pc in wanted])


def check_halt(run, firmware, halted):
    arch = ARCHES[firmware.board.name]
    formats, _ = formats_of(run, halted, arch, firmware.board.regions)
    whole = {}
    for name, arguments in formats.items():
        for elf in (firmware.elf, firmware.bare):
            if lacks_registers(name, arch):
                prefix_of(run, halted, name, arguments + ["-e", elf])
                continue
            found, done = same_chain(run, halted, name, *arguments, "-e", elf)
            check(not done.stderr, name, "says", done.stderr)
            whole.setdefault(elf, found)
            check(whole[elf] == found, name, "has another chain than the formats before")
    same_chain(run, halted, "core with code, without program", *formats["core with code"])
    return formats


def check_fault(run, board):
    """Memory and registers of RISC-V, halted in the handler of a fault, tell of it."""
    firmware = build.build(build.all_firmware(run.directory, (board, "faults", "O2"))[0])
    halted = halt(firmware, run.directory, 1, ("trap_handler",))[0]
    formats, _ = formats_of(run, halted, ARCHES[board], firmware.board.regions)
    done = run.unwind(*formats["raw memory"], "-e", firmware.elf)
    fault = re.search(r"^fault: (?!earlier)([a-z ]+?)(?: at 0x|,|$)", done.stdout, re.MULTILINE)
    check(fault and "[exception] by %s\n" % fault.group(1) in done.stdout, "no fault on", board,
          done.stdout)


def check_contradictions(run, firmware, formats):
    """A program that is not the one that ran; and what is damaged or cut."""
    with open(firmware.elf, "rb") as file:
        other = bytearray(file.read())
    done = run.unwind(*formats["core with code"], "-e", changed(run, firmware, other))
    check("is not the file that the process ran: code differs" in done.stderr, done.stderr)
    if firmware.board.is_arm:
        other = build.build(next(one for one in build.all_firmware(
            run.directory, (firmware.board.name, "faults", firmware.level))))
        for name in ("core with code", "gdb's core"):
            done = run.unwind(*formats[name], "-e", other.elf)
            check("vector table differs" in done.stderr, name, done.stderr)
    for name, arguments in formats.items():
        if name == "raw memory":
            continue
        with open(arguments[0], "rb") as file:
            data = file.read()
        end = data.rindex(b"#CD:END#") if "log" in name else len(data)
        last = () if name == "gdb's core" else (end - 1,)  # gdb's ends with section headers
        for size in (1, 3, 11, 60, 150, 300, end // 2, *last):
            cut = run.path("cut", data[:size])
            done = subprocess.run([run.cgunwind, cut, "-e", firmware.elf], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            check(done.returncode in (0, 1) and done.stderr.count("\n") >= 1, name, "cut at", size,
                  "status", done.returncode, done.stderr)
    kinds = {"core": "core of a board", "Zephyr 2": "dump of Zephyr,",
             "Zephyr's log 2": "dump of Zephyr, in a log", "raw memory": "memory and registers"}
    for name, kind in kinds.items():
        if name in formats:
            done = subprocess.run([run.cgunwind, "--info", *formats[name], "-e", firmware.elf],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            check(kind in done.stdout and firmware.elf + ": found" in done.stdout, done.stdout)


def changed(run, firmware, data):
    """The program with other code in the midst of it."""
    head = int.from_bytes(data[32:40] if data[4] == 2 else data[28:32], "little")
    entry, count = ((56, int.from_bytes(data[56:58], "little")) if data[4] == 2 else
                    (32, int.from_bytes(data[44:46], "little")))
    for i in range(count):
        at = head + i * entry
        if data[4] == 2:
            kind, flags = (int.from_bytes(data[at + k:at + k + 4], "little") for k in (0, 4))
            offset, size = (int.from_bytes(data[at + k:at + k + 8], "little") for k in (8, 32))
        else:
            kind, flags, offset, size = (int.from_bytes(data[at + k:at + k + 4], "little")
                                         for k in (0, 24, 4, 16))
        if kind == 1 and flags & 1:
            for k in range(offset + 512, offset + size - 64, 16):
                data[k] ^= 0x55
    return run.path("changed.elf", data)


LINUX = """
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) void inner(int n) { pause(); __asm__ volatile("" : : "r"(n)); }
__attribute__((noinline)) void outer(int n) { inner(n + 1); __asm__ volatile(""); }
int main(int count, char **arguments)
{
    puts("ready");
    fflush(stdout);
    outer(count);
    (void)arguments;
}
"""


def notes_of(data, offset, size):
    end = offset + size
    while offset + 12 <= end:
        name, length, kind = struct.unpack_from("<III", data, offset)
        offset += 12
        yield data[offset:offset + name], kind, data[offset + (name + 3 & ~3):][:length]
        offset += (name + 3 & ~3) + (length + 3 & ~3)


def check_linux(run):
    """A core of a program of Linux that has nothing but registers and what was writable."""
    source, program = run.path("linux.c", LINUX.encode()), run.path("linux")
    subprocess.run(["gcc", "-O1", "-static", "-no-pie", "-fno-pie", "-o", program, source],
                   check=True)
    with subprocess.Popen([program], stdout=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            subprocess.run(["gdb-multiarch", "-nx", "-q", "-batch", "-p", str(process.pid), "-ex",
                            "generate-core-file " + run.path("whole.core")], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        finally:
            process.kill()
    with open(run.path("whole.core"), "rb") as file:
        data = file.read()
    bare = corefile.Core(corefile.X86_64)
    start, count = struct.unpack_from("<Q", data, 32)[0], struct.unpack_from("<H", data, 56)[0]
    for i in range(count):
        kind, flags, offset, address, _, size, memory = struct.unpack_from("<IIQQQQQ", data,
                                                                           start + 56 * i)
        if kind == corefile.PT_NOTE:
            for name, note, description in notes_of(data, offset, size):
                if (name, note) == (b"CORE\0", corefile.PRSTATUS):
                    bare.note(name[:-1], note, description)
        elif flags & 2:
            bare.load(address, address + memory, flags, data[offset:offset + size])
    done = run.unwind(run.path("bare.core", bare.file()), "-e", program)
    names = re.findall(r"^#\d+ +\S+ ([^+ ]+)", done.stdout, re.MULTILINE)
    # How many functions of glibc are below depends on its version.
    check(names[names.index("inner"):][:3] == ["inner", "outer", "main"] and "stop: thread-start" in done.stdout and
          not done.stderr, "a core of Linux without any list:", done.stdout, done.stderr)


# Variables below the stack, in the same RAM; a task's stack is one, too.
STATICS = """
static char stack[64] = {1};
void _start(void)
{
    static int data = 42, zero;
    static const int constant = 815;
    static int *const pointer = &data;
    char *left = stack;
    __asm__ volatile(".global here\\nhere: b here" : : "r"(&data), "r"(&zero), "r"(&constant),
                     "r"(&pointer), "r"(left) : "memory");
}
"""
LAYOUTS = {
    name: "PHDRS { code PT_LOAD FLAGS(5); data PT_LOAD FLAGS(%d); }"
          "SECTIONS { . = 0x8000000; .text : { *(.text* .rodata*) } :code"
          " . = 0x20000000; .data : { *(.data*) } :data .bss : { *(.bss*) } :data }" % flags
    for name, flags in (("writable", 6), ("constant", 4))}


def check_statics(run, layout):
    """They are no part of the stack; what the dump lacks is not the file's first value."""
    program = run.path(layout + ".elf")
    subprocess.run(["arm-none-eabi-gcc", "-g", "-O1", "-mthumb", "-mcpu=cortex-m3", "-nostdlib",
                    "-Wl,--build-id=none", "-T", run.path("script.ld", LAYOUTS[layout].encode()),
                    run.path("statics.c", STATICS.encode()), "-o", program], check=True)
    listed = subprocess.run(["arm-none-eabi-nm", program], stdout=subprocess.PIPE, text=True,
                            check=True).stdout
    symbols = {name.split(".")[0]: int(address, 16)
               for address, _, name in (line.split() for line in listed.splitlines())}
    ram, end = 0x20000000, 0x20001000
    bytes_of = bytearray(end - ram)
    struct.pack_into("<I", bytes_of, symbols["data"] - ram, 43)
    for sp, in_stack in ((end - 32, False), (symbols["stack"] + 32, True)):
        registers = run.path("regs", ("pc 0x%x\nsp 0x%x\nlr 0xffffffff\nr4 0\n"
                                      % (symbols["here"], sp)).encode())
        for start in (ram, end - 64):
            dump = run.path("ram", bytes(bytes_of[start - ram:]))
            done = run.unwind("--variables", "-e", program, "--regs", registers, "--ram",
                              "%s@%x" % (dump, start))
            found = dict(re.findall(r"^ +(\w+) = (.*)", done.stdout, re.MULTILINE))
            whole = start == ram
            for name, value in (("data", "43" if whole else "<not captured>"),
                                ("zero", "0" if whole else "<not captured>"),
                                ("constant", "815")):
                check(found.get(name) == value, layout, hex(start), in_stack, name, "is",
                      found.get(name), "not", value, done.stdout, done.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--halts", type=int, default=1)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    halts = 0
    with tempfile.TemporaryDirectory() as directory:
        run = Run(options.build, directory)
        check_linux(run)
        for layout in LAYOUTS:
            check_statics(run, layout)
        for scene in SCENES:
            if not all(word in scene for word in options.words):
                continue
            firmware = build.build(build.all_firmware(directory, scene)[0])
            formats = None
            for halted in halt(firmware, directory, options.halts):
                formats = check_halt(run, firmware, halted)
                halts += 1
            check_contradictions(run, firmware, formats)
            if not firmware.board.is_arm:
                check_fault(run, firmware.board.name)
        print("board_dumps: %d halts, %d chains as gdb's" % (halts, run.chains))


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit("board_dumps: " + str(failure))
