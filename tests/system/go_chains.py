#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Chains of stripped Go programs, against the traces that Go's runtime prints itself.

usage: go_chains.py BUILD-DIRECTORY

A program does one thing at a time that leaves the goroutine's stack (collecting garbage, channels, growing stacks,
clocks by the vDSO, C code and its callbacks) or not. Its busy thread is stopped at a random moment, captured, and sent
SIGQUIT, which it gets at that very instruction: functions, lines and addresses of the trace that it prints must be the
chain's. Then, of captures while all of them run: nearly all chains of running threads reach the start of a goroutine or
thread, and each goroutine's chains its own function.
"""

import ctypes
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import golang
import i386
import known

SOURCE = """
package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"sort"
	"strings"
	"sync"
	"time"
)

type node struct{ left, right *node }

//go:noinline
func build(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func garbage() {
	for build(12) != nil {
	}
}

func relay(in, out chan int) {
	for x := range in {
		out <- x + 1
	}
}

func channels() {
	a, b := make(chan int), make(chan int)
	go relay(a, b)
	a <- 1
	relay(b, a)
}

func clock() {
	for time.Now().UnixNano() != 0 {
	}
}

func text() {
	words := []string{}
	for i := 0; ; i = (i + 1) % 1000 {
		words = append(words, strings.Repeat(fmt.Sprint(i), 3))
		if i == 0 {
			sort.Strings(words)
			words = words[:0]
		}
	}
}

func hash() {
	b := make([]byte, 4096)
	for {
		b[0] = sha256.Sum256(b)[0]
	}
}

func deep(n int) int {
	var a [32]int
	if n > 0 {
		a[n%32] = deep(n - 1)
	}
	return a[n%32] + 1
}

func stacks() {
	var group sync.WaitGroup
	for {
		group.Add(1)
		go func() { deep(1000); group.Done() }()
		group.Wait()
	}
}

var kinds = map[string]func(){
	"garbage": garbage, "channels": channels, "clock": clock, "text": text, "hash": hash, "stacks": stacks,
}

func main() {
	for _, kind := range os.Args[1:] {
		go kinds[kind]()
	}
	fmt.Println("ready")
	time.Sleep(time.Hour)
}
"""
# C code, and a callback of it, on a stack that Go did not make.
WITH_C = """
package main

/*
extern int called(int);
static int __attribute__((noinline)) inner(int n)
{
	for (volatile int i = 0; i < 1000; i++)
		n += i;
	return n;
}
static int __attribute__((noinline)) outer(int n) { return inner(n) + called(n) + 1; }
*/
import "C"
import "fmt"

//export called
func called(n C.int) C.int {
	for i := 0; i < 1000; i++ {
		n += C.int(i) ^ n
	}
	return n
}

func calls() {
	n := C.int(1)
	for {
		n = C.outer(n)
	}
}

func main() {
	fmt.Println("ready")
	calls()
}
"""
# Threads that end with their goroutines: the runtime makes others, for which it calls C on a stack of its own.
WITH_THREADS = """
package main

/*
static void spin(int n) { for (volatile int i = 0; i < n; i++) ; }
*/
import "C"
import (
	"fmt"
	"runtime"
	"sync"
)

func main() {
	fmt.Println("ready")
	for {
		var group sync.WaitGroup
		group.Add(8)
		for i := 0; i < 8; i++ {
			go func() { runtime.LockOSThread(); group.Done() }()
		}
		C.spin(10)
		group.Wait()
	}
}
"""
# A C program that calls Go, and then is interrupted on a stack of C's, deep in which Go had been called.
LIBRARY = """
package main

import "C"

//export called
func called(n int32) int32 { return n + 1 }

func main() {}
"""
C_MAIN = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern int called(int);
static void handler(int number)
{
	for (volatile int i = number;; i++)
		;
}
static int __attribute__((noinline)) deep(int n)
{
	volatile char pad[1024];
	pad[n % 1024] = (char)n;
	if (n == 0)
		return called(1) + raise(SIGUSR1);
	return deep(n - 1) + pad[n % 1024];
}
int main(void)
{
	stack_t stack = {.ss_sp = malloc(1 << 17), .ss_size = 1 << 17};
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	puts("ready");
	fflush(stdout);
	return deep(60);
}
"""
DEPTH = 61
C_CALLERS = {"runtime.cgocall", "runtime.newm1"}  # who asmcgocall is called by
# Who calls whom of the program's own functions, from a goroutine's start on.
OWN = {
    "garbage": "garbage(,build)*", "channels": "channels(,relay|.(func|gowrap)1,relay)?", "clock": "clock",
    "text": "text", "hash": "hash", "stacks": "stacks|stacks.func1(,deep)*",
}
STOPS = 5  # of each kind
TRIES = 10  # for each stop
SECONDS = 3
COMPLETE = 0.99
SAMPLES_MIN = 100  # of running threads
BYTES_MAX = 32 << 10  # of a snapshot, for a sample
BLOCK = re.compile(r"(goroutine (\d+) .*|runtime stack):$")
PLACE = re.compile(r"\t(\S+:\d+)(?: \+0x[0-9a-f]+)?(?: fp=\S+ sp=\S+ pc=0x([0-9a-f]+))?$")
TGKILL = {"x86_64": 234, "aarch64": 131}
# The trace has no place for them: it begins with their caller, or a goroutine stands there while it runs elsewhere.
LEFT = {"runtime.schedule", "runtime.park_m", "runtime.goexit0", "runtime.gosched_m", "runtime.gopreempt_m", "runtime.exitsyscall0"}
# Handlers of the runtime's own signals, which change what SIGQUIT finds; and what enters or leaves system calls, whose
# trace begins elsewhere.
NO_TRACE = re.compile(r"runtime\.(sigtramp|cgoSigtramp|(re)?(enter|exit)syscall.*)")
# Functions that write SP: at one of them the trace ends, though its goroutine may not have been left yet.
WRITES_SP = {"gogo"} | {"runtime." + name for name in ("systemstack", "mcall", "gogo", "morestack", "asmcgocall", "cgocallback")}
CLOCKS = {"runtime.nanotime1", "runtime.walltime"}
UNTOLD = {"time.now", "runtime.nanotime1", "runtime.walltime", "runtime.systemstack_switch"}


def trace_of(text):
    """
    (function, file:line, address) of each frame of what runs, inlined ones without address; were some left out? There
    are none if the goroutine ran on another thread than that which got the signal; or where a thread on its system
    stack is in the vDSO, whose place the runtime takes for that of both stacks: it prints one of them twice.
    """
    frames = []
    for block in text.split("\n\n"):
        head, *lines = block.splitlines() or [""]
        match = BLOCK.match(head)
        if match and lines and "stack unavailable" in lines[0]:
            return [], False
        before, frames = frames, []
        for function, place in zip(lines[::2], lines[1::2]) if match else ():
            if function.startswith("..."):
                return before + frames, True
            if function.startswith("created by"):
                break
            found = PLACE.match(place)
            if not found:
                raise known.Failure("not understood in a trace: %s" % place)
            address = int(found[2], 16) if found[2] else None
            frames.append((function.rpartition("(")[0], found[1], address))
        is_twice = frames and frames == before
        frames = before + frames
        if match and match[2] not in (None, "0"):
            return ([] if is_twice else frames), False
    raise known.Failure("no goroutine in the trace:\n" + text[:2000])


def chain_of(sample):
    """Of type arguments, which newer tables have, a trace tells nothing."""
    return [(re.sub(r"\[.*\]", "[...]", frame["function"]) if "function" in frame else None,
             "%s:%s" % (frame.get("file"), frame.get("line")), int(frame["pc"], 16)) for frame in sample["frames"]]


class Program(known.Target):
    """Which has told that it is ready; what it prints when it ends is kept."""

    def __init__(self, path, *kinds, **variables):
        self.process = subprocess.Popen([path, *kinds], env=dict(os.environ, **variables), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pid = self.process.pid
        self.process.stdout.readline()

    def busiest(self):
        def used(tid):
            with open("/proc/%d/task/%d/schedstat" % (self.pid, tid), encoding="ascii") as file:
                return int(file.read().split()[0])
        return max((tid for _, tid in self.threads()), key=used)

    def quit(self, tid):
        """The trace that it prints when the thread, which is stopped, gets SIGQUIT."""
        ctypes.CDLL(None).syscall(TGKILL[os.uname().machine], self.pid, tid, signal.SIGQUIT)
        self.go_on()
        return self.process.communicate(timeout=120)[1]


def is_same(got, wanted):
    """One frame; where a system call is interrupted, the runtime goes back to it before it prints."""
    if got[0] != wanted[0]:
        return False
    return wanted[2] in (None, got[2]) and got[1] == wanted[1] or (wanted[2] and got[2] - wanted[2] == 2)


def is_in_vdso(got):
    """The vDSO's function for a clock, or a nameless one that it calls (of a virtual machine's clock)."""
    names = [frame[0] for frame in got]
    return (names[0] or (names + [None])[1] or "").startswith("__vdso_")


def is_chain_of(got, wanted, elided):
    """The whole chain, but for what the runtime's traces never tell."""
    wanted = [frame for frame in wanted if frame[0] not in UNTOLD]
    while got and got[0][0] != wanted[0][0] and (got[0][0] in UNTOLD or is_in_vdso(got)):
        got = got[1:]
    got = [frame for frame in got if frame[0] not in UNTOLD]
    left = any(frame[0] in LEFT for frame in got)
    if got and got[-1][0] == "runtime.mcall" and left:  # the trace tells of one that was left for good
        wanted = wanted[:len(got)]
    if elided:
        got = got[:len(wanted)]
    return len(got) == len(wanted) and all(map(is_same, got, wanted))


def is_go_of(got, wanted, _):
    """The functions of Go, among which are C's, of which the trace knows nothing."""
    names = [frame[0] for frame in got if frame[1] != "None:None"]
    told = [frame[0] for frame in wanted if frame[0] not in UNTOLD]
    if told[0] == "runtime.cgocall":  # in C, or not wholly back from it
        names = names[-len(told):]
    return names == told


def is_cut(got, wanted, told):
    """
    The trace ends where another stack begins, or tells nothing of that, as where the runtime asks for the time there;
    or it begins where the goroutine said that it would block, before it called what blocks.
    """
    return (told[0][0] == "runtime.notetsleepg" or told[-1][0] == "runtime.systemstack" or len(told) == 1 and told[0][0] in WRITES_SP or
            wanted[0][0] in CLOCKS and any(frame[0] in WRITES_SP for frame in got))


def stop_once(tools, path, kinds):
    """Stops it somewhere: the sample, and the trace's text."""
    snapshot = path + ".bin"
    with Program(path, *kinds, GOTRACEBACK="system", GOMAXPROCS="1") as program:
        time.sleep(random.uniform(0.02, 0.2))
        tid = program.busiest()
        program.stop()
        sample = known.unwind(tools, known.capture(tools, program.pid, snapshot))[tid]
        os.remove(snapshot)
        return sample, program.quit(tid)


def is_equal_once(tools, path, kinds, is_equal):
    """Are chain and trace equal, at a stop for which there is a trace?"""
    for _ in range(TRIES):
        sample, trace = stop_once(tools, path, kinds)
        got, (wanted, elided) = chain_of(sample), trace_of(trace)
        told = [frame for frame in wanted if frame[0] not in UNTOLD]
        if told and not is_cut(got, wanted, told) and not any(NO_TRACE.match(frame[0] or "") for frame in got):
            break
    else:
        raise known.Failure("%s: %s: no trace in %d stops" % (path, kinds, TRIES))
    if sample["stop"] == "thread-start" and is_equal(got, wanted, elided):
        return True
    print("%s: %s at %s\n  got    %s\n  wanted %s" % (path, kinds, sample["stop"], got[:30], wanted[:30]))
    return False


def compare(tools, path, kinds, is_equal):
    for each in kinds:
        equal = sum(is_equal_once(tools, path, each, is_equal) for _ in range(STOPS))
        print("%s: %s: %d of %d stops equal" % (os.path.basename(path), " ".join(each), equal, STOPS))
        if equal < STOPS:
            yield "%s: %s: %d of %d chains are not the trace's" % (path, each, STOPS - equal, STOPS)


def own_functions(sample):
    """The program's own functions, outermost first, without what is its package's."""
    names = [frame.get("function") or "" for frame in reversed(sample["frames"])]
    return ",".join(name[len("main."):] for name in names if name.startswith("main.") and name != "main.main")


def archive(tools, directory):
    """Of a C program: the handler's chain goes on on C's stack, where Go's has been."""
    go = golang.Go(directory, LIBRARY)
    library = go.build("library.a", ["-buildmode=c-archive"], [])
    source, path = os.path.join(directory, "main.c"), os.path.join(directory, "archive")
    with open(source, "w", encoding="utf-8") as file:
        file.write(C_MAIN)
    known.check_run(["gcc", "-O1", source, library, "-o", path, "-pthread"])
    with Program(path) as program:
        time.sleep(0.5)
        tid = program.pid
        program.stop()
        sample = known.unwind(tools, known.capture(tools, program.pid, path + ".bin"))[tid]
    names = [frame.get("function") for frame in sample["frames"]]
    print("archive: %d frames, %s" % (len(names), sample["stop"]))
    if names.count("deep") != DEPTH or "main" not in names or sample["stop"] != "thread-start":
        yield "archive: %d frames of deep: %s at %s" % (names.count("deep"), names, sample["stop"])


def callers_of_c(samples):
    """Who asmcgocall seems to be called by, that does not call it."""
    for sample in samples:
        names = [frame.get("function") for frame in sample["frames"]]
        for name, caller in zip(names, names[1:]):
            if name == "runtime.asmcgocall" and caller not in C_CALLERS:
                yield caller


def share(tools, path, kinds, pattern, own):
    """Of a capture while it runs."""
    name, snapshot = os.path.basename(path), path + ".bin"
    with Program(path, *kinds) as program:
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-p", str(program.pid), "-d", str(SECONDS), "--clock",
                         "ptrace", "--overhead", "100", "-o", snapshot])
    size = os.path.getsize(snapshot)
    lines = known.check_run([os.path.join(tools, "cgunwind"), "-f", "json", snapshot]).splitlines()
    samples = [item for item in map(json.loads, lines) if item["type"] == "sample"]
    running = [sample for sample in samples if sample["state"] in ("running", "ready")]
    complete = sum(sample["stop"] == "thread-start" for sample in running)
    frames = [frame for sample in running for frame in sample["frames"] if frame.get("module") == path]
    named = sum("function" in frame for frame in frames)
    strange = {chain for chain in map(own_functions, running) if chain and not re.fullmatch(pattern, chain)}
    print("%s: %d running, %d complete; %d of %d frames named; %d bytes a sample" %
          (name, len(running), complete, named, len(frames), size / max(1, len(samples))))
    if len(running) < SAMPLES_MIN:
        yield "%s: %d samples of running threads" % (name, len(running))
    if complete < COMPLETE * len(running):
        yield "%s: %d of %d running chains are complete" % (name, complete, len(running))
    if own and named < COMPLETE * len(frames):
        yield "%s: %d of %d frames have a name" % (name, named, len(frames))
    if own and size > BYTES_MAX * len(samples):
        yield "%s: %d bytes for %d samples" % (name, size, len(samples))
    if strange:
        yield "%s: nothing calls like %s" % (name, sorted(strange)[:5])
    wrong = set(callers_of_c(samples))
    if wrong:
        yield "%s: do not call asmcgocall: %s" % (name, sorted(wrong))


def test(tools):
    stripped = ["-s", "-w"]
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for name in ("go", "c", "threads", "archive"):
            os.mkdir(os.path.join(directory, name))
        go = golang.Go(os.path.join(directory, "go"), SOURCE)
        plain = go.build("plain", [], stripped, CGO_ENABLED="0")
        old = go.build("i386", [], stripped, CGO_ENABLED="0", GOARCH="386")
        with_c = golang.Go(os.path.join(directory, "c"), WITH_C).build("with-c", ["-buildmode=pie"], stripped)
        kinds = list(OWN)
        threads = golang.Go(os.path.join(directory, "threads"), WITH_THREADS).build("threads", [], stripped)
        failures += compare(tools, plain, [[kind] for kind in kinds], is_chain_of)
        failures += compare(tools, with_c, [[]], is_go_of)
        failures += share(tools, plain, kinds, "|".join(OWN.values()), True)
        if i386.runs_here():
            failures += share(tools, old, kinds, "|".join(OWN.values()), True)
        else:
            print("i386: left out, this kernel does not execute it")
        failures += share(tools, with_c, [], "calls(,_Cfunc_outer(,called)?)?", False)
        failures += share(tools, threads, [], "main.*|_Cfunc_spin", False)
        failures += archive(tools, os.path.join(directory, "archive"))
    return failures


if __name__ == "__main__":
    known.main(test)
