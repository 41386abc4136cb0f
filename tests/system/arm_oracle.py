#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The chains of stopped ARM and RISC-V programs beside those that gdb prints of the kernel's core file of the same stop.

usage: arm_oracle.py BUILD-DIRECTORY [arm64|armhf|riscv64] [--keep DIRECTORY]

In emulated kernels programs of the corpus are stopped by SIGSTOP at any instruction, captured by cgsnap, and made to dump core
before they execute another one (SIGABRT is queued while they are stopped). gdb-multiarch unwinds the core with full debug information of
program and C library; cgunwind unwinds the snapshot from the stripped files. All frames have to agree in 99.5 % of the threads. A thread
other than the one that takes the signal may have gone on a little: where its registers are others, nothing is compared, in 5 % at most.
Nor is it where the compiler's table is wrong at the very instruction, in 3 % at most (debug_frame.py tells). With a round's few threads
these shares are a matter of chance: where one is exceeded, rounds at other instants are added, three in all, and all rounds count.
Where by the table a caller has not saved its return address, gdb repeats it without end: there cgunwind's chain has to end, marked as
not complete.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus"))
import arm
import cases
import debug_frame
import emulator
import known
import snapdump
import tools as corpus_tools

FLOOR = 99.5
MOVED_MAX = 5.0
BLIND_MAX = 3.0
GDB_SECONDS = 30  # for the stops of one program; it needs one
FRAMES_MAX = 200  # the deepest chain has 66, inlined functions not counted
STOPS = 2  # of each program under each kernel, in each round
ROUNDS_MAX = 3
# What throws passes through the C++ runtime, which overwrites return addresses; a module that is gone cannot be looked up; what
# is written by hand has no debug information.
LEFT_OUT = ("throw", "plugins", "rusty", "foreign", "modules", "hand")
DEBIAN = {"arm": "armhf", "a64": "arm64", "rv64": "riscv64"}
# By which it is seen that a thread has gone on: gdb's name and the place in a snapshot. Others change when a system call is restarted.
REGISTERS = {"arm": {"sp": 13, "lr": 14, "pc": 15}, "a64": {"x30": 30, "sp": 31, "pc": 32},
             "rv64": {"ra": 1, "sp": 2, "pc": 32}}
# gdb takes some for signed; the kernel leaves the lowest bit of PC set where a handler in T32 begins.
MASK = {"arm": (1 << 32) - 2, "a64": (1 << 64) - 1, "rv64": (1 << 64) - 1}
SCRIPT = """
RANDOM=%(seed)d
ulimit -c unlimited
echo /tmp/core >/proc/sys/kernel/core_pattern
for case in %(cases)s; do
    cd /case/$case
    for stop in %(stops)s; do
        rm -f /tmp/core /tmp/ready
        ./program >/tmp/ready &
        pid=$!
        tries=0
        until [ -s /tmp/ready ] || [ $tries = 500 ]; do sleep 0.02; tries=$((tries + 1)); done
        sleep 0.$((10 + RANDOM %% 30))
        kill -STOP $pid
        /bin/cgsnap -q -n 1 -p $pid -o /out/$case.$stop.snap
        kill -ABRT $pid
        kill -CONT $pid
        wait $pid 2>/dev/null
        mv /tmp/core /out/$case.$stop.core
    done
done
"""
GDB = """
import gdb, json
for core in %(cores)r:
    gdb.execute("core-file " + core, to_string=True)
    threads = {}
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame, frames = gdb.newest_frame(), []
        registers = [int(frame.read_register(name)) & %(mask)d for name in %(registers)r]
        try:
            while frame is not None:
                if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
                    frames.append((frame.pc(), frame.name(), frame.type() == gdb.SIGTRAMP_FRAME))
                frame = frame.older()
        except gdb.error:
            pass
        threads[thread.ptid[1]] = {"registers": registers, "frames": frames}
    entry = gdb.execute("info auxv", to_string=True).split("AT_ENTRY")[1].split("\\n")[0].split()[-1]
    with open(%(output)r, "a") as file:
        file.write(json.dumps([core, {"entry": int(entry, 0), "threads": threads}]) + "\\n")
"""


def libraries(case):
    """The C library that has separate debug files, not the cross package's."""
    directory = emulator.packages(DEBIAN[cases.machine(case)], "libc6")[0]
    return [emulator.find(directory, name) for name in cases.LIBRARY_NAMES[cases.machine(case)][:2]]


def run_gdb(command, output):
    """What it wrote to `output` before it ended or was ended, {core: what GDB found}, and what it said."""
    if os.path.exists(output):
        os.remove(output)
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=GDB_SECONDS)
        said = (done.stdout + done.stderr)[-1000:]
    except subprocess.TimeoutExpired:
        said = "not done after %d s" % GDB_SECONDS
    if not os.path.exists(output):
        return {}, said
    with open(output) as file:
        return dict(json.loads(line) for line in file if line.endswith("\n")), said


def by_gdb(case, directory, cores):
    """{core: what GDB found, or why it found nothing}. After a core at which gdb fails, another one goes on."""
    root = os.path.join(directory, "root")
    place = os.path.join(root, "lib", cases.TRIPLES[cases.machine(case)])
    os.makedirs(place, exist_ok=True)
    loader, libc = libraries(case)
    shutil.copy(loader, os.path.join(root, "lib"))
    shutil.copy(libc, place)
    debug = os.path.join(emulator.packages(DEBIAN[cases.machine(case)], "libc6-dbg")[0], "usr", "lib", "debug")
    script, output = os.path.join(directory, "gdb.py"), os.path.join(directory, "gdb.json")
    command = ["gdb-multiarch", "-nx", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off"]
    for setting in ("sysroot " + root, "debug-file-directory " + debug, "backtrace past-main on",
                    "backtrace past-entry off", "backtrace limit %d" % FRAMES_MAX):
        command += ["-ex", "set " + setting]
    command += ["-ex", "file " + os.path.join(directory, "program.debug"), "-ex", "source " + script]
    found, rest = {}, list(cores)
    while rest:
        with open(script, "w") as file:
            file.write(GDB % {"cores": rest, "output": output, "registers": list(REGISTERS[cases.machine(case)]), "mask": MASK[cases.machine(case)]})
        some, said = run_gdb(command, output)
        found.update(some)
        rest = [core for core in rest if core not in found]
        if rest:
            found[rest.pop(0)] = said
    return found


class Tally:
    """What came of the threads, under one kernel or several."""

    def __init__(self):
        self.count = self.moved = self.blind = self.lost = self.complete = 0
        self.differences = []

    def percent(self):
        return 100.0 * (self.count - len(self.differences)) / max(1, self.count)

    def add(self, other):
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def too_few_compared(self):
        stopped = self.count + self.moved + self.blind
        return self.moved > MOVED_MAX / 100 * stopped or self.blind > BLIND_MAX / 100 * stopped


class Program:
    """A case's file with its debug information."""

    def __init__(self, case, directory):
        path = os.path.join(directory, "program.debug")
        self.table = debug_frame.Table(path, cases.TRIPLES[cases.machine(case)] + "-objdump")
        out = subprocess.run(["readelf", "-W", "-h", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.entry = int(re.search(r"Entry point address: +0x([0-9a-f]+)", out)[1], 16)

    def where_lost(self, frames, bias):
        """
        The index of the frame whose caller cannot be found, by the table, or None. What a signal interrupted is no caller; who calls
        an outlined prologue of RISC-V has not lost its return address.
        """
        for index in range(1, len(frames)):
            outlined = (frames[index - 1][1] or "").startswith("__riscv_save_")
            if not frames[index - 1][2] and not outlined and self.table.loses(frames[index][0] - bias):
                return index
        return None


def snapshot_registers(case, snapshot):
    """{tid: registers}"""
    places, mask = REGISTERS[cases.machine(case)].values(), MASK[cases.machine(case)]
    with open(snapshot, "rb") as file:
        reader = snapdump.Reader(file)
        reader.header()
        return {record["tid"]: [record["regs"][place] & mask for place in places]
                for record in reader.records() if record["type"] == "sample"}


def compare_thread(case, sample, registers, theirs, program, bias, tally):
    """None, or how they differ."""
    ours = [int(frame["pc"], 16) for frame in sample["frames"]]
    frames = theirs["frames"]
    if registers != theirs["registers"]:
        tally.count -= 1
        tally.moved += 1
        return None
    if ours[0] == frames[0][0] and ours[0] - bias in program.table.blind:
        tally.count -= 1
        tally.blind += 1
        return None
    lost = program.where_lost(frames, bias)
    if lost is not None:
        frames = frames[:lost + 1]
        tally.lost += 1
    if ours == [frame[0] for frame in frames] and (lost is None or sample["stop"] != cases.STOP):
        return None
    return "cgunwind %s (%s)\n    gdb %s%s" % (" ".join("%x" % pc for pc in ours), sample["stop"], " ".join(
        "%x:%s" % (frame[0], frame[1]) for frame in frames), "" if lost is None else " (no return address)")


def compare(case, directory, cgunwind, snapshot, found, program, tally):
    registers = snapshot_registers(case, snapshot)
    for sample in cases.unwind(cgunwind, case, directory, snapshot, files=libraries(case)):
        tally.count += 1
        tally.complete += sample["stop"] == cases.STOP
        theirs = None if isinstance(found, str) else found["threads"].get(str(sample["tid"]))
        if isinstance(found, str):
            difference = "gdb failed: " + found
        elif not theirs or not theirs["frames"]:
            difference = "gdb has no thread %d" % sample["tid"]
        else:
            difference = compare_thread(case, sample, registers[sample["tid"]], theirs, program,
                                        found["entry"] - program.entry, tally)
        if difference:
            tally.differences.append("%s: %s" % (os.path.basename(snapshot), difference))


def check_kernel(tools, kernel, output, seed):
    """The Tally of one round, which stops the programs at instants that `seed` chooses."""
    chosen = [case for case in cases.all_cases()
              if kernel in cases.kernels(case) and case.program not in LEFT_OUT]
    capture = corpus_tools.capture
    script = SCRIPT % {"cases": " ".join(case.name for case in chosen), "stops": " ".join(map(str, range(STOPS))),
                       "seed": seed}
    result = os.path.join(output, "oracle-%s-%d" % (kernel, seed))
    files = capture.guest_files(chosen, output, capture.agent(kernel), libraries)
    for case in chosen:  # gdb wants the very file that ran; its code and its build-id are those of the stripped one
        place = "case/%s/program" % case.name
        files[place] = os.path.join(output, "cases", case.name, "program.debug")
    seconds = emulator.run(kernel, files, script, result, counted=True)
    print("%s: %d programs stopped %d times each in %d s" % (kernel, len(chosen), STOPS, seconds))
    tally = Tally()
    for case in chosen:
        directory = os.path.join(output, "cases", case.name)
        stops = [os.path.join(result, "%s.%d" % (case.name, stop)) for stop in range(STOPS)]
        for stop in stops:
            if not os.path.exists(stop + ".core") or not os.path.exists(stop + ".snap"):
                raise cases.Failure("no core file or no snapshot: " + os.path.basename(stop))
        found = by_gdb(case, directory, [stop + ".core" for stop in stops])
        program = Program(case, directory)
        for stop in stops:
            compare(case, directory, os.path.join(tools, "cgunwind"), stop + ".snap", found[stop + ".core"], program, tally)
    return tally


def test(tools, *arguments):
    reason = emulator.available(*arm.NATIVE)
    if reason:
        known.skip(reason)
    known.need("gdb-multiarch", "cmake", "ninja", "clang", "arm-linux-gnueabihf-g++", "aarch64-linux-gnu-g++", "riscv64-linux-gnu-g++")
    begin = time.monotonic()
    kernels, keep = arm.kept(arguments)
    output = keep or tempfile.mkdtemp(prefix="cg-oracle-")
    failures, total = [], Tally()
    try:
        corpus_tools.capture.build(output)
        for seed in range(1, ROUNDS_MAX + 1):
            for kernel in kernels:
                tally = check_kernel(tools, kernel, output, seed)
                print("%s: %d of %d threads agree with gdb in every frame, %.2f %%; %d chains are complete, %d end where no return "
                      "address was saved; not compared: %d that had moved on, %d where the compiler's table is wrong" % (
                          kernel, tally.count - len(tally.differences), tally.count, tally.percent(), tally.complete, tally.lost,
                          tally.moved, tally.blind))
                for difference in tally.differences:
                    print("differs: " + difference)
                total.add(tally)
                if tally.count < STOPS * 20:
                    failures.append("%s: %d threads" % (kernel, tally.count))
            if not total.too_few_compared():
                break
        if total.percent() < FLOOR or total.too_few_compared():
            failures.append("%d of %d threads agree, %d had moved on, at %d the table is wrong" % (
                total.count - len(total.differences), total.count, total.moved, total.blind))
    except (cases.Failure, emulator.Failure) as failure:
        failures.append(str(failure))
    finally:
        if not keep:
            shutil.rmtree(output)
    print("%d s" % (time.monotonic() - begin))
    return failures


if __name__ == "__main__":
    known.main(test)
