#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables, trees and flame graphs have the numbers that json has, also from callees to callers.

usage: views.py BUILD-DIRECTORY

formats.cc is captured, of which the chains are known. From its json the weight of each path is
computed, from the outside and from the inside. The rows of top, the rows of tree and the frames of
flame have to be these, in words and in pixels; folded stacks have to be the same turned round. The
picture is parsed as XML, also that of a program whose functions, directory and thread have names
that are none in XML.
"""

import collections
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
import known

SOURCE = os.path.join(known.PROGRAMS, "formats.cc")
THREAD = "spin;ner 1"
SVG = "{http://www.w3.org/2000/svg}"
PLOT = 1168  # pixels
ROUNDED = 0.11  # pixels, of what is written with one digit
ALL = ("--nodes", "0", "--node-fraction", "0")
DEEPEST = "work::descend(unsigned int)"
ROUNDS = 140  # of samples
CPU_SECONDS = 0.3  # with much less, outputs would tell wall clock
# What XML has no room for, or markup; of the program's mangled functions.
HOSTILE = {
    "_ZN4work4leafEj": "<leaf>&amp;\"']]>",
    "_ZN4work7descendEj": "\x1b[31m\x07\u202e\x85\ufffe\uffff",
    "_ZN4work8straightEj": "</title><script>alert(1)</script>",
}


class Capture:
    """A capture of the program in `path`, with the chains that its json has."""

    def __init__(self, tools, path, output, thread):
        self.tools, self.path, self.known = tools, output, {}
        with known.Target([path]) as target:
            known.wait_until(lambda: thread in dict(target.threads()), "the thread to be there")
            rounds, used = ROUNDS, 0
            while used < CPU_SECONDS:  # other tests may have the CPUs
                before = target.cpu_seconds()
                known.check_run([tools + "/cgsnap", "-q", "--force", "-F", "199", "--overhead", "100",
                                 "-n", str(rounds), "-p", str(target.pid), "-o", output])
                used = target.cpu_seconds() - before
                rounds *= 2

    def write(self, form, *options):
        return known.check_run(
            [self.tools + "/cgunwind", "-q", "-f", form, *options, self.path])

    def count(self, form, *options):
        """By samples."""
        return self.write(form, "--weight", "samples", *options)

    def chains(self, *options):
        """From the outside, one for each sample that passes; "?" is a function without a name."""
        filters = tuple(word for word in options if word not in ("--invert", "--relative"))
        if filters not in self.known:
            objects = map(json.loads, self.write("json", *filters).splitlines())
            self.known[filters] = [
                tuple(frame.get("function", "?") for frame in reversed(item["frames"]))
                for item in objects if item["type"] == "sample"]
        return self.known[filters]


def expect(what, got, want):
    if got != want:
        yield "%s: %s instead of %s" % (what, got, want)


def named(text):
    """A function's name without its module and without an address that stands for a name."""
    name = re.sub(r" \[[^][]*\]$", "", text)
    return "?" if re.fullmatch(r"\S*\+0x[0-9a-f]+(@0x[0-9a-f]+)?", name) else name


def paths_of(chains):
    """{path: samples} of all beginnings of the chains."""
    sums = collections.Counter()
    for chain in chains:
        for i in range(len(chain)):
            sums[chain[:i + 1]] += 1
    return sums


TOP_ROW = re.compile(r"^ *([\d.]+)% +(\d+) +([\d.]+)%(?: +([\d.]+)% +(\d+))?  +(.*)$")


def top_rows(text):
    """[(self share, self, sum, total share, total, name)] of the lines behind the head."""
    lines = text.partition("[module]\n")[2].splitlines()
    rows = [TOP_ROW.match(line) for line in lines]
    if not lines or not all(rows):
        raise known.Failure("top: cannot read\n" + text)
    return [(float(row[1]), int(row[2]), float(row[3]), float(row[4] or 0), int(row[5] or 0),
             named(row[6])) for row in rows]


def check_top(capture, *options):
    what = " ".join(("top", *options))
    every, chains = len(capture.chains()), capture.chains(*options)
    whole = len(chains) if "--relative" in options else every
    rows = top_rows(capture.count("top", *ALL, *options))
    found = {row[5]: (row[1], row[4]) for row in rows if row[5] != "?"}
    functions = {name for chain in chains for name in chain if name != "?"}
    wanted = {name: (sum(chain[-1] == name for chain in chains),
                     sum(name in chain for chain in chains)) for name in functions}
    yield from expect(what, found, wanted)
    yield from expect(what + ": the order", rows, sorted(rows, key=lambda row: (-row[1], -row[4])))
    for share, weight, _, total_share, total, name in rows:
        if abs(share - 100 * weight / whole) > 0.006 or \
                abs(total_share - 100 * total / whole) > 0.006:
            yield "%s: %s has %s %% and %s %% of %d" % (what, name, share, total_share, whole)
    yield from expect(what + ": the last sum", rows[-1][2], round(100 * len(chains) / whole, 2))
    few = top_rows(capture.count("top", "--nodes", "2", "--node-fraction", "0", *options))
    yield from expect(what + " --nodes 2", few[:2], rows[:2])
    yield from expect(what + " --nodes 2: the rest", few[2][1:3] + few[2][5:],
                      (sum(row[1] for row in rows[2:]), rows[-1][2], "(%d more)" % len(rows[2:])))


TREE_ROW = re.compile(r"^ *([\d.]+)% +([\d.]+)% +(\d+)  ((?:\|   |    )*)(\|-- |`-- )?(.*)$")


def tree_paths(text):
    """{path: samples} of a tree of which nothing was cut."""
    sums, at = collections.Counter(), {0: ()}
    for line in text.partition("[module]\n")[2].splitlines():
        row = TREE_ROW.match(line)
        if not row:
            raise known.Failure("tree: cannot read " + line)
        level = len(row[4]) // 4  # what has a mark begins what is one further in
        path = at[level] + (named(row[6]),)
        at[level + bool(row[5])] = path
        sums[path] += int(row[3])
    return sums


def check_tree(capture, *options):
    chains = capture.chains(*options)
    if "--invert" in options:
        chains = [chain[::-1] for chain in chains]
    text = capture.count("tree", "--node-fraction", "0", *options)
    yield from expect(" ".join(("tree", *options)), tree_paths(text), paths_of(chains))
    yield from expect("tree: says that it is inverted", "inverted: " in text, "--invert" in options)
    if "--invert" in options:
        selves = {row[5]: row[1] for row in top_rows(capture.count("top", *ALL)) if row[1]}
        roots = {path[0]: weight for path, weight in tree_paths(text).items() if len(path) == 1}
        yield from expect("tree --invert: roots", roots, selves)


def check_folded(capture):
    lines = capture.count("folded").splitlines()
    turned = set()
    for line in lines:
        (thread, *names), weight = line.rpartition(" ")[0].split(";"), line.rpartition(" ")[2]
        turned.add(";".join([thread, *names[::-1]]) + " " + weight)
    found = capture.count("folded", "--invert").splitlines()
    yield from expect("folded --invert", set(found), turned)
    yield from expect("folded --invert: sorted", found, sorted(found, key=str.encode))


class Frame:
    """A rectangle of the picture, with what its tooltip says."""

    def __init__(self, rect):
        self.x, self.y, self.width = (float(rect.get(key)) for key in ("x", "y", "width"))
        self.y = round(self.y - (0.5 if " n" in rect.get("class") else 0), 1)
        self.classes = rect.get("class").split()
        self.title = rect.find(SVG + "title").text
        self.name = named(self.title.split("\n")[0])
        self.weight = int(re.search(r"\((\d+) samples?\)", self.title)[1])

    def holds(self, other):
        """Within what rounding may move."""
        return self.x - ROUNDED <= other.x and \
            other.x + other.width <= self.x + self.width + ROUNDED


def read_flame(text):
    """All frames of the picture, and its text in lines."""
    root = xml.etree.ElementTree.fromstring(text)
    lines = ["".join(line.itertext()) for line in root.iter(SVG + "text")]
    if root.tag != SVG + "svg" or any(True for _ in root.iter(SVG + "script")):
        raise known.Failure("flame: no SVG without script: " + text[:100])
    return [Frame(rect) for rect in root.iter(SVG + "rect") if len(rect)], lines


def flame_paths(frames):
    """{path: samples} by where frames are: a caller is the one above; checks that they nest."""
    rows = collections.defaultdict(list)
    for frame in frames:
        rows[frame.y].append(frame)
    levels = [sorted(rows[y], key=lambda frame: frame.x) for y in sorted(rows)]
    if [frame.name for frame in levels[0]] != ["all"] or abs(levels[0][0].width - PLOT) > ROUNDED:
        raise known.Failure("flame: what is on top is not all: " + levels[0][0].title)
    levels[0][0].path = ()
    sums = collections.Counter()
    for above, level in zip(levels, levels[1:]):
        for left, right in zip(level, level[1:]):
            if left.x + left.width > right.x + ROUNDED:
                raise known.Failure("flame: %s and %s overlap" % (left.title, right.title))
        for frame in level:
            callers = [caller for caller in above if caller.holds(frame)]
            if len(callers) != 1:
                raise known.Failure("flame: %d callers of %s" % (len(callers), frame.title))
            frame.path = callers[0].path + (frame.name,)
            sums[frame.path] += frame.weight
    return sums


def check_flame(capture, *options):
    what = " ".join(("flame", *options))
    chains = capture.chains(*options)
    whole = len(chains) if "--relative" in options else len(capture.chains())
    if "--invert" in options:
        chains = [chain[::-1] for chain in chains]
    text = capture.count("flame", *options)
    frames, lines = read_flame(text)
    yield from expect(what, flame_paths(frames), paths_of(chains))
    for frame in frames:
        if abs(frame.width - PLOT * frame.weight / len(chains)) > ROUNDED:
            yield "%s: %s is %s pixels wide" % (what, frame.title, frame.width)
        if "%.2f%% (" % (100 * frame.weight / whole) not in frame.title:
            yield "%s: %s is not of %d" % (what, frame.title, whole)
    yield from expect(what + ": says that it is inverted",
                      any(line.startswith("inverted: ") for line in lines), "--invert" in options)
    yield from expect(what + ": is the same twice", capture.count("flame", *options) == text, True)


def check_left_out(capture):
    """What is narrow is one frame a caller, if that is not narrow, too; and the head says how much it is."""
    options = ("--thread", THREAD)
    # descend and straight have half of its samples each, however often it was seen: one or both.
    fraction = round(0.6 * len(capture.chains(*options)) / len(capture.chains()), 3)
    frames, lines = read_flame(capture.count("flame", "--node-fraction", str(fraction), *options))
    flame_paths(frames)
    every = len(capture.chains())
    paths = paths_of(capture.chains(*options))
    narrow = collections.Counter()
    for path, weight in paths.items():
        if weight < fraction * every <= paths.get(path[:-1], every):
            narrow[path[:-1]] += weight
    left_out = sum(narrow.values())
    said = [line for line in lines if line.startswith("grey or left out: ")]
    least = re.search(r"less than ([\d.]+)%$", said[0]) if said else None
    if left_out == 0 or not least or abs(float(least[1]) - 100 * fraction) > 100 / every + 0.01:
        yield "flame: %d samples are left out, and it says %s" % (left_out, said)
    elif abs(float(re.search(r"[\d.]+", said[0])[0]) - 100 * left_out / every) > 0.51:
        yield "flame: %s, and %d of %d are" % (said, left_out, every)
    grey = sum(frame.weight for frame in frames if "o" in frame.classes)
    drawn = sum(weight for weight in narrow.values() if weight >= fraction * every)
    yield from expect("flame: the weight of grey frames", grey, drawn)


def check_diff(base, now):
    frames, _ = read_flame(now.count("flame", "--diff-base", base.path))
    flame_paths(frames)
    shares = [{path: 100 * weight / len(capture.chains())
               for path, weight in paths_of(capture.chains()).items()} for capture in (base, now)]
    told = {}
    for frame in frames:
        found = re.search(r"baseline ([\d.]+)% .*change ([-+]?[\d.]+)%(, may be noise)?",
                          frame.title)
        if not found:
            continue
        before, after = (share.get(frame.path, 0) for share in shares)
        # Two functions without a name may be one path here.
        if "?" not in frame.path and (abs(float(found[1]) - before) > 0.006 or
                                      abs(float(found[2]) - (after - before)) > 0.012):
            yield "flame --diff-base: %s instead of %.2f, %.2f" % (frame.title, before, after)
        kind = "x" if found[3] or float(found[2]) == 0 else "r" if float(found[2]) > 0 else "l"
        told[kind] = frame
        yield from expect("flame --diff-base: the colour of " + frame.title,
                          frame.classes[0][0], kind)
    yield from expect("flame --diff-base: kinds of colours", set(told), {"r", "l", "x"})
    rows = now.count("top", *ALL, "--diff-base", base.path)
    row = re.search(r"^ *([\d.]+)% +\d+ +([\d.]+)% +([-+]?[\d.]+)%. .* work::stir", rows, re.M)
    want = [100 * sum(chain[-1].startswith("work::stir") for chain in capture.chains()) /
            len(capture.chains()) for capture in (now, base)]
    if not row or abs(float(row[1]) - want[0]) > 0.006 or abs(float(row[2]) - want[1]) > 0.006 or \
            abs(float(row[3]) - (want[0] - want[1])) > 0.012:
        yield "top --diff-base: %s, and stir has %s" % (row and row[0], want)


def check_cpu(capture):
    """By CPU time, which nobody has to ask for, the views have what json says of it."""
    items, rest = known.with_cpu_time(map(json.loads, capture.write("json").splitlines()))
    rest = sum(rest.values())
    whole = sum(item["given_ns"] for item in items) + rest
    selves, totals = collections.Counter(), collections.Counter()
    for item in items:
        names = [frame.get("function", "?") for frame in item["frames"]]
        selves[names[0]] += item["given_ns"]
        totals.update({name: item["given_ns"] for name in names})
    wanted = {name: ("%.2f" % (100 * selves[name] / whole), known.time_text(total),
                     "%.2f" % (100 * total / whole))
              for name, total in totals.items() if total and name != "?"}
    if rest:
        share = "%.2f" % (100 * rest / whole)
        wanted["[CPU time without a sample]"] = share, known.time_text(rest), share
    text = capture.write("top", *ALL)
    rows = re.findall(r"^ *([\d.]+)% +\S+ \S+ +[\d.]+% +([\d.]+)% +([\d.]+ \S+)  (.*)$", text, re.M)
    found = {named(name): (own, total, share) for own, share, total, name in rows}
    found.pop("?", None)
    yield from expect("top by CPU time", found.keys(), wanted.keys())
    for name in found.keys() & wanted.keys():
        shares = [(float(found[name][i]), float(wanted[name][i])) for i in (0, 2)]
        if found[name][1] != wanted[name][1] or any(abs(one - two) > 0.011 for one, two in shares):
            yield "top by CPU time: %s has %s instead of %s" % (name, found[name], wanted[name])
    for form in ("tree", "top", "flame", "dot"):
        text = capture.write(form)
        if "CPU time: %s" % known.time_text(whole) not in text:
            yield "%s: the head does not say CPU time of %d ns" % (form, whole)
        if "of the threads' time is not shown: they waited" not in text.replace("&apos;", "'").replace("&#39;", "'"):
            yield "%s: the head does not say what is not shown" % form
        yield from expect("%s by --weight cpu: says what is not shown" % form,
                          "is not shown" in capture.write(form, "--weight", "cpu"), False)
    yield from expect("folded by CPU time", capture.write("folded"), capture.write("folded", "--weight", "cpu"))


def check_relative(capture):
    options = ("--relative", "--focus", "work::straight")
    shown, every = len(capture.chains(*options[1:])), len(capture.chains())
    words = "samples: %d of %d shown (%.2f%%); shares are of the %d" % (
        shown, every, 100 * shown / every, shown)
    for form in ("tree", "top", "flame", "dot"):
        if words not in capture.count(form, *options):
            yield "%s --relative does not say: %s" % (form, words)
    roots = re.search(r"^ +([\d.]+)%", capture.count("tree", *options).partition("[module]")[2],
                      re.M)
    yield from expect("tree --relative: the root", roots and roots[1], "100.00")
    if not re.search(r"straight\(unsigned int\)[^\"%]*\\n100\.0% \(", capture.count("dot", *options)):
        yield "dot --relative: straight has not all of it"


def clean(text):
    """As the outputs have it: no control characters, nothing that turns a line around or that XML has
    not."""
    text = re.sub("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", "?", text)
    return re.sub("[\ufffe\uffff]", "\ufffd", text)


def check_hostile(tools, directory):
    """Whatever functions, modules and threads are called, it is XML, and the name is told."""
    place = os.path.join(directory, "<svg onload='x'>&\"\x1b]0;t\x07\x85")
    os.mkdir(place)
    path = os.path.join(place, "prog]]>")
    known.check_run(["g++", "-O1", "-pthread", SOURCE, "-o", path])
    renames = ["--redefine-sym=%s=%s" % item for item in HOSTILE.items()]
    known.check_run(["objcopy", *renames, path])
    capture = Capture(tools, path, os.path.join(directory, "hostile.bin"), THREAD)
    for options in ((), ("--invert",), ("--by", "module"), ("--by-thread",)):
        frames, lines = read_flame(capture.count("flame", *options))
        names = {frame.title.split("\n")[0] for frame in frames}
        if options in ((), ("--invert",)):
            missing = {clean(name) for name in HOSTILE.values()} - names
            yield from expect("hostile names that are missing", missing, set())
        yield from expect("the title", clean(path) in lines[0], True)
    xml.etree.ElementTree.fromstring(capture.write("svg"))
    for form in ("flame", "top", "tree", "folded"):
        found = re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufffe]",
                           re.sub("\ufffe", "", capture.write(form)) if form != "flame"
                           else capture.write(form))
        yield from expect(form + ": control characters", found, [])


def test(tools):
    known.need("g++", "objcopy")
    with tempfile.TemporaryDirectory() as directory:
        directory = os.path.realpath(directory)
        captures = []
        for name, options in (("base", ()), ("now", ("-DSTRAIGHT=200000",))):
            path = os.path.join(directory, name, "prog")
            os.mkdir(os.path.dirname(path))
            known.check_run(["g++", "-g", "-O1", "-pthread", *options, SOURCE, "-o", path])
            captures.append(Capture(tools, path, path + ".bin", THREAD))
        base, now = captures
        failures = [] if any(chain.count(DEEPEST) == 8 for chain in base.chains()) else [
            "the known chain is not there"]
        filters = ((), ("--thread", THREAD), ("--focus", "work::straight", "--relative"))
        for options in filters:
            failures += check_top(base, *options)
            for inverted in ((), ("--invert",)):
                if not options or not inverted:
                    failures += check_tree(base, *options, *inverted)
                failures += check_flame(base, *options, *inverted)
        failures += check_folded(base)
        failures += check_left_out(base)
        failures += check_diff(base, now)
        failures += check_relative(base)
        failures += check_cpu(base)
        failures += check_hostile(tools, directory)
        print("%d samples, %d with other builds" % (len(base.chains()), len(now.chains())))
    return failures


if __name__ == "__main__":
    known.main(test)
