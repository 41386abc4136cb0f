#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What threads did when, as -f chrome and -f timeline-svg tell it.

usage: timeline.py BUILD-DIRECTORY

A program with known phases (timeline.c) says itself when they began and ended, by the clock of the snapshot. The trace is checked against
the rules of the Trace Event Format's document and opened by the trace viewer of Chromium's Catapult, which comes with Debian's Go: threads,
slices, stacks and times have to be there as they were written, without a warning. The picture has to be well-formed and small, also of
200 threads.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import known
import viewers

DIRECTORY = os.path.dirname(os.path.abspath(__file__))
SVG = "{http://www.w3.org/2000/svg}"
PHASES = {"compute": "compute_things", "sleep": "sleep_a_while", "lock": "take_the_lock"}
STATES = {"compute": ("running", "ready (no CPU)"), "sleep": ("sleeping",), "lock": ("waits for a lock",)}
NAME = 'worker <&"'
REQUIRED = {"M": {"name", "args"}, "C": {"name", "ts", "args"}, "X": {"name", "cat", "ts", "dur"}}
SVG_MAX = 10000000  # of 200 threads


class Capture:
    """A run of the program, with what it printed and the trace of it."""

    def __init__(self, tools, directory, name, *arguments):
        self.tools, self.path = tools, os.path.join(directory, name + ".bin")
        text = known.check_run([tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-o", self.path, "--", directory + "/prog", *arguments])
        self.phases = {line.split()[0]: tuple(map(int, line.split()[1:])) for line in text.splitlines()}
        self.trace_path = os.path.join(directory, name + ".json")
        self.write("chrome", self.trace_path)
        with open(self.trace_path, encoding="utf-8") as file:
            self.trace = json.load(file)
        self.events = self.trace["traceEvents"]
        self.origin_ns = int(self.trace["otherData"]["first sample, ns of the target's clock"])
        self.slices = collections.defaultdict(list)
        for event in self.events:
            if event["ph"] == "X":
                self.slices[event["tid"]].append(event)
        self.names = {event["tid"]: event["args"]["name"] for event in self.events if event["name"] == "thread_name"}

    def write(self, form, path, *options):
        known.check_run([self.tools + "/cgunwind", "-q", "-f", form, "-o", path, *options, self.path])

    def during(self, phase, tid, functions):
        """{name: µs} of the thread's functions, or of its states, while the program was in the phase."""
        start, end = ((time - self.origin_ns) / 1000 for time in self.phases[phase])
        found = collections.Counter()
        for event in self.slices[tid]:
            if (event["cat"] == "function") == functions:
                inside = min(end, event["ts"] + event["dur"]) - max(start, event["ts"])
                found[event["name"] if functions else event["cat"]] += max(inside, 0)
        return found


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_required(events):
    for event in events:
        missing = (REQUIRED.get(event["ph"], {"a known phase"}) | {"pid", "tid"}) - event.keys()
        if missing:
            yield "chrome: %s has no %s" % (event, ", ".join(sorted(missing)))
        if any(not isinstance(event.get(key, 0), int) for key in ("ts", "dur", "tts", "tdur")):
            yield "chrome: times that have to be rounded: %s" % event
        if any(event.get(key, 0) < 0 for key in ("ts", "dur", "tts", "tdur")) or event.get("tdur", 0) > event.get("dur", 0) + 1:
            yield "chrome: impossible times: %s" % event
        if "," in event.get("cat", ""):
            yield "chrome: a comma in the category %s" % event["cat"]


def check_nesting(slices):
    """Events of one thread are in order and inside each other."""
    for tid, events in slices.items():
        open_until = []
        for event in events:
            while open_until and event["ts"] >= open_until[-1]:
                open_until.pop()
            if event["dur"] <= 0 or (open_until and event["ts"] + event["dur"] > open_until[-1]):
                yield "chrome: thread %d: %s is not inside what precedes it" % (tid, event)
                return
            open_until.append(event["ts"] + event["dur"])
        if [event["ts"] for event in events] != sorted(event["ts"] for event in events):
            yield "chrome: thread %d: events are not in order" % tid


def stack_of(frames, identifier):
    """Names, innermost first."""
    names = []
    while identifier is not None:
        names.append(frames[identifier]["name"])
        identifier = frames[identifier].get("parent")
    return names


def check_document(capture):
    yield from check_required(capture.events)
    yield from check_nesting(capture.slices)
    used = {frame for event in capture.events if "sf" in event for frame in [event["sf"]]}
    if not used or not used <= capture.trace["stackFrames"].keys():
        yield "chrome: stack frames are missing"
    counts = [event for event in capture.events if event["ph"] == "C"]
    if not counts or [event["ts"] for event in counts] != sorted({event["ts"] for event in counts}):
        yield "chrome: counters are not in order"


def check_viewer(capture):
    page = json.loads(known.check_run(["node", DIRECTORY + "/trace_viewer.js", viewers.trace_viewer(), capture.trace_path]))
    if page["warnings"]:
        yield "viewer: " + "; ".join(page["warnings"])
    if [process["name"] for process in page["processes"]] != ["prog"]:
        yield "viewer: processes %s" % page["processes"]
    if {thread["tid"]: thread["name"] for thread in page["threads"]} != capture.names:
        yield "viewer: threads %s" % [thread["name"] for thread in page["threads"]]
    frames = capture.trace["stackFrames"]
    for thread in page["threads"]:
        shown = [(one["name"], one["category"], round(one["start"] * 1000), round(one["duration"] * 1000), one["depth"], one["stack"])
                 for one in thread["slices"]]
        written = [(one["name"], one["cat"], one["ts"], one["dur"], int(one["cat"] == "function"),
                    stack_of(frames, one.get("sf"))) for one in capture.slices[thread["tid"]]]
        if sorted(shown) != sorted(written):
            yield "viewer: thread %s shows other slices: %s" % (thread["name"], [one for one in shown if one not in written][:3])
    counters = [(counter["name"].split(".")[-1], [series["name"] for series in counter["series"]]) for counter in page["counters"]]
    if counters != [("running threads", ["running", "ready"])]:
        yield "viewer: counters %s" % counters
    print("viewer: %d slices" % sum(len(thread["slices"]) for thread in page["threads"]))


def check_phases(capture):
    workers = [tid for tid, name in capture.names.items() if NAME in name]
    if len(workers) != 1:
        yield "chrome: threads %s" % sorted(capture.names.values())
        return
    for phase, function in PHASES.items():
        functions = capture.during(phase, workers[0], True)
        states = capture.during(phase, workers[0], False)
        # How long that is depends on the machine's load.
        missed = states.pop("not sampled", 0)
        if missed > 0.95 * (missed + sum(states.values())):
            yield "%s: hardly sampled: %s of %s" % (phase, missed, dict(states))
        if not functions or functions.most_common(1)[0][0] != function:
            yield "%s: in %s" % (phase, dict(functions))
        if not states or states.most_common(1)[0][0] not in STATES[phase]:
            yield "%s: %s" % (phase, dict(states))
        print("%s: %s; %s" % (phase, dict(functions), dict(states)))


def check_lock(capture):
    """The longest wait for a lock is that for the one that the first thread holds, as its memory says."""
    waits = [event for events in capture.slices.values() for event in events if event["cat"] == "waits for a lock"]
    longest = max(waits, key=lambda event: event["dur"])
    first = longest["pid"]
    want = {"state": "waits for a lock", "wait": "mutex", "known by": "read", "object": "held_lock", "held by tid": first,
            "holder known by": "read"}
    if longest["args"] != want or longest["name"] != "mutex held_lock, held by prog (%d)" % first:
        yield "lock: %s" % longest


def check_counter(capture):
    """What ran on average, times the time, is the CPU time of all threads."""
    counts = [(event["ts"], event["args"]["running"]) for event in capture.events if event["ph"] == "C"]
    end = max(event["ts"] + event["dur"] for events in capture.slices.values() for event in events)
    used = sum(value * (after - ts) for (ts, value), after in zip(counts, [ts for ts, _ in counts[1:]] + [end]))
    told = sum(event["tdur"] for events in capture.slices.values() for event in events if event["cat"] != "function")
    if abs(used - told) > 0.02 * told + 0.005 * end:
        yield "counter: %d us of CPU time instead of %d" % (used, told)
    print("counter: %d us of %d" % (used, told))


def check_picture(capture, threads, directory):
    path = os.path.join(directory, "picture.svg")
    capture.write("timeline-svg", path)
    capture.write("timeline-svg", path + ".again", "-j", "1")
    if read(path) != read(path + ".again"):
        yield "svg: not the same bytes twice"
    root = xml.etree.ElementTree.parse(path).getroot()
    titles = ["".join(title.itertext()) for title in root.iter(SVG + "title")]
    texts = ["".join(text.itertext()) for text in root.iter(SVG + "text")]
    for function in PHASES.values():
        if not any(NAME in title and function in title for title in titles):
            yield "svg: no tooltip of %s" % function
    if not any(re.fullmatch(r"ran at once: 0 for [\d.]+% .*on average [\d.]+", text) for text in texts):
        yield "svg: no table of how many ran"
    if not any(text.startswith("%d threads, " % threads) for text in texts):
        yield "svg: not of %d threads: %s" % (threads, texts[:3])
    if threads > 100 and not any(re.search("\u00d7200$", text) for text in texts):
        yield "svg: the group of 200 has no label"
    if os.path.getsize(path) > SVG_MAX:
        yield "svg: %d bytes" % os.path.getsize(path)
    print("svg of %d threads: %d bytes" % (threads, os.path.getsize(path)))


def check_refusals(capture, directory):
    cgunwind, path = capture.tools + "/cgunwind", os.path.join(directory, "moment.bin")
    sleeper = subprocess.Popen(["sleep", "1000"])
    try:
        known.check_run([capture.tools + "/cgsnap", "-q", "-n", "1", "-o", path, "-p", str(sleeper.pid)])
    finally:
        sleeper.kill()
        sleeper.wait()
    for form in ("chrome", "timeline-svg"):
        for status, snapshots, want in ((2, [capture.path] * 2, "only one snapshot"), (1, [path], "one moment")):
            done = known.run([cgunwind, "-f", form, *snapshots])
            error = done.stderr.decode()
            if done.returncode != status or done.stdout or want not in error or error.count("\n") != 1:
                yield "%s of %d snapshots: status %d: %s" % (form, len(snapshots), done.returncode, error)
            kept = os.path.join(directory, "kept")
            with open(kept, "w", encoding="utf-8") as file:
                file.write("precious")
            known.run([cgunwind, "-f", form, "-o", kept, *snapshots])
            with open(kept, encoding="utf-8") as file:
                if file.read() != "precious":
                    yield "%s of %d snapshots: the output is emptied, though nothing is written" % (form, len(snapshots))


def check_thread(capture, directory):
    path = os.path.join(directory, "one.json")
    capture.write("chrome", path, "--thread", "^worker")
    with open(path, encoding="utf-8") as file:
        tids = {event["tid"] for event in json.load(file)["traceEvents"] if event["ph"] == "X"}
    if [capture.names[tid].count(NAME) for tid in tids] != [1]:
        yield "--thread: threads %s" % tids


def test(tools):
    known.need("node")
    viewers.trace_viewer()  # or skipped, before all else
    with tempfile.TemporaryDirectory() as directory:
        known.program(tools, "timeline", directory, "prog")
        few, many = Capture(tools, directory, "few"), Capture(tools, directory, "many", "200")
        failures = []
        for capture, threads in ((few, 2), (many, 202)):
            for check in (check_document, check_viewer, check_counter):
                failures += check(capture)
            failures += check_picture(capture, threads, directory)
        for found in (check_phases(few), check_lock(few), check_thread(few, directory), check_refusals(few, directory)):
            failures += found
        return failures


if __name__ == "__main__":
    known.main(test)
