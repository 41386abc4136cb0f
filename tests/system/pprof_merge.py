#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A pprof profile that cgunwind wrote is as good an input as the snapshots that it was made of.

usage: pprof_merge.py BUILD-DIRECTORY

Two programs are captured, one of them twice. Their profiles, merged in any order and grouping, are byte for byte what cgunwind writes of all
snapshots at once, and each format that sums samples up shows the same text of both. No file but the profiles is read for it: the programs
are gone by then. What a profile has not is refused, and so are damaged ones, each in one line.
"""

import gzip
import itertools
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

FOREIGN = os.path.join(known.TESTS, "fuzz", "seeds", "fuzz_pprof", "go")
SOURCE = os.path.join(known.PROGRAMS, "formats.cc")
SHOWN = (
    ("tree",), ("tree", "--weight", "wall"), ("tree", "--weight", "cpu"), ("tree", "--weight", "offcpu"),
    ("tree", "--by", "line"), ("tree", "--by", "module"), ("tree", "--focus", "leaf"), ("tree", "--state", "running"),
    ("tree", "--thread", "spin"), ("folded",), ("folded", "--weight", "offcpu"), ("folded", "--hide", "leaf"),
    ("dot",), ("dot", "--by", "line"), ("dot", "--cluster", "module"), ("dot", "--label-calls"), ("svg",), ("callgrind",),
)
COMPARED = (("tree",), ("folded",), ("dot",))
REFUSED = (
    ("json",), ("chains",), ("perf-script",), ("threads",), ("threads-json",), ("threads-dot",), ("stats",), ("waits",), ("waits-dot",),
    ("timeline-svg",), ("chrome",), ("tree", "--from", "1"), ("tree", "--to", "1"), ("tree", "--by-thread"), ("tree", "--method", "fp"),
    ("tree", "--no-inline"),
)


def build(directory, name, *options):
    path = os.path.join(directory, name)
    known.check_run(["g++", "-g", "-O1", "-pthread", *options, SOURCE, "-o", path])
    return path


def capture(tools, program, output):
    with known.Target([program]) as target:
        known.wait_until(lambda: "spin;ner 1" in dict(target.threads()), "the thread to be there")
        known.check_run([tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-d", "1", "-p", str(target.pid), "-o", output])
    return output


def capture_made(tools, directory):
    """Of code that is made at run time, which has names by a perf map alone."""
    program, output = known.program(tools, "made", directory), os.path.join(directory, "made.bin")
    with known.Target(["sh", "-c", 'exec "$0" 30 /tmp/perf-$$.map', program]) as target:
        try:
            known.wait_until(lambda: os.path.exists("/tmp/perf-%d.map" % target.pid), "the map")
            known.check_run([tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-d", "1", "-p", str(target.pid), "-o", output])
        finally:
            if os.path.exists("/tmp/perf-%d.map" % target.pid):
                os.unlink("/tmp/perf-%d.map" % target.pid)
    return output


def check_made(run, snapshots):
    yield from check_merges(run, snapshots)
    want = run.text("folded", *snapshots)
    if run.text("folded", *[run.profile([snapshot]) for snapshot in snapshots]) != want or "made inner" not in want:
        yield "code made at run time is shown as something else"


class Runner:
    def __init__(self, tools, directory):
        self.cgunwind, self.directory = tools + "/cgunwind", directory
        self.count = 0

    def text(self, *arguments):
        return known.check_run([self.cgunwind, "-q", "-f", *arguments])

    def profile(self, inputs, *options):
        """Its path."""
        self.count += 1
        path = os.path.join(self.directory, "%d.pb.gz" % self.count)
        known.check_run([self.cgunwind, "-q", "-f", "pprof", *options, "-o", path, *inputs])
        return path

    def refusal(self, *arguments):
        done = known.run([self.cgunwind, *arguments])
        error = done.stderr.decode()
        if done.returncode != 1 or error.count("\n") != 1:
            raise known.Failure("%s: exit status %d, %r" % (" ".join(arguments), done.returncode, error))
        return error


def content(path):
    with open(path, "rb") as file:
        return file.read()


def check_same(what, one, other):
    if content(one) != content(other):
        yield "%s: other bytes than of all snapshots at once" % what


def check_merges(run, snapshots, *options):
    """Each profile alone, all in each order, and each pair merged before the third."""
    whole = run.profile(snapshots, *options)
    parts = [run.profile([snapshot], *options) for snapshot in snapshots]
    yield from check_same("snapshots in the other order", run.profile(snapshots[::-1], *options), whole)
    for part in parts:
        if content(run.profile([part])) != content(part):
            yield "a profile is not written as it was read"
    for order in itertools.permutations(range(len(parts))):
        first, second, third = (parts[i] for i in order)
        name = "%s, %s" % (" ".join(options), order)
        yield from check_same("merged " + name, run.profile([first, second, third]), whole)
        yield from check_same("merged by pairs " + name, run.profile([third, run.profile([first, second])]), whole)


def check_formats(run, snapshots, parts, texts):
    for (form, *options), want in texts.items():
        if run.text(form, *options, *parts) != want:
            yield "%s: profiles are shown as something else than their snapshots" % " ".join((form, *options))
    mixed = run.text("tree", parts[0], *snapshots[1:])
    if mixed != texts[("tree",)]:
        yield "tree: a profile beside snapshots is shown as something else"


def check_compared(run, snapshots, parts):
    for form, *options in COMPARED:
        want = run.text(form, *options, "--diff-base", snapshots[0], snapshots[2])
        for base, now in ((parts[0], parts[2]), (snapshots[0], parts[2]), (parts[0], snapshots[2])):
            if run.text(form, *options, "--diff-base", base, now) != want:
                yield "%s --diff-base %s %s: not what the snapshots give" % (form, base, now)


def check_streams(run, part, whole_text):
    """From a pipe, and not compressed."""
    for data in (content(part), gzip.decompress(content(part))):
        done = subprocess.run([run.cgunwind, "-q", "-f", "folded", "-"], input=data, capture_output=True, timeout=600)
        if done.returncode != 0 or done.stdout.decode() != whole_text:
            yield "from standard input: exit status %d, %r" % (done.returncode, done.stderr)


def check_foreign(run, part, snapshot):
    """Another program's, which does not say of which architecture it is, beside ours."""
    once = run.profile([FOREIGN])
    if content(run.profile([once])) != content(once):
        yield "another program's profile is not written as it was read"
    whole = run.profile([FOREIGN, part])
    for inputs in ((part, FOREIGN), (once, part), (part, once), (snapshot, FOREIGN)):
        yield from check_same("merged %s" % (inputs,), run.profile(inputs), whole)
    text = run.text("tree", FOREIGN)
    if "/bin/x" not in text.splitlines()[0] or "_Z1f" not in text:
        yield "another program's profile is shown as %r" % text
    if "another program's profile" not in run.refusal("--stats", FOREIGN):
        yield "--stats of another program's profile is not refused"


def check_refused(run, part):
    for form, *options in REFUSED:
        error = run.refusal("-f", form, *options, "-o", os.path.join(run.directory, "refused"), "--force", part)
        what = options[0] if options else form
        if "holds sums of samples: no %s; give the snapshots" % what not in error:
            yield "%s %s: %r" % (form, " ".join(options), error)
    if "no --info" not in run.refusal("--info", part):
        yield "--info of a profile is not refused"


def check_damaged(run, part):
    data, path = content(part), os.path.join(run.directory, "damaged.pb.gz")
    plain = gzip.decompress(data)
    damaged = [data[:size] for size in range(2, len(data), len(data) // 40)]
    damaged += [gzip.compress(plain[:size]) for size in range(1, len(plain) - 1000, len(plain) // 40)]
    damaged += [gzip.compress(b"no profile"), data + b"more"]
    for each in damaged:
        with open(path, "wb") as file:
            file.write(each)
        error = run.refusal("-f", "folded", path)
        if path not in error:
            yield "damaged profile: the file is not named: %r" % error


def check(tools, directory):
    run = Runner(tools, directory)
    programs = [build(directory, "one"), build(directory, "other", "-DCHANGED")]
    snapshots = [capture(tools, program, os.path.join(directory, "%d.bin" % i))
                 for i, program in enumerate((programs[0], programs[0], programs[1]))]
    empty = os.path.join(directory, "empty")
    os.mkdir(empty)
    yield from check_merges(run, snapshots)
    yield from check_merges(run, snapshots, "--sysroot", empty)
    yield from check_merges(run, snapshots, "--jobs", "1", "--no-sandbox")
    yield from check_made(run, [snapshots[2], snapshots[0], capture_made(tools, directory)])
    parts = [run.profile([snapshot]) for snapshot in snapshots]
    whole = run.profile(snapshots)
    texts = {shown: run.text(*shown, *snapshots) for shown in SHOWN}
    folded = run.text("folded", snapshots[0])
    yield from check_compared(run, snapshots, parts)
    yield from check_formats(run, snapshots, parts, texts)
    yield from check_foreign(run, parts[0], snapshots[0])
    for program in programs:
        os.unlink(program)
    yield from check_same("merged without the programs", run.profile(parts), whole)
    for shown, want in texts.items():
        if run.text(*shown, *parts) != want:
            yield "%s: without the programs profiles are shown as something else" % " ".join(shown)
    yield from check_streams(run, parts[0], folded)
    yield from check_refused(run, parts[0])
    yield from check_damaged(run, parts[0])
    print("%d profiles of %d snapshots, %d bytes merged" % (run.count, len(snapshots), len(content(whole))))


def main():
    known.need("g++")
    try:
        with tempfile.TemporaryDirectory() as directory:
            failures = list(check(os.path.abspath(sys.argv[1]), directory))
    except known.Failure as failure:
        failures = [str(failure)]
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
