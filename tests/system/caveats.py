#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What was lost in a capture is told in the head of each output for people, and nothing of a capture that went well.

usage: caveats.py BUILD-DIRECTORY

A capture is rewritten so that nothing was lost, nobody waited for a CPU and the rate was reached; then so that samples were lost and the rate was not. Of the second
each output is that of the first and one line, from snapshots, from profiles and from both, in any order.
"""

import os
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


def capture(tools, directory, *arguments):
    path = os.path.join(directory, "made")

    def suits():
        """One that computes may have had no CPU meanwhile."""
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-p", str(target.pid), "-n", "9", "-F", "50", "-o", path])
        cpu = [os.path.join(tools, "cgunwind"), "-q", "--weight", "cpu", "-f", "folded", path]
        return "busy" not in arguments or not known.run(cpu).returncode

    with known.Target([known.program(tools, "idle", directory), *arguments]) as target:
        known.wait_until(lambda: len(list(target.threads())) > 1, "threads to be there")
        known.wait_until(suits, "a capture with all that is wanted", 120)
    return path


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
    for want in ("lost       1000 samples, %s %% of those that were due (30: the machine was busy, 970: rounds came late)" % percent,
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


def check_waiting(tools, directory):
    """Of ten threads nine wait: what shows the tenth is named, unless it was asked for in any case."""
    def show(*options):
        return known.check_run([os.path.join(tools, "cgunwind"), "-q", *options, path])

    path = capture(tools, directory, "9", "60", "busy")
    wanted = "threads that waited; --weight cpu shows what ran"
    for options in (("-f", "tree"), ("-f", "dot"), ("-f", "tree", "--by-thread"), ("-f", "tree", "--ignore", "nothing")):
        if show(*options).count("of the samples shown: " + wanted) != 1:
            yield "%s: %r" % (" ".join(options), show(*options).split("\n")[:5])
    for options in (("--weight", "samples"), ("--weight", "cpu"), ("--state", "blocked"), ("--focus", "."), ("-f", "folded")):
        if "shows what ran" in show(*options):
            yield "%s: %r" % (" ".join(options), show(*options).split("\n")[:5])


def check_filters(tools, directory):
    """Shares are of what passes the filter; who asks for the ready is not told that they are."""
    def show(*options):
        return known.check_run([os.path.join(tools, "cgunwind"), "-q", "-f", "tree", *options, path + ".ready"])

    path = capture(tools, directory, "1", "60", "busy")
    with open(path, "rb") as file:
        made = snapfile.Snapshot(file.read())
    with open(path + ".ready", "wb") as file:
        file.write(made.header + b"".join(rewritten(item, 0, READY) for item in made.records))
    ready = "of the samples shown: threads that were ready, without a CPU"
    shares = [line for line in show().split("\n") if ready in line]
    if len(shares) != 1 or shares[0].startswith("100 %"):
        yield "of ready and waiting threads: %r" % shares
    if "100 %% %s\n" % ready not in show("--ignore", "nanosleep|pause|futex|cond_wait"):
        yield "of ready threads alone: %r" % show("--ignore", "nanosleep|pause|futex|cond_wait").split("\n")[:5]
    if "threads that were ready" in show("--state", "ready"):
        yield "--state ready: %r" % show("--state", "ready").split("\n")[:5]


def test(tools):
    with tempfile.TemporaryDirectory() as directory:
        return [*check(tools, directory), *check_waiting(tools, directory), *check_filters(tools, directory)]


if __name__ == "__main__":
    known.main(test)
