#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgsnap --gdb: boards and programs behind a stub for gdb.

usage: gdb_capture.py BUILD-DIRECTORY [measure | TEST …]

Against a stub that plays a board (gdb_stub.py): one that dies in the midst of a packet, sends
garbage, resets its board a hundred times, loses every hundredth packet, does not stop, cannot be
read at times, or does anything but what it is to, until cgsnap is to end. Each time there is one clear line, what had arrived can be read, and the board runs
on. Against real stubs: QEMU's of a Cortex-M3, whose chains are complete, with and without the
firmware's file; gdbserver; QEMU's of an emulated program, which does not hear an interrupt.

measure: the rate with and without a limit, through links of 1 ms and 5 ms for a packet, and beside
gdb that does the same by script.
"""

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
import gdb_stub
import known
import snapfile

BOARDS = os.path.join(known.TESTS, "boards")
sys.path[:0] = [BOARDS, os.path.join(BOARDS, "rtos")]
import build
import halted
import qemu as boards
BOARD_RECORD = 21


class Capture:
    """A run of cgsnap."""

    def __init__(self, tools, directory, target, *options, limit=("-n", "40"), end=None, before=()):
        self.tools, self.path = tools, os.path.join(directory, "snap")
        process = subprocess.Popen(
            [*before, os.path.join(tools, "cgsnap"), "--gdb", target, "--halt-budget", "100", "-F", "300",
             "-o", self.path, "--force", *limit, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        if end:
            end(process)
        self.text = process.communicate(timeout=120)[1]
        self.status = process.returncode
        self.lines = self.text.splitlines()

    def records(self, kind):
        with open(self.path, "rb") as file:
            return [r for r in snapfile.Snapshot(file.read()).records if r.kind == kind]

    def samples(self, *options):
        text = known.check_run([os.path.join(self.tools, "cgunwind"), "-f", "json", *options, self.path])
        items = [json.loads(line) for line in text.splitlines()]
        return [item for item in items if item["type"] == "sample"]

    def threads(self):
        """{tid: name}"""
        text = known.check_run([os.path.join(self.tools, "cgunwind"), "-f", "json", self.path])
        items = [json.loads(line) for line in text.splitlines()]
        return {item["tid"]: item["name"] for item in items if item["type"] == "thread"}

    def complaint(self, status, words, least=1):
        """What is not as it is to be; '' if nothing is."""
        if self.status != status or words not in self.text:
            return "status %d, not %d, or no '%s': %s" % (self.status, status, words, self.text)
        # QEMU 7.2 does not tell PSP: of halts that happen to be in a handler there is a line more.
        lines = [line for line in self.lines if "at a handler (stop: truncated)" not in line]
        if len(lines) > 1 + (status != 0):
            return "more than a line: " + self.text
        if least and len(self.records(snapfile.SAMPLE)) < least:
            return "%d samples: %s" % (len(self.records(snapfile.SAMPLE)), self.text)
        return ""


def runs_on(stub):
    """What is said of a board that was left halted."""
    stub.thread.join(10)
    return "the board was left halted" if stub.halted else ""


def check(name, complaint):
    if complaint:
        yield "%s: %s" % (name, complaint)


def against(tools, directory, name, faults, status, words, least=1, **options):
    with gdb_stub.Stub(**faults) as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port, **options)
        yield from check(name, run.complaint(status, words, least))
        if not faults.get("die_at") and not faults.get("exits_at"):
            yield from check(name, runs_on(stub))


def check_faults(tools, directory):
    yield from against(tools, directory, "a board", {}, 0, "samples", 10)
    yield from against(tools, directory, "acknowledgements", {"acks": True}, 0, "samples", 10)
    yield from against(tools, directory, "killed in a packet", {"die_at": 100}, 1,
                       "has closed the connection; what was captured before is kept")
    text = known.check_run([os.path.join(tools, "cgunwind"), "--info",
                            os.path.join(directory, "snap")])
    yield from check("killed in a packet", not re.search("^end +it failed$", text, re.M) and text)
    yield from against(tools, directory, "killed at the beginning", {"die_at": 4}, 1,
                       "has closed the connection; is gdb, or another client, connected to it?", 0)
    yield from against(tools, directory, "garbage", {"garbage": 3, "acks": True}, 0, "samples", 10)
    yield from against(tools, directory, "garbage without acknowledgements", {"garbage": 3}, 0,
                       "samples", 10)
    yield from against(tools, directory, "asleep at times", {"asleep": 3}, 0, "could not be read",
                       5)
    yield from against(tools, directory, "a program that ends", {"exits_at": 20}, 0, "samples", 3)


def check_without_psp(tools, directory):
    """That what a handler interrupted is not told is said once, with how many samples it cost."""
    with gdb_stub.Stub(handler=True) as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port)
        samples = run.samples()
        if run.status or not samples or len(run.lines) != 2 or (
                "cgsnap: %d samples end at a handler" % len(samples) not in run.lines[1]):
            yield "no PSP: %s" % run.text
        if {sample["stop"] for sample in samples} != {"truncated"}:
            yield "no PSP: %s" % samples[0]
        yield from check("no PSP", runs_on(stub))


def check_resets(tools, directory):
    with gdb_stub.Stub(resets=2) as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port, limit=("-n", "220"))
        yield from check("resets", run.complaint(0, "samples", 20))
        boards = len(run.records(BOARD_RECORD))
        if stub.halts >= 4 and boards < stub.halts // 4:
            yield "resets: %d BOARD records of %d resets: %s" % (boards, stub.halts // 2, run.text)
        yield from check("resets", runs_on(stub))


def check_loss(tools, directory):
    with gdb_stub.Stub(acks=True) as stub, gdb_stub.Proxy(stub.port, drop=100) as proxy:
        run = Capture(tools, directory, "localhost:%d" % proxy.port, limit=("-n", "60"))
        yield from check("packets lost", run.complaint(0, "samples", 10))
        if not proxy.dropped:
            yield "packets lost: none was"
        yield from check("packets lost", runs_on(stub))


def check_signals(tools, directory):
    """A SIGINT that comes of an interrupt is not handed on to the program, however late it is."""
    for faults in ({"late": 0.6}, {"foreign": 2}, {"foreign": 2, "late": 0.3},
                   {"late": 0.6, "acks": True}, {"trapped": True}):
        name = "a program, %s" % faults
        # With acknowledgements it is asked again, and each answer waited for: longer than a limit
        # leaves for that.
        limit = ("-n", "900") if "acks" in faults else ("-d", "3")
        with gdb_stub.Stub(program=True, **faults) as stub:
            run = Capture(tools, directory, "localhost:%d" % stub.port, limit=limit)
            yield from check(name, run.complaint(0, "samples", 2))
            yield from check(name, runs_on(stub) or stub.killed and "SIGINT was handed on")


def check_restless(tools, directory):
    """A program that is given up is let go of all the same: gdbserver would end it else."""
    with gdb_stub.Stub(program=True, restless=True) as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port, "-F", "1", limit=("-d", "10"))
        yield from check("restless", run.complaint(1, "stops by itself again and again"))
        yield from check("restless", runs_on(stub) or not stub.let_go and "it was not let go of")


def beside(tools, directory, name):
    """A server of that name, which has the socket, of a program with another process's number."""
    server = os.path.join(directory, name)
    path = server + ".socket"
    shutil.copy(shutil.which("sleep"), server)
    with socket.socket(socket.AF_UNIX) as listener, \
            subprocess.Popen(["sleep", "60"]) as bystander:
        listener.bind(path)
        # Who listens is the peer, as the kernel tells it.
        with subprocess.Popen([server, "60"], preexec_fn=listener.listen) as process:
            with gdb_stub.Stub(program=True, listener=listener,
                               threads=[(bystander.pid, "")] * 2) as stub:
                run = Capture(tools, directory, path, limit=("-d", "2"))
                yield from check(name, run.complaint(0, "samples", 10))
                yield from check(name, runs_on(stub))
            if process.poll() is not None or bystander.poll() is not None:
                yield "%s: a signal was sent: %s, %s" % (name, process.returncode,
                                                         bystander.returncode)
            process.kill()
        bystander.kill()


def check_bystander(tools, directory):
    """No signal is sent to a process that has the number of the server's program, which may run in
    a container, but is not traced by it; nor to an emulator of a machine in which the server is."""
    yield from beside(tools, directory, "gdbserver")
    yield from beside(tools, directory, "qemu-system-aarch64")


def with_threads(tools, directory, threads, names, limit=("-n", "60")):
    """A stub with these threads: those with these names are captured."""
    with gdb_stub.Stub(threads=threads) as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port, limit=limit)
        name = "threads %s" % (threads[:3],)
        yield from check(name, run.complaint(0, "samples", 20))
        found = run.threads()
        if sorted(found.values()) != sorted(names):
            yield "%s: are called %s" % (name, sorted(found.values())[:10])
        text = known.check_run([os.path.join(tools, "cgunwind"), "-f", "threads", run.path])
        # A board's CPUs are alike, and nobody has made them.
        if names[0].startswith("cpu") and (
                "creation" in text or re.findall(r"-- (\S+ \S+) +\"", text) != names):
            yield "%s: %s" % (name, text)
        states = [sample["state"] for sample in run.samples()]
        if not names[0].startswith("cpu") and not (
                0 < states.count("running") < states.count("sleeping")):
            yield "%s: states %s" % (name, states)
        yield from check(name, runs_on(stub))


def check_threads(tools, directory):
    """What a server lists as threads: CPUs, or tasks of an RTOS of which one runs."""
    address = gdb_stub.RAM + 0x400
    # OpenOCD: addresses of control blocks; others count tasks, too.
    yield from with_threads(tools, directory, [(address, "Name: blink, State: Running"),
                                               (address + 0x80, "Name: net"),
                                               (address + 0x100, "Name: IDLE")],
                            ["blink", "net", "IDLE"])
    yield from with_threads(tools, directory, [(1, "main : Priority 3"), (2, "shell : Blocked"),
                                               (3, "idle")], ["main", "shell", "idle"])
    # QEMU; OpenOCD with more than one CPU; each is told twice.
    yield from with_threads(tools, directory, [(1, "CPU#0 [running]"), (2, "CPU#1 [halted ]")] * 2,
                            ["cpu 0", "cpu 1"])
    yield from with_threads(tools, directory, [(1, "Name: a.cpu0, state: debug-request"),
                                               (2, "Name: a.cpu1, state: debug-request")],
                            ["cpu 0", "cpu 1"])
    flood = [(address + 8 * i, "") for i in range(10000)]
    yield from with_threads(tools, directory, flood,
                            ["task %x" % thread for thread, _ in flood[:256]], ("-n", "4"))


def check_deaf(tools, directory):
    """Does not stop again: a signal ends cgsnap all the same, with the sample of the beginning."""

    def end(process):
        time.sleep(1)
        process.send_signal(signal.SIGINT)

    with gdb_stub.Stub(deaf=True) as stub:
        begin = time.monotonic()
        run = Capture(tools, directory, "localhost:%d" % stub.port, limit=(), end=end)
        took = time.monotonic() - begin
        yield from check("deaf", run.complaint(0, "cgsnap: 1 sample "))
        yield from check("deaf", took > 8 and "took %.1f s" % took)
        yield from check("deaf", stub.halts and "it was halted")
        yield from check("deaf", runs_on(stub))


def check_late(tools, directory):
    """A board that stops when nobody waits for it any more runs on, too."""
    for late in (1.5, 6):
        with gdb_stub.Stub(late=late) as stub:
            run = Capture(tools, directory, "localhost:%d" % stub.port, limit=("-d", "1"))
            yield from check("late", run.status not in (0, 1) and run.text)
            yield from check("late", runs_on(stub) or not stub.halts and "it was not halted")
    # Rounds that come due until it stops are no repeats of what it does then.
    with gdb_stub.Stub(late=0.3) as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port, limit=("-d", "2"))
        yield from check("late", run.complaint(0, " and 0 repeats", 3))
        if "rounds came late" not in run.text:
            yield "late: none is lost: %s" % run.text


# It is to end within a second; machines may be busy.
IN_TIME = 5
# In the beginning it may take so long, though -d is less.
BEGINNING = 5
# Replies: one of the beginning, and one in a halt, with some samples before it.
EARLY, LATER = 3, 60

MISBEHAVIOUR = {
    "drips": {"drip": 0.5},
    "drips, acknowledgements": {"drip": 0.5, "acks": True},
    "answers nothing": {"mute": True},
    "answers nothing, a program": {"mute": True, "program": True},
    "acknowledges nothing": {"mute": True, "acks": True},
    "noise": {"endless": b"\0\xff boot v1.2\r\n"},
    "notifications": {"endless": b"%" + gdb_stub.frame(b"Stop:T05")[1:]},
    "bad packets": {"endless": b"$x#zz"},
    "bad packets, acknowledgements": {"endless": b"$x#zz", "acks": True},
    "output": {"endless": gdb_stub.frame(b"O41")},
    "stops": {"endless": gdb_stub.frame(b"T05thread:1;")},
    "output, acknowledgements": {"endless": gdb_stub.frame(b"O41"), "acks": True},
    "refusals": {"endless": b"-", "acks": True},
    "acknowledgements": {"endless": b"+", "acks": True},
    "a reply without end": {"first": b"$", "endless": b"x" * 99},
    "replies without ends": {"endless": b"$" + b"x" * 99},
    "a document without end": {"parts": 0.005},
    "a list without end": {"lists": 0.1, "program": True},
}


def ended(tools, directory, target, how, is_time=lambda: True):
    """A run that is ended by `how`, -d or a signal, when it is time; the seconds until it was."""
    sent = []

    def end(process):
        known.wait_until(is_time, "what cgsnap is to be ended in")
        sent.append(time.monotonic())
        process.send_signal(how)

    is_limit = how == "-d"
    begin = time.monotonic()
    run = Capture(tools, directory, target, limit=("-d", "1") if is_limit else (),
                  end=None if is_limit else end)
    return run, time.monotonic() - (begin + 1 if is_limit else sent[0])


def info(tools, run):
    return known.run([os.path.join(tools, "cgunwind"), "--info", run.path])


def misbehaves(tools, directory, name, faults, at, how):
    """`at`: the reply with which it begins to; None: that to the third interrupt."""
    has_begun = at != EARLY
    name = "%s, %s, %s" % (name, at or "a stop", how)
    at = {"at": at} if at else {}
    with gdb_stub.Stub(**at, **faults) as stub, \
            tempfile.TemporaryDirectory(dir=directory) as own:
        run, took = ended(tools, own, "localhost:%d" % stub.port, how, stub.is_bad.is_set)
        print("  %-50s %.2f s" % (name, took))
        late = IN_TIME + (BEGINNING if how == "-d" and not has_begun else 0)
        yield from check(name, took > late and "took %.1f s: %s" % (took, run.text))
        if not has_begun:
            yield from check(name, run.complaint(1, "", 0) or os.path.exists(run.path) and
                             "there is a snapshot: " + run.text)
            return
        yield from check(name, run.complaint(0, " sample"))
        text = info(tools, run).stdout.decode()
        end = "its duration or count was reached" if how == "-d" else "it was told to end"
        yield from check(name, not re.search("^end +%s$" % end, text, re.M) and text)
        yield from check(name, len(run.records(snapfile.THREAD_END)) and "threads have ended")
        if "mute" in faults: # it hears that it is let go
            yield from check(name, runs_on(stub))


def at_once(test, cases):
    """What all of them complain of: they wait more than they compute."""
    with ThreadPoolExecutor(6) as pool:
        for complaints in pool.map(lambda case: list(test(*case)), cases):
            yield from complaints


def check_misbehaviour(tools, directory):
    """Whatever a stub does, from the beginning or later: with what has come cgsnap ends in time."""
    cases = [(EARLY, signal.SIGTERM), (LATER, signal.SIGINT), (LATER, "-d"), (None, "-d")]
    yield from at_once(misbehaves, [(tools, directory, name, faults, at, how)
                                    for name, faults in MISBEHAVIOUR.items() for at, how in cases
                                    if at == EARLY or "parts" not in faults])
    yield from at_once(misbehaves, [(tools, directory, name, MISBEHAVIOUR[name], EARLY, "-d")
                                    for name in ("drips", "noise", "a document without end")])


def has_held_child(pid):
    """A child of the process is stopped."""
    with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as children:
        states = []
        for child in children.read().split():
            with open("/proc/%s/stat" % child, encoding="ascii") as stat:
                states.append(stat.read().rsplit(") ", 1)[1][0])
    return "T" in states or "t" in states


def check_hung_reader(tools, directory):
    """The process that reads a stub's description hangs: a signal ends cgsnap in time all the same."""
    hold = ("strace", "-D", "-f", "-o", "/dev/null", "-e", "inject=capset:signal=SIGSTOP")
    sent = []

    def end(process):
        known.wait_until(lambda: stub.replies and has_held_child(process.pid), "the reader to hang")
        sent.append(time.monotonic())
        process.send_signal(signal.SIGINT)

    with gdb_stub.Stub() as stub:
        run = Capture(tools, directory, "localhost:%d" % stub.port, limit=(), end=end, before=hold)
    took = time.monotonic() - sent[0]
    print("  %-50s %.2f s" % ("a reader that hangs", took))
    yield from check("hung reader", took > IN_TIME and "took %.1f s: %s" % (took, run.text))
    yield from check("hung reader", run.complaint(1, "", 0))


def connecting(port):
    """How many connections were asked for, and are not accepted."""
    with open("/proc/net/tcp") as file:
        return sum(" 0100007F:%04X 02 " % port in line for line in file)


def hangs(tools, directory, target, words, how, is_time):
    with tempfile.TemporaryDirectory(dir=directory) as own:
        run, took = ended(tools, own, target, how, is_time)
    print("  %-50s %.2f s" % ("%s, %s" % (target[-40:], how), took))
    yield from check(target, run.complaint(1, words, 0))
    late = IN_TIME + (BEGINNING if how == "-d" else 0)
    yield from check(target, took > late and "took %.1f s: %s" % (took, run.text))


def check_connecting(tools, directory):
    """Where the queue of those that are not accepted is full a connection is never made."""
    path = os.path.join(directory, "full")
    with socket.socket() as tcp, socket.socket(socket.AF_UNIX) as local:
        tcp.bind(("127.0.0.1", 0))
        local.bind(path)
        others = []
        for listener in (tcp, local):
            listener.listen(0)
            for _ in range(3):
                others.append(socket.socket(listener.family))
                others[-1].setblocking(False)
                others[-1].connect_ex(listener.getsockname())
        port = tcp.getsockname()[1]
        before = connecting(port)
        cases = [("localhost:%d" % port, signal.SIGINT, lambda: connecting(port) > before),
                 (path, "-d", None)]
        yield from at_once(hangs, [(tools, directory, target, "cannot connect", how, is_time)
                                   for target, how, is_time in cases])
        for other in others:
            other.close()


# Neither the end of its input nor SIGTERM ends it.
DEAF = "| trap '' HUP INT TERM; echo $$ > %s; "


def check_hanging_command(tools, directory):
    """A command that reads nothing, says nothing and does not end is ended."""
    told, cases = [], []
    for command in ("exec sleep 100", "while :; do sleep 0.1; done", "cat > /dev/null; sleep 100"):
        for how in (signal.SIGINT, "-d"):
            told.append(os.path.join(directory, "number%d" % len(told)))
            cases.append((tools, directory, DEAF % told[-1] + command, "", how,
                          lambda path=told[-1]: os.path.exists(path)))
    yield from at_once(hangs, cases)
    for path in told:
        with open(path) as file:
            number = int(file.read())
        yield from check("a command", os.path.exists("/proc/%d" % number) and "it was not ended")


def check_slow(tools, directory):
    """Slow and honest: 5 ms for a packet, a board and a program."""
    for faults in ({}, {"acks": True}, {"program": True}):
        for limit, least in ((("-n", "40"), 3), (("-d", "1"), 1)):
            with gdb_stub.Stub(**faults) as stub, \
                    gdb_stub.Proxy(stub.port, delay=0.005) as proxy:
                run = Capture(tools, directory, "localhost:%d" % proxy.port, limit=limit)
                name = "slow, %s, %s" % (faults, limit)
                yield from check(name, run.complaint(0, " sample", least))
                yield from check(name, runs_on(stub) or stub.killed and "SIGINT was handed on" or
                                 "program" in faults and not stub.let_go and "it was not let go of")


def check_serial(tools, directory):
    """A serial line, which is closed behind what was sent last, also where nothing is answered."""
    for faults in ({}, {"mute": True, "at": 60}):
        with gdb_stub.Stub(acks=True, **faults) as stub, gdb_stub.Serial(stub.port) as line:
            run, took = ended(tools, directory, line.path, "-d")
            yield from check("serial", run.complaint(0, "samples"))
            yield from check("serial", took > IN_TIME and "took %.1f s" % took)
            known.wait_until(lambda: not stub.halted, "a board behind a serial line to run on")


def check_command(tools, directory):
    """The pipe of a command."""
    with gdb_stub.Stub() as stub:
        relay = ("import os,socket,threading;s=socket.create_connection(('127.0.0.1',%d));"
                 "t=threading.Thread(target=lambda:[os.write(1,d) for d in iter("
                 "lambda:s.recv(9999),b'')],daemon=True);t.start();"
                 "[s.sendall(d) for d in iter(lambda:os.read(0,9999),b'')]" % stub.port)
        run = Capture(tools, directory, '| %s -c "%s"' % (sys.executable, relay))
        yield from check("a command", run.complaint(0, "samples", 3))
    run = Capture(tools, directory, "| exit 3")
    yield from check("a command that ends", run.complaint(1, "the command has ended", 0) or
                     "is kept" in run.text and "nothing is kept: %s" % run.text)


def check_refusals(tools, directory):
    for options, words in ((("--gdb", "localhost:1"), "cannot connect"),
                           (("--gdb", "/dev/null"), "no serial device"),
                           (("--gdb", "nowhere.invalid:1"), "getent hosts"),
                           (("--gdb", ":1", "-e", "/dev/null"), "no ELF file")):
        done = known.run([os.path.join(tools, "cgsnap"), "-o", os.path.join(directory, "none"),
                          *options])
        text = done.stderr.decode()
        if done.returncode != 1 or words not in text or len(text.splitlines()) != 1:
            yield "%s: status %d, %s" % (options, done.returncode, text)
    for options in (("--gdb", "nothing"), ("--gdb", "3333"), ("--gdb", "host:"),
                    ("--gdb", ":1", "-p", "1"), ("--gdb", ":1", "--on-cpu"), ("-e", "x", "-p", "1"),
                    ("--gdb", ":1", "--load-bias", "1"), ("--gdb", ":1", "--halt-budget", "101")):
        if known.run([os.path.join(tools, "cgsnap"), *options]).returncode != 2:
            yield "%s: is not refused" % (options,)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def build_firmware(directory, name="depth", level="-O1"):
    path = os.path.join(directory, name + ".elf")
    known.check_run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", level, "-g",
                     "-ffreestanding", "-nostdlib", "-T", os.path.join(BOARDS, "depth.ld"),
                     os.path.join(BOARDS, "depth.c"), "-o", path])
    return path


RUINED = """
extern char top[];
__attribute__((noinline)) void spin(void) { __asm__("mov sp, %0" : : "r"(0x60000000)); for (;;); }
void start(void) { spin(); for (;;); }
__attribute__((section(".vectors"), used)) void *const vectors[4] = {top, start, start, start};
"""


def check_ruined(tools, directory):
    """Where SP leads nowhere there are the registers, and the reason."""
    source, elf = os.path.join(directory, "ruined.c"), os.path.join(directory, "ruined.elf")
    with open(source, "w", encoding="utf-8") as file:
        file.write(RUINED)
    known.check_run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-O1", "-g", "-nostdlib",
                     "-Wl,--defsym=top=0x20001000,-Ttext=0x100,--section-start=.vectors=0,-e,start",
                     "-Wl,--build-id=none", "-o", elf, source])
    with board(elf) as qemu:
        Capture(tools, directory, qemu.target, "-e", elf, limit=("-n", "2"))
        run = Capture(tools, directory, qemu.target, "-e", elf, limit=("-n", "1"))
        complaint = run.complaint(0, "cgsnap: 1 sample ", 1)
        if complaint:
            return ["ruined SP: " + complaint]
        samples = run.samples()
        if [names(sample) for sample in samples] != [["spin", "start"]]:
            return ["ruined SP: %s" % samples]
    return []


class Qemu:
    """An emulator with a stub; its port."""

    def __init__(self, command):
        self.port = free_port()
        self.process = subprocess.Popen(
            [word.replace("PORT", str(self.port)) for word in command],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        known.wait_until(lambda: listens(self.port), "the stub to listen")
        self.target = "localhost:%d" % self.port

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def listens(port):
    with open("/proc/net/tcp") as file:
        return any(" 0100007F:%04X 00000000:0000 0A " % port in line or
                   " 00000000:%04X 00000000:0000 0A " % port in line for line in file)


def board(firmware):
    return Qemu(["qemu-system-arm", "-M", "mps2-an385", "-kernel", firmware, "-nographic", "-S",
                 "-monitor", "none", "-serial", "none", "-gdb", "tcp:127.0.0.1:PORT"])


def names(sample):
    return [frame.get("function") for frame in sample["frames"]]


def check_qemu(tools, directory):
    firmware = build_firmware(directory)
    with board(firmware) as qemu:
        run = Capture(tools, directory, qemu.target, "-e", firmware, limit=("-n", "100"))
        yield from check("QEMU", run.complaint(0, "samples", 50))
        for sample in run.samples():
            if names(sample)[-2:] != ["firmware_main", "reset_handler"] and len(
                    sample["frames"]) > 1:
                yield "QEMU: a chain ends in %s" % names(sample)[-3:]
                break
        run = Capture(tools, directory, qemu.target, "--with-code", limit=("-n", "60"))
        yield from check("QEMU, no file", run.complaint(0, "samples", 10))
        depths = [len(sample["frames"]) for sample in run.samples()]
        if max(depths) < 20:
            yield "QEMU, no file: chains of %s frames" % depths
        text = known.check_run([os.path.join(tools, "cgunwind"), "-f", "tree", run.path])
        yield from check("QEMU, no file", not text.startswith("board (arm)\n") and text)
        text = known.check_run([os.path.join(tools, "cgunwind"), "-f", "chains", run.path])
        yield from check("QEMU, no file", not text.startswith("PID 1 - board\n") and text)
        # One look has no rate, and a board's CPUs run: nothing is to be guessed of clocks.
        run = Capture(tools, directory, qemu.target, "-v", "--halt-budget", "5", limit=("-n", "1"))
        yield from check("QEMU, once", ("less than" in run.text or "ptrace" in run.text) and
                         run.text)
        run = Capture(tools, directory, qemu.target, limit=("-n", "20"))
        done = known.run([os.path.join(tools, "cgunwind"), "-f", "tree", "--weight", "cpu",
                          run.path])
        if done.returncode or done.stderr:
            yield "QEMU: of CPU time is said: %s" % done.stderr.decode()


def unwound(tools, *arguments):
    """Warnings, and the functions of all chains with code."""
    done = known.run([os.path.join(tools, "cgunwind"), "-f", "json", *arguments])
    items = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return (done.stderr.decode().splitlines(),
            {name for item in items if item["type"] == "sample" for name in names(item)})


def check_told(what, tools, warning, name, *arguments):
    """`warning`: of the only one; "": there is none. `name`: of a function; None: none has one."""
    told, functions = unwound(tools, *arguments)
    if len(told) != bool(warning) or warning not in "".join(told):
        yield "%s: warnings: %s" % (what, told)
    if (name not in functions) if name else any(functions):
        yield "%s: functions: %s" % (what, functions)


def check_wrong_files(tools, directory):
    """A file that is not the board's is told of, of another build and of another machine."""
    firmware, other = build_firmware(directory), build_firmware(directory, "other", "-O2")
    differs = "is not the program that the board ran: its code differs, at 0x"
    with board(firmware) as qemu:
        run = Capture(tools, directory, qemu.target, "-e", sys.executable)
        yield from check("another machine", run.complaint(1, "the target is arm", 0))
        if len(run.lines) != 1:
            yield "another machine: %s" % run.text
        run = Capture(tools, directory, qemu.target, "-e", other, "--with-code", limit=("-n", "20"))
        told = [line for line in run.lines if "warning" in line]
        if run.status or len(told) != 1 or not re.search(
                r"other\.elf: is not the program on the board: .* at 0x[0-9a-f]+;", told[0]):
            yield "another build: %s" % run.text
        yield from check_told("another build", tools, differs, None, run.path)
        yield from check_told("the right file", tools, "", "reset_handler", "-e", firmware, run.path)
        # Whoever gives it means it.
        yield from check_told("another build is given", tools, differs, "leaf",
                              "-e", other, run.path)
        run = Capture(tools, directory, qemu.target, "--with-code", limit=("-n", "20"))
        yield from check_told("another build for none", tools, differs, None, "-e", other, run.path)
        yield from check_told("the file for none", tools, "", "reset_handler", "-e", firmware,
                              run.path)


def check_names_of_files(tools, directory):
    """A file is the board's program by what it holds, whatever it is called."""
    firmware = build_firmware(directory)
    other = build_firmware(directory, "other", "-O2")
    stripped = os.path.join(directory, "stripped.elf")
    known.check_run(["arm-none-eabi-strip", "-o", stripped, firmware])
    with board(firmware) as qemu:
        run = Capture(tools, directory, qemu.target, "-e", stripped, limit=("-n", "20"))
    yield from check_told("stripped", tools, "", None, run.path)
    yield from check_told("with symbols", tools, "", "reset_handler", "-e", firmware, run.path)
    yield from check_told("one of two", tools, "other.elf: given by --elf, matches no module",
                          "reset_handler", "-e", other, "-e", firmware, run.path)
    yield from check_told("two of it", tools, "depth.elf: given by --elf, matches no module",
                          None, "-e", stripped, "-e", firmware, run.path)
    yield from check_told("another build", tools, "is used for stripped.elf, whose code",
                          "reset_handler", "-e", other, run.path)
    os.rename(stripped, stripped + ".away")
    yield from check_told("without the own file", tools, "", "reset_handler", "-e", firmware,
                          run.path)
    # Built anew at the same path: the vector table tells, as it has another reset handler.
    with open(other, "rb") as file:
        image = bytearray(file.read())
    offset = struct.unpack_from("<I", image, struct.unpack_from("<I", image, 28)[0] + 4)[0]
    struct.pack_into("<I", image, offset + 4, struct.unpack_from("<I", image, offset + 4)[0] + 16)
    with open(stripped, "wb") as file:
        file.write(image)
    vectors = "is not the program that the board ran: its vector table differs, at 0x0;"
    yield from check_told("built anew", tools, vectors, None, run.path)
    yield from check_told("built anew, the right file", tools, "", "reset_handler",
                          "-e", firmware, run.path)


def check_firmware(tools, directory):
    """The firmware's own file is none that contradicts the board, wherever that has its flash."""
    for name in boards.PROGRAMS:
        firmware = build.build(build.all_firmware(directory, (name, "calls", "O2"))[0])
        with Qemu([*boards.PROGRAMS[name], "-display", "none", "-monitor", "none", "-serial",
                   "null", "-nodefaults", "-kernel", firmware.elf,
                   "-gdb", "tcp:127.0.0.1:PORT"]) as qemu:
            run = Capture(tools, directory, qemu.target, "-e", firmware.elf, limit=("-d", "3"))
            yield from check(name, run.complaint(0, "samples", 10))
        # Without -e: the snapshot names the file; with, it is placed by what the board has told.
        for options in ((), ("-e", firmware.elf)):
            done = known.run([os.path.join(tools, "cgunwind"), "-f", "chains", *options, run.path])
            if done.returncode or done.stderr or b"main" not in done.stdout:
                yield "%s, %s: %s%s" % (name, options, done.stderr.decode(),
                                        done.stdout.decode()[:200])


TASKS = {"owner", "locker", "taker", "receiver", "sender", "sleeper", "idle"}


def check_rtos(tools, directory):
    firmware = halted.build(directory, "waits", "mps2-an385", "-O2")
    with board(firmware) as qemu:
        run = Capture(tools, directory, qemu.target, "-e", firmware, limit=("-d", "2"))
        yield from check("RTOS", run.complaint(0, "samples", 20))
        if not TASKS <= set(run.threads().values()):
            yield "RTOS: %s" % run.threads()
        text = known.check_run([os.path.join(tools, "cgunwind"), "-e", firmware, "-f", "threads",
                                run.path])
        if len(re.findall(r"[1-9][0-9]* of 384 bytes of its stack used", text)) < 7:
            yield "RTOS: stacks: %s" % text
        text = known.check_run([os.path.join(tools, "cgunwind"), "-e", firmware, "-f", "waits",
                                run.path])
        if "for 0 s" in text or "kernel or" in text or "(pid" in text or not re.search(
                r" s +1 +\S+ +1 +1  mutex mutex", text):
            yield "RTOS: waits: %s" % text
        # One halt is enough, and it is that of the beginning.
        run = Capture(tools, directory, qemu.target, "-e", firmware, limit=("-n", "1"))
        yield from check("RTOS, once", run.complaint(0, " 0 samples lost", len(TASKS)))
        found = {sample["tid"] for sample in run.samples()}
        if {run.threads()[tid] for tid in found} != TASKS or found != set(run.threads()):
            yield "RTOS, once: samples of %s, threads %s" % (found, run.threads())
    # Reading all of the lists takes longer than a halt may for that.
    with board(firmware) as qemu, gdb_stub.Proxy(qemu.port, delay=0.03) as proxy:
        run = Capture(tools, directory, "localhost:%d" % proxy.port, "-e", firmware,
                      limit=("-d", "6"))
        if run.status or "not all tasks were reached" not in run.text or (
                "take too long" not in run.text):
            yield "RTOS, slow: %s" % run.text
        if told(run.text)[2] > 1.5:
            yield "RTOS, slow: a long halt: %s" % run.text
        if not run.samples():
            yield "RTOS, slow: no sample: %s" % run.text


def attached(tools, directory, hold, **options):
    """What is not as it is to be of a program behind gdbserver, to which interrupts come late."""
    target = subprocess.Popen([known.program(tools, "busy", directory)], start_new_session=True)
    try:
        with Qemu(["gdbserver", "--attach", "127.0.0.1:PORT", str(target.pid)]) as server, \
                gdb_stub.Proxy(server.port, hold=hold) as proxy:
            port = proxy.port if hold else server.port
            run = Capture(tools, directory, "localhost:%d" % port, **options)
            yield from check("gdbserver", run.complaint(0, "samples", 3 if hold else 10))
            samples = run.samples()
            if not any("main" in names(sample) for sample in samples):
                yield "gdbserver: %s" % names(samples[0])
            server.process.wait(20)
        if target.poll() is not None:
            yield "gdbserver: the program was ended: %d" % target.returncode
            return
        with open("/proc/%d/status" % target.pid) as file:
            if "TracerPid:\t0" not in file.read():
                yield "gdbserver: the program was not let go"
    finally:
        target.kill()
        target.wait()


def check_gdbserver(tools, directory):
    yield from attached(tools, directory, 0, limit=("-d", "4"))
    yield from attached(tools, directory, 0.6, limit=("-d", "5"))


# OpenOCD without hardware: of the dummy adapter all bits are the same, which arm7tdmi takes for a
# core that is halted; dsp563xx sees that there is none.
OPENOCD = """adapter driver dummy
transport select jtag
adapter speed 1000
jtag newtap board cpu -irlen 4 -ircapture 0 -irmask 0
telnet_port disabled
tcl_port disabled
"""
OPENOCD_TARGET = "target create board.cpu%d %s -chain-position board.cpu -coreid %d%s\n"


def check_openocd(tools, directory):
    two = "".join(OPENOCD_TARGET % (i, "arm7tdmi", i, " -rtos hwthread") for i in range(2))
    config = os.path.join(directory, "openocd.cfg")
    for text, cpus in ((OPENOCD_TARGET % (0, "arm7tdmi", 0, ""), 1),
                       (OPENOCD_TARGET % (0, "arm7tdmi", 0, " -rtos auto"), 1),
                       (two + "target smp board.cpu0 board.cpu1\n", 2),
                       (OPENOCD_TARGET % (0, "dsp563xx", 0, ""), 0)):
        with open(config, "w") as file:
            file.write(OPENOCD + text)
        run = Capture(tools, directory, "| openocd -f %s -c 'gdb_port pipe' 2>/dev/null" % config,
                      limit=("-d", "2"))
        if not cpus:
            yield from check("OpenOCD, not examined",
                             run.complaint(1, "has it found its target?", 0))
            continue
        yield from check("OpenOCD", run.complaint(0, "samples", 2))
        if sorted(run.threads().values()) != ["cpu %d" % i for i in range(cpus)]:
            yield "OpenOCD: %s: %s" % (text, run.threads())


def build_spin(directory, *options):
    source, program = os.path.join(directory, "spin.c"), os.path.join(directory, "spin")
    with open(source, "w") as file:
        file.write("volatile int n; __attribute__((noinline)) void turn(void) { n++; }\n"
                   "__attribute__((noinline)) void wide(int at)\n"
                   "{ volatile char room[6000]; room[at] = 1; for (;;) turn(); n += room[at]; }\n"
                   "int main(int argc, char **argv) { wide(argc); return !argv; }\n")
    known.check_run(["aarch64-linux-gnu-gcc", "-O1", *options, source, "-o", program])
    return program


def check_emulated(tools, directory):
    """A program that is emulated: its stub does not hear the interrupt while it runs.

    Its frames may be larger than the pieces in which a stack is read."""
    program = build_spin(directory, "-static")
    with Qemu(["qemu-aarch64", "-g", "PORT", program]) as qemu:
        run = Capture(tools, directory, qemu.target, limit=("-d", "3"))
        yield from check("an emulated program", run.complaint(0, "samples", 5))
        samples = run.samples()
        if "main" not in names(samples[-1]) or samples[-1]["stop"] != "thread-start":
            yield "an emulated program: %s" % names(samples[-1])
        # No stub tells what threads of a program did, and what they wait for.
        if any("state" in sample for sample in samples):
            yield "an emulated program: states of %s" % samples[-1]
        text = known.check_run([os.path.join(tools, "cgunwind"), "-f", "waits", run.path])
        if "No deadlock" in text or "is not known" not in text:
            yield "an emulated program: waits: %s" % text


def check_emulated_libraries(tools, directory):
    """A program that has not loaded its libraries when the capture begins, and runs in its own code.

    After a look for libraries that took t comes none for 20 t: a busy machine needs a longer capture."""
    program, sysroot = build_spin(directory), "/usr/aarch64-linux-gnu"
    for seconds in ("3", "10", "30"):
        with Qemu(["qemu-aarch64", "-L", sysroot, "-g", "PORT", program]) as qemu:
            run = Capture(tools, directory, qemu.target, limit=("-d", seconds))
        yield from check("libraries", run.complaint(0, "samples", 5))
        samples = run.samples("--sysroot", sysroot, "-e", program)
        whole = [sample for sample in samples if names(sample)[-1] == "_start" and sample["stop"] == "thread-start"]
        if len(whole) >= len(samples) / 2:
            return
    yield "libraries: %d of %d samples are whole; %s" % (len(whole), len(samples), names(samples[-1]))


EMULATED_HANDLER = """
#include <signal.h>
volatile int n;
__attribute__((noinline)) void spin(void) { for (;;) n++; }
__attribute__((noinline)) static void handler(int number) { volatile char room[77]; room[0] = number; spin(); n += room[0]; }
__attribute__((noinline)) void inner(int at) { volatile char room[99]; room[at & 3] = 1; FAULT; n += room[0]; }
__attribute__((noinline)) void outer(int at) { volatile char room[50]; room[at & 3] = 1; inner(at); n += room[0]; }
int main(int argc, char **argv)
{
    static char other[1 << 16];
    stack_t stack = {.ss_sp = other, .ss_size = sizeof(other)};
    struct sigaction action = {.sa_handler = handler, .sa_flags = FLAGS};
    sigaltstack(&stack, 0);
    sigaction(SIGSEGV, &action, 0);
    outer(argc);
    return !argv + n;
}
"""


def check_emulated_handler(tools, directory):
    """A handler's frame behind the emulator's trampoline, which is in no file and no known mapping."""
    source, program = os.path.join(directory, "handler.c"), os.path.join(directory, "handler")
    with open(source, "w") as file:
        file.write(EMULATED_HANDLER)
    for machine, compiler in (("aarch64", "aarch64-linux-gnu-gcc"), ("arm", "arm-linux-gnueabihf-gcc"),
                              ("riscv64", "riscv64-linux-gnu-gcc")):
        kinds = [("0", "*(volatile int *)8 = n"), ("SA_SIGINFO", "*(volatile int *)8 = n")]
        if machine != "riscv64":  # whose frames want a PC and a stack that are known
            kinds += [("0", "((void (*)(void))0)()"), ("SA_ONSTACK", "*(volatile int *)8 = n")]
        for flags, fault in kinds:
            title = "a handler of %s, %s, %s" % (machine, flags, fault)
            known.check_run([compiler, "-O1", "-static", "-DFLAGS=" + flags, "-DFAULT=" + fault, source, "-o", program])
            with Qemu(["qemu-" + machine, "-g", "PORT", program]) as qemu:
                run = Capture(tools, directory, qemu.target, limit=("-d", "3"))
            yield from check(title, run.complaint(0, "samples", 5))
            last = run.samples("-e", program)[-1]
            told = [name for name in names(last) if name and not name.endswith("sa_restorer")]
            # Of the other stack, which the handler has left, there is no copy.
            expected = (["spin", "handler", "inner", "outer"], "truncated") if flags == "SA_ONSTACK" else (
                ["spin", "handler", "inner", "outer", "main"], "thread-start")
            if (told[:5], last["stop"]) != expected:
                yield "%s: %s, %s" % (title, names(last), last["stop"])


# Nothing is mapped above the stack, of which a part of a page is in use.
EMULATED_CONTEXT = """
#include <sys/mman.h>
#include <ucontext.h>
#define PAGE 4096
volatile int n;
__attribute__((noinline)) void turn(void) { for (;;) n++; }
__attribute__((noinline)) void first(void) { volatile char room[100]; room[n & 1] = 1; turn(); n += room[0]; }
int main(void)
{
    static ucontext_t own, other;
    char *stack = mmap(0, 17 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(stack + 16 * PAGE, PAGE);
    getcontext(&other);
    other.uc_stack.ss_sp = stack;
    other.uc_stack.ss_size = 16 * PAGE;
    makecontext(&other, first, 0);
    return swapcontext(&own, &other);
}
"""


def check_emulated_context(tools, directory):
    source, program = os.path.join(directory, "context.c"), os.path.join(directory, "context")
    with open(source, "w") as file:
        file.write(EMULATED_CONTEXT)
    for machine, outer in (("aarch64", "__startcontext"), ("riscv64", "__start_context")):
        known.check_run([machine + "-linux-gnu-gcc", "-O1", "-static", source, "-o", program])
        with Qemu(["qemu-" + machine, "-g", "PORT", program]) as qemu:
            run = Capture(tools, directory, qemu.target, limit=("-d", "3"))
            yield from check("a context of " + machine, run.complaint(0, "samples", 5))
            for method in ([], ["--method", "prologue"]):
                last = run.samples(*method)[-1]
                if names(last) != ["turn", "first", outer] or last["stop"] != "undefined-ra":
                    yield "a context of %s %s: %s, %s" % (machine, method, names(last), last["stop"])


def told(text):
    """(Hz, seconds halted, at most)"""
    unit = {"s": 1, "ms": 1e-3, "µs": 1e-6}
    rate = re.search(r"([0-9.]+) Hz", text)
    halted = re.search(r"stopped ([0-9.]+) (\S+) in all, ([0-9.]+) (\S+) at most", text)
    return (float(rate.group(1)) if rate else 0.0, float(halted.group(1)) * unit[halted.group(2)],
            float(halted.group(3)) * unit[halted.group(4)])


def measure_gdb(port, firmware, directory, seconds):
    """gdb that interrupts, unwinds and goes on: how many a second if it did nothing else."""
    script = os.path.join(directory, "halts.gdb")
    with open(script, "w") as file:
        file.write("set pagination off\nset confirm off\nfile %s\n"
                   "target remote localhost:%d\npython\n"
                   "import time, gdb, os, signal, threading\n"
                   "n, run, end = 0, 0.01, time.monotonic() + %d\n"
                   "while time.monotonic() < end:\n"
                   "    try:\n"
                   "        threading.Timer(run, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                   "        gdb.execute('continue', to_string=True)\n"
                   "        gdb.execute('bt', to_string=True)\n"
                   "        n += 1\n"
                   "    except KeyboardInterrupt:\n"
                   "        pass\n"
                   "print('HALTS', n, run * n)\nend\ndetach\n" % (firmware, port, seconds))
    done = subprocess.run(["gdb-multiarch", "-batch", "-nx", "-x", script], capture_output=True,
                          text=True, timeout=120)
    found = re.search(r"HALTS (\d+) ([0-9.]+)", done.stdout)
    if not found:
        return 0.0
    return int(found.group(1)) / max(seconds - float(found.group(2)), 0.01)


def measure(tools, directory):
    firmware = build_firmware(directory)
    seconds = 5
    for delay in (0, 0.001, 0.005):
        with board(firmware) as qemu, gdb_stub.Proxy(qemu.port, delay=delay) as proxy:
            port = proxy.port if delay else qemu.port
            for budget in ("100", "5"):
                if delay:
                    proxy.__exit__()
                    proxy = gdb_stub.Proxy(qemu.port, delay=delay)
                    port = proxy.port
                run = Capture(tools, directory, "localhost:%d" % port, "-e", firmware,
                              "--halt-budget", budget, "-F", "2000", limit=("-d", str(seconds)))
                rate, halted, worst = told(run.text)
                count = len(run.records(snapfile.SAMPLE))
                chains = run.samples() if count else []
                ends = sum(sample["stop"] in ("reset", "thread-start") for sample in chains)
                trips = (proxy.trips / count if delay and count else 0)
                print("%g ms a packet, budget %s %%: %.1f samples/s, halted %.2f %%, %.2f ms a "
                      "sample, %.1f ms at most, %d of %d chains to the start, %.1f packets a sample"
                      % (delay * 1000, budget, count / seconds, 100 * halted / seconds,
                         1000 * halted / max(count, 1), 1000 * worst, ends, len(chains), trips))
            if delay:
                proxy = gdb_stub.Proxy(qemu.port, delay=delay)
                port = proxy.port
            print("%g ms a packet, gdb by script: %.1f samples/s"
                  % (delay * 1000, measure_gdb(port, firmware, directory, seconds)))


TESTS = (check_faults, check_without_psp, check_resets, check_loss, check_signals,
         check_restless, check_bystander, check_threads, check_deaf, check_late,
         check_misbehaviour, check_hung_reader, check_connecting, check_hanging_command,
         check_slow, check_serial, check_command, check_refusals, check_qemu, check_ruined,
         check_wrong_files, check_names_of_files, check_firmware, check_rtos, check_gdbserver,
         check_openocd, check_emulated, check_emulated_libraries, check_emulated_context,
         check_emulated_handler)


def main():
    tools = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    known.need("qemu-system-arm", "qemu-aarch64", "qemu-riscv64", "qemu-arm", "gdbserver", "openocd",
               "arm-none-eabi-gcc", "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc",
               "arm-linux-gnueabihf-gcc", "strace")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        if sys.argv[2:] == ["measure"]:
            measure(tools, directory)
            return 0
        for test in TESTS:
            if sys.argv[2:] and test.__name__ not in sys.argv[2:]:
                continue
            begin = time.monotonic()
            failures += test(tools, directory)
            print("%s: %.1f s" % (test.__name__, time.monotonic() - begin))
    print("\n".join(failures) or "all is well")
    return bool(failures)


sys.exit(main())
