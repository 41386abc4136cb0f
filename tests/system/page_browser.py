#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pages (-f html) in a real browser: what they show is what `-f json` says, and they ask for nothing.

usage: page_browser.py BUILD-DIRECTORY [ACTIONS] [SEED]

A program with threads and locks is captured. Its page is opened from a file, each view once, and then
random choices are made as a reader makes them: views, weights, spans of time, threads, states,
functions, searches. After each, what the page says of the selection, the rows of its table, callers
and callees, and frames of the flame graph are compared with what this test counts in the samples of
`-f json`. Back goes through choices. There is no message on the console and no request.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import browser
import known
import pagefile

NEIGHBOURS = 10  # of a function that are shown at once, at the least
SEEN = """
const rows = [...document.querySelectorAll('.view-table:not([hidden]) .table-row[data-func]')].map((row) =>
  [Number(row.dataset.func),
   ...[...row.querySelectorAll('.table-weight')].map((cell) => [...cell.children].map((part) => part.textContent))]);
return {selection: document.querySelector('#selection').textContent, rows,
        view: document.querySelector('[role=tab][aria-selected=true]').id,
        problem: document.querySelector('.problem')?.textContent ?? ''};
"""


def weight_text(kind, value):
    return str(value) if kind == "samples" else known.time_text(value)


def words(kind, value):
    """With a unit, also where it is a count."""
    return "%d sample%s" % (value, "" if value == 1 else "s") if kind == "samples" else known.time_text(value)


def share_text(part, total):
    points = 0 if total == 0 else 10000 if part >= total else (part * 20000 + total) // (total * 2)
    return "%d.%02d%%" % (points // 100, points % 100)


REST = "[CPU time without a sample]"
REST_PARTS = 100


class Truth:
    """What there is to count, of the lines of `-f json`."""

    def __init__(self, lines):
        items, rest = known.with_cpu_time(map(json.loads, lines))
        times = [item["time_ns"] for item in items if item["type"] == "sample"]
        self.samples = [self.weighed(item, times[0]) for item in items]
        for (_, tid), ns in rest.items():
            self.samples += self.spread(tid, ns, max(times) - times[0])

    @staticmethod
    def weighed(item, begin):
        """(tid, ns, whether it ran, weights, chain). Those of the first round that are before the
        first one in the file are of the first moment."""
        is_tick = item["type"] == "tick"
        runs = is_tick or item.get("state") in ("running", "ready")
        weight = {"samples": 0, "wall": 0, "cpu": item["given_ns"], "offcpu": 0}
        if not is_tick:
            wall = item.get("wall_ns", 0)
            weight.update(samples=1, wall=wall, offcpu=0 if runs else max(0, wall - item.get("cpu_ns", 0)))
        return (item["tid"], max(0, item["time_ns"] - begin), runs, weight,
                tuple(function_of(frame) for frame in reversed(item["frames"])))

    @staticmethod
    def spread(tid, rest_ns, end_ns):
        """CPU time without a sample is all over the time, of a thread or, without tid, of a process."""
        for i in range(REST_PARTS):
            weight = {"samples": 0, "wall": 0, "offcpu": 0,
                      "cpu": rest_ns // REST_PARTS + (0 if i else rest_ns % REST_PARTS)}
            yield tid, end_ns // REST_PARTS * i + end_ns // REST_PARTS // 2, True, weight, ((REST, REST),)

    def select(self, state):
        """(weight, chain) of what a state selects."""
        for tid, time_ns, runs, weight, chain in self.samples:
            if state["span"] and not state["span"][0] <= time_ns < state["span"][1]:
                continue
            if state["tids"] and tid not in state["tids"]:
                continue
            if state["states"] != "all" and runs != (state["states"] == "run"):
                continue
            if weight[state["weight"]]:
                yield weight[state["weight"]], chain

    def count(self, state):
        own, total, pairs = collections.Counter(), collections.Counter(), collections.Counter()
        whole = 0
        for weight, chain in self.select(state):
            whole += weight
            if chain:
                own[chain[-1]] += weight
            for function in set(chain):
                total[function] += weight
            for pair in set(zip(chain, chain[1:])):
                pairs[pair] += weight
        return whole, own, total, pairs


def function_of(frame):
    """Its name, or what stands for one, and its module."""
    module = frame.get("module", "[unknown]")
    if "function" in frame:
        return frame["function"], module
    at = int(frame.get("vaddr", frame["pc"]), 16) - frame.get("offset", 0)
    return "%s+0x%x" % (os.path.basename(module), at), module


class Reader:
    """A person who looks at a page: what was chosen, and how."""

    def __init__(self, driven, head, truth, generator):
        self.browser, self.head, self.truth, self.random = driven, head, truth, generator
        self.state = self.nothing_chosen()
        names, modules = head["functions"]["name"], head["functions"]["module"]
        self.functions = [(name, head["modules"][module]["path"] if module >= 0 else "[unknown]")
                          for name, module in zip(names, modules)]
        self.done = collections.Counter()

    def nothing_chosen(self):
        return {"weight": self.head["weight"], "span": None, "buckets": None, "tids": None, "threads": None,
                "states": "all", "func": None, "search": "", "view": "overview"}

    def link(self):
        """The fragment of the state."""
        state, parts = self.state, ["view=%s" % self.state["view"], "weight=%s" % self.state["weight"]]
        if state["buckets"]:
            parts.append("span=%d-%d" % state["buckets"])
        if state["threads"]:
            parts.append("threads=" + ".".join(map(str, state["threads"])))
        parts.append("states=" + state["states"])
        if state["func"] is not None:
            parts.append("func=%d" % state["func"])
        return "#" + "&".join(parts)

    def act(self):
        action = self.random.choice(("view", "view", "weight", "span", "span", "threads", "states", "function",
                                     "search", "all"))
        self.done[action] += 1
        getattr(self, "choose_" + action)()
        self.browser.settle()

    def choose_view(self):
        views = [view for view in browser.VIEWS + ("table", "table", "flame") if self.has(view)]
        self.state["view"] = self.random.choice(views)
        self.browser.js("document.getElementById('tab-' + arguments[0]).click()", self.state["view"])

    def has(self, view):
        return self.browser.js("return !!document.getElementById('tab-' + arguments[0])", view)

    def choose_weight(self):
        self.state["weight"] = self.random.choice(self.head["weights"])
        self.browser.js("document.querySelector(`[data-weight=${arguments[0]}]`).click()", self.state["weight"])

    def choose_span(self):
        buckets, step = self.head["time"]["buckets"], self.head["time"]["bucket_ns"]
        first = self.random.randrange(buckets)
        end = self.random.randint(first + 1, buckets)
        self.state["buckets"], self.state["span"] = (first, end), (first * step, end * step)
        self.browser.go(self.link())

    def choose_threads(self):
        count = len(self.head["threads"])
        chosen = sorted(self.random.sample(range(count), self.random.randint(1, count)))
        self.state["threads"] = chosen
        self.state["tids"] = {self.head["threads"][thread].get("tid") for thread in chosen}
        self.browser.go(self.link())

    def choose_states(self):
        self.state["states"] = self.random.choice(("all", "run", "wait"))
        self.browser.js("const s = document.getElementById('states'); s.value = arguments[0];"
                        "s.dispatchEvent(new Event('change'))", self.state["states"])

    def choose_function(self):
        self.state["func"] = self.random.randrange(len(self.functions))
        self.browser.go(self.link())

    def choose_search(self):
        name = self.random.choice(self.functions)[0]
        self.state["search"] = self.random.choice(("", "(", re.escape(name), name[:3].replace("+", ".")))
        self.browser.driver.execute_async_script(
            "const s = document.getElementById('search'); s.value = arguments[0];"
            "s.dispatchEvent(new Event('input')); setTimeout(arguments[1], 140)", self.state["search"])

    def choose_all(self):
        view, weight = self.state["view"], self.state["weight"]
        self.state = dict(self.nothing_chosen(), view=view, weight=weight)
        self.browser.js("document.activeElement.blur(); document.body.dispatchEvent("
                        "new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")

    def wrong(self):
        """What is shown and is not so; names what was compared in `done`."""
        seen = self.browser.js(SEEN)
        whole, own, total, pairs = self.truth.count(self.state)
        kind = self.state["weight"]
        problems = []

        def compare(what, shown, right):
            self.done["compared"] += 1
            if shown != right:
                problems.append("%s: %r, not %r" % (what, shown, right))

        compare("the view", seen["view"], "tab-" + self.state["view"])
        compare("problems", seen["problem"], "")
        begins = weight_text(kind, whole)
        compare("the selection", seen["selection"][: len(begins)], begins)
        compare("whether it is of more", " of " in seen["selection"], whole != self.head["totals"][kind])
        for func, self_shown, total_shown in seen["rows"]:
            function = self.functions[func]
            for what, shown, right in (("self", self_shown, own[function]), ("total", total_shown, total[function])):
                compare("%s of %s" % (what, function[0]), shown, [weight_text(kind, right), share_text(right, whole)])
        if self.state["view"] == "table" and not self.state["search"]:
            compare("rows", bool(seen["rows"]), bool(total))
        if self.state["view"] == "table" and self.state["func"] is not None:
            self.compare_neighbours(compare, pairs, kind)
        if self.state["view"] == "flame" and not self.state["search"]:
            self.compare_flame(compare, whole, kind)
        return problems

    def compare_neighbours(self, compare, pairs, kind):
        function = self.functions[self.state["func"]]
        shown = self.browser.js("""
            const list = (kind) => [...document.querySelectorAll(`.view-table [data-${kind}]`)].map((row) =>
              [Number(row.dataset[kind]), row.querySelector('.number').textContent]);
            return {caller: list('caller'), callee: list('callee')};""")
        for what, other in (("caller", lambda pair: pair[0] if pair[1] == function else None),
                            ("callee", lambda pair: pair[1] if pair[0] == function else None)):
            right = {other(pair): weight_text(kind, weight) for pair, weight in pairs.items() if other(pair)}
            found = {self.functions[func]: text for func, text in shown[what]}
            compare("%ss of %s" % (what, function[0]), found,
                    {each: text for each, text in right.items() if each in found or len(found) < NEIGHBOURS})

    def compare_flame(self, compare, whole, kind):
        """The root, and the frames that the keyboard goes down to from there, by what is said of them."""
        if not whole:
            return
        said = self.browser.js("""
            const canvas = document.querySelector('.view-flame canvas');
            canvas.focus();
            return ['Home', ...Array(arguments[0]).fill('ArrowDown')].map((key) => {
              canvas.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
              return document.getElementById('live').textContent;
            });""", self.random.randint(1, 9))
        chains = list(self.truth.select(self.state))
        compare("the root", said[0].split(";")[0], "all · " + words(kind, whole))
        path = ()
        for before, now in zip(said, said[1:]):
            if now == before or "too narrow" in now:
                break
            path += (now.split(";")[0],)
            weight = sum(weight for weight, chain in chains if tuple(name for name, _ in chain[: len(path)]) == path)
            compare("the frame " + " ".join(path), " %s: " % words(kind, weight) in now, True)


def check_steps(driven, page):
    """Back goes through what was chosen, one choice each, and leaves no view behind."""
    problems = []
    driven.open(page)
    steps = [driven.js("return location.hash")]

    def at(step, what):
        driven.settle()
        found = driven.js("return [location.hash, document.querySelector('[role=tab][aria-selected=true]').id]")
        view = re.search(r"view=(\w+)", steps[step])
        if found != [steps[step], "tab-" + (view.group(1) if view else "overview")]:
            problems.append("%s: %r, not %r" % (what, found, steps[step]))

    for choice in ("document.getElementById('tab-table').click()",
                   "document.querySelector('[data-weight][aria-checked=false]').click()",
                   "document.querySelector('.view-table [data-func]').click()",
                   "document.getElementById('tab-flame').click()"):
        driven.js(choice)
        driven.settle()
        steps.append(driven.js("return location.hash"))
    if len(set(steps)) != len(steps):
        problems.append("choices that are no steps: %r" % steps)
    driven.js("""const s = document.getElementById('search'); s.value = 'a'; s.dispatchEvent(new Event('input'));""")
    for step in reversed(range(len(steps) - 1)):
        driven.driver.back()
        at(step, "back to step %d" % step)
    driven.driver.forward()
    at(1, "forward")
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0], bubbles: true}))"
    driven.js("location.hash = 'view=flame&func=1&zoom=0'")
    driven.settle()
    for key, wanted in (("Escape", "#view=flame&func=1"), ("Escape", "#view=flame")):
        driven.js(press, key)
        driven.settle()
        if driven.js("return location.hash") != wanted:
            problems.append("Escape: %r, not %r" % (driven.js("return location.hash"), wanted))
    driven.js(press, "?")
    if not driven.js("return document.querySelector('dialog.help').open"):
        problems.append("? does not show the keys")
    driven.js("document.querySelector('dialog.help').close()")
    return problems


def check_narrow(driven, page):
    """A window without room for the timeline's canvas, then one with: its time is what it was."""
    driven.open(page, "#view=timeline")
    width, height = driven.size
    whole = driven.text(".tl-range")
    driven.resize(90, height)
    driven.settle()
    driven.js("for (const button of document.querySelectorAll('.view-timeline .segments button'))"
              "if (['+', '\u2212'].includes(button.textContent)) button.click()")
    driven.resize(width, height)
    driven.settle()
    shown = driven.text(".tl-range")
    return [] if shown == whole or " to " in shown and "NaN" not in shown else ["narrow: %r after %r" % (shown, whole)]


def check_undrawn(driven, build, snapshot, page):
    """A page whose picture took too long says so, and has the other views."""
    unwind(build, snapshot, "--layout-time", "0", "-f", "html", "-o", page)
    driven.open(page)
    told = driven.js("return [...document.querySelectorAll('.warning')].map((node) => node.textContent).join(' ')")
    tabs = driven.js("return [...document.querySelectorAll('[role=tab]')].map((node) => node.id.slice(4))")
    failures = [] if "No call graph: Graphviz did not finish" in told else ["undrawn: is told as %r" % told]
    return failures + (["undrawn: has %s" % tabs] if tabs != [view for view in browser.VIEWS if view != "graph"] else [])


def unwind(build, snapshot, *options):
    done = subprocess.run([os.path.join(build, "cgunwind"), snapshot, *options], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300)
    return done.stdout.decode()


def main():
    browser.skip_without()
    build = os.path.abspath(sys.argv[1])
    actions = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        snapshot = browser.capture_shop(build, directory, 1.5)
        page = os.path.join(directory, "report.html")
        unwind(build, snapshot, "-o", page)
        truth = Truth(unwind(build, snapshot, "-f", "json").splitlines())
        with browser.Browser() as driven:
            driven.open(page)
            reader = Reader(driven, pagefile.Page(open(page, encoding="utf-8").read()).head, truth, random.Random(seed))
            for action in range(actions):
                reader.act()
                failures += ["action %d (%s): %s" % (action, reader.link(), wrong) for wrong in reader.wrong()]
                if len(failures) > 10:
                    break
            failures += check_steps(driven, page)
            failures += check_narrow(driven, page)
            failures += check_undrawn(driven, build, snapshot, os.path.join(directory, "undrawn.html"))
            failures += ["the console: " + line for line in driven.console()]
            failures += ["a request: " + url for url in driven.requests() if not url.startswith("data:")]
            print("seed %d: %s" % (seed, dict(reader.done)))
    for failure in failures:
        print("FAIL " + failure)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
