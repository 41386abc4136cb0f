#!/usr/bin/env python3
"""The chains of stopped ARM programs beside those that gdb prints of the kernel's core file of the same stop.

usage: arm_oracle.py BUILD-DIRECTORY [--keep DIRECTORY]

In emulated kernels programs of the corpus are stopped by SIGSTOP at any instruction, captured by cgsnap, and made to dump core
before they execute another one (SIGABRT is queued while they are stopped). gdb-multiarch unwinds the core with full debug information of
program and C library; cgunwind unwinds the snapshot from the stripped files. All frames have to agree in 99.5 % of the threads. A thread
other than the one that takes the signal may have gone on a little: where its PC is another one, nothing is compared, in 5 % at most.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus"))
import cases
import emulator
import known
import tools as corpus_tools

FLOOR = 99.5
MOVED_MAX = 5.0
STOPS = 2  # of each program under each kernel
# What throws passes through the C++ runtime, which overwrites return addresses; a module that is gone cannot be looked up; what
# is written by hand has no debug information.
LEFT_OUT = ("throw", "plugins", "rusty", "foreign", "modules", "hand")
DEBIAN = {"arm": "armhf", "a64": "arm64"}
SCRIPT = """
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
        echo %(single)son >/dev/console
        sleep 0.$((10 + RANDOM %% 30))
        kill -STOP $pid
        echo %(single)soff >/dev/console
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
found = {}
for core in %(cores)r:
    gdb.execute("core-file " + core, to_string=True)
    threads = {}
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame, pcs = gdb.newest_frame(), []
        try:
            while frame is not None:
                if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
                    pcs.append((frame.pc(), frame.name()))
                frame = frame.older()
        except gdb.error:
            pass
        threads[thread.ptid[1]] = pcs
    found[core] = threads
with open(%(output)r, "w") as file:
    json.dump(found, file)
"""


def libraries(case):
    """The C library that has separate debug files, not the cross package's."""
    directory = emulator.packages(DEBIAN[cases.machine(case)], "libc6")[0]
    return [emulator.find(directory, name) for name in cases.LIBRARY_NAMES[cases.machine(case)][:2]]


def by_gdb(case, directory, cores):
    """{core: {tid: [(pc, name)]}}"""
    root = os.path.join(directory, "root")
    place = os.path.join(root, "lib", {"arm": "arm-linux-gnueabihf", "a64": "aarch64-linux-gnu"}[cases.machine(case)])
    os.makedirs(place, exist_ok=True)
    loader, libc = libraries(case)
    shutil.copy(loader, os.path.join(root, "lib"))
    shutil.copy(libc, place)
    debug = os.path.join(emulator.packages(DEBIAN[cases.machine(case)], "libc6-dbg")[0], "usr", "lib", "debug")
    script, output = os.path.join(directory, "gdb.py"), os.path.join(directory, "gdb.json")
    with open(script, "w") as file:
        file.write(GDB % {"cores": cores, "output": output})
    command = ["gdb-multiarch", "-nx", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off"]
    for setting in ("sysroot " + root, "debug-file-directory " + debug, "backtrace past-main on",
                    "backtrace past-entry off"):
        command += ["-ex", "set " + setting]
    command += ["-ex", "file " + os.path.join(directory, "program.debug"), "-ex", "source " + script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    if not os.path.exists(output):
        raise cases.Failure("gdb: " + (done.stdout + done.stderr)[-2000:])
    with open(output) as file:
        return json.load(file)


class Tally:
    """What came of the threads under one kernel."""

    def __init__(self):
        self.count = self.moved = self.complete = 0
        self.differences = []

    def percent(self):
        return 100.0 * (self.count - len(self.differences)) / max(1, self.count)


def compare(case, directory, cgunwind, snapshot, threads, tally):
    for sample in cases.unwind(cgunwind, case, directory, snapshot, files=libraries(case)):
        theirs = threads.get(str(sample["tid"]))
        tally.count += 1
        if not theirs:
            tally.differences.append("%s: gdb has no thread %d" % (case.name, sample["tid"]))
            continue
        ours = [int(frame["pc"], 16) for frame in sample["frames"]]
        tally.complete += sample["stop"] == cases.STOP
        if ours[0] != theirs[0][0]:
            tally.count -= 1
            tally.moved += 1
        elif ours != [pc for pc, _ in theirs]:
            tally.differences.append("%s: cgunwind %s (%s)\n    gdb %s" % (
                os.path.basename(snapshot), " ".join("%x" % pc for pc in ours), sample["stop"],
                " ".join("%x:%s" % (pc, name) for pc, name in theirs)))


def check_kernel(tools, kernel, output):
    """A Tally."""
    chosen = [case for case in cases.all_cases()
              if kernel in cases.kernels(case) and case.program not in LEFT_OUT]
    capture = corpus_tools.capture
    script = SCRIPT % {"cases": " ".join(case.name for case in chosen), "single": emulator.SINGLE.decode(),
                       "stops": " ".join(map(str, range(STOPS)))}
    result = os.path.join(output, "oracle-" + kernel)
    files = capture.guest_files(chosen, output, capture.agent(kernel), libraries)
    for case in chosen:  # gdb wants the very file that ran; its code and its build-id are those of the stripped one
        place = "case/%s/program" % case.name
        files[place] = os.path.join(output, "cases", case.name, "program.debug")
    seconds = emulator.run(kernel, files, script, result, timeout=480)
    print("%s: %d programs stopped %d times each in %d s" % (kernel, len(chosen), STOPS, seconds))
    tally = Tally()
    for case in chosen:
        directory = os.path.join(output, "cases", case.name)
        stops = [os.path.join(result, "%s.%d" % (case.name, stop)) for stop in range(STOPS)]
        for stop in stops:
            if not os.path.exists(stop + ".core") or not os.path.exists(stop + ".snap"):
                raise cases.Failure("no core file or no snapshot: " + os.path.basename(stop))
        chains = by_gdb(case, directory, [stop + ".core" for stop in stops])
        for stop in stops:
            compare(case, directory, os.path.join(tools, "cgunwind"), stop + ".snap", chains[stop + ".core"], tally)
    return tally


def test(tools, option=None, keep=None):
    reason = emulator.available()
    if reason:
        known.skip(reason)
    known.need("gdb-multiarch", "cmake", "ninja", "clang", "arm-linux-gnueabihf-g++", "aarch64-linux-gnu-g++")
    begin = time.monotonic()
    output = keep if option == "--keep" else tempfile.mkdtemp(prefix="cg-oracle-")
    failures, count, different, moved = [], 0, 0, 0
    try:
        corpus_tools.capture.build(output)
        for kernel in cases.KERNELS:
            tally = check_kernel(tools, kernel, output)
            print("%s: %d of %d threads agree with gdb in every frame, %.2f %%; %d chains are complete; %d had moved on" % (
                kernel, tally.count - len(tally.differences), tally.count, tally.percent(), tally.complete, tally.moved))
            for difference in tally.differences:
                print("differs: " + difference)
            count, different, moved = count + tally.count, different + len(tally.differences), moved + tally.moved
            if tally.count < STOPS * 20:
                failures.append("%s: %d threads" % (kernel, tally.count))
        if count - different < FLOOR / 100 * count or moved > MOVED_MAX / 100 * (count + moved):
            failures.append("%d of %d threads agree, %d had moved on" % (count - different, count, moved))
    except (cases.Failure, emulator.Failure) as failure:
        failures.append(str(failure))
    finally:
        if option != "--keep":
            shutil.rmtree(output)
    print("%d s" % (time.monotonic() - begin))
    return failures


if __name__ == "__main__":
    known.main(test)
