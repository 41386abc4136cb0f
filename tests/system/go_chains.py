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
# Who calls whom of the program's own functions, from a goroutine's start on.
OWN = {
    "garbage": "garbage(,build)*", "channels": "channels(,relay|.func1,relay)?", "clock": "clock",
    "text": "text", "hash": "hash", "stacks": "stacks|stacks.func1(,deep)*",
}
STOPS = 5  # of each kind
SECONDS = 3
COMPLETE = 0.99
SAMPLES_MIN = 100  # of running threads
BYTES_MAX = 32 << 10  # of a snapshot, for a sample
BLOCK = re.compile(r"(goroutine (\d+) .*|runtime stack):$")
PLACE = re.compile(r"\t(\S+:\d+)(?: \+0x[0-9a-f]+)?(?: fp=\S+ sp=\S+ pc=0x([0-9a-f]+))?$")
TGKILL = {"x86_64": 234, "aarch64": 131}
# The trace has no place for them: it begins with their caller, or a goroutine stands there while it runs elsewhere.
UNTOLD = {"time.now", "runtime.nanotime1", "runtime.walltime", "runtime.systemstack_switch"}


def trace_of(text):
    """(function, file:line, address) of each frame of what runs, inlined ones without address; were some left out?"""
    frames = []
    for block in text.split("\n\n"):
        head, *lines = block.splitlines() or [""]
        match = BLOCK.match(head)
        for function, place in zip(lines[::2], lines[1::2]) if match else ():
            if function.startswith("..."):
                return frames, True
            if function.startswith("created by"):
                break
            found = PLACE.match(place)
            if not found:
                raise known.Failure("not understood in a trace: %s" % place)
            address = int(found[2], 16) if found[2] else None
            frames.append((function.rpartition("(")[0], found[1], address))
        if match and match[2] not in (None, "0"):
            return frames, False
    raise known.Failure("no goroutine in the trace:\n" + text[:2000])


def chain_of(sample):
    return [(frame.get("function"), "%s:%s" % (frame.get("file"), frame.get("line")), int(frame["pc"], 16))
            for frame in sample["frames"]]


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
    return got[0] == wanted[0] and (wanted[2] in (None, got[2]) and got[1] == wanted[1] or got[2] - wanted[2] == 2)


def is_chain_of(got, wanted, elided):
    """The whole chain, but for what the runtime's traces never tell."""
    wanted = [frame for frame in wanted if frame[0] not in UNTOLD]
    while got and got[0][0] != wanted[0][0] and (got[0][0] in UNTOLD or (got[0][0] or "").startswith("__vdso_")):
        got = got[1:]
    got = [frame for frame in got if frame[0] not in UNTOLD]
    if got and got[-1][0] == "runtime.mcall":  # the goroutine that is told then has been left for good
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


def stop_once(tools, path, kinds, is_equal):
    """Stops it somewhere; are chain and trace equal?"""
    snapshot = path + ".bin"
    with Program(path, *kinds, GOTRACEBACK="system", GOMAXPROCS="1") as program:
        time.sleep(random.uniform(0.02, 0.2))
        tid = program.busiest()
        program.stop()
        sample = known.unwind(tools, known.capture(tools, program.pid, snapshot))[tid]
        os.remove(snapshot)
        trace = program.quit(tid)
    got, (wanted, elided) = chain_of(sample), trace_of(trace)
    if sample["stop"] == "thread-start" and is_equal(got, wanted, elided):
        return True
    print("%s: %s at %s\n  got    %s\n  wanted %s" % (path, kinds, sample["stop"], got[:30], wanted[:30]))
    return False


def compare(tools, path, kinds, is_equal):
    for each in kinds:
        equal = sum(stop_once(tools, path, each, is_equal) for _ in range(STOPS))
        print("%s: %s: %d of %d stops equal" % (os.path.basename(path), " ".join(each), equal, STOPS))
        if equal < STOPS:
            yield "%s: %s: %d of %d chains are not the trace's" % (path, each, STOPS - equal, STOPS)


def own_functions(sample):
    """The program's own functions, outermost first, without what is its package's."""
    names = [frame.get("function") or "" for frame in reversed(sample["frames"])]
    return ",".join(name[len("main."):] for name in names if name.startswith("main.") and name != "main.main")


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
    if size > BYTES_MAX * len(samples):
        yield "%s: %d bytes for %d samples" % (name, size, len(samples))
    if strange:
        yield "%s: nothing calls like %s" % (name, sorted(strange)[:5])


def test(tools):
    stripped = ["-s", "-w"]
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        for name in ("go", "c"):
            os.mkdir(os.path.join(directory, name))
        go = golang.Go(os.path.join(directory, "go"), SOURCE)
        plain = go.build("plain", [], stripped, CGO_ENABLED="0")
        old = go.build("i386", [], stripped, CGO_ENABLED="0", GOARCH="386")
        with_c = golang.Go(os.path.join(directory, "c"), WITH_C).build("with-c", ["-buildmode=pie"], stripped)
        kinds = list(OWN)
        failures += compare(tools, plain, [[kind] for kind in kinds], is_chain_of)
        failures += compare(tools, with_c, [[]], is_go_of)
        failures += share(tools, plain, kinds, "|".join(OWN.values()), True)
        failures += share(tools, old, kinds, "|".join(OWN.values()), True)
        failures += share(tools, with_c, [], "calls(,_Cfunc_outer(,called)?)?", False)
    return failures


if __name__ == "__main__":
    known.main(test)
