#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What cgunwind writes for other programs is opened by programs that nobody here wrote.

usage: formats.py BUILD-DIRECTORY

formats.cc is captured, and each format compared with the json of the same snapshot, which other tests check: pprof as `go tool pprof`
shows it, callgrind as callgrind_annotate does, folded stacks and those of perf-script as flamegraph.pl does. Debian has no program that
reads the text of perf script; the reader here takes lines as the expressions of FlameGraph, speedscope and the Firefox Profiler do.
Parts add up to the whole, and --diff-base says what was changed in a second build of the program. Of Debian's python3 the call graph is
drawn, and held to what drawn.py says.
"""

import collections
import gzip
import json
import os
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import drawn
import known
import viewers

SOURCE = os.path.join(known.PROGRAMS, "formats.cc")
THREAD = "spin;ner 1"


class Snapshot:
    """A capture of the program in `path`, with what the json of it says."""

    def __init__(self, tools, path, output, seconds):
        self.tools, self.path, self.program = tools, output, path
        with known.Target([path]) as target:
            self.pid = target.pid
            known.wait_until(lambda: THREAD in dict(target.threads()), "the thread to be there")
            known.check_run([tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-d", seconds, "-p", str(target.pid), "-o", output])
            self.tid = dict(target.threads())[THREAD]
        objects = [json.loads(line) for line in self.write("json").splitlines()]
        self.build_id = next(frame["build_id"] for item in objects if item["type"] == "sample"
                             for frame in item["frames"] if frame.get("module") == path)
        self.clock_offset = objects[0]["realtime_offset_ns"]
        threads = {item["tid"]: item["name"] for item in objects if item["type"] == "thread"}
        items, rest = known.with_cpu_time(objects)
        self.cpu_ns = sum(item["given_ns"] for item in items) + sum(rest.values())
        self.samples = [(threads[item["tid"]], item) for item in objects if item["type"] == "sample"]

    def write(self, form, *options):
        return known.check_run([self.tools + "/cgunwind", "-q", "-f", form, *options, self.path])

    def chains(self):
        return [[frame.get("function") for frame in item["frames"]] for _, item in self.samples]

    def count(self, function, times=1):
        """The samples with the function so often on their chain."""
        return sum(chain.count(function) >= times for chain in self.chains())

    def count_self(self, function):
        return sum(chain[:1] == [function] for chain in self.chains())

    def count_calls(self, caller, callee):
        return sum((callee, caller) in zip(chain, chain[1:]) for chain in self.chains())


def build(directory, name, *options):
    path = os.path.join(directory, name, "prog")
    os.makedirs(os.path.dirname(path))
    known.check_run(["g++", "-g", "-O1", "-pthread", *options, SOURCE, "-o", path])
    return path


def expect(what, got, want):
    if got != want:
        yield "%s: %s instead of %s" % (what, got, want)


def pprof(directory, *arguments):
    environment = dict(os.environ, HOME=directory, PPROF_TMPDIR=directory, TZ="UTC")
    return known.check_run([viewers.pprof(), *arguments], env=environment)


def check_pprof_raw(raw, snapshot):
    samples = [(*map(int, found[:3]), " ".join(found[3].split()))
               for found in re.findall(r"^ +(\d+) +(\d+) +(\d+): [\d ]+((?:\n +[a-z_]+:\[.*)+)", raw, re.MULTILINE)]
    wall = sum(item.get("wall_ns", 0) for _, item in snapshot.samples)
    yield from expect("pprof: samples", sum(line[0] for line in samples), len(snapshot.samples))
    yield from expect("pprof: CPU time", sum(line[1] for line in samples), snapshot.cpu_ns)
    yield from expect("pprof: wall time", sum(line[2] for line in samples), wall)
    times = [item["time_ns"] for _, item in snapshot.samples]
    began = time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime((min(times) + snapshot.clock_offset) // 1000000000))
    yield from expect("pprof: time", re.search(r"^Time: (.{19})", raw, re.MULTILINE)[1], began)
    yield from expect("pprof: period", re.search(r"^Period: (\d+)", raw, re.MULTILINE)[1], str(1000000000 // 199))
    labels = collections.Counter()
    for line in samples:
        labels[line[3]] += line[0]
    labels = +labels  # without what has CPU time alone
    wanted = collections.Counter("state:[%s] thread:[%s] thread_id:[%d]" % (item["state"], thread, item["tid"])
                                 for thread, item in snapshot.samples)
    yield from expect("pprof: labels", labels, wanted)
    if not re.search(r"work::stir\(unsigned int\) .*formats\.cc:[\d:]+ s=0\(_ZN4work4stirEj\)\n"
                     r" +work::leaf\(unsigned int\) .*formats\.cc:[\d:]+ s=\d+\(_ZN4work4leafEj\)", raw):
        yield "pprof: no location of stir() inlined into leaf()"
    mapping = re.search(r"^1: \S+ \S+/prog (.*)$", raw, re.MULTILINE)
    yield from expect("pprof: the program's mapping", mapping and mapping[1], snapshot.build_id + " [FN][FL][LN][IN]")


def lines_of(raw):
    """{location: the line of its innermost function}"""
    return {found[1]: found[2] for found in re.finditer(r"^ +(\d+): 0x\w+ M=1 .*:(\d+) s=", raw, re.MULTILINE)}


def top(text):
    """{function: (flat, cumulated)}"""
    found = re.findall(r"^ *(\d+) +[\d.]+% +[\d.]+% +(\d+) +[\d.]+%  (.*?)(?: \(inline\))?$", text, re.MULTILINE)
    return {name: (int(flat), int(total)) for flat, total, name in found}


def check_pprof(snapshot, directory):
    path = os.path.join(directory, "profile.pb.gz")
    for again in ("", ".again"):
        known.check_run([snapshot.tools + "/cgunwind", "-q", "-f", "pprof", "-o", path + again, snapshot.path])
    with open(path, "rb") as one, open(path + ".again", "rb") as two:
        if one.read() != two.read():
            yield "pprof: not the same bytes twice"
    raw = pprof(directory, "-raw", path)
    yield from check_pprof_raw(raw, snapshot)
    # pprof reads the program itself: at our addresses it finds the lines that we have.
    yield from expect("pprof: lines by its own look at the file", lines_of(pprof(directory, "-symbolize=force", "-raw", path)),
                      lines_of(raw))
    default = re.search(r"^Type: (.*)$", pprof(directory, "-top", path), re.MULTILINE)
    yield from expect("pprof -top: what is shown first", default and default[1], "cpu")
    text = pprof(directory, "-sample_index=samples", "-top", "-nodefraction=0", path)
    times = [item["time_ns"] for _, item in snapshot.samples]
    duration = re.search(r"^Duration: ([\d.]+)(m?)s,", text, re.MULTILINE)
    if abs(float(duration[1]) / (1000 if duration[2] else 1) - (max(times) - min(times)) / 1e9) > 0.01:
        yield "pprof: %s for %d ns" % (duration[0], max(times) - min(times))
    functions = top(text)
    for name in ("stir", "leaf", "descend", "straight"):
        name = "work::%s(unsigned int)" % name
        yield from expect("pprof -top: " + name, functions.get(name), (snapshot.count_self(name), snapshot.count(name)))
    peek = pprof(directory, "-sample_index=samples", "-peek", "work::leaf", "-nodefraction=0", path)
    for name in ("descend", "straight"):
        name = "work::%s(unsigned int)" % name
        found = re.search(r"^ +(\d+) +[\d.]+%% \| +%s$" % re.escape(name), peek, re.MULTILINE)
        yield from expect("pprof -peek: calls of leaf by " + name, int(found[1]) if found else None,
                          snapshot.count_calls(name, "work::leaf(unsigned int)"))
    print("pprof: %d samples" % len(snapshot.samples))


def annotate(path, *options):
    """callgrind_annotate's functions: {name: samples}, and all it says."""
    text = known.check_run(["callgrind_annotate", "--auto=no", "--threshold=100", *options, path])
    found = re.findall(r"^ *([\d,]+) \([ \d.]+%\) .*?[^ ]:(work::.*|main|spin) \[[^]]*prog\]$", text, re.MULTILINE)
    return {name: int(count.replace(",", "")) for count, name in found}, text


def check_callgrind(snapshot, directory):
    path = os.path.join(directory, "callgrind.out.1")
    for weight, events in (("samples", "Samples Wall Cpu"), ("wall", "Wall Samples Cpu"), (None, "Cpu Samples Wall")):
        text = snapshot.write("callgrind", *(("--weight", weight) if weight else ()))
        yield from expect("callgrind: events by %s" % weight, re.search("^events: (.*)$", text, re.MULTILINE)[1], events)
    known.check_run([snapshot.tools + "/cgunwind", "-q", "--weight", "samples", "-o", path, snapshot.path])
    selves, text = annotate(path, "--show=Samples")
    total = re.search(r"^ *([\d,]+) .*PROGRAM TOTALS", text, re.MULTILINE)
    yield from expect("callgrind: total", int(total[1].replace(",", "")), len(snapshot.samples))
    yield from expect("callgrind: self of stir", selves.get("work::stir(unsigned int)"),
                      snapshot.count_self("work::stir(unsigned int)"))
    if "Samples are not calls" not in text:
        yield "callgrind: does not say that samples are not calls"
    totals, _ = annotate(path, "--show=Samples", "--inclusive=yes")
    for name in ("main", "spin", *("work::%s(unsigned int)" % name for name in ("stir", "leaf", "descend", "straight"))):
        yield from expect("callgrind: inclusive " + name, totals.get(name), snapshot.count(name))
    again = "work::descend(unsigned int)"
    yield from expect("callgrind: inclusive, recursion", totals.get(again + "'2"), snapshot.count(again, times=2))
    if "malformed" in text:
        yield "callgrind: " + text
    print("callgrind: %d functions" % len(totals))


HEAD = re.compile(r"^(\S.+?)\s+(\d+)(?:/(\d+))?\s+(?:\[\d+\]\s+)?(\d+\.\d+):\s+(\d+)\s+(\S+):\s*$")
FRAME = re.compile(r"^\s+(\w+)\s+(.+) \((\S*)\)$")


def fold_script(text):
    """{folded stack: weight} of the text of perf script."""
    stacks = collections.Counter()
    for block in text.rstrip("\n").split("\n\n"):
        head, *lines = block.split("\n")
        head, frames = HEAD.match(head), [FRAME.match(line) for line in lines]
        if not head or not all(frames):
            raise known.Failure("perf-script: cannot read\n" + block)
        names = [re.sub(r"\+0x[0-9a-f]+$", "", frame[2]) for frame in frames]
        stacks[";".join(name.replace(";", ":") for name in [head[1], *names[::-1]])] += int(head[5])
    return stacks


def readable(folded):
    """Folded stacks with the thread's name as perf-script writes it: a number would be the process's."""
    return {re.sub(r" (?=\d)", "_", stack.split(";")[0]) + stack[stack.index(";"):]: weight for stack, weight in folded.items()}


def fold(text):
    return collections.Counter({line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in text.splitlines()})


def flamegraph(lines, directory):
    """The titles of the boxes that flamegraph.pl draws, as often as they are there."""
    path = os.path.join(directory, "stacks")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    return collections.Counter(re.findall(r"<title>(.*?)</title>", known.check_run(["perl", viewers.flamegraph(), path])))


def check_script(snapshot, directory):
    for options in (("--weight", "samples"), ("--weight", "wall"), ("--weight", "cpu"), (), ("--thread", THREAD)):
        folded = readable(fold(snapshot.write("folded", *options)))
        script = fold_script(snapshot.write("perf-script", *options))
        yield from expect("perf-script %s, folded" % " ".join(options), script, folded)
    samples = fold_script(snapshot.write("perf-script", "--weight", "samples"))
    drawn = flamegraph(("%s %d" % item for item in samples.items()), directory)
    folded = readable(fold(snapshot.write("folded", "--weight", "samples")))
    yield from expect("flamegraph.pl: the same of both formats", drawn, flamegraph(("%s %d" % item for item in folded.items()), directory))
    total, leaf = len(snapshot.samples), snapshot.count("work::straight(unsigned int)")
    for title in ("all ({:,} samples, 100%)".format(total),
                  "work::straight(unsigned int) ({:,} samples, {:.2f}%)".format(leaf, 100 * leaf / total)):
        if not drawn[title]:
            yield "flamegraph.pl: no box %s" % title
    print("perf-script, flamegraph.pl: %d boxes" % drawn.total())


def check_sum(one, two):
    cgunwind = one.tools + "/cgunwind"
    for weight in ("samples", "wall"):
        both = known.check_run([cgunwind, "-q", "-f", "folded", "--weight", weight, one.path, two.path])
        parts = [fold(snapshot.write("folded", "--weight", weight)) for snapshot in (one, two)]
        yield from expect("the sum of two snapshots by " + weight, fold(both), parts[0] + parts[1])
    print("sum: %d stacks" % len(parts[0] + parts[1]))


def check_title(one, again, other):
    """Which programs were captured: each once, and not the one that is compared with."""
    cgunwind = one.tools + "/cgunwind"
    first, second = ("%s (pid %d)" % (snapshot.program, snapshot.pid) for snapshot in (one, other))
    merged = first if again.pid == one.pid else one.program
    for snapshots, title in (((one,), first), ((one, again), merged), ((one, again, other), merged + ", " + second)):
        paths = [snapshot.path for snapshot in snapshots]
        yield from expect("the title", known.check_run([cgunwind, "-q", *paths]).splitlines()[0], title)
        if 'label="%s\\l' % title not in known.check_run([cgunwind, "-q", "-f", "dot", *paths]):
            yield "dot: no title " + title
    yield from expect("--diff-base: the title", one.write("tree", "--diff-base", other.path).splitlines()[0], first)


def check_diff(base, now, directory):
    counts = ("--weight", "samples", "--diff-base", base.path)
    before, after = (fold(each.write("folded", "--weight", "samples")) for each in (base, now))
    lines = now.write("folded", *counts).splitlines()
    wanted = ["%s %d %d" % (stack, before[stack], after[stack]) for stack in before.keys() | after.keys()]
    yield from expect("--diff-base, folded", sorted(lines), sorted(wanted))
    if not any(re.search(r"; -\d", title) for title in flamegraph(lines, directory)):
        yield "flamegraph.pl: no box of what became less"
    tree = now.write("tree", *counts)
    shares = {}
    for found in re.finditer(r"^ *[\d.]+% +[\d.]+% +([-+]?)([\d.]+)% .*?work::(\w+)\(", tree, re.MULTILINE):
        shares.setdefault(found[3], (found[1], found[2]))  # the outermost one
    for name, sign in (("straight", "+"), ("descend", "-")):
        was, is_now = ((100 * part.count("work::%s(unsigned int)" % name) / len(part.samples)) for part in (base, now))
        if shares.get(name, ("", 0))[0] != sign or abs(float(shares[name][1]) - abs(is_now - was)) > 0.02:
            yield "--diff-base, tree: %s%% for %s, %.2f%% is now %.2f%%" % ("".join(shares.get(name, "?")), name, was, is_now)
    dot = now.write("dot", *counts)
    for name, red in (("straight", True), ("descend", False)):
        colour = re.search(r'label="work::%s\(.*?fillcolor="#(..)..(..)"' % name, dot)
        if not colour or (colour[1] > colour[2]) != red:
            yield "--diff-base, dot: %s is not %s" % (name, "red" if red else "blue")
    for form in ("json", "chains", "pprof", "callgrind", "perf-script"):
        done = known.run([now.tools + "/cgunwind", "-f", form, "--diff-base", base.path, now.path])
        yield from expect("--diff-base with " + form, (done.returncode, done.stdout), (2, b""))
    print("diff: %d stacks" % len(lines))


def check_suffixes(snapshot, directory):
    starts = {"x.pb.gz": b"\x1f\x8b", "x.callgrind": b"# callgrind", "callgrind.out": b"# callgrind", "callgrind.out.7": b"# callgrind"}
    for name, start in starts.items():
        path = os.path.join(directory, name)
        known.check_run([snapshot.tools + "/cgunwind", "-q", "-o", path, snapshot.path])
        with open(path, "rb") as file:
            yield from expect("-o " + name, file.read(len(start)), start)
    with gzip.open(os.path.join(directory, "x.pb.gz")) as file:
        file.read()
    done = known.run([snapshot.tools + "/cgunwind", "-o", os.path.join(directory, "x.gz"), snapshot.path])
    yield from expect("-o x.gz", done.returncode, 2)


def test(tools):
    known.need("g++", "callgrind_annotate", "perl")
    viewers.pprof(), viewers.flamegraph()  # or skipped, before all else
    with tempfile.TemporaryDirectory() as directory:
        program, changed = build(directory, "one"), build(directory, "two", "-DSTRAIGHT=100000")
        one = Snapshot(tools, program, directory + "/one.bin", "3")
        two = Snapshot(tools, program, directory + "/two.bin", "0.5")
        new = Snapshot(tools, changed, directory + "/new.bin", "1")
        drawn.capture(tools, directory + "/python.bin", "2")
        checks = (check_pprof(one, directory), check_callgrind(one, directory), check_script(one, directory), check_sum(one, two),
                  check_title(one, two, new), check_diff(one, new, directory), check_suffixes(one, directory),
                  drawn.check(tools, directory + "/python.bin"))
        return [failure for check in checks for failure in check]


if __name__ == "__main__":
    known.main(test)
