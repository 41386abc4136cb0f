# SPDX-License-Identifier: MIT
"""The call graph as it is drawn: for tests beside this file that have a snapshot of deep chains.

What is kept of it covers more self weight than the heaviest nodes by total would, one gets to each box
from where chains begin, runs of single calls are boxes, and labels are in their boxes in
whatever font.
"""

import collections
import re
import xml.etree.ElementTree

import known

SVG = "{http://www.w3.org/2000/svg}"
NODE = re.compile(r'^n\d+ \[label="(.*?)", fontsize=.* id=(n[\d_]+)[],]', re.MULTILINE)
EDGE = re.compile(r'^n\d+ -> n\d+ \[.* id=e(\d+)_(\d+),', re.MULTILINE)
SELF = re.compile(r"self [\d.]+% \((\d+)\)$|\((\d+)\) self$")
WORK = (
    "import glob, os\n"
    "print('ready', flush=True)\n"
    "while True:\n"
    "    for path in sorted(glob.glob(os.path.dirname(os.__file__) + '/*.py')):\n"
    "        with open(path, 'rb') as file:\n"
    "            compile(file.read(), path, 'exec')\n"
)


def capture(tools, path, seconds):
    """Of Debian's python3, whose parser has chains of a hundred functions."""
    with known.Target(["/usr/bin/python3", "-I", "-c", WORK]) as target:
        target.process.stdout.readline()
        known.check_run([tools + "/cgsnap", "-q", "-F", "499", "--overhead", "100", "-d", seconds,
                         "-p", str(target.pid), "-o", path])


def fold(text):
    stacks = [line.rpartition(" ") for line in text.splitlines()]
    return [(stack.split(";")[1:], int(count)) for stack, _, count in stacks]


def self_of_heaviest(stacks, nodes):
    """Self weight of so many nodes (None: all) by total, as they were chosen once; at 0.5 % and above."""
    own, total = collections.Counter(), collections.Counter()
    for stack, count in stacks:
        own[stack[-1]] += count
        for name in set(stack):
            total[name] += count
    weight = sum(own.values())
    names = sorted((name for name in total if total[name] >= 0.005 * weight),
                   key=lambda name: (-total[name], -own[name], name))
    return sum(own[name] for name in names[:nodes])


def self_of(label):
    found = SELF.search(label)
    return int(found[1] or found[2]) if found else 0


def check_choice(stacks, dot, nodes):
    boxes = NODE.findall(dot)
    kept, before = sum(self_of(label) for label, _ in boxes), self_of_heaviest(stacks, nodes)
    if not kept > before or not self_of_heaviest(stacks, None):
        yield "%d nodes: self weight %d, of the heaviest %d" % (nodes, kept, before)
    if len(boxes) != nodes:
        yield "%d boxes, not %d" % (len(boxes), nodes)
    places = [place for _, ids in boxes for place in ids[1:].split("_")]
    if len(set(places)) != len(places):
        yield "%d nodes: a function is in two boxes" % nodes
    box_of = {place: ids for _, ids in boxes for place in ids[1:].split("_")}
    begins = {stack[0] for stack, _ in stacks}
    reached = {ids for label, ids in boxes if label.split("\\n")[0] in begins}
    edges = [(box_of[caller], box_of[callee]) for caller, callee in EDGE.findall(dot)]
    for _ in boxes:
        reached |= {callee for caller, callee in edges if caller in reached}
    if reached != {ids for _, ids in boxes}:
        yield "%d nodes: %s have no way from where chains begin" % (
            nodes, [label for label, ids in boxes if ids not in reached])
    print("%d nodes: self weight %d, of the heaviest by total %d" % (nodes, kept, before))


def check_runs(stacks, dot):
    """The functions of a box call each other and no other; a label has the box's names in order."""
    callees = collections.defaultdict(set)
    for stack, _ in stacks:
        for caller, callee in zip(stack, stack[1:]):
            callees[caller].add(callee)
    runs = [(label.split("\\n"), ids) for label, ids in NODE.findall(dot) if "_" in ids]
    if not runs and "dotted" not in dot:  # a call with a mark for low trust is in no run
        yield "no run is a box"
    for lines, ids in runs:
        names = [name for name in lines if "%" not in name]
        pairs = [pair for pair in zip(names, names[1:]) if not any("more" in name for name in pair)]
        if len(names) != min(ids.count("_") + 1, 5):
            yield "%s is the box of %s" % (ids, names)
        if any(callees[caller] != {callee} for caller, callee in pairs if "..." not in caller + callee):
            yield "%s is no run" % names


def corners(shape):
    """Of a path, a polygon or an ellipse: left, top, right, bottom."""
    if shape.tag == SVG + "ellipse":
        x, y, rx, ry = (float(shape.get(key)) for key in ("cx", "cy", "rx", "ry"))
        return x - rx, y - ry, x + rx, y + ry
    numbers = [float(one) for one in re.findall(r"-?[\d.]+", shape.get("d") or shape.get("points"))]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


def overlap(one, other):
    return all(min(one[i + 2], other[i + 2]) - max(one[i], other[i]) > 0.5 for i in (0, 1))


def points(path):
    """Of an edge's curve, from one box to the other."""
    numbers = [float(one) for one in re.findall(r"-?[\d.]+", path.get("d"))]
    knots = list(zip(numbers[::2], numbers[1::2]))
    for first in range(0, len(knots) - 3, 3):
        for step in range(33):
            t = step / 32
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
            yield tuple(sum(w * knot[i] for w, knot in zip(weights, knots[first:first + 4])) for i in (0, 1))


def check_frames(svg):
    """No edge runs through a frame's name, and lines of a box are apart."""
    root = xml.etree.ElementTree.fromstring(svg.encode())
    groups = [(group.get("class"), group) for group in root.iter(SVG + "g")]
    paths = [path for kind, group in groups if kind == "edge" for path in group.iter(SVG + "path")]
    names = [text for kind, group in groups if kind == "node frame" for text in group.iter(SVG + "text")]
    if not names:
        yield "no frame has a name"
    for text in names:
        half, x, y = float(text.get("textLength")) / 2, float(text.get("x")), float(text.get("y"))
        if any(abs(px - x) < half and y - 9 < py < y + 3 for path in paths for px, py in points(path)):
            yield "an edge runs through '%s'" % text.text
    for kind, group in groups:
        texts = group.findall("%sg/%sa/%stext" % (SVG, SVG, SVG))
        lines = [(float(text.get("y")), float(text.get("font-size"))) for text in texts]
        for (above, size), (below, _) in zip(lines, lines[1:]):
            if kind == "node" and below - above < 1.2 * size:
                yield "lines %.1f points apart, of %.1f" % (below - above, size)


def check_labels(svg):
    """A text is as wide as its textLength says, in whatever font a viewer has."""
    root = xml.etree.ElementTree.fromstring(svg.encode())
    boxes, texts = [], []
    for group in root.iter(SVG + "g"):
        if group.get("class") not in ("node", "cluster"):
            continue
        box = corners(next(one for one in group.iter() if one.tag in
                           (SVG + "path", SVG + "polygon", SVG + "ellipse")))
        boxes += [box] if group.get("class") == "node" else []
        for text in group.iter(SVG + "text"):
            half, x, y = float(text.get("textLength")) / 2, float(text.get("x")), float(text.get("y"))
            texts.append(text)
            if not (box[0] <= x - half and x + half <= box[2] and box[1] <= y <= box[3]):
                yield "'%s' is not in its box" % text.text
    for i, box in enumerate(boxes):
        if any(overlap(box, other) for other in boxes[:i]):
            yield "boxes overlap"
    width, height = (float(root.get(key)[:-2]) for key in ("width", "height"))
    if not 0.25 < width / height < 3:
        yield "a picture of %d by %d" % (width, height)
    if len(texts) < 40:
        yield "%d labels" % len(texts)


def field(number, value):
    """Of a message of Protocol Buffers; numbers are below 128."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    size = len(value)
    return bytes([number << 3 | 2] + ([size] if size < 128 else [size & 127 | 128, size >> 7])) + value


def write_profile(path):
    """A pprof profile whose picture is always the same: 36 functions of 6 files in 2 modules, a tree and calls across."""
    count, files = 36, 6
    names = [b"", b"samples", b"count", b"/bin/first", b"/lib/second.so"]
    names += [b"file_%d.c" % i for i in range(files)] + [b"a_function_%d" % i for i in range(count)]
    out = field(1, field(1, 1) + field(2, 2))
    out += b"".join(field(3, field(1, i) + field(5, 2 + i)) for i in (1, 2))
    for i in range(count):
        out += field(5, field(1, i + 1) + field(2, 5 + files + i) + field(4, 5 + i * 7 % files))
        out += field(4, field(1, i + 1) + field(2, 1 + i % 2) + field(4, field(1, i + 1)))
        stack = [i * 11 % count]
        while stack[-1] != 0:
            stack.append((stack[-1] - 1) // 3)
        for across in ([], [i * 5 % count]):
            out += field(2, field(1, bytes(at + 1 for at in across + stack)) + field(2, bytes([i % 9 + 1])))
    with open(path, "wb") as file:
        file.write(out + b"".join(field(6, name) for name in names))


def check(tools, path):
    def show(*options, of=path):
        return known.check_run([tools + "/cgunwind", "-q", *options, of])

    counts = ("--weight", "samples", "-f")
    stacks = fold(show(*counts, "folded"))
    for nodes in (20, 40):
        yield from check_choice(stacks, show(*counts, "dot", "--nodes", str(nodes)), nodes)
    yield from check_runs(stacks, show(*counts, "dot"))
    yield from check_labels(show("-f", "svg"))
    # Graphviz leads no edge through a frame's name by chance alone: not of each picture.
    profile = path + ".pb"
    write_profile(profile)
    yield from check_frames(show("-f", "svg", of=profile))
    yield from check_frames(show("-f", "svg", "--cluster", "file", of=profile))
    for options in (("--label-calls",), ("--cluster", "file"), ("--diff-base", path)):
        if re.search(r" id=n\d+_", show("-f", "dot", *options)):
            yield "%s: a run is a box" % options[0]
