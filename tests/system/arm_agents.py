#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgsnap on emulated ARM, AArch64 and RISC-V machines with Debian's kernels.

usage: arm_agents.py BUILD-DIRECTORY [arm64|armhf|riscv64]

A64, A32, T32 and RV64 programs are captured as what they are, by each cgsnap that can; what each sample holds
must be where the program is: innermost() for threads that work, and SP in a stack that was captured to its end. A 32-bit
cgsnap refuses a 64-bit program. The pointer authentication mask is the kernel's. Being stopped does
not show as EINTR, and does not hide the EINTR of a signal that is handled, nor make one. cgsnap keeps at most 1 MiB for itself.
"""

import os
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
import arm
import known
import snapfile

MACHINE = {"a64": 183, "a32": 40, "t32": 40, "rv64": 243}
# Numbers of SP and PC, and how many registers there are.
REGISTERS = {"a64": (31, 32, 33), "a32": (13, 15, 17), "t32": (13, 15, 17), "rv64": (2, 32, 33)}
RUNS = {  # kernel: (agent, program)
    "arm64": [("a64", "a64"), ("a64", "a32"), ("a64", "t32"), ("a32", "a32"), ("t32", "t32")],
    "armhf": [("a32", "a32"), ("t32", "t32")],
    "riscv64": [("rv64", "rv64")],
}
PRIVATE_MAX_KB = 1024
# Debian's kernel does not tell a tracer the first argument of an A64 program's call any more (restart.h).
MAY_SEE = {"a64": True, "a32": False, "t32": False, "rv64": False}

FIFTY = """#include <pthread.h>
#include <unistd.h>
static volatile unsigned sink;
__attribute__((noinline, aligned(64))) void innermost(void) { for (unsigned i = 0; i < 3000000; i++) sink += i; }
static pthread_barrier_t begun;
static void *work(void *arg) { pthread_barrier_wait(&begun); for (;;) innermost(); return arg; }
static void *rest(void *arg) { pthread_barrier_wait(&begun); for (;;) pause(); return arg; }
int main(void)
{
    pthread_t thread;
    pthread_barrier_init(&begun, NULL, 50);
    for (int i = 0; i < 48; i++) pthread_create(&thread, NULL, rest, NULL);
    pthread_create(&thread, NULL, work, NULL);
    work(NULL);
}
"""
# Waits without limit; signals that are ignored come now and then. Prints how often that ended the wait.
RESTS = """#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>
static volatile long eintr;
static void *rest(void *arg)
{
    int epoll = epoll_create1(0); struct epoll_event event;
    for (;;) if (epoll_wait(epoll, &event, 1, -1) < 0) eintr += errno == EINTR ? 1 : 1000;
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, rest, NULL);
    for (int i = 0; i < 8; i++) { usleep(500000); pthread_kill(thread, SIGWINCH); }
    usleep(100000);
    printf("rests 8 %ld\\n", eintr);
}
"""
MASK = """#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    uint64_t masks[2] = {0, 0}; /* of data, of instructions */
    struct iovec iov = {masks, sizeof(masks)};
    pid_t pid = fork();
    if (!pid) { ptrace(PTRACE_TRACEME, 0, 0, 0); raise(SIGSTOP); _exit(0); }
    waitpid(pid, 0, 0);
    ptrace(PTRACE_GETREGSET, pid, (void *)0x406, &iov);
    printf("mask %llx\\n", (unsigned long long)masks[1]);
    kill(pid, SIGKILL);
}
"""
CAPTURE = """
/{program}-fifty & target=$!
sleep 1
/{agent} -q -d 4 -p $target -o /out/{name} & agent=$!
sleep 2
echo "private {name} $(awk '/^Private/ {{ sum += $2 }} END {{ print sum }}' /proc/$agent/smaps_rollup)"
wait $agent; echo "status {name} $?"
kill $target
"""
EINTR = """
/{program}-eintr 3 >/tmp/eintr & target=$!
sleep 0.3
/{agent} -q -p $target -o /tmp/snap; echo "status eintr-{program} $?"
wait $target; sed 's/^/eintr {program} /' /tmp/eintr
/{program}-once 20 >/tmp/once & target=$!
sleep 0.1
/{agent} -q -F 50 --overhead 100 --together -p $target -o /tmp/snap; echo "status once-{program} $?"
wait $target; sed 's/^/eintr {program} /' /tmp/once
/{program}-rests >/tmp/rests & target=$!
sleep 0.3
/{agent} -q -p $target -o /tmp/snap; wait $target; sed 's/^/eintr {program} /' /tmp/rests
"""
REFUSE = """
/a64-fifty & target=$!
sleep 0.5
/a32 -p $target -n 1 -o /tmp/none; echo "status refuse $?"
[ -e /tmp/none ] && echo "a file was made"
/a64-mask
kill $target
"""


def cross(directory, program, name, source):
    path = os.path.join(directory, "%s-%s" % (program, name))
    if "\n" in source:
        with open(path + ".c", "w") as file:
            file.write(source)
        source = path + ".c"
    known.check_run([*arm.COMPILE[program], "-std=c11", "-D_GNU_SOURCE", "-O1", "-static", "-pthread",
                     "-o", path, source])
    return path


def build(arch, directory):
    """{path in the guest: path here}"""
    isas = sorted({isa for run in RUNS[arch] for isa in run})
    files = arm.build_agents(*isas)
    for program in isas:
        files[program + "-fifty"] = cross(directory, program, "fifty", FIFTY)
        files[program + "-rests"] = cross(directory, program, "rests", RESTS)
        for name in ("eintr", "eintr_once"):
            files[program + "-" + name.replace("eintr_", "")] = cross(
                directory, program, name, os.path.join(known.PROGRAMS, name + ".c"))
    if "a64" in isas:
        files["a64-mask"] = cross(directory, "a64", "mask", MASK)
    return files


def symbol(path, name):
    for line in known.check_run(["readelf", "-sW", path]).splitlines():
        fields = line.split()
        if len(fields) == 8 and fields[7] == name:
            start = int(fields[1], 16) & ~1
            return start, start + int(fields[2])
    raise known.Failure("%s has no %s" % (path, name))


def check_snapshot(what, path, program, innermost):
    with open(path, "rb") as file:
        snapshot = snapfile.Snapshot(file.read())
    machine = struct.unpack_from("<H", snapshot.header, 14)[0]
    if machine != MACHINE[program]:
        yield "%s: the snapshot is of machine %d" % (what, machine)
    sp, pc, count = REGISTERS[program]
    samples = right = others = 0
    threads = list(dict.fromkeys(struct.unpack_from("<II", item.payload) for item in snapshot.records
                                 if item.kind == snapfile.THREAD))
    # The first and the last thread work. One of the others is said to run where it has not come back to its call yet.
    working = {(pid, tid) for pid, tid in threads if tid in (pid, threads[-1][1])}
    for item in snapshot.records:
        if item.kind != snapfile.SAMPLE or item.payload[16:17] != b"R":
            continue
        flags, regs = item.payload[17], struct.unpack_from("<H", item.payload, 18)[0]
        at = 28 + (56 if flags & 1 else 0)
        values = struct.unpack_from("<%dQ" % regs, item.payload, at)
        regions, start, end, map_end = struct.unpack_from("<BQQQ", item.payload, at + 8 * regs)
        if regs != count or regions != 1 or start != values[sp] or end != map_end:
            yield "%s: %d registers, %d regions, [%#x, %#x), SP %#x" % (what, regs, regions, start, end, values[sp])
        if struct.unpack_from("<II", item.payload) in working:
            samples += 1
            right += innermost[0] <= values[pc] < innermost[1]
        else:
            others += 1
        if program == "t32" and not values[16] & 0x20:
            yield "%s: a T32 program in A32 state" % what
    if len(threads) != 50:
        yield "%s: %d threads" % (what, len(threads))
    print("%s: %d of %d samples where they should be, and %d of threads that wait" % (what, right, samples, others))
    if samples < 3 or right < 0.8 * samples:  # few on a machine that is busy, as emulation is slow
        yield "%s: %d of %d samples are where they should be" % (what, right, samples)


def pac_mask(path):
    with open(path, "rb") as file:
        for item in snapfile.Snapshot(file.read()).records:
            if item.kind == snapfile.PROCESS:
                return struct.unpack_from("<Q", item.payload, 24)[0]


def check_log(arch, log, out):
    for what, status in re.findall(r"^status (\S+) (\d+)$", log, re.MULTILINE):
        if int(status) != (1 if what == "refuse" else 0):
            yield "%s: %s: status %s" % (arch, what, status)
    for name, kb in re.findall(r"^private (\S+) (\d*)$", log, re.MULTILINE):
        if not kb or int(kb) > PRIVATE_MAX_KB:
            yield "%s: %s: %s kB of private memory" % (arch, name, kb)
    once = re.findall(r"^eintr (\S+) once (\S+) (\d+) (\d+)$", log, re.MULTILINE)
    for program, kind, count, wrong in once:
        if int(wrong):
            yield "%s: %s: of %s threads with one signal %s, %s went wrong" % (
                arch, program, count, kind, wrong)
    if len(once) != 3 * len(RUNS[arch][:3:2]):
        yield "%s: threads with one signal: %d kinds were counted" % (arch, len(once))
    seen = re.findall(r"^eintr (\S+) (\S+) (\d+) (\d+)$", log, re.MULTILINE)
    for program, call, calls, eintr in seen:
        if int(eintr) > (0 if call == "strange_errors" or not MAY_SEE[program] else float("inf")):
            yield "%s: %s: %s: %s EINTR in %s calls" % (arch, program, call, eintr, calls)
    handled = re.findall(r"^eintr (\S+) handled (\d+) interrupted (\d+)$", log, re.MULTILINE)
    for program, signals, eintr in handled:
        if int(signals) < 10 or int(eintr) < int(signals):
            yield "%s: %s: of %s signals handled, %s gave EINTR" % (arch, program, signals, eintr)
    if len(seen) < 4 * len(RUNS[arch][:3:2]) or not handled:
        yield "%s: the calls were not all counted" % arch
    if arch == "arm64":
        refused = re.findall(r"^cgsnap: .*64-bit program \(aarch64\).*$", log, re.MULTILINE)
        mask = re.search(r"^mask ([0-9a-f]+)$", log, re.MULTILINE)
        recorded = pac_mask(os.path.join(out, "a64-a64"))
        if len(refused) != 1 or "a file was made" in log:
            yield "arm64: a64 program, a32 cgsnap: not refused in one line"
        if not mask or int(mask.group(1), 16) != recorded or not recorded:
            yield "arm64: PAC mask %#x, the kernel's is %s" % (recorded, mask and mask.group(1))
        if pac_mask(os.path.join(out, "a64-t32")) != 0:
            yield "arm64: a T32 program has a PAC mask"


def check(emulator, arch, directory):
    files = build(arch, directory)
    script = "".join(CAPTURE.format(agent=agent, program=program, name=agent + "-" + program)
                     for agent, program in RUNS[arch])
    # A 64-bit agent and a 32-bit program, too: the kernel gives it the registers another way.
    for agent, program in RUNS[arch][:3:2]:
        script += EINTR.format(agent=agent, program=program)
    script += REFUSE if arch == "arm64" else ""
    # All agents once on two CPUs, in the host's time; and once where time is counted, at any load.
    out, log = arm.run(emulator, arch, files, script, directory, counted=arch != "arm64")
    yield from check_log(arch, log, out)
    for agent, program in RUNS[arch]:
        name = agent + "-" + program
        innermost = symbol(files[program + "-fifty"], "innermost")
        if not os.path.exists(os.path.join(out, name)):
            yield "%s: %s: no snapshot" % (arch, name)
        else:
            what = "%s: %s" % (arch, name)
            yield from check_snapshot(what, os.path.join(out, name), program, innermost)


def test(tools, *archs):
    emulator = arm.need_emulator(tools)
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for arch in archs or RUNS:
            failures += check(emulator, arch, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
