#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All formats tell one number of one snapshot: a function's share, what threads waited for, lost time, states, lengths.

usage: one_number.py BUILD-DIRECTORY [SNAPSHOT...]     default: those that it makes

Programs are captured (contended locks, deadlocks, many threads, a rate that adapts, several processes, an interpreter, a moment), by perf and
as a core, too, and there is a snapshot of another architecture. What each format says of a question is parsed: functions' weights in tree,
top, folded, json, pprof, callgrind, dot, svg, flame and the page; waits in the text, the graph and the page; states in stats, the timeline
and the page; lengths in all of them. It has to be what the page's data say, within what is printed. What the script of the page adds up by
itself has to be that, too.
"""

import collections
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known
import views

ROOT = os.path.dirname(known.TESTS)
PAGE_NUMBERS = os.path.join(known.TESTS, "page", "page_numbers.mjs")
FOREIGN = os.path.join(ROOT, "corpus", "cases", "dynamic-a64-clang-O2")
WEIGHTS = ("samples", "wall", "cpu")
ALL = ("--nodes", "0", "--node-fraction", "0", "--edge-fraction", "0")
UNITS = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}
AMOUNT = r"(\d+(?:\.\d+)?)(?: (s|ms|µs|ns))?"
FORMATS = ("callgrind", "dot", "flame", "html", "html, added up", "json", "pprof", "stats", "svg", "timeline-svg", "top", "tree", "waits",
           "waits-dot")
SHARE = 0.0101  # of what has two digits
NAMELESS = re.compile(r"\+0x|^0x|^\?|^\[")
STATES = {"running": "running", "ready (no CPU)": "ready", "waits for a lock": "lock", "waits for threads": "threads", "waits for I/O": "io",
          "sleeping": "sleeping", "blocked": "blocked", "stopped": "stopped", "not sampled": "unknown"}
BLOCKED = ("lock", "threads", "io", "sleeping", "blocked", "stopped")

Said = collections.namedtuple("Said", "value within")


def amount(text):
    """What "1.234 s" or "12" says: its last digit may be cut off or rounded."""
    found = re.fullmatch(AMOUNT, text)
    if not found:
        raise known.Failure("no amount: %r" % text)
    number, unit = found.groups()
    scale = UNITS.get(unit, 1)
    digits = len(number.partition(".")[2])
    return Said(float(number) * scale, scale / 10 ** digits if unit or digits else 0)


def share(text, whole):
    return Said(float(text) * whole / 100, SHARE * whole / 100)


# Functions.


def add(sums, name, own, total=0.0):
    have = sums.setdefault(name, [0, 0])
    have[0] += own
    have[1] += total


def of_folded(text):
    sums = {}
    for line in text.splitlines():
        stack, _, weight = line.rpartition(" ")
        _, *names = stack.split(";")
        for name in set(names):
            add(sums, name, 0, int(weight))
        if names:
            add(sums, names[-1], int(weight))
    return sums


def of_page(numbers, weight):
    sums = {}
    for name, own, total in numbers["weights"].get(weight, {"functions": []})["functions"]:
        add(sums, name.replace(";", ":"), own, total)
    return sums


TOP_ROW = re.compile(r"^ *([\d.]+)%% +%s +([\d.]+)%% +([\d.]+)%% +%s  (.*)$" % (AMOUNT, AMOUNT))


def rows_of(pattern, text):
    for line in text.partition("[module]\n")[2].splitlines():
        row = pattern.match(line)
        if row:
            yield row


def joined(number, unit):
    return amount(number + (" " + unit if unit else ""))


def of_top(text):
    for row in rows_of(TOP_ROW, text):
        name = re.sub(r" \[[^][]*\]$", "", row[8])
        yield name, joined(row[2], row[3]), joined(row[6], row[7])


TREE_ROW = re.compile(r"^ *([\d.]+)%% +([\d.]+)%% +%s  ((?:\|   |    )*)(\|-- |`-- )?(.*)$" % AMOUNT)


def of_tree(text, whole):
    """By function the sum of its nodes' own shares, and how many they are."""
    sums = collections.defaultdict(lambda: [0.0, 0])
    for row in rows_of(TREE_ROW, text):
        have = sums[re.sub(r" \[[^][]*\]$", "", row[7])]
        have[0] += float(row[2]) * whole / 100
        have[1] += 1
    for name, (own, nodes) in sums.items():
        yield name, Said(own, nodes * SHARE * whole / 100), None


def fields_of(data):
    """(number, value) of a protobuf message."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        else:
            size = varint()
            yield key >> 3, data[at : at + size]
            at += size


def varints_of(value):
    if isinstance(value, int):
        return [value]
    numbers, number, shift = [], 0, 0
    for byte in value:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
    return numbers


def of_pprof(data):
    """By the type of a value: {function: [self, total]}."""
    profile = collections.defaultdict(list)
    for number, value in fields_of(gzip.decompress(data)):
        profile[number].append(value)
    strings = [text.decode("utf-8", "replace") for text in profile[6]]
    types = [strings[dict(fields_of(one))[1]] for one in profile[1]]
    names = {fields[1]: strings[fields[2]] for fields in (dict(fields_of(one)) for one in profile[5])}
    places = {}
    for one in profile[4]:
        fields = list(fields_of(one))
        lines = [dict(fields_of(value)) for number, value in fields if number == 4]
        places[dict(fields)[1]] = [names[line[1]] for line in lines if 1 in line]
    sums = {kind: {} for kind in types}
    for one in profile[2]:
        chain, values = [], []
        for number, value in fields_of(one):
            if number == 1:
                chain += [name for place in varints_of(value) for name in places[place]]
            elif number == 2:
                values += varints_of(value)
        for kind, value in zip(types, values):
            for name in set(chain):
                add(sums[kind], name, 0, value)
            if chain:
                add(sums[kind], chain[0], value)
    return sums


def of_callgrind(text):
    """By event: {function: self}."""
    events, sums, names, skip, name = [], {}, {}, False, None
    for line in text.splitlines():
        if line.startswith("events: "):
            events = [event.lower() for event in line.split()[1:]]
            sums = {event: collections.Counter() for event in events}
        elif re.match(r"c?fn=", line):
            number, _, given = line.partition("=")[2].partition(" ")
            if given:
                names[number] = re.sub(r"'\d+$", "", given)  # of a function that is on the chain again
            if line.startswith("fn="):
                name = names[number]
        elif line.startswith("calls="):
            skip = True
        elif name and re.match(r"[\d+*-]", line):
            if not skip:
                for event, value in zip(events, line.split()[1:]):
                    sums[event][name] += int(value)
            skip = False
    return sums


def unescaped(text):
    """Of a string of DOT, with entities of XML in it."""
    text = re.sub(r"\\([\\\"])", r"\1", text)
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text


def of_boxes(boxes):
    """From [(label's lines, tooltip's lines)] of a graph: those of one function."""
    for label, tooltip in boxes:
        figures = [re.match(r"(self )?<?[\d.]+% \((.*)\)$", line) for line in label]
        total = [found[2] for found in figures if found and not found[1]]
        own = [found[2] for found in figures if found and found[1]]
        if len(total) == 1 and len(tooltip) == 2:
            yield tooltip[0], amount(own[0]) if own else None, amount(total[0])


def of_dot(text):
    node = re.compile(r'^n\d+ \[label="((?:[^"\\]|\\.)*)".*tooltip="((?:[^"\\]|\\.)*)"')
    found = filter(None, map(node.match, text.splitlines()))
    return of_boxes([[[unescaped(line) for line in match[i].split("\\n")] for i in (1, 2)] for match in found])


def of_svg(text):
    boxes = []
    for match in re.finditer(r'<g id="n[\d_]+" class="node">(.*?)</g>\s*</g>|<g id="n[\d_]+" class="node">(.*?)</g>', text, re.DOTALL):
        body = match[1] or match[2]
        title = re.search(r'xlink:title="([^"]*)"', body)
        label = re.findall(r"<text[^>]*>([^<]*)</text>", body)
        if title:
            boxes.append(([unescaped(line.replace("&#160;", " ")) for line in label], unescaped(title[1]).replace("&#10;", "\n").split("\n")))
    return of_boxes(boxes)


def paths_of_folded(text):
    """{path: weight} of all beginnings of the chains."""
    sums = collections.Counter()
    for line in text.splitlines():
        stack, _, weight = line.rpartition(" ")
        _, *names = stack.split(";")
        for i in range(len(names)):
            sums[tuple(names[: i + 1])] += int(weight)
    return sums


def of_flame(text):
    """(path, what is said of it), for frames that are wide enough to be there."""
    rows = collections.defaultdict(list)
    for match in re.finditer(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]*><title>([^<]*)</title>', text):
        x, y, width = (float(number) for number in match.groups()[:3])
        lines = unescaped(match[4]).split("\n")
        value = re.search(r"% \((.*?)(?: samples?)?\)", lines[-1])
        if value:
            rows[round(y / 19)].append((x, x + width, lines[0].replace(";", ":"), value[1] if len(lines) == 3 else None))
    above = []
    for row in sorted(rows):
        frames = []
        for left, right, name, value in rows[row]:
            middle = (left + right) / 2
            caller = next((path for one_left, one_right, path in above if one_left <= middle <= one_right), None)
            path = () if caller is None and not above else (caller or ()) + (name,)
            frames.append((left, right, path))
            if value and path and caller is not None:
                yield path, amount(value)
        above = frames


def of_json(text, weight):
    sums = {}
    for line in text.splitlines():
        item = json.loads(line)
        if item["type"] != "sample":
            continue
        value = 1 if weight == "samples" else item.get("wall_ns", 0)
        names = [frame.get("function", "?").replace(";", ":") for frame in item["frames"]]
        for name in set(names):
            add(sums, name, 0, value)
        if names:
            add(sums, names[0], value)
    return sums


def exactly(sums):
    for name, (own, total) in sums.items():
        yield name, Said(own, 0), Said(total, 0)


class Tool:
    def __init__(self, tools, directory):
        self.path, self.page = os.path.join(tools, "cgunwind"), os.path.join(directory, "page.html")

    def bytes(self, form, *options):
        """None: the format has nothing to say of this input."""
        done = known.run([self.path, "-q", "--no-cache", "-f", form, *options])
        if done.returncode == 0:
            return done.stdout
        error = done.stderr.decode(errors="replace")
        if re.search(r"is a core|of one moment only|only one snapshot|has no |no samples", error):
            return None
        raise known.Failure("-f %s %s: %s" % (form, " ".join(options), error.strip()))

    def text(self, form, *options):
        data = self.bytes(form, *options)
        return None if data is None else data.decode("utf-8", "replace")

    def numbers(self, *options):
        """What the page's script shows, and the head of its data."""
        known.check_run([self.path, "-q", "--no-cache", "-f", "html", "--force", "-o", self.page, *options])
        return json.loads(known.check_run(["node", PAGE_NUMBERS, self.page]))


class Judge:
    """Counts what was compared, and keeps what differs."""

    def __init__(self, snapshot):
        self.snapshot, self.compared, self.failures = snapshot, collections.Counter(), []
        self.unclear = set()  # names that several functions have: formats tell these apart by other means

    def compare(self, form, question, said, right, slack=0.0):
        self.compared[form] += 1
        if abs(said.value - right) > said.within + slack:
            self.failures.append("%s: %s: %s: %s instead of %s (± %s)" % (self.snapshot, form, question, said.value, right, said.within + slack))

    def functions(self, form, weight, rows, right):
        """`rows`: (name, what is said of self, of total), either may be None."""
        for name, own, total in rows:
            if NAMELESS.search(name) or name in self.unclear:
                continue
            wanted = right.get(name, (0, 0))
            if name not in right and (own or total).value > (own or total).within:
                self.failures.append("%s: %s: %s: no other format has %s" % (self.snapshot, form, weight, name))
                continue
            if own:
                self.compare(form, "self %s of %s" % (weight, name), own, wanted[0])
            if total:
                self.compare(form, "total %s of %s" % (weight, name), total, wanted[1])


def check_functions(tool, judge, paths):
    numbers = tool.numbers(*paths)
    names = collections.Counter(name for weight in numbers["weights"].values() for name, *_ in weight["functions"])
    judge.unclear = {name for name, count in names.items() if count > len(numbers["weights"])}
    pprof = tool.bytes("pprof", *paths)
    profile = of_pprof(pprof) if pprof else {}
    grind = of_callgrind(tool.text("callgrind", *paths) or "")
    for weight in WEIGHTS:
        options = ("--weight", weight, *paths)
        if weight not in numbers["weights"]:
            continue
        folded = tool.text("folded", *options)
        if folded is None:
            continue
        right = of_folded(folded)
        whole = sum(own for own, _ in right.values())
        judge.functions("html", weight, exactly(of_page(numbers, weight)), right)
        judge.functions("top", weight, of_top(tool.text("top", *ALL[:4], *options)), right)
        judge.functions("tree", weight, of_tree(tool.text("tree", *ALL[:4], *options), whole), right)
        judge.functions("dot", weight, of_dot(tool.text("dot", *ALL, *options)), right)
        judge.functions("svg", weight, of_svg(tool.text("svg", *ALL, "--layout-time", "60", *options) or ""), right)
        prefixes = paths_of_folded(folded)
        for path, said in of_flame(tool.text("flame", *options)):
            if not any(name in judge.unclear for name in path):
                judge.compare("flame", "total %s of %s" % (weight, ";".join(path[-3:])), said, prefixes[path])
        judge.functions("pprof", weight, exactly(profile.get(weight, {})), right)
        rows = ((name, Said(own, 0), None) for name, own in grind.get(weight, {}).items())
        judge.functions("callgrind", weight, rows, right)
        if weight != "cpu":
            judge.functions("json", weight, exactly(of_json(tool.text("json", *paths) or "", weight)), right)
    return numbers


# Waits.

NODE = re.compile(r"^ {2,}(\d+\.\d+ s|\d+(?:\.\d+)? (?:ms|µs|ns)|0 s) +(≥ )?(\d+) +([\d.]+) +(\d+) +(\d+)  (.*)$")
ELLIPSE = re.compile(r'^o\d+ \[shape=ellipse, label="([^"]*)"')
BLOCKED_LINE = re.compile(r"^  \S.*\(tid (\d+)")


def plain(name):
    """A name without what a narrow column breaks, and what is told besides."""
    return re.sub(r"\s*\[.*$|\s*\(tid.*$|\s+", "", name)


def check_objects(tool, judge, paths, head, times):
    told = {waited["object"]: waited for waited in times["waited"]["told"] if waited["object"] is not None}
    right = collections.defaultdict(list)
    for number, waited in told.items():
        right[plain(head["objects"][number]["name"])].append(waited)
    single = {name: found[0] for name, found in right.items() if len(found) == 1}
    text = tool.text("waits", *paths)
    seen = 0
    for row in filter(None, map(NODE.match, text.splitlines())):
        waited = single.get(plain(row[7]))
        if not waited:
            continue
        seen += 1
        judge.compare("waits", "time of " + row[7], amount(row[1]), waited["ns"])
        judge.compare("waits", "waits of " + row[7], Said(int(row[3]), 0), waited["count"])
        judge.compare("waits", "threads of " + row[7], Said(int(row[5]), 0), waited["threads"])
        length = head["duration_ns"]
        if length and len(paths) == 1:
            judge.compare("waits", "average of " + row[7], Said(float(row[4]), 0.02), waited["ns"] / length)
    dot = tool.text("waits-dot", *paths)
    for box in filter(None, map(ELLIPSE.match, dot.splitlines())):
        lines = box[1].split("\\n")
        at = next((i for i, line in enumerate(lines) if re.fullmatch(AMOUNT, line) and " " in line), None)
        waited = at is not None and single.get(plain(unescaped("".join(lines[:at]))))
        if waited:
            judge.compare("waits-dot", "time of " + lines[0], amount(lines[at]), waited["ns"])
    picture = tool.text("waits-svg", *paths)
    if picture:
        shown = set(re.findall(r">(\d+\.\d+ s|\d+(?:\.\d+)? (?:ms|µs|ns)|0 s)<", picture))
        missing = {line for box in filter(None, map(ELLIPSE.match, dot.splitlines())) for line in box[1].split("\\n")
                   if re.fullmatch(AMOUNT, line) and " " in line} - shown
        if missing:
            judge.failures.append("%s: waits-svg: time of objects: has no %s" % (judge.snapshot, sorted(missing)))
    return text, seen


def blocked_of(text):
    """(tid of the first, how many, holder's tid or None, time) of each part of the text's end."""
    part = text.partition("Blocked when the capture ends\n")[2].partition("\n\n")[0]
    found = []
    for entry in re.split(r"\n(?=  \S)", part):
        words = " ".join(entry.split())
        first = re.match(r".*?\(tid (\d+)", words)
        if not first:
            continue
        count = re.match(r".*?\) and (\d+) more: ", words)
        holder = re.search(r"held by .*?\(tid (\d+)", words)
        lasts = re.search(r"(?:for|up to|for all of the capture \() ?(\d+(?:\.\d+)? (?:s|ms|µs|ns))", words)
        found.append((int(first[1]), 1 + int(count[1]) if count else 1, int(holder[1]) if holder else None, lasts and lasts[1]))
    return found


def check_blocked(judge, text, head, times):
    said = blocked_of(text)
    shown = {group["threads"][0]: group for group in times["blocked"]}
    for tid, count, holder, lasts in said:
        group = shown.get(tid)
        if not group:
            judge.failures.append("%s: html: blocked at the end: tid %d is not there" % (judge.snapshot, tid))
            continue
        judge.compare("html", "blocked with tid %d" % tid, Said(len(group["threads"]), 0), count)
        found = re.search(r"held by .*\(tid (\d+)", group["holder"])
        judge.compare("html", "holder for tid %d" % tid, Said(int(found[1]) if found else -1, 0), -1 if holder is None else holder)
        if lasts:
            judge.compare("waits", "how long tid %d is blocked" % tid, amount(lasts), group["ns"])
    judge.compare("html", "groups that are blocked", Said(len(times["blocked"]), 0), len(said))


def check_added(judge, times):
    """What the script adds up is what the writer of the page says, within its unit and what it cuts off."""
    unit = times["unit"]
    slack = unit * (times["pieces"] + 10)
    for state, value in times["states"]["told"].items():
        judge.compare("html, added up", "time of state " + state, Said(times["states"]["added"][state], 0), value, slack)
    added = {(waited["object"], waited["kind"]): waited for waited in times["waited"]["added"]}
    for waited in times["waited"]["told"]:
        name = "%s %s" % (waited["kind"], waited["object"])
        own = added[waited["object"], waited["kind"]]
        for key in ("count", "threads"):
            judge.compare("html, added up", "%s of %s" % (key, name), Said(own[key], 0), waited[key])
        for key in ("ns", "longest"):
            judge.compare("html, added up", "%s of %s" % (key, name), Said(own[key], 0), waited[key], unit * (2 * waited["count"] + 4))


def check_holders(judge, head, times):
    for waited in times["waited"]["told"]:
        if waited["object"] is None:
            continue
        held = dict(map(tuple, waited["holders"]))
        for holder in head["objects"][waited["object"]]["holders"]:
            if "thread" in holder:
                judge.compare("html, added up", "time for which %s held %s" % (holder["text"], head["objects"][waited["object"]]["name"]),
                              Said(held.get(holder["thread"], 0), 0), holder["held_ns"])


# States and lengths.


def stats_of(text):
    """{state or kind: ns}, with what the rounding of shares may hide, of all rows."""
    sums = collections.defaultdict(lambda: [0.0, 0.0])
    row = re.compile(r"^.{28} +(\d+) +(\d+) +(?:≥ )?%s +%s +([\d.]+)%% +([\d.]+|-)%%? +([\d.]+)%%$" % (AMOUNT, AMOUNT))
    whole = Said(0, 0)

    def put(state, percent):
        value = share(percent, whole.value)
        sums[state][0] += value.value
        sums[state][1] += value.within + whole.within * float(percent) / 100

    for line in text.partition("\n\n")[2].partition("\n\n")[0].splitlines()[1:]:
        found = row.match(line)
        other = re.match(r"^    not sampled: ([\d.]+)%", line)
        if found and found[8] == "-":
            whole = Said(0, 0)
        elif found:
            whole = joined(found[5], found[6])
            sums["all"][0] += whole.value
            sums["all"][1] += whole.within
            for state, percent in zip(("running", "ready", "waiting"), (found[7], found[8], found[9])):
                put(state, percent)
            put("unknown", "0.00")  # as nothing is said of so little
        elif other:
            sums["unknown"][0] += share(other[1], whole.value).value
            sums["unknown"][1] += whole.within * float(other[1]) / 100
    return {state: Said(*value) for state, value in sums.items()}


def check_states(tool, judge, paths, times):
    told = dict(times["states"]["told"])
    told["waiting"] = sum(told[state] for state in BLOCKED)
    told["all"] = sum(times["states"]["told"].values())
    for state, said in stats_of(tool.text("stats", *paths)).items():
        judge.compare("stats", "time of state " + state, said, told[state], said.value * 1e-6)
    picture = tool.text("timeline-svg", *paths)
    if picture is None:
        return
    shares = dict(re.findall(r'class="[a-z]"/><text[^>]*>([^<]*) ([\d.]+)%</text>', picture))
    for name, state in STATES.items():
        judge.compare("timeline-svg", "time of state " + state, share(shares.get(name, "0"), told["all"]), told[state])


def check_lost(judge, times):
    """What locks cost, one by one, is what threads' time says of it, where all locks are known."""
    locks = [waited for waited in times["waited"]["told"] if waited["group"] == "lock"]
    judge.compare("html", "lost time", Said(sum(waited["ns"] for waited in locks), 0), times["states"]["told"]["lock"], 1000 * (len(locks) + 1))


def check_lengths(tool, judge, paths, head, threads):
    """Of one input."""
    length = head["duration_ns"]
    found = re.search(r"^(\d+) threads?, %s;" % AMOUNT, tool.text("waits", *paths), re.MULTILINE)
    if found:
        judge.compare("waits", "length", joined(found[2], found[3]), length)
        judge.compare("waits", "number of threads", Said(int(found[1]), 0), threads)
    found = re.search(r"^(\d+) threads? of", tool.text("stats", *paths), re.MULTILINE)
    judge.compare("stats", "number of threads", Said(int(found[1]), 0), threads)
    picture = tool.text("timeline-svg", *paths)
    found = picture and re.search(r"threads?, (?:\d+ more never sampled, )?%s</text>" % AMOUNT, picture)
    if found:
        judge.compare("timeline-svg", "length", joined(found[1], found[2]), length)
    data = tool.bytes("pprof", *paths)
    fields = dict(fields_of(gzip.decompress(data))) if data else {}
    if 10 in fields:
        judge.compare("pprof", "length", Said(fields[10], 0), length)
    times = [item["time_ns"] for item in map(json.loads, tool.text("json", *paths).splitlines()) if item["type"] == "sample"]
    if times:
        judge.compare("json", "length", Said(max(times) - min(times), 0), length)


def head_of(path):
    import pagefile

    return pagefile.read(path).head


def check(tool, title, paths):
    judge = Judge(title)
    numbers = check_functions(tool, judge, paths)
    head, times = head_of(tool.page), numbers["times"]
    text, seen = None, 0
    if times:
        text, seen = check_objects(tool, judge, paths, head, times)
        if not head.get("coarse"):
            check_added(judge, times)
        check_holders(judge, head, times)
        check_blocked(judge, text, head, times)
        check_states(tool, judge, paths, times)
        check_lost(judge, times)
        if len(paths) == 1:
            check_lengths(tool, judge, paths, head, numbers["threads"])
    print("%-12s %5d numbers, %d objects, %d differ" % (title, sum(judge.compared.values()), seen, len(judge.failures)))
    return judge


# Snapshots.


class Maker:
    """Makes snapshots: {title: paths}."""

    def __init__(self, tools, directory):
        self.tools, self.directory, self.made = tools, directory, {}

    def path(self, name):
        return os.path.join(self.directory, name)

    def snap(self, title, command, *options, seconds="1.5", ready=2):
        """Of a program that runs, once it has as many threads."""
        output = self.path(title + ".bin")
        with known.Target(command) as target:
            known.wait_until(lambda: len(list(target.threads())) >= ready, "the threads to be there: " + title)
            known.check_run([self.tools + "/cgsnap", "-q", "-p", str(target.pid), "-d", seconds, "-o", output, *options])
        self.made[title] = [output]

    def several(self, fifty, deadlocks):
        output = self.path("several.bin")
        with known.Target([fifty, "3"]) as one, known.Target([deadlocks, "convoy"]) as other:
            known.wait_until(lambda: len(list(one.threads())) > 2 and len(list(other.threads())) > 2, "the threads to be there")
            known.check_run([self.tools + "/cgsnap", "-q", "-p", str(one.pid), "-p", str(other.pid), "-d", "1", "-o", output])
        self.made["several"] = [output]

    def core(self, program):
        with known.Target([program, "two"]) as target:
            known.wait_until(lambda: len(list(target.threads())) > 2, "the threads to be there")
            known.check_run(["gcore", "-o", self.path("gcore"), str(target.pid)])
        os.rename(self.path("gcore.%d" % target.pid), self.path("a.core"))
        self.made["core"] = [self.path("a.core")]

    def perf(self, program):
        output = self.path("perf.data")
        done = known.run(["perf", "record", "-q", "-F", "499", "-e", "cpu-clock", "--call-graph", "dwarf,8192", "-o", output, program])
        if done.returncode == 0:
            self.made["perf"] = [output]

    def all(self):
        locks, deadlocks = self.path("locks"), self.path("deadlocks")
        known.check_run(["g++", "-std=c++17", "-O1", "-g", "-pthread", os.path.join(known.PROGRAMS, "locks.cc"), "-o", locks])
        known.check_run(["gcc", "-D_GNU_SOURCE", "-O1", "-g", "-pthread", os.path.join(known.PROGRAMS, "deadlocks.c"), "-o", deadlocks])
        fifty = known.program(self.tools, "fifty", self.directory)
        self.snap("locks", [locks, "16", "60"], seconds="2", ready=17)
        self.snap("rate", [locks, "6", "60"], "-F", "999", "--overhead", "1", ready=7)
        self.snap("convoy", [deadlocks, "convoy"], "-F", "199", ready=8)
        self.snap("deadlock", [deadlocks, "two"], ready=3)
        self.snap("on-cpu", [deadlocks, "busy"], "--on-cpu", ready=8)
        self.snap("many", [fifty, "200", "500"], ready=200)
        self.snap("moment", [fifty, "5"], "-n", "1", ready=5)
        self.snap("python", [sys.executable, "-c", "import threading, time\nl = threading.Lock()\ndef f():\n  while 1:\n    with l: sum(range(20000))\n"
                             "[threading.Thread(target=f).start() for _ in range(4)]"], ready=5)
        self.several(fifty, deadlocks)
        self.made["two inputs"] = self.made["convoy"] + self.made["deadlock"]
        self.core(deadlocks)
        self.perf(known.program(self.tools, "spins", self.directory))
        self.made["arm64"] = ["-e", os.path.join(FOREIGN, "program"), os.path.join(FOREIGN, "arm64.snap")]
        return self.made


def test(tools, *given):
    known.need("node", "g++", "gcc", "gcore")
    failures, compared = [], collections.Counter()
    with tempfile.TemporaryDirectory() as directory:
        made = {os.path.basename(path): [path] for path in given} or Maker(tools, directory).all()
        for title, paths in made.items():
            judge = check(Tool(tools, directory), title, paths)
            failures += judge.failures
            compared += judge.compared
    print(", ".join("%s %d" % pair for pair in sorted(compared.items())))
    silent = set() if given else set(FORMATS) - set(compared)
    return failures + ["%s said nothing that can be read" % form for form in sorted(silent)]


if __name__ == "__main__":
    known.main(test)
