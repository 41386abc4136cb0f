#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The data of pages (-f html) are what the other formats show of the same inputs.

usage: page_data.py BUILD-DIRECTORY

Of a made snapshot and of captures: by thread and chain each weight is that of folded, with filters,
with a baseline, of several snapshots, of profiles; by time, thread and state it is that of json.
Names that look like HTML stay text. A core of a deadlock tells of that and of no times.
"""

import base64
import collections
import gzip
import hashlib
import json
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import manysamples
import pagefile

HOSTILE = "</script><img src=x onerror=alert(1)>&amp;\"'"
WEIGHTS = ("samples", "wall", "cpu", "offcpu")
REST = "[CPU time without a sample]"
# Chosen so that some samples of both captures pass, and some do not.
FILTERS = (
    (),
    ("--focus", "work_1?9|leaf"),
    ("--ignore", "work_4|descend"),
    ("--hide", "work_[12]|straight"),
    ("--thread", "[1-3]$"),
    ("--state", "running"),
    ("--from", "0.3", "--to", "0.65"),
    ("--from", "0.2", "--state", "blocked", "--module", "elf|libc"),
)


class Tool:
    def __init__(self, tools, directory):
        self.path = os.path.join(tools, "cgunwind")
        self.output = os.path.join(directory, "page.html")

    def run(self, *arguments):
        return known.check_run([self.path, "-q", "--no-cache", *arguments])

    def page(self, *arguments):
        self.run("-f", "html", "--force", "-o", self.output, *arguments)
        return pagefile.read(self.output)

    def folded(self, *arguments):
        """{"thread;f;g": weight}, of a comparison a pair of weights."""
        sums = collections.Counter()
        for line in self.run("-f", "folded", *arguments).splitlines():
            stack, _, weight = line.rpartition(" ")
            sums[stack] += int(weight)
        return sums

    def items(self, *arguments):
        """Samples and ticks, with the CPU time that each stands for; and that of processes without."""
        return known.with_cpu_time(map(json.loads, self.run("-f", "json", *arguments).splitlines()))


def expect(what, got, wanted):
    if got != wanted:
        yield "%s: %s instead of %s" % (what, got, wanted)


def differences(what, got, wanted):
    """Of two Counters; what is 0 is not there."""
    keys = [key for key in got.keys() | wanted.keys() if got[key] != wanted[key]]
    if keys:
        yield "%s: %d differ, as %s: %d instead of %d" % (what, len(keys), keys[0], got[keys[0]], wanted[keys[0]])


def as_folded(name):
    return name.replace(";", ":")


def by_stack(page, weight, entries=None):
    """As folded has it; without threads of the baseline's entries."""
    stacks = [";".join(as_folded(frame["label"]) for frame in frames) for frames, _ in page.chains()]
    sums = collections.Counter()
    for entry in page.entries if entries is None else entries:
        thread = page.head["threads"][entry["thread"]]["name"] + ";" if "thread" in entry else ""
        sums[as_folded(thread.rstrip(";")) + ";" + stacks[entry["chain"]] if thread else stacks[entry["chain"]]] += entry[weight]
    return sums


def check_structure(what, page):
    """What a reader relies on."""
    head, columns = page.head, page.columns
    yield from expect(what + ": unit", head["unit_ns"], 1)
    yield from expect(what + ": threads", len(columns["thread.entries"]), len(head["threads"]))
    for weight in head["weights"]:
        yield from expect("%s: shown %s" % (what, weight), sum(entry[weight] for entry in page.entries), head["shown"][weight])
    used = collections.Counter(entry["chain"] for entry in page.entries)
    counts = [used[i] for i in range(len(columns["chain.leaf"]))]
    yield from expect(what + ": order of chains", counts, sorted(counts, reverse=True))
    for entry in page.entries:
        if not 0 <= entry["bucket"] < head.get("time", {"buckets": 1})["buckets"]:
            yield "%s: bucket %d" % (what, entry["bucket"])
    if "time" in head:
        end = head["time"].get("from_ns", 0) + head["time"]["buckets"] * head["time"]["bucket_ns"]
        for pieces in page.pieces():
            # A wait may be of one moment.
            wrong = [piece[:2] for piece in pieces if piece[0] + (piece[4] is None) > piece[1] or piece[1] > end]
            if wrong:
                yield "%s: %d pieces, as %s, end behind %d" % (what, len(wrong), wrong[0], end)
        yield from check_cpu(what, page)
        yield from expect(what + ": curve", len(columns["curve.running"]), head["time"]["buckets"])
    yield from expect(what + ": graph", "svg" in columns and columns["svg"].count("<svg"), 1)


def check_cpu(what, page):
    """A thread uses no more CPU time than it is there for."""
    used, unit = iter(page.columns["piece.cpu"]), page.head["piece_unit_ns"]
    lengths = [sum(end - start for start, end, *_ in pieces) for pieces in page.pieces()]
    for thread, count, length in zip(page.head["threads"], page.columns["thread.pieces"], lengths):
        cpu = sum(next(used) for _ in range(count)) * unit
        if cpu > length:
            yield "%s: %s used %d ns in %d" % (what, thread.get("text"), cpu, length)


def check_stacks(tool, what, *arguments):
    page = tool.page(*arguments)
    yield from check_structure(what, page)
    for weight in page.head["weights"]:
        wanted = tool.folded("--weight", weight, *arguments) if page.head["shown"][weight] else collections.Counter()
        yield from differences("%s: %s by stack" % (what, weight), by_stack(page, weight), wanted)


def check_filters(tool, name, snapshot):
    kept = set()
    for options in FILTERS:
        what = " ".join((name,) + options)
        yield from check_stacks(tool, what, *options, snapshot)
        page = pagefile.read(tool.output)
        kept.add(page.head["shown"]["samples"])
        yield from expect(what + ": has filters", bool(page.head["filters"]), bool(options))
    if len(kept) < 4:
        yield "%s: filters show no more than %s" % (name, kept)


def times_of(items):
    """Since the first sample: [(ns, sample or tick)]."""
    start = next(item["time_ns"] for item in items if item["type"] == "sample")
    return [(max(0, item["time_ns"] - start), item) for item in items]


def check_times(tool, what, *snapshots):
    """Of several snapshots each is counted from its own first sample."""
    page = tool.page(*snapshots)
    bucket_ns = page.head["time"]["bucket_ns"]
    got = {weight: collections.Counter() for weight in WEIGHTS}
    wanted = {weight: collections.Counter() for weight in ("samples", "wall", "cpu")}
    without = 0
    stacks = [[frame["label"] for frame in frames] for frames, _ in page.chains()]
    spread = collections.Counter()
    for entry in page.entries:
        if stacks[entry["chain"]] == [REST]:
            spread[entry["bucket"]] += entry["cpu"]
            continue
        key = (page.head["threads"][entry["thread"]].get("tid"), entry["bucket"], page.head["states"][entry["state"]]["name"])
        for weight in page.head["weights"]:
            got[weight][key] += entry[weight]
    for snapshot in snapshots:
        items, rest = tool.items(snapshot)
        without += sum(rest.values())
        for time_ns, item in times_of(items):
            key = item["tid"], time_ns // bucket_ns, item["state"]
            wanted["cpu"][key] += item["given_ns"]
            if item["type"] == "sample":
                wanted["samples"][key] += 1
                wanted["wall"][key] += item.get("wall_ns", 0)
    # It is spread over all of the time.
    yield from expect(what + ": CPU time without a sample", sum(spread.values()), without)
    if without and len(spread) < min(100, page.head["time"]["buckets"]) / 2:
        yield "%s: CPU time without a sample is in %d buckets only" % (what, len(spread))
    for weight, sums in wanted.items():
        yield from differences("%s: %s by time" % (what, weight), got[weight], sums)


def check_base(tool, base, snapshot):
    page = tool.page("--diff-base", base, snapshot)
    now = tool.page(snapshot)
    for key in ("threads", "hierarchy", "objects", "duration_ns", "start_ns", "time", "blocked"):
        yield from expect("with a baseline: " + key, page.head.get(key), now.head.get(key))
    yield from expect("with a baseline: pieces", page.pieces(), now.pieces())
    for weight in page.head["weights"]:
        wanted = tool.folded("--weight", weight, snapshot)
        yield from differences("comparison: " + weight, by_stack(page, weight), wanted)
        wanted = collections.Counter()
        for stack, value in tool.folded("--weight", weight, base).items():
            wanted[stack.partition(";")[2]] += value
        yield from differences("baseline: " + weight, by_stack(page, weight, page.base), wanted)
        yield from expect("baseline: sum of " + weight, page.head["base_totals"][weight], sum(wanted.values()))


def check_profile(tool, directory, snapshot):
    """Times are not known of it; all else is the same."""
    profile = os.path.join(directory, "a.pb.gz")
    tool.run("-f", "pprof", "-o", profile, snapshot)
    yield from check_stacks(tool, "profile", profile)
    page = pagefile.read(tool.output)
    yield from expect("profile: time", "time" in page.head or "entry.bucket" in page.columns, False)
    yield from check_stacks(tool, "snapshot and profile", snapshot, profile)


def hash_of(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_policy(page):
    """Nothing is permitted but what is in it; and it is before all that it is of."""
    loader = re.search(r"<script>(.*?)</script>", page.text, re.S)
    style, script = (
        gzip.decompress(base64.b64decode(re.search('id="%s">([^<]*)</script>' % name, page.text)[1])).decode()
        for name in ("style", "script")
    )
    policy = (
        "default-src 'none'; script-src %s %s; style-src %s; img-src data:; base-uri 'none'; form-action 'none'"
        % (hash_of(loader[1]), hash_of(script), hash_of(style))
    )
    found = re.search(r'<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page.text)
    yield from expect("policy", found and found[1], policy)
    yield from expect("scripts", len(re.findall("<script", page.text)), 4)
    if re.search(r"^\s*(import|export) ", script, re.M):
        yield "the script imports or exports"


def check_hostile(tool, program, snapshot):
    page = tool.page(snapshot)
    names = page.head["functions"]["name"]
    yield from expect("a hostile function", [name for name in names if "alert" in name], ["f" + HOSTILE])
    yield from expect("a hostile program", page.head["captures"][0]["exe"], program)
    if not page.head["title"].startswith(program):
        yield "the title is %s" % page.head["title"]
    text = re.sub(r"<script.*?</script>", "", page.text, flags=re.S)
    title = re.search("<title>(.*?)</title>", text, re.S)[1]
    if "<" in title or ">" in title or "<img" in text:
        yield "the page's title is %s" % title
    yield from check_policy(page)


def capture(tools, program, output, *options):
    with known.Target([program]) as target:
        known.wait_until(lambda: "spin;ner 1" in dict(target.threads()), "the thread to be there")
        known.check_run([tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-d", "1", *options, "-p", str(target.pid), "-o", output])
    return output


def build_hostile(directory):
    """formats.cc, with a function and a file of such names."""
    path = os.path.join(directory, "<b>&quot;'\"<")
    plain = os.path.join(directory, "plain.o")
    known.check_run(["g++", "-g", "-O1", "-c", os.path.join(known.PROGRAMS, "formats.cc"), "-o", plain])
    known.check_run(["objcopy", "--redefine-sym", "spin=f" + HOSTILE, "--strip-debug", plain])
    known.check_run(["g++", "-pthread", plain, "-o", path])
    return path


def check_core(tool, directory):
    """It is of one moment: a deadlock that it has is certain."""
    program = os.path.join(directory, "deadlocks")
    source = os.path.join(known.PROGRAMS, "deadlocks.c")
    known.check_run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-pthread", "-O1", "-g", source, "-o", program])
    with known.Target([program, "two"]) as target:
        target.wait_ready()
        known.check_run(["gcore", "-o", os.path.join(directory, "core"), str(target.pid)])
        core = os.path.join(directory, "core.%d" % target.pid)
    yield from check_stacks(tool, "core", core)
    head = pagefile.read(tool.output).head
    yield from expect("core: time", "time" in head, False)
    yield from expect("core: certain deadlocks", [lock["certain"] for lock in head["deadlocks"]], [True])
    steps = head["deadlocks"][0]["steps"]
    waits = [(step["held_text"], step["object_text"], steps[step["holder_step"]]["held_text"])
             for step in steps]
    wanted = [("mutex g_left", *["mutex g_right"] * 2), ("mutex g_right", *["mutex g_left"] * 2)]
    yield from expect("core: deadlock", sorted(waits), wanted)
    begins = [step["chain"][-1].partition(" ")[0] for step in steps]
    yield from expect("core: threads", sorted(begins), ["left", "right"])
    locks = [item["name"] for item in head["objects"] if item["group"] == "lock"]
    yield from expect("core: locks", sorted(locks), ["mutex g_left", "mutex g_right"])


def check_limits(tool, directory):
    """Of many entries times are rounded, and their sums are not."""
    path = os.path.join(directory, "many.bin")
    manysamples.make(path, 60000, 30, 400)
    page = tool.page(path)
    yield from expect("many: unit", page.head["unit_ns"], 1000)
    for weight in ("wall", "cpu", "offcpu"):
        lost = page.head["shown"][weight] - sum(entry[weight] for entry in page.entries)
        if not 0 <= lost < 2 * 1000 * len(page.head["threads"]):
            yield "many: %d ns of %s are lost" % (lost, weight)
    yield from expect("many: samples", sum(entry["samples"] for entry in page.entries), 60000)
    yield from expect("many: wide buckets", page.head["time"]["buckets"] <= 2048, True)


def test(tools):
    known.need("gcore")
    with tempfile.TemporaryDirectory(prefix="cg-page-") as directory:
        tool = Tool(tools, directory)
        made, other = os.path.join(directory, "made.bin"), os.path.join(directory, "other.bin")
        manysamples.make(made, 2400, 20, 60)
        manysamples.make(other, 500, 5, 60)
        program = build_hostile(directory)
        taken = capture(tools, program, os.path.join(directory, "taken.bin"))
        failures = list(check_filters(tool, "made", made))
        failures += check_filters(tool, "taken", taken)
        failures += check_times(tool, "made", made)
        failures += check_times(tool, "taken", taken)
        failures += check_times(tool, "two", made, taken)
        failures += check_stacks(tool, "two", made, taken)
        failures += check_base(tool, other, made)
        failures += check_profile(tool, directory, taken)
        failures += check_hostile(tool, program, taken)
        failures += check_core(tool, directory)
        failures += check_limits(tool, directory)
        first = tool.page(made).text
        failures += expect("the same bytes", tool.page(made).text == first, True)
    return failures[:40]


if __name__ == "__main__":
    known.main(test)
