# SPDX-License-Identifier: MIT
"""Reads a page of -f html: the head and the columns as lists, as docs/formats/page.md has them."""

import base64
import gzip
import json
import re
import struct

DATA = re.compile(r'<script type="application/octet-stream" id="data">([^<]*)</script>')
COMPLEMENTED = ("wall", "cpu", "offcpu")


def _varints(data, count):
    values = []
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            values.append(value)
            value = shift = 0
    if len(values) != count or shift:
        raise ValueError("%d numbers instead of %d" % (len(values), count))
    return values


def _column(data, count, kind):
    if kind == "text":
        return data.decode("utf-8")
    if kind == "u8":
        return list(data)
    values = _varints(data, count)
    return [value >> 1 ^ -(value & 1) for value in values] if kind == "zigzag" else values


class Page:
    """`entries` are dicts of thread, bucket, chain, state and the weights, in ns and samples;
    `base` are the same of the baseline."""

    def __init__(self, text):
        found = DATA.findall(text)
        if len(found) != 1:
            raise ValueError("%d places for data" % len(found))
        data = gzip.decompress(base64.b64decode(found[0]))
        size = struct.unpack("<I", data[:4])[0]
        self.text = text
        self.head = json.loads(data[4 : 4 + size].decode("utf-8"))
        body = data[4 + size :]
        self.columns = {}
        end = 0
        for name, (offset, length, count, kind) in self.head["columns"].items():
            if offset != end:
                raise ValueError("%s begins at %d instead of %d" % (name, offset, end))
            end = offset + length
            self.columns[name] = _column(body[offset:end], count, kind)
        if end != len(body):
            raise ValueError("%d bytes of no column" % (len(body) - end))
        self.base = self._weighed("base", {})
        self.entries = self._weighed("entry", self._places())

    def _places(self):
        """Threads and buckets, by entry."""
        threads = []
        buckets = []
        steps = iter(self.columns.get("entry.bucket", ()))
        for thread, count in enumerate(self.columns["thread.entries"]):
            bucket = 0
            for _ in range(count):
                bucket += next(steps, 0)
                threads.append(thread)
                buckets.append(bucket)
        return {"thread": threads, "bucket": buckets}

    def _weighed(self, prefix, columns):
        if prefix + ".chain" not in self.columns:
            return []
        unit = self.head["unit_ns"]
        count = len(self.columns[prefix + ".chain"])
        columns["chain"] = self.columns[prefix + ".chain"]
        columns["state"] = self.columns[prefix + ".state"]
        for weight in self.head["weights"]:
            columns[weight] = self.columns[prefix + "." + weight]
            if len(columns[weight]) != count:
                raise ValueError("%s has %d of %d" % (weight, len(columns[weight]), count))
        nothing = [0] * count
        wall, cpu, offcpu = (columns.get(weight, nothing) for weight in COMPLEMENTED)
        if "offcpu" in columns:
            columns["offcpu"] = [o + max(0, w - c) for w, c, o in zip(wall, cpu, offcpu)]
        for weight in COMPLEMENTED:
            if weight in columns:
                columns[weight] = [value * unit for value in columns[weight]]
        names = list(columns)
        return [dict(zip(names, values)) for values in zip(*(columns[name] for name in names))]

    def chains(self):
        """Of each chain its frames, the outermost first, as dicts, and the name of its stop."""
        paths = [()]
        depths = [0]
        path = []
        for up, frame in zip(self.columns["trie.up"], self.columns["trie.frame"]):
            depths.append(depths[-1] + 1 - up)
            del path[depths[-1] - 1 :]
            path.append(frame)
            paths.append(tuple(path))
        frames = self.frames()
        return [
            ([frames[frame] for frame in paths[leaf]], self.head["stops"][stop])
            for leaf, stop in zip(self.columns["chain.leaf"], self.columns["chain.stop"])
        ]

    def wholes(self):
        """By function that a value divides, the place of the one that it is a part of."""
        return {int(part): whole for part, whole in self.head["functions"].get("whole", {}).items()}

    def variables(self):
        """Of each thread a list of (first, last bucket, chain, variables by frame, the outermost first): those are
        dicts, as json has them, but that "text" says what is told also of what has no value."""
        values, columns = self.head["values"], self.columns
        told = []
        for name, kind, text, state, local in zip(*(columns["value." + part]
                                                    for part in ("name", "type", "text", "state", "local"))):
            told.append({"name": values["texts"][name], "type": values["texts"][kind],
                         "text": values["texts"][text], "state": values["states"][state],
                         "kind": "local" if local else "parameter"})
        members = iter(columns["list.value"])
        lists = [[told[next(members)] for _ in range(size)] for size in columns["list.size"]]
        moments = [[]]
        for outside, number in zip(columns["moment.outside"], columns["moment.list"]):
            moments.append(moments[len(moments) - outside] + [lists[number]])
        runs = zip(*(columns["run." + part] for part in ("from", "more", "chain", "moment")))
        threads = []
        for count in columns["thread.runs"]:
            first = 0
            threads.append([])
            for _ in range(count):
                step, more, chain, moment = next(runs)
                first += step
                threads[-1].append((first, first + more, chain, moments[moment]))
        if next(members, None) is not None or next(runs, None) is not None:
            raise ValueError("more variables than lists, or runs than threads have")
        return threads

    def frames(self):
        functions = self.head["functions"]
        files = [None] + self.head["files"]
        columns = [self.columns["frame." + name] for name in ("function", "file", "line", "trust", "flags")]
        return [
            {
                "name": functions["name"][function],
                "label": functions["label"].get(str(function), functions["name"][function]),
                "module": self.head["modules"][functions["module"][function]]["path"],
                "file": files[file],
                "line": line,
                "trust": self.head["trusts"][trust],
                "inlined": bool(flags & 1),
                "calls": bool(flags & 2),
            }
            for function, file, line, trust, flags in zip(*columns)
        ]

    def pieces(self):
        """Of each thread a list of (start, end in ns, state, text, wait)."""
        rows = zip(*(self.columns["piece." + name] for name in ("gap", "length", "state", "text", "wait")))
        unit = self.head["piece_unit_ns"]
        texts = [""] + self.head["texts"]
        threads = []
        for count in self.columns["thread.pieces"]:
            at = 0
            threads.append([])
            for _ in range(count):
                gap, length, state, text, wait = next(rows)
                start = at + gap
                at = start + length
                threads[-1].append(
                    (
                        start * unit,
                        at * unit,
                        self.head["timeline_states"][state],
                        texts[text],
                        self.head["waits"][wait - 1] if wait else None,
                    )
                )
        return threads


def read(path):
    with open(path, encoding="utf-8") as file:
        return Page(file.read())
