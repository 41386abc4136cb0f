#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads of an RTOS, and what they wait for, from one halt of a board.

usage: rtos_threads.py BUILD-DIRECTORY

Firmware with a small kernel of our own (tests/boards/rtos/kernel.h) runs under QEMU; the halt's core
is read with the firmware's ELF file. Of FreeRTOS and Zephyr, which no package has, there are
programs whose variables are as those kernels' in the midst of their work, of each port.
"""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
FIRMWARE = os.path.join(ROOT, "tests", "boards", "rtos")
sys.path.insert(0, FIRMWARE)

import halted  # noqa: E402

CGUNWIND = os.path.join(sys.argv[1], "cgunwind")
M3, M4F = "mps2-an385", "mps2-an386"

failures = 0


def check(what, is_so, shown=""):
    global failures
    if not is_so:
        failures += 1
        print("FAIL: %s\n%s" % (what, shown))


def cgunwind(*args):
    done = subprocess.run([CGUNWIND, *args], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("cgunwind %s: %s" % (" ".join(args), done.stderr))
    return done.stdout, done.stderr


def samples(elf, core):
    """{name: sample} of json, with what its frames are called as `chain`."""
    names, found = {}, {}
    for line in cgunwind("-e", elf, "-f", "json", core)[0].splitlines():
        one = json.loads(line)
        if one["type"] == "thread":
            names[one["tid"]] = one["name"]
        if one["type"] == "sample":
            one["chain"] = [frame.get("function", "?") for frame in one["frames"]]
            found[names[one["tid"]]] = one
    return found


def waits_of(found):
    """{name: (kind, object, name of who has it)} of those that wait."""
    names = {one["tid"]: name for name, one in found.items()}
    return {name: (task["wait"], task.get("object", ""), names.get(task.get("holder_tid"), ""))
            for name, task in ((name, one.get("task", {})) for name, one in found.items())
            if "wait" in task}


def check_waits(what, found, expected):
    told = waits_of(found)
    for name in sorted(set(told) | set(expected)):
        check("%s: %s waits for %s" % (what, name, expected.get(name)),
              told.get(name) == expected.get(name), "    told: %s" % (told.get(name),))


def check_chains(what, found, expected):
    for name, chain in expected.items():
        told = found[name]["chain"][:len(chain)]
        check("%s: the chain of %s" % (what, name), told == chain, "    told: %s" % told)


def run(directory, program, board, function, *flags):
    """(ELF file, core) of a halt."""
    elf = halted.build(directory, program, board, *flags)
    core = elf + ".core"
    halted.halt(elf, board, core, directory, 30, function)
    return elf, core


def test_deadlock(directory, board, *flags):
    what = " ".join(("deadlock", board) + flags)
    elf, core = run(directory, "deadlock", board, "sk_rest", *flags)
    found = samples(elf, core)
    check_waits(what, found, {"red": ("mutex", "locks[1]", "green"),
                              "green": ("mutex", "locks[2]", "blue"),
                              "blue": ("mutex", "locks[0]", "red")})
    for name, priority in (("idle", 0), ("blue", 1), ("green", 2), ("red", 3)):
        task = found[name]["task"]
        check("%s: priority of %s" % (what, name), task["priority"] == priority, task)
        check("%s: stack of %s" % (what, name),
              task["stack_size"] == 384 and 0 < task["stack_used"] < 200, task)
    if "-flto" not in flags:
        check_chains(what, found, {
            name: ["unlock", "sk_receive", "take_second", "run"] for name in ("red", "green", "blue")})
    text = cgunwind("-e", elf, "-f", "waits", core)[0]
    check(what + ": is proved", "\nDeadlock: 3 threads wait for one another\n" in text, text)
    check(what + ": of one moment", "all of one moment" in text, text)
    check(what + ": no inversion", "Priority inversions" not in text, text)
    text = cgunwind("-e", elf, "-f", "threads", core)[0]
    check(what + ": threads", "blocked, priority 3, " in text and "running, priority 0, " in text, text)
    text = cgunwind("-e", elf, "-f", "waits-dot", core)[0]
    check(what + ": as a graph", text.count("locks[") >= 3, text)
    return elf, core


def test_inversion(directory):
    elf, core = run(directory, "inversion", M3, "calculate", "-Os")
    check_waits("inversion", samples(elf, core), {"high": ("mutex", "bus", "low")})
    text = " ".join(cgunwind("-e", elf, "-f", "waits", core)[0].split())
    check("inversion is shown", "Priority inversions 'high'" in text and
          "of priority 3 waits for mutex bus, held by 'low'" in text and
          "of priority 1, while 'middle'" in text and "of priority 2 runs the holder was not raised"
          in text, text)

    elf, core = run(directory, "inversion", M3, "calculate", "-Os", "-flto", "-DINHERITS")
    found = samples(elf, core)
    check_waits("inheritance", found,
                {"high": ("mutex", "bus", "low"), "low": ("queue-receive", "data", "")})
    task = found["low"]["task"]
    check("inheritance: priority", (task["priority"], task["own_priority"]) == (3, 1), task)
    text = " ".join(cgunwind("-e", elf, "-f", "waits", core)[0].split())
    check("inheritance is told",
          "the holder was raised to priority 3, and waits for queue (receive) data" in text, text)


def test_waits(directory):
    elf, core = run(directory, "waits", M3, "sk_rest", "-O2")
    found = samples(elf, core)
    check_waits("waits", found, {
        "locker": ("mutex", "mutex", "owner"), "taker": ("semaphore", "semaphore", ""),
        "receiver": ("queue-receive", "empty", ""), "sender": ("queue-send", "full", ""),
        "owner": ("delay", "", ""), "sleeper": ("delay", "", "")})
    task = found["sleeper"]["task"]
    check("ticks to go", 0 < task["tick"] < 100 and task["wake_tick"] == 2000000, task)
    text = cgunwind("-e", elf, "-f", "threads", core)[0]
    check("ticks in threads", "ticks to go" in text, text)
    check_chains("waits", found, {"sender": ["unlock", "sk_send", "run_send"],
                                  "owner": ["unlock", "sk_delay", "run_owner"]})


COMPILERS = {
    halted.EM_ARM: ["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb"],
    halted.EM_RISCV: ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-mno-relax",
                       "-msmall-data-limit=0"],
}


def image(directory, name, *flags, machine=halted.EM_ARM):
    """(ELF file, core) of a program whose variables are the halt."""
    elf = os.path.join(directory, "-".join((name, str(machine)) + flags) + ".elf")
    subprocess.run([*COMPILERS[machine], "-g", "-O1", "-ffreestanding", "-nostdlib", "-Wall",
                    "-Wextra", "-Werror", "-Wl,-e,main", *flags,
                    "-T", os.path.join(FIRMWARE, "board.ld"), "-o", elf,
                    os.path.join(FIRMWARE, name + ".c")], check=True)
    subprocess.run([COMPILERS[machine][0].replace("gcc", "objcopy"), "-O", "binary", "-j", ".data",
                    elf, elf + ".data"], check=True)
    with open(elf + ".data", "rb") as file:
        memory = file.read().ljust(halted.RAM_SIZE, b"\0")
    pc, sp = halted.symbol(elf, "main") & ~1, halted.RAM + 0x8000
    registers = ([0] * 13 + [sp, 0xffffffff, pc, 1 << 24] if machine == halted.EM_ARM
                 else [pc, 0, sp] + [0] * 29)
    halted.write_core(elf + ".core", registers, memory, machine)
    return elf, elf + ".core"


# Ports: Cortex-M0, M3, M4F with the FPU in use, M33 without and with TrustZone; 5: RISC-V.
def test_freertos(directory):
    for port, *flags in ((0,), (3,), (4,), (33,), (34,), (5,), (3, "-DVOID_HANDLES")):
        what = " ".join(["FreeRTOS, port %d" % port, *flags])
        elf, core = image(directory, "freertos", "-DPORT=%d" % port, *flags,
                          machine=halted.EM_RISCV if port == 5 else halted.EM_ARM)
        found = samples(elf, core)
        check_waits(what, found, {
            "one": ("mutex", "mutexes[1]", "two"), "two": ("mutex", "mutexes[2]", "three"),
            "three": ("mutex", "mutexes[0]", "one"), "asleep": ("semaphore", "the_semaphore", ""),
            "reader": ("queue-receive", "messages", ""), "writer": ("queue-send", "full", ""),
            "notified": ("event", "", ""), "flagged": ("event", "flags", ""),
            "sleeper": ("delay", "", "")})
        states = {name: one["task"]["state"] for name, one in found.items()}
        check(what + ": states", (states["running"], states["ready"], states["ended"],
                                  states["one"]) == ("running", "ready", "ended", "blocked"), states)
        task = found["three"]["task"]
        check(what + ": priorities", (task["priority"], task["own_priority"]) == (3, 1), task)
        task = found["reader"]["task"]
        check(what + ": ticks", (task["tick"], task["wake_tick"]) == (1000, 1500), task)
        check_chains(what, found, {name: ["work", "task_entry"]
                                   for name in found if name != "running"})
        text = cgunwind("-e", elf, "-f", "waits", core)[0]
        check(what + ": deadlock", "\nDeadlock: 3 threads wait for one another\n" in text, text)


def test_zephyr(directory):
    for machine, flags in ((halted.EM_ARM, ()), (halted.EM_ARM, ("-DUSES_4",)), (halted.EM_RISCV, ())):
        what = " ".join(("Zephyr", str(machine)) + flags)
        elf, core = image(directory, "zephyr", *flags, machine=machine)
        found = samples(elf, core)
        check_waits(what, found, {
            "one": ("mutex", "first", "two"), "two": ("mutex", "pool.lock", "one"),
            "taker": ("semaphore", "sem", ""), "getter": ("queue-receive", "input", ""),
            "putter": ("queue-send", "output", ""), "sleeper": ("delay", "", ""),
            "joiner": ("other", "end of a thread", "")})
        states = {name: one["task"]["state"] for name, one in found.items()}
        check(what + ": states", (states["running"], states["ready"], states["stopped"],
                                  states["dead"]) == ("running", "ready", "suspended", "ended"), states)
        task = found["two"]["task"]
        check(what + ": priorities", (task["priority"], task["own_priority"]) == (3, 7), task)
        check(what + ": ticks", (found["sleeper"]["task"]["wake_tick"],
                                 found["getter"]["task"]["wake_tick"]) == (5020, 5050), found)
        used = 40 if machine == halted.EM_ARM else 16
        check(what + ": stacks", all(one["task"]["stack_used"] == used for one in found.values()), found)
        # On RISC-V a thread is left in a call, as any other function is.
        chain = ["work", "task_entry"] if machine == halted.EM_ARM else ["task_entry"]
        check_chains(what, found, {name: chain for name in found if name != "running"})
        text = cgunwind("-e", elf, "-f", "waits", core)[0]
        check(what + ": deadlock", "\nDeadlock: 2 threads wait for one another\n" in text, text)
    elf, core = image(directory, "zephyr", "-DSMALL")
    out, err = cgunwind("-e", elf, "-f", "waits", core)
    check("Zephyr without a list of threads",
          "CONFIG_THREAD_MONITOR" in err and "1 thread, one moment" in out, out + err)


def test_missing(directory, elf, core):
    """What is missing of a firmware is told by name; the running context is there all the same."""
    bare = os.path.join(directory, "bare.elf")
    subprocess.run(["arm-none-eabi-objcopy", "-g", elf, bare], check=True)
    out, err = cgunwind("-e", bare, "-f", "waits", core)
    check("without debug information", "without debug information" in err and "1 thread" in out,
          out + err)
    subprocess.run(["arm-none-eabi-strip", "-o", bare, elf], check=True)
    out, err = cgunwind("-e", bare, "-f", "waits", core)
    check("without symbols", "1 thread" in out, out + err)
    subprocess.run(["arm-none-eabi-objcopy", "--compress-debug-sections", elf, bare], check=True)
    out, err = cgunwind("-e", bare, "-f", "waits", core)
    check("compressed", "decompress-debug-sections" in err and "1 thread" in out, out + err)
    elf = halted.build(directory, "deadlock", M3, "-O2", "-Dholder=has_it")
    out, err = cgunwind("-e", elf, "-f", "waits", core)
    check("a member is missing", "no member 'sk_object.holder'" in err, err)


def main():
    with tempfile.TemporaryDirectory() as directory:
        elf, core = test_deadlock(directory, M3, "-O2")
        test_deadlock(directory, M4F, "-Os")
        test_deadlock(directory, M3, "-Os", "-flto")
        test_inversion(directory)
        test_waits(directory)
        test_freertos(directory)
        test_zephyr(directory)
        test_missing(directory, elf, core)
    print("%d failures" % failures)
    return failures > 0


sys.exit(main())
