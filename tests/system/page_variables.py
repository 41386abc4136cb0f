#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Variables in pages (-f html --variables, --split): they are those of json, and the choice sums right.

usage: page_variables.py BUILD-DIRECTORY

Of each thread, step of time and chain the page has what json tells of the first sample; with --hide
of the frames that are left; without --variables it is as it was. With --split the parts of a function
put together are the page without. In a browser the timeline shows what json tells of a moment, the
table which values a function had, the box `divided by value` gives the table of the page without
--split, and Back takes it back. Texts of the program stay text.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import browser
import pagefile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs", "divided.c")
FRAMES = """
return [...document.querySelectorAll('.value-box .value-run[open] .value-frames > li')].map((frame) =>
  [frame.querySelector('button').textContent,
   [...frame.querySelectorAll(':scope > ul > li')].map((line) => line.textContent)]);
"""
ROWS = """
return [...document.querySelectorAll('.view-table .table-row[data-func]')].map((row) =>
  [...row.querySelectorAll('.table-weight, .table-function')].map((cell) => cell.textContent));
"""
VALUES = """
return Object.fromEntries([...document.querySelectorAll('.value-of')].map((body) =>
  [body.querySelector('th').textContent, [...body.querySelectorAll('tr:has(.value)')].map((row) =>
    [row.querySelector('.value').textContent, Number(row.querySelector('.number').textContent)])]));
"""


class Tool:
    def __init__(self, build, snapshot, directory):
        self.program = os.path.join(build, "cgunwind")
        self.snapshot = snapshot
        self.directory = directory

    def run(self, *options):
        return subprocess.run([self.program, "-q", "--no-cache", *options, self.snapshot], check=True,
                              stdout=subprocess.PIPE, timeout=100).stdout.decode()

    def page(self, name, *options):
        path = os.path.join(self.directory, name + ".html")
        self.run("-o", path, "--force", *options)
        return path, pagefile.read(path)

    def samples(self):
        lines = map(json.loads, self.run("-f", "json", "--variables").splitlines())
        return [item for item in lines if item["type"] == "sample"]


def of_json(variable):
    """As pagefile has it; the text of what has no value is the format's own."""
    return (variable["name"], variable.get("type", ""), variable["kind"], variable.get("state", "known"),
            variable.get("value"))


def of_page(variable, other):
    return (variable["name"], variable["type"], variable["kind"], variable["state"],
            variable["text"] if other[4] is not None else None)


def first_samples(samples, page):
    """{(tid, bucket, chain as texts): sample}"""
    start, times = samples[0]["time_ns"], page.head["time"]
    found = {}
    for sample in samples:
        bucket = (max(0, sample["time_ns"] - start) - times.get("from_ns", 0)) // times["bucket_ns"]
        chain = tuple((frame.get("function"), frame.get("line", 0)) for frame in sample["frames"])
        found.setdefault((sample["tid"], bucket, chain), sample)
    return found


def check_runs(page, samples, hidden=()):
    """`hidden`: functions that are left out of chains; of samples that are then one, the first counts."""
    for sample in samples:
        sample["frames"] = [frame for frame in sample["frames"] if frame.get("function") not in hidden]
    wanted = first_samples(samples, page)
    chains = [tuple((frame["name"] if not frame["name"].count("+0x") else None, frame["line"])
                    for frame in reversed(frames)) for frames, _ in page.chains()]
    told = 0
    for thread, runs in zip(page.head["threads"], page.variables()):
        for first, last, chain, moment in runs:
            for bucket in range(first, last + 1):
                sample = wanted.pop((thread.get("tid"), bucket, chains[chain]), None)
                if sample is None:
                    continue  # within a run, when the thread was not looked at, or did another thing
                want = [[of_json(one) for one in frame.get("variables", ())] for frame in reversed(sample["frames"])]
                if [len(part) for part in want] != [len(part) for part in moment]:
                    yield "bucket %d of %d: %s instead of %s" % (bucket, thread["tid"], moment, want)
                    continue
                got = [[of_page(*pair) for pair in zip(*parts)] for parts in zip(moment, want)]
                if got != want:
                    yield "bucket %d of %d: %s instead of %s" % (bucket, thread["tid"], got, want)
                told += sum(map(len, got))
    if wanted:
        yield "%d moments have no variables, as %s" % (len(wanted), list(wanted)[0])
    if told < 200:
        yield "only %d variables were compared" % told


def by_stack(page, wholes):
    """Weights by chain, of functions that are put together."""
    names = page.head["functions"]["name"]
    stacks = []
    path, depth = [], 0
    nodes = [()]
    for up, frame in zip(page.columns["trie.up"], page.columns["trie.frame"]):
        depth += 1 - up
        function = page.columns["frame.function"][frame]
        path[depth - 1:] = [names[wholes.get(function, function)]]
        nodes.append(tuple(path))
    stacks = [nodes[leaf] for leaf in page.columns["chain.leaf"]]
    sums = collections.Counter()
    for entry in page.entries:
        sums[entry["thread"], stacks[entry["chain"]]] += entry["samples"]
    return sums


def check_division(divided, plain):
    names, wholes = divided.head["functions"]["name"], divided.wholes()
    parts = sorted(names[part] for part in wholes)
    if {names[whole] for whole in wholes.values()} != {"handle"}:
        yield "wholes are %s" % wholes
    if not {"handle [kind=%s]" % kind for kind in ("READ", "WRITE", "SYNC")} <= set(parts):
        yield "parts are %s" % parts
    if by_stack(divided, wholes) != by_stack(plain, {}):
        yield "the parts put together are not the page without them"
    if "whole" in plain.head["functions"] or "values" in plain.head:
        yield "a page that was not asked for them has parts or variables"


def shown(text):
    """As src/output/html/dom.js has it, of what is in these pages."""
    unseen = [*range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010), *range(0x2028, 0x202F)]
    return "".join("\\u%04x" % ord(letter) if ord(letter) in unseen else letter for letter in text)


def check_timeline(driven, path, page):
    """A moment in which a request is handled: each thread's last."""
    chains = page.chains()
    for thread, runs in enumerate(page.variables()):
        if "tid" not in page.head["threads"][thread]:  # CPU time without a sample
            continue
        handled = [run for run in runs if any(frame["name"] == "handle" for frame in chains[run[2]][0])]
        if not handled:
            yield "thread %d handles nothing" % thread
            continue
        first, _, chain, moment = handled[-1]
        driven.open(path, "#view=timeline&threads=%d&span=%d-%d" % (thread, first, first + 1))
        driven.settle()
        if sum(run[0] <= first <= run[1] for run in runs) != 1:
            continue  # it did several things
        frames = zip(reversed(chains[chain][0]), reversed(moment))
        want = [[shown(frame["label"]), [shown("%s = %s" % (one["name"], one["text"])) for one in told]]
                for frame, told in frames]
        got = driven.js(FRAMES)
        if got != want:
            yield "the timeline shows %s instead of %s" % (got, want)
        if "<img src=x onerror=" not in str(got):
            yield "there is no attack in %s" % got


def check_values(driven, path, page, samples):
    """Of `handle` the kinds, as often as samples had them."""
    func = page.head["functions"]["name"].index("handle")
    driven.open(path, "#view=table&weight=samples&func=%d" % func)
    driven.settle()
    got = dict(driven.js(VALUES).get("kind", ()))
    want = collections.Counter()
    for sample in samples:
        for frame in sample["frames"]:
            if frame.get("function") == "handle":
                want.update(one["value"] for one in frame["variables"] if one["name"] == "kind" and "value" in one)
                break
    for kind in ("READ", "WRITE", "SYNC"):
        # Of several samples in a step of time the first one's counts for all.
        if abs(got.get(kind, 0) - want[kind]) > 0.1 * sum(want.values()) or kind not in got:
            yield "%s is shown as %s times, and was %d" % (kind, got.get(kind), want[kind])


def check_choice(driven, divided, plain):
    driven.open(plain, "#view=table&sort=total")
    driven.settle()
    want = driven.js(ROWS)
    driven.open(divided, "#view=table&sort=total")
    driven.settle()
    before = driven.js(ROWS)
    if before == want or not any("[kind=READ]" in row[-1] for row in before):
        yield "the page is not divided: %s" % before
    driven.js("document.querySelector('#divided').click()")
    driven.settle()
    got = driven.js(ROWS)
    if got != want:
        yield "not divided the table is %s instead of %s" % (got, want)
    if "divided=0" not in driven.js("return location.hash"):
        yield "the address is %s" % driven.js("return location.hash")
    for view in browser.VIEWS:
        driven.go("#divided=0&view=%s" % view)
        text = driven.js("return document.querySelector('#content').innerText")
        if "[kind=" in text and view != "waits":
            yield "%s has a part of a function" % view
    driven.go("#divided=0&view=table&sort=total")
    driven.js("document.querySelector('#divided').click()")
    driven.settle()
    if driven.js(ROWS) != before:
        yield "divided again the table is %s" % driven.js(ROWS)
    driven.js("history.back()")
    for _ in range(100):
        if driven.js("return !document.querySelector('#divided').checked"):
            break
        driven.settle()
    if driven.js(ROWS) != want:
        yield "after Back the table is %s" % driven.js(ROWS)


def capture(build, snapshot, program):
    """So long and often that a step of time of the page has several samples of a thread."""
    with subprocess.Popen([program]) as target:
        try:
            time.sleep(0.1)
            subprocess.run([os.path.join(build, "cgsnap"), "-q", "-F", "700", "--overhead", "100", "-d", "2.1",
                            "-p", str(target.pid), "-o", snapshot], check=True, timeout=60)
        finally:
            target.kill()


def test(build):
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-variables-") as directory:
        program, snapshot = os.path.join(directory, "divided"), os.path.join(directory, "snap.bin")
        subprocess.run(["gcc", "-g", "-O0", "-pthread", "-o", program, SOURCE], check=True)
        capture(build, snapshot, program)
        tool = Tool(build, snapshot, directory)
        plain_path, plain = tool.page("plain")
        told_path, told = tool.page("told", "--variables")
        _, hidden = tool.page("hidden", "--variables", "--hide", "^(handle|spin)$")
        divided_path, divided = tool.page("divided", "--split", "handle:kind")
        samples = tool.samples()
        failures += check_runs(told, tool.samples())
        failures += ["with --hide: " + line for line in check_runs(hidden, tool.samples(), {"handle", "spin"})]
        failures += check_division(divided, plain)
        with browser.Browser() as driven:
            failures += check_timeline(driven, told_path, told)
            failures += check_values(driven, told_path, told, samples)
            failures += check_choice(driven, divided_path, plain_path)
            if driven.js("return window.attacked"):
                failures.append("an attack ran")
            failures += ["the console: " + line for line in driven.console()]
            failures += ["a request: " + url for url in driven.requests() if not url.startswith("data:")]
    for line in failures[:20]:
        print("FAIL " + line[:2000])
    return bool(failures)


if __name__ == "__main__":
    browser.skip_without()
    sys.exit(test(os.path.abspath(sys.argv[1])))
