#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hottest functions of real programs, and their shares of CPU time: by cgsnap and by perf.

usage: beside_perf.py BUILD-DIRECTORY [--seconds N] [--rate HZ] [NAME ...]

Each program is captured by cgsnap with its defaults and, at the same time, by `perf record -e
cpu-clock -F 999`; as root. Printed are the ten functions that have most CPU time of their own by
perf, what cgunwind shows of each without a weight and as CPU time, in per cent of all CPU time, and
the largest difference among the ten.

cgsnap has no frames of the kernel: what the kernel does for a function is the function's. So it is
of perf's samples here: the first frame behind the kernel's counts. perf's samples are named by
cgunwind, too, as the same function has several names to different tools; that both count the same
is not cgunwind's doing, as each sample of perf's is one here.

Of n samples, a share p is off by the root of p (1 - p) / n by chance: "±" is twice that for what
cgsnap has of them, which is less than perf has: ticks of CPUs' clocks, or else samples.

go and java are programs of this file: twelve functions of different shares, four threads. The
others are slowdown.py's. Needs linux-perf; default-jdk-headless, postgresql, redis-server and so on
by the names of the programs. What is not here is left out, and named.
"""

import argparse
import glob
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter

sys.dont_write_bytecode = True
import slowdown  # which finds tests/system

import golang
import known
import weights

DEFAULT = ("go", "java", "postgres")
HOTTEST = 10
KERNEL = r"^\[kernel\]$"
WARM_UP = 4  # seconds, for what is compiled while it runs
# In hundredths of a round.
WORK = {"alpha": 24, "bravo": 18, "charlie": 14, "delta": 11, "echo": 9, "foxtrot": 7, "golf": 5,
        "hotel": 4, "india": 3, "juliett": 2, "kilo": 1, "lima": 1}

GO = """
package main

var sinks [4]uint64
%s
func round(turns int, x uint64) uint64 {
%s	return x
}

func work(self int, in, out chan []uint64) {
	for x := uint64(self); ; {
		x = round(2000, x)
		select {
		case out <- make([]uint64, 64):
		default:
		}
		select {
		case got := <-in:
			x += uint64(len(got))
		default:
		}
		sinks[self] = x
	}
}

func main() {
	var chans [4]chan []uint64
	for i := range chans {
		chans[i] = make(chan []uint64, 8)
	}
	for i := 1; i < 4; i++ {
		go work(i, chans[i], chans[(i+1)%%4])
	}
	work(0, chans[0], chans[1])
}
"""
GO_FUNCTION = """
//go:noinline
func %s(turns int, x uint64) uint64 {
	for i := 0; i < turns; i++ {
		x = x*6364136223846793005 + 1442695040888963407
		x ^= x >> 29
	}
	return x
}
"""

JAVA = """
import java.util.*;
class Shares extends Thread {
    long sink;
%s
    public void run() {
        Map<Long, Long> map = new HashMap<>();
        for (long x = getId(); ; sink = x) {
%s            map.merge(x & 63, x, Long::sum);
        }
    }
    public static void main(String[] args) {
        for (int i = 0; i < 4; i++) new Shares().start();
    }
}
"""
JAVA_FUNCTION = """
    static long %s(int turns, long x) {
        for (int i = 0; i < turns; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
            x ^= x >>> 29;
        }
        return x;
    }
"""


def go(directory):
    functions = "".join(GO_FUNCTION % name for name in WORK)
    calls = "".join("\tx = %s(turns/100*%d, x)\n" % work for work in WORK.items())
    path = golang.Go(directory, GO % (functions, calls)).build("shares", [], [])
    return [path]


def java(directory):
    functions = "".join(JAVA_FUNCTION % name for name in WORK)
    calls = "".join("            x = %s(20 * %d, x);\n" % work for work in WORK.items())
    slowdown.write(directory + "/Shares.java", JAVA % (functions, calls))
    subprocess.run(["javac", "Shares.java"], cwd=directory, check=True)
    return ["java", "-XX:+PreserveFramePointer", "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=dontinline,Shares::*", "-cp", directory, "Shares"]


class Java(slowdown.Program):
    """Its names are told by a perf map, as soon as the hot methods are compiled."""

    def begin(self):
        self.map = "/tmp/perf-%d.map" % self.pid
        known.check_run(["jcmd", str(self.pid), "Compiler.perfmap"])

    def stop(self):
        super().stop()
        if os.path.exists(self.map):
            os.unlink(self.map)


PROGRAMS = dict(slowdown.PROGRAMS, go=(None, slowdown.Program(go)), java=("javac", Java(java)))


def family(pid):
    """It, and its descendants, as far as they are still there."""
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid), encoding="ascii") as children:
            return [pid, *(one for child in children.read().split() for one in family(int(child)))]
    except FileNotFoundError:
        return []


def start_perf(program, seconds, recording):
    """perf refuses a process that has ended since it was listed: then they are listed anew."""
    perf = None
    while perf is None or perf.returncode:
        pids = family(program.pid) if program.follow else [program.pid]
        if not pids:
            raise known.Failure("the program has ended")
        perf = subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock", "-F", "999", "-g", "-p",
                                 ",".join(map(str, pids)), "-o", recording, "--", "sleep", seconds],
                                stdout=subprocess.DEVNULL)
        known.wait_until(lambda: perf.poll() is not None or os.path.exists(recording), "perf")
    return perf


def capture(tools, program, options, snapshot, recording):
    """By both at once; what cgsnap tells of it."""
    seconds = str(options.seconds)
    perf = start_perf(program, seconds, recording)
    follow = ["--children", "--follow-forks"] if program.follow else []
    told = known.run([tools + "/cgsnap", "-p", str(program.pid), "-F", str(options.rate),
                      "-d", seconds, *follow, "-o", snapshot])
    told_lines = told.stderr.decode().splitlines()
    if perf.wait() or told.returncode:
        raise known.Failure("\n".join(told_lines))
    return next(line for line in told_lines if " samples " in line)


def own_amounts(tools, path, *options):
    """{function: of the weight, as the innermost one outside the kernel}"""
    amounts = Counter()
    command = [tools + "/cgunwind", "-f", "folded", "--no-inline", "--hide", KERNEL]
    for line in known.check_run([*command, *options, path]).splitlines():
        chain, _, amount = line.rpartition(" ")
        amounts[chain.rpartition(";")[2]] += int(amount)
    return amounts


def in_per_cent(amounts):
    total = sum(amounts.values()) or 1
    return Counter({name: 100 * amount / total for name, amount in amounts.items()})


def compare(tools, snapshot, recording, maps):
    """Prints the table."""
    theirs = own_amounts(tools, recording, "--weight", "samples",
                         *(word for name in maps for word in ("--perf-map", name)))
    count = weights.tick_count(tools, snapshot) or sum(
        own_amounts(tools, snapshot, "--weight", "samples", "--state", "running,ready").values())
    ways = [in_per_cent(own_amounts(tools, snapshot, *options))
            for options in ((), ("--weight", "cpu"))]
    counts = "%d samples of perf's, %d of cgsnap's" % (sum(theirs.values()), count)
    print("  %-40s %6s  %8s %6s   %8s %6s  %5s" % (counts, "perf", "default", "", "cpu", "", "±"))
    worst = [0.0] * len(ways)
    for name, share in in_per_cent(theirs).most_common(HOTTEST):
        differences = [way[name] - share for way in ways]
        worst = [max(pair) for pair in zip(worst, map(abs, differences))]
        columns = ["%7.1f%% %+6.1f" % (share + points, points) for points in differences]
        chance = 2 * math.sqrt(share * (100 - share) / max(count, 1))
        print("  %-40.40s %5.1f%%  %s  %5.1f" % (name, share, "   ".join(columns), chance))
    print("  the largest difference: %.1f points by default, %.1f as CPU time\n" % tuple(worst),
          flush=True)


def test(tools, name, program, options):
    with tempfile.TemporaryDirectory(prefix="cg-beside-") as directory:
        os.chmod(directory, 0o755)
        os.mkdir(directory + "/work")
        program.start(directory + "/work")
        try:
            time.sleep(WARM_UP)
            program.begin()
            snapshot, recording = directory + "/snap", directory + "/perf.data"
            print("%s: %s" % (name, capture(tools, program, options, snapshot, recording)))
            compare(tools, snapshot, recording, glob.glob("/tmp/perf-%d.map" % program.pid))
        finally:
            program.stop()


def is_here(needed):
    return needed is None or shutil.which(needed) or os.path.isdir(needed)


def run_each(test, programs, names, options):
    """TEST(tools, name, program, options) of those that are here; the exit status."""
    known.need("perf")
    status = 0
    for name in names:
        needed, program = programs[name]
        if not is_here(needed):
            print("%s: %s is not here" % (name, needed))
            continue
        try:
            test(os.path.abspath(options.build), name, program, options)
        except known.Failure as failure:
            print("%s: FAILED: %s" % (name, failure))
            status = 1
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--rate", type=int, default=99)
    parser.add_argument("name", nargs="*", help=", ".join(PROGRAMS))
    options = parser.parse_intermixed_args()
    return run_each(test, PROGRAMS, options.name or DEFAULT, options)


if __name__ == "__main__":
    sys.exit(main())
