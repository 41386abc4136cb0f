#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What was lost in a capture, and which weight is shown, is told in the head of each output for people.

usage: caveats.py BUILD-DIRECTORY

Of a capture that went well, and was asked for a weight, nothing is said.
A capture is rewritten so that nothing was lost, nobody waited for a CPU and the rate was reached; then so that samples were lost and the rate was not. Of the second
each output is that of the first and one line, from snapshots, from profiles and from both, in any order.
"""

import json
import math
import os
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import snapfile

TEXTS = ("tree", "stats", "waits", "threads")
LABELS = ("dot", "threads-dot", "waits-dot")
PROFILES = ("tree", "dot")
LATE, ROUND, TICK = 1, 4, 6
READY = 8  # a flag of SAMPLE


def taken(tools, target, path, *options):
    known.check_run([os.path.join(tools, "cgsnap"), "-q", "--force", "-p", str(target.pid), *options, "-o", path])
    return Facts(tools, path)


def capture(tools, directory, *arguments):
    path = os.path.join(directory, "made")
    with known.Target([known.program(tools, "idle", directory), *arguments]) as target:
        known.wait_until(lambda: len(list(target.threads())) > 1, "threads to be there")
        taken(tools, target, path, "-n", "9", "-F", "50")
    return path


class Facts:
    """What json says of a capture."""

    def __init__(self, tools, path):
        objects = [json.loads(line) for line in known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "json", path]).splitlines()]
        self.items, rest = known.with_cpu_time(objects)
        self.samples = [item for item in self.items if item["type"] == "sample"]
        self.ticks = len(self.items) - len(self.samples)
        self.places = self.ticks or sum(item["given_ns"] > 0 for item in self.samples)
        self.rest_ns = sum(rest.values())
        self.cpu_ns = sum(item["given_ns"] for item in self.items) + self.rest_ns
        self.wall_ns = sum(item.get("wall_ns", 0) for item in self.samples)
        times = [item["time_ns"] for item in self.samples]
        self.duration_ns = max(times) - min(times)

    def hidden(self):
        """The line of what CPU time leaves out, without who was ready."""
        return "%s of the threads' time is not shown: they waited" % percent(self.wall_ns - self.cpu_ns, self.wall_ns)

    def worth(self):
        """As how many samples that are all alike: (sum of w)² / (sum of w²), in µs."""
        parts = [item["given_ns"] // 1000 for item in self.items]
        placed = sum(item["given_ns"] for item in self.items) / 1000
        return int(min(self.places, placed ** 2 / (sum(part ** 2 for part in parts) or 1)) + 0.5)

    def trust(self):
        root = math.isqrt(self.worth())
        return "from %d %s%s: a share of 50 %% may be off by %d points" % (
            self.places, "tick" if self.ticks else "sample", "s" * (self.places != 1), (100 + root // 2) // root)


def percent(part, whole):
    """As the heads have it."""
    points = (part * 20000 + whole) // (whole * 2)
    tenths, rounded = (points + 5) // 10, (points + 50) // 100
    if part and not tenths:
        return "<0.1 %"
    if tenths < 100:
        return "%d.%d %%" % (tenths // 10, tenths % 10)
    return ">99 %" if rounded >= 100 and part < whole else "%d %%" % rounded


def ends_of_sample(payload):
    """Where the registers, and the regions of the stack end."""
    flags, count = struct.unpack_from("<BH", payload, 17)
    offset = registers = 28 + 56 * (flags & 1) + 8 * count
    regions = payload[offset]
    offset += 1
    for _ in range(regions):
        runs, = struct.unpack_from("<I", payload, offset + 24)
        offset += 28
        for _ in range(runs):
            offset += 8 + struct.unpack_from("<I", payload, offset + 4)[0]
    return registers, offset


def rewritten(item, delay_ns, flags=0):
    """A SAMPLE whose thread waited so long for a CPU, and with these flags, if it ran."""
    if item.kind != snapfile.SAMPLE:
        return item.encode()
    payload = bytearray(item.payload)
    struct.pack_into("<Q", payload, ends_of_sample(payload)[1] + 8, delay_ns)
    if payload[16] == ord("R"):
        payload[17] |= flags
    return snapfile.record(item.kind, bytes(payload), item.flags)


def write(path, snapshot, lost, reached_mhz, delay_ns=0):
    """With these losses, {reason: count}, this rate of 50 Hz, and a wait for a CPU before each sample."""
    kept = [item for item in snapshot.records if item.kind not in (snapfile.LOSS, snapfile.SUMMARY)]
    summary = bytearray(next(item for item in snapshot.records if item.kind == snapfile.SUMMARY).payload)
    struct.pack_into("<QQQQ", summary, 24, sum(lost.values()), 9, 50000, reached_mhz)
    pid, = struct.unpack_from("<I", kept[0].payload)
    time = max(snapfile.time_of(item) for item in kept if item.kind in (snapfile.SAMPLE, snapfile.REPEAT, snapfile.IDLE))
    with open(path, "wb") as file:
        file.write(snapshot.header + b"".join(rewritten(item, delay_ns) for item in kept))
        for reason, count in lost.items():
            file.write(snapfile.record(snapfile.LOSS, struct.pack("<IIQII", pid, 0, time, count, reason), 0))
        file.write(snapfile.record(snapfile.SUMMARY, bytes(summary), 0))
    return path


def tick(snapshot, delay_ns):
    """A TICK like the last SAMPLE, so long after it, with nothing of its stack changed."""
    sample = [item for item in snapshot.records if item.kind == snapfile.SAMPLE][-1].payload
    count, = struct.unpack_from("<H", sample, 18)
    end, _ = ends_of_sample(sample)
    registers = end - 8 * count
    stack, = struct.unpack_from("<Q", sample, end + 1)
    head = sample[:8] + struct.pack("<QQH", struct.unpack_from("<Q", sample, 8)[0] + delay_ns, 10 ** 7, count)
    return snapfile.record(snapfile.TICK, head + sample[registers:end] + struct.pack("<BQQQI", 1, stack, stack + 8, stack + 8, 0), 0)


def check_ticks(tools, snapshot, quiet):
    """A CPU's clock goes on after the last sample: the time is that of samples."""
    def lines(path):
        return known.check_run([os.path.join(tools, "cgunwind"), "--info", path]).split("\n")

    with open(quiet, "rb") as file:
        data = file.read()
    with open(quiet + ".ticks", "wb") as file:
        file.write(data + tick(snapshot, 10 ** 11))
    before, after = lines(quiet), lines(quiet + ".ticks")
    ticks = sum(item.kind == snapfile.TICK for item in snapshot.records) + 1
    if "ticks      %d of CPUs' clocks" % ticks not in after:
        yield "--info: no tick in %r" % after
    for key in ("begin ", "time "):
        if [line for line in before if line.startswith(key)] != [line for line in after if line.startswith(key)]:
            yield "--info: with a tick after the last sample %r, without %r" % (after, before)


def check_text(form, quiet, lossy, line):
    if "capture:" in quiet:
        yield "%s: a capture without losses has %r" % (form, quiet.split("\n")[:4])
    kept = [each for each in lossy.split("\n") if each != line]
    if "\n".join(kept) != quiet or len(kept) != lossy.count("\n"):
        yield "%s: not the quiet one and %r: %r" % (form, line, lossy.split("\n")[:5])


def check_inside(form, quiet, lossy, text):
    if text in quiet or text not in lossy or lossy.replace(text, "", 1) != quiet:
        yield "%s: not the quiet one and %r" % (form, text)


def check_contention(tools, path):
    words = "ready without a CPU"
    if "\ncapture: " + words not in known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "tree", path]):
        yield "tree: not %r" % words
    if "\ncontention " + words not in known.check_run([os.path.join(tools, "cgunwind"), "--info", path]):
        yield "--info: not %r" % words


def check_baseline(show, quiet, lossy, line):
    """Of the two that are compared each has its own line."""
    own, base = line, line.replace("capture: ", "baseline: ")
    for form in PROFILES:
        for shown, compared, wanted in ((quiet, lossy, [base]), (lossy, quiet, [own]), (lossy, lossy, [own, base]), (quiet, quiet, [])):
            text = show(form, "--diff-base", compared, shown)
            found = [each for each in (own, base) if each in text]
            if found != wanted or ("samples lost" in text) != bool(wanted):
                yield "%s of a comparison: %r, not %r" % (form, found, wanted)


def check(tools, directory):
    def show(form, *inputs):
        return known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", form, *inputs])

    def profile(name, *inputs):
        path = os.path.join(directory, name + ".pb.gz")
        known.check_run([os.path.join(tools, "cgunwind"), "-q", "-o", path, *inputs])
        return path

    with open(capture(tools, directory, "4", "60"), "rb") as file:
        made = snapfile.Snapshot(file.read())
    quiet = write(os.path.join(directory, "quiet"), made, {}, 50000)
    lossy = write(os.path.join(directory, "lossy"), made, {LATE: 30, ROUND: 970, TICK: 7}, 12340)
    samples = show("json", quiet).count('{"type":"sample"')
    percent = round(100000 / (samples + 1000))
    line = "capture: %s %% of samples lost (1000, most: rounds came late); 12.3 of 50.0 Hz reached" % percent
    for form in TEXTS:
        yield from check_text(form, show(form, quiet), show(form, lossy), line)
    for form in LABELS:
        yield from check_inside(form, show(form, quiet), show(form, lossy), line + "\\l")
    yield from check_inside("timeline-svg", show("timeline-svg", quiet), show("timeline-svg", lossy),
                            '<text x="12" y="34.5">%s</text>\n' % line)
    info = known.check_run([os.path.join(tools, "cgunwind"), "--info", lossy])
    for want in ("lost       1000 samples, %s %% of those that were due (30: not stopped in time, 970: rounds came late)" % percent,
                 "lost       7 ticks, of all programs", "rate       12.3 of 50.0 Hz, 25 % of what was asked for"):
        if want not in info.split("\n"):
            yield "--info: %r is not in %r" % (want, info)
    info = known.check_run([os.path.join(tools, "cgunwind"), "--info", quiet])
    if "\nlost" in info or "\nrate       50.0 of 50.0 Hz\n" not in info:
        yield "--info: of a capture without losses %r" % info
    yield from check_ticks(tools, made, quiet)
    yield from check_contention(tools, write(os.path.join(directory, "contended"), made, {}, 50000, 10 ** 9))
    yield from check_baseline(show, quiet, lossy, line)
    parts = profile("quiet", quiet), profile("lossy", lossy)
    whole = round(100000 / (2 * samples + 1000))
    facts = ("capture: %s %% of samples lost (1000, most: rounds came late);" % whole, "12.3 of 50.0 Hz reached in one of 2 captures")
    for form in PROFILES:
        if line not in show(form, parts[1]):
            yield "%s of a profile: %r is not there" % (form, line)
        both = show(form, quiet, lossy)
        if not all(each in both for each in facts):
            yield "%s of both: %r" % (form, both.split("\n")[:5])
        for inputs in ((lossy, quiet), parts, parts[::-1], (parts[0], lossy), (parts[1], quiet), (profile("both", *parts),)):
            if show(form, *inputs) != both:
                yield "%s of %s: not that of both snapshots" % (form, inputs)


VIEWS = ("tree", "top", "flame", "dot")


def head(text):
    """Its lines, of whatever format."""
    for old, new in (("&apos;", "'"), ("&#39;", "'"), ("&gt;", ">"), ("&lt;", "<"), ("\\l", "\n")):
        text = text.replace(old, new)
    return [line.strip() for line in re.sub(r'</?text[^>]*>|</?tspan[^>]*>|label="', "\n", text).split("\n")]


class Head:
    def __init__(self, tools, path):
        self.command = [os.path.join(tools, "cgunwind"), "-q"]
        self.path = path

    def check(self, wanted, unwanted, *options, forms=VIEWS):
        """What begins the lines that are there, and what is in none."""
        for form in forms:
            lines = head(known.check_run([*self.command, "-f", form, *options, self.path]))
            what = " ".join((form, *options))
            for want in wanted:
                if sum(line.startswith(want) for line in lines) != 1:
                    yield "%s: %r is not there once: %r" % (what, want, lines[:20])
            found = [line for line in lines for word in unwanted if word in line]
            if found:
                yield "%s: %r is there" % (what, found)


HIDDEN, WALL, CHANCE, RAN = "is not shown: ", "this is wall time", "may be off by", "shows what ran"
FEW = "few samples found a thread on a CPU: this is wall time; see --weight cpu"


def check_busy(tools, target, path):
    """Nine threads wait, and one computes: that is shown."""
    def suits():
        facts.append(taken(tools, target, path, "-d", "0.7", "-F", "99", "--overhead", "100"))
        return facts[-1].places >= 12 and facts[-1].cpu_ns > 0.02 * facts[-1].duration_ns

    facts = []
    known.wait_until(suits, "a capture of a thread that computes", 120)
    facts, show = facts[-1], Head(tools, path)
    cpu = "CPU time: " + known.time_text(facts.cpu_ns)
    for options in ((), ("--by-thread",), ("--ignore", "nothing")):
        forms = VIEWS if "--by-thread" not in options else ("tree", "flame", "dot")
        yield from show.check((cpu, facts.hidden(), facts.trust()), (WALL, RAN), *options, forms=forms)
    yield from show.check((cpu, facts.trust()), (HIDDEN, WALL, RAN), "--weight", "cpu")
    wall = "wall time: " + known.time_text(facts.wall_ns)
    yield from show.check((wall,), (HIDDEN, CHANCE, WALL, RAN), "--weight", "wall")
    yield from show.check(("samples: %d" % len(facts.samples),), (HIDDEN, CHANCE, WALL, RAN), "--weight", "samples")
    yield from show.check(("wall time: ",), (HIDDEN, CHANCE, WALL, RAN), "--state", "blocked")
    idle = {item["tid"] for item in facts.items} - {item["tid"] for item in facts.items if item["given_ns"]}
    yield from show.check(("wall time: ", "what is shown used no CPU time: this is wall time"), (HIDDEN, CHANCE, RAN),
                          "--thread", str(min(idle)))
    for form in ("folded", "perf-script", "chains"):
        if "may be off" in known.check_run([*show.command, "-f", form, path]):
            yield "%s has a head" % form


def check_rest(tools, path):
    """The process's clock goes on for half as long again as all of its samples tell."""
    with open(path, "rb") as file:
        made = snapfile.Snapshot(file.read())
    before = Facts(tools, path)
    last = [item for item in made.records if item.kind == snapfile.USAGE][-1]
    pid, time_ns, used_ns, between_ns = struct.unpack("<IQQQ", last.payload)
    last.payload = struct.pack("<IQQQ", pid, time_ns, used_ns + before.cpu_ns // 2, between_ns)
    with open(path + ".rest", "wb") as file:
        file.write(made.header + b"".join(item.encode() for item in made.records))
    facts = Facts(tools, path + ".rest")
    if facts.rest_ns < 0.4 * before.cpu_ns:
        yield "CPU time without a sample: %d ns of %d" % (facts.rest_ns, facts.cpu_ns)
    line = "%s of the CPU time is without a sample: a longer capture or a higher rate places more" % percent(facts.rest_ns, facts.cpu_ns)
    yield from Head(tools, path + ".rest").check(
        ("CPU time: " + known.time_text(facts.cpu_ns), line, facts.trust()), (WALL,))


def check_few(tools, target, path):
    """So little was seen on a CPU that it says nothing of where."""
    def suits():
        facts.append(taken(tools, target, path, "-n", "5", "-F", "50"))
        return facts[-1].places < 10 and facts[-1].cpu_ns > 0.02 * facts[-1].duration_ns

    facts = []
    known.wait_until(suits, "a short capture of a thread that computes", 120)
    show = Head(tools, path)
    yield from show.check(("wall time: " + known.time_text(facts[-1].wall_ns), FEW), (HIDDEN, CHANCE, RAN))
    yield from show.check(("CPU time: ",), (WALL, HIDDEN), "--weight", "cpu")
    # Of one round no times are known, but for what the process has used meanwhile.
    taken(tools, target, path + ".one", "-n", "1")
    yield from Head(tools, path + ".one").check(("samples: 10",), (HIDDEN, WALL, CHANCE, "CPU time"))


def deadlock(directory):
    path = os.path.join(directory, "deadlocks")
    source = os.path.join(known.PROGRAMS, "deadlocks.c")
    known.check_run(["gcc", "-std=c11", "-D_GNU_SOURCE", "-pthread", "-O1", "-g", source, "-o", path])
    return path


def check_idle(tools, directory, *command):
    """Where nobody computes wall time is shown, and why."""
    path = os.path.join(directory, "idle.bin")
    with known.Target(command) as target:
        known.wait_until(lambda: len(list(target.threads())) > 2 and all(target.state(tid) == "S" for _, tid in target.threads()),
                         "all threads to sleep")
        facts = taken(tools, target, path, "-d", "1", "-F", "50")
    show = Head(tools, path)
    if facts.cpu_ns:
        reason = "threads used CPUs for %s of the time (%s): this is wall time; see --weight cpu" % (
            percent(facts.cpu_ns, facts.duration_ns), known.time_text(facts.cpu_ns))
        yield from show.check(("wall time: " + known.time_text(facts.wall_ns), reason), (HIDDEN, CHANCE, RAN))
    yield from show.check(("wall time: ",), (HIDDEN, CHANCE, RAN, WALL), "--weight", "wall")


def check_filters(tools, path):
    """Who is ready is told of, but not to who asks for them."""
    with open(path, "rb") as file:
        made = snapfile.Snapshot(file.read())
    with open(path + ".ready", "wb") as file:
        file.write(made.header + b"".join(rewritten(item, 0, READY) for item in made.records))
    facts, show = Facts(tools, path + ".ready"), Head(tools, path + ".ready")
    ready = [item for item in facts.samples if item["state"] == "ready"]
    counted = percent(len(ready), len(facts.samples)), percent(sum(item.get("wall_ns", 0) for item in ready), facts.wall_ns)
    for weight, share in zip(("samples", "wall time"), counted):
        yield from show.check(("%s of the %s shown: threads that were ready, without a CPU" % (share, weight),), (),
                              "--weight", weight.split()[0])
    tid = str(ready[0]["tid"])
    alone = sum(item["tid"] == ready[0]["tid"] for item in facts.samples)
    if alone == len(ready):
        yield from show.check(("100 % of the samples shown: threads that were ready, without a CPU",), (), "--weight", "samples", "--thread", tid)
    yield from show.check(("CPU time: ", "%s, or were ready (%s); see --weight wall" % (facts.hidden(), counted[1])), ("threads that were ready",))
    yield from show.check((), ("threads that were ready",), "--state", "ready")
    yield from show.check((), ("threads that were ready",), "--state", "ready", "--weight", "samples")


def check_weights(tools, directory):
    path = os.path.join(directory, "busy.bin")
    with known.Target([known.program(tools, "idle", directory), "9", "600", "busy"]) as target:
        known.wait_until(lambda: len(list(target.threads())) == 10, "threads to be there")
        yield from check_busy(tools, target, path)
        yield from check_rest(tools, path)
        yield from check_few(tools, target, path + ".few")
    with known.Target([known.program(tools, "idle", directory), "2", "600", "busy"]) as target:
        known.wait_until(lambda: len(list(target.threads())) == 3, "threads to be there")
        known.wait_until(lambda: taken(tools, target, path, "-d", "0.7", "-F", "99", "--overhead", "100").places >= 12,
                         "a capture of a thread that computes", 120)
    yield from check_filters(tools, path)
    yield from check_idle(tools, directory, known.program(tools, "idle", directory), "4", "600")
    yield from check_idle(tools, directory, deadlock(directory), "two")


def test(tools):
    known.need("gcc")
    with tempfile.TemporaryDirectory() as directory:
        return [*check(tools, directory), *check_weights(tools, directory)]


if __name__ == "__main__":
    known.main(test)
