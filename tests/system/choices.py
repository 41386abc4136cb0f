#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is shown of a capture: --state, --from and --to, --weight and what is shown without it,
--by-thread, --cluster and --label-calls, on a program that is known to run and to sleep.

usage: choices.py BUILD-DIRECTORY
"""

import collections
import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known


class Capture:
    def __init__(self, tools, directory):
        self.tools = tools
        self.program = known.program(tools, "halves", directory)
        self.path = os.path.join(directory, "snap.bin")
        cgsnap = os.path.join(tools, "cgsnap")
        known.check_run([cgsnap, "-q", "-F", "99", "--overhead", "100", "-o", self.path, "--", self.program])

    def run(self, *options):
        return known.check_run([os.path.join(self.tools, "cgunwind"), *options, self.path])

    def folded(self, *options):
        """{(thread, function of the program, innermost): weight}"""
        sums = collections.Counter()
        for line in self.run("-q", "-f", "folded", *options).splitlines():
            stack, _, weight = line.rpartition(" ")
            thread, *names = stack.split(";")
            own = [name for name in names if name in ("run_for", "sleep_for")]
            sums[thread, own[-1] if own else ""] += int(weight)
        return sums

    def counted(self, *options):
        """The same, of samples."""
        return self.folded("--weight", "samples", *options)

    def objects(self, *options):
        return list(map(json.loads, self.run("-q", "-f", "json", *options).splitlines()))

    def samples(self, *options):
        return [item for item in self.objects(*options) if item["type"] == "sample"]

    def cpu_time(self, *options):
        """What samples and ticks stand for, and what none does."""
        items, rest = known.with_cpu_time(self.objects(*options))
        return sum(item["given_ns"] for item in items), sum(rest.values())


def expect(what, true):
    if not true:
        yield what


def check_states(capture):
    states = collections.Counter(item["state"] for item in capture.samples())
    for state in ("running", "blocked", "sleeping", "running,sleeping"):
        want = sum(
            count
            for name, count in states.items()
            if name in state.split(",") or state == "blocked" and name not in ("running", "ready")
        )
        got = sum(capture.counted("--state", state).values())
        yield from expect("--state %s: %d samples in folded, %d in json" % (state, got, want), got == want > 0)
        got = len(capture.samples("--state", state))
        yield from expect("--state %s: %d samples in json, %d without" % (state, got, want), got == want)
    summary = capture.run("--state", "running", "--weight", "samples").splitlines()[1]
    want = "samples: %d of %d shown" % (states["running"], sum(states.values()))
    yield from expect("%r does not begin with %r" % (summary, want), summary.startswith(want))


def check_off_cpu(capture):
    """What is neither CPU time nor off-CPU time is the time before running samples that was not used."""
    offcpu = capture.folded("--weight", "offcpu")
    wall = capture.folded("--weight", "wall")
    asleep = capture.folded("--weight", "wall", "--state", "blocked")
    for thread in ("early", "late"):
        share = offcpu[thread, "sleep_for"] / wall[thread, "sleep_for"]
        yield from expect("%s: %.3f of its sleep is off-CPU" % (thread, share), share > 0.9)
    yield from expect(
        "off-CPU time is more than the wall time of what was blocked",
        all(offcpu[key] <= asleep[key] for key in offcpu),
    )
    known_times = collections.Counter()
    for item in capture.samples():
        if item["state"] not in ("running", "ready"):
            known_times["all"] += max(item.get("wall_ns", 0) - item.get("cpu_ns", 0), 0)
    yield from expect(
        "off-CPU time is %d ns, by its samples %d" % (sum(offcpu.values()), known_times["all"]),
        sum(offcpu.values()) == known_times["all"],
    )


def check_times(capture):
    every = capture.samples()
    start = every[0]["time_ns"]
    for low, high in ((0, 0.5), (0.5, 1.25), (1.25, 100)):
        part = capture.samples("--from", str(low), "--to", "%dms" % (high * 1000))
        want = [item for item in every if low <= (item["time_ns"] - start) / 1e9 < high]
        times = [[item["time_ns"] for item in items] for items in (part, want)]
        yield from expect("--from %s --to %s: other samples" % (low, high), times[0] == times[1])
        frames = [[item["frames"] for item in items] for items in (part, want)]
        yield from expect("--from %s --to %s: other chains" % (low, high), frames[0] == frames[1])
        firsts = {}
        for item in part:
            firsts.setdefault(item["tid"], item)
        yield from expect("a thread's first sample repeats one that is not shown",
                          not any(item.get("repeat") for item in firsts.values()))
        if low:
            lie = [item for item in firsts.values() if item.get("wall_ns", 0) > item["time_ns"] - start - low * 1e9]
            yield from expect("a first sample tells of time before: %s" % lie[:1], not lie)
        got = sum(capture.counted("--from", str(low), "--to", str(high)).values())
        yield from expect("--from %s: %d samples in folded, not %d" % (low, got, len(want)), got == len(want))
        head = capture.run("--weight", "samples", "--from", str(low), "--to", str(high)).splitlines()[1]
        yield from expect("%r: not all is shown" % head, head == "samples: %d" % len(want))
    # Who ran when: in the middle of each half.
    for low, high, runs, sleeps in ((0.2, 0.8, "early", "late"), (1.2, 1.8, "late", "early")):
        found = capture.counted("--from", str(low), "--to", str(high))
        yield from expect("%s at %s: %s" % (runs, low, dict(found)),
                          found[runs, "run_for"] > 0 == found[runs, "sleep_for"])
        yield from expect("%s at %s: %s" % (sleeps, low, dict(found)),
                          found[sleeps, "sleep_for"] > 0 == found[sleeps, "run_for"])
        found = capture.folded("--weight", "cpu", "--from", str(low), "--to", str(high))
        yield from expect("CPU time of %s at %s: %s" % (runs, low, dict(found)),
                          found[runs, "run_for"] > 0.9 * sum(found.values()) and not found[sleeps, "run_for"])


def check_place_in_time(capture):
    """What is shown of a part has the times that it has in the whole, and says which part it is."""
    low, high = 1.25, 1.75
    part = ("--from", str(low), "--to", str(high))
    length = re.search(r"1.25-1.75 s of (\d+\.\d\d) s", capture.run("-f", "threads", *part))
    whole = capture.samples()
    length_ns = whole[-1]["time_ns"] - whole[0]["time_ns"]
    yield from expect("the part's heading does not say how long the whole is",
                      length and abs(float(length[1]) - length_ns / 1e9) < 0.02)
    for same in ("1250ms", "1250000us", "1250000µs", "1250000000ns"):
        yield from expect("--from %s is not 1.25" % same, capture.samples("--from", same) == capture.samples("--from", "1.25"))
    for name in ("stats", "waits", "timeline-svg"):
        yield from expect("-f %s does not say of which part it is" % name,
                          "1.25-1.75 s of " in capture.run("-f", name, *part))
        yield from expect("-f %s says of a part that it is not of" % name, " s of " not in capture.run("-f", name))
    starts = [re.findall(r"^.{28}(.{10}) .{10}  .*tid (\d+)", capture.run("-f", "threads", *options), re.M)
              for options in ((), part)]
    yield from expect("threads start at other times: %s" % starts, starts[0] == starts[1] and len(starts[0]) == 3)
    events = json.loads(capture.run("-f", "chrome", *part))["traceEvents"]
    times = [event["ts"] / 1e6 for event in events if "ts" in event]
    yield from expect("chrome has times from %s to %s" % (min(times), max(times)), min(times) == low and max(times) < high)
    ticks = re.findall(r'class="m">(\d+)(\.\d+)? (s|ms)<', capture.run("-f", "timeline-svg", *part))
    yield from expect("the axis has %s" % ticks, ticks and all(
        low <= float(before + after) / (1 if unit == "s" else 1000) <= high for before, after, unit in ticks))


def check_cpu_time(capture):
    """What a thread used before its first sample is in that, where it was seen to be made."""
    firsts = {}
    for item in capture.samples("--thread", "early"):
        firsts.setdefault(item["tid"], item)
    for item in firsts.values():
        yield from expect("the first sample of early has %s ns of CPU time" % item.get("cpu_ns"),
                          0 < item.get("cpu_ns", 0) < 1e9)
    placed, rest = capture.cpu_time()
    shown = capture.folded()
    yield from expect("CPU time is %d ns, in json %d and %d" % (sum(shown.values()), placed, rest),
                      sum(shown.values()) == placed + rest)
    yield from expect("without a sample: %d ns in json, %s" % (rest, dict(shown)), rest <= sum(ns for (_, function), ns in shown.items() if not function))
    for thread in ("early", "late"):
        yield from expect("%s: CPU time in %s" % (thread, dict(shown)), shown[thread, "run_for"] > 0.2 * sum(shown.values()))
        yield from expect("%s: CPU time asleep in %s" % (thread, dict(shown)), shown[thread, "sleep_for"] < 0.05 * sum(shown.values()))


def check_default(capture):
    """CPU time, and what that leaves out; wall time where running was not asked for, or nothing ran."""
    heads = []
    for options, weight, told in (
        ((), "cpu", "of the threads' time is not shown: they waited"),
        (("--state", "running,sleeping"), "cpu", "of the threads' time is not shown: they waited"),
        (("--focus", "run_for"), "cpu", "from "),
        (("--state", "sleeping"), "wall", ""),
        (("--focus", "sleep_for"), "wall", "what is shown used no CPU time: this is wall time"),
        (("--weight", "cpu"), "cpu", "from "),
        (("--weight", "wall"), "wall", ""),
    ):
        what = " ".join(options)
        yield from expect("%s: folded is not %s" % (what, weight),
                          capture.folded(*options) == capture.folded("--weight", weight, *options))
        lines = capture.run(*options).split("\n\n")[0].splitlines()
        heads.append(lines)
        amount = {"cpu": "CPU time: ", "wall": "wall time: "}[weight]
        yield from expect("%s: the head is %s" % (what, lines), lines[1].startswith(amount) and
                          any(told in line for line in lines[2:]) if told else True)
    yield from expect("--weight cpu: says what it was asked not to show: %s" % heads[5],
                      not any("is not shown" in line for line in heads[5]))
    script = [[line.split()[-2:] for line in capture.run("-f", "perf-script", *options).splitlines() if line.endswith(": ")]
              for options in ((), ("--state", "sleeping"))]
    for lines, event, options in zip(script, ("cpu-clock:", "wall-clock:"), ((), ("--state", "sleeping"))):
        yield from expect("perf-script: %s, and not %s" % (lines[:1], event), all(line[1] == event for line in lines))
        got, want = sum(int(line[0]) for line in lines), sum(capture.folded(*options).values())
        yield from expect("perf-script: %d, and folded has %d" % (got, want), got == want > 0)


def check_graph(capture):
    tree = capture.run("--by-thread").splitlines()
    roots = sorted(line.split()[-2] for line in tree if line.endswith(" [thread]"))
    yield from expect("threads: %s" % roots, {"early", "late"} <= set(roots))
    dot = capture.run("-f", "dot", "--by-thread", "--label-calls")
    for name in ("early", "late"):
        yield from expect("no cluster of " + name, re.search(r'\[label="%s", class=frame.* tooltip="%s"' % ((re.escape(name),) * 2), dot))
    yield from expect("run_for is not in two threads", dot.count('[label="run_for\\n') == 2)
    yield from expect("no call site", "\\nhalves.c:" in dot)
    yield from expect("a module's cluster", 'tooltip="%s";' % capture.program not in dot)
    dot = capture.run("-f", "dot", "--cluster", "file")
    yield from expect("no cluster of halves.c", '[label="halves.c", class=frame' in dot)
    yield from expect("one run_for in all", dot.count('[label="run_for\\n') == 1)
    yield from expect("clusters of none", "subgraph" not in capture.run("-f", "dot", "--cluster", "none"))
    svg = capture.run("-f", "svg", "--cluster", "thread")
    yield from expect("no svg", "</svg>" in svg and ">early</text>" in svg)


def check_refusals(capture):
    cases = [
        (("--from", "2", "--to", "1"), 2, "--from has to be before --to"),
        (("--to", "0"), 2, "--from has to be before --to"),
        (("--from", "-1"), 2, "bad value '-1' for option --from, which takes 0 to 10^9 s"),
        (("--from", "1e3"), 2, "bad value '1e3' for option --from, which takes 0 to 10^9 s"),
        (("--from", "0x1"), 2, "bad value '0x1' for option --from, which takes 0 to 10^9 s"),
        (("--to", "nan"), 2, "bad value 'nan' for option --to, which takes 0 to 10^9 s"),
        (("--from", "99999999999999"), 2, "bad value '99999999999999' for option --from"),
        (("--from", "1x"), 2, "as 2, 2s, 500ms, 80us, 9ns, 1.5m or 1h"),
        (("--from", "0.5m"), 1, "has no samples of the time that --from and --to ask for; it is "),
        (("--from", "1h"), 1, "has no samples of the time that --from and --to ask for; it is "),
        (("--from", "3600"), 1, "has no samples of the time that --from and --to ask for; it is "),
        (("--state", "asleep"), 2, "'asleep' is no state"),
        (("--state", ""), 2, "'' is no state"),
        (("--weight", "off"), 2, "--weight takes samples, wall, cpu or offcpu, not off"),
        (("--weight", "offcpu", "-f", "pprof"), 2, "pprof does not honour --weight offcpu"),
        (("--weight", "offcpu", "-f", "callgrind"), 2, "callgrind does not honour --weight offcpu"),
        (("--weight", "offcpu", "--from", "0", "--to", "1ms"), 1, "have no off-CPU time"),
        (("--cluster", "process"), 2, "--cluster takes thread, module, file or none, not process"),
        (("--cluster", "file"), 2, "tree does not honour --cluster"),
        (("--label-calls", "-f", "folded"), 2, "folded does not honour --label-calls"),
        (("--by-thread", "-f", "chains"), 2, "chains does not honour --by-thread"),
        (("--invert", "-f", "top"), 2, "top does not honour --invert"),
        (("--invert", "-f", "dot"), 2, "dot does not honour --invert"),
        (("--relative", "-f", "folded"), 2, "folded does not honour --relative"),
        (("--relative", "-f", "waits"), 2, "waits does not honour --relative"),
        (("--state", "blocked", "-f", "stats"), 2, "stats does not honour --state"),
        (("--weight", "cpu", "-f", "threads"), 2, "threads does not honour --weight"),
        (("--focus", "x", "-f", "waits-dot"), 2, "waits-dot does not honour --focus"),
        (("--nodes", "9", "-f", "waits"), 2, "waits does not honour --nodes"),
        (("--edge-fraction", "0.1", "-f", "waits-dot"), 2, "waits-dot does not honour --node-fraction"),
    ]
    for options, status, text in cases:
        done = known.run([os.path.join(capture.tools, "cgunwind"), *options, capture.path])
        error = done.stderr.decode()
        if done.returncode != status or text not in error or error.count("\n") != 1 or done.stdout:
            yield "%s: status %d, %r" % (" ".join(options), done.returncode, error)


def check_threads(capture):
    """A thread that is not there is no answer, and one is not called several."""
    for name in ("threads", "threads-json", "threads-dot", "stats", "waits", "waits-dot", "timeline-svg", "chrome", "html"):
        for thread, told in (("nosuch", "no sample passes --thread"), ("early", "")):
            done = known.run([os.path.join(capture.tools, "cgunwind"), "-f", name, "--thread", thread, capture.path])
            error = done.stderr.decode()
            if done.returncode != 0 or (told not in error if told else "no sample" in error):
                yield "-f %s --thread %s: status %d, %r" % (name, thread, done.returncode, error)
    for name in ("threads", "stats", "threads-dot"):
        yield from expect("-f %s --thread early does not say what it shows" % name,
                          "1 thread of 1 identity (of 3 threads)" in capture.run("-f", name, "--thread", "early"))


def test(tools):
    with tempfile.TemporaryDirectory(prefix="cg-choices-") as directory:
        capture = Capture(tools, directory)
        failures = []
        for check in (check_states, check_off_cpu, check_times, check_place_in_time, check_cpu_time, check_default, check_graph, check_threads, check_refusals):
            failures += check(capture)
    return failures


if __name__ == "__main__":
    known.main(test)
