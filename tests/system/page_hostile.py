#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pages of programs whose names are attacks, and of snapshots that are none, in a real browser.

usage: page_hostile.py BUILD-DIRECTORY

One program is captured. Its file lies where the path is an attack, so do its threads' names; the
names of its functions, and the values that one of them is divided by (--split), are overwritten in
a copy with attacks of the same length. In each view the page of that copy has the elements of the
page of the program as it is, and no more; names are text, and marks that nobody sees are written
out; nothing runs, nothing is asked for, and the policy has nothing to forbid. Then the fuzz seeds'
snapshots become pages: those that are written open.
"""

import collections
import glob
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import browser

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
LONG = 60000
ATTACKS = (
    b"<script>window.attacked=1</script>",
    b"\"><img src=x onerror=window.attacked=1>",
    b"'-window.attacked-'${window.attacked=1}",
    b"</script><script>window.attacked=1</script>",
    b"</title><svg onload=window.attacked=1>",
    b"&lt;b&gt;&#60;i&#62;<!--]]><![CDATA[",
    b"javascript:window.attacked=1//http://x.invalid/",
    "\u202edesrever\u202c \u2066isolated\u2069 \u200bzero\ufeff".encode(),
    b"\x1b[31m\x07\x08 control \x7f \xc2\x85",
    b"invalid \xff\xfe\xc0\xaf\xed\xa0\x80 utf-8",
    b"__proto__.constructor.attacked",
    "line\u2028paragraph\u2029\u061c\u200ftext".encode(),
    b"std::map<" + b"std::pair<int,long>," * (LONG // 20) + b">",
)
THREAD = b"<img src=x>\"'"
DIRECTORY = b"\"><img src=x onerror=window.attacked=1>\xe2\x80\xae'"
SEEDS = ("fuzz_reader", "fuzz_core", "fuzz_perf", "fuzz_pprof")
PREFIXED = ("fuzz_reader",)  # the first byte of a seed is the fuzz target's
SKELETON = """
const kinds = {};
for (const node of document.querySelectorAll('*')) {
  const name = `${node.tagName} ${node.getAttributeNames().filter((name) => !name.startsWith('aria-')).join(' ')}`;
  kinds[name] = (kinds[name] ?? 0) + 1;
}
return kinds;
"""


def placeholder(number):
    """A name that C takes, as long as the attack that takes its place."""
    begin = b"attack_%02d_" % number
    return begin + b"x" * (len(ATTACKS[number]) - len(begin))


def build_program(path):
    names = [placeholder(number).decode() for number in range(len(ATTACKS))]
    source = ["#include <pthread.h>", "#include <sys/prctl.h>", "#include <unistd.h>", "static volatile long sum;",
              "__attribute__((noinline)) static long last(void)",
              "{ for (long i = 0; i < 100000; i++) sum += i; return sum; }"]
    below = "last"
    for name in names:
        source.append("__attribute__((noinline)) long %s(void) { return 1 + %s() + sum; }" % (name, below))
        below = name
    source += ["__attribute__((noinline)) long handle(const char *kind)",
               "{ long found = last() + last(); __asm__ volatile(\"\" : : \"r\"(kind)); return found + *kind; }",
               "static const char *const kinds[] = { %s };" % ", ".join('"%s"' % name for name in names),
               "static void *run(void *name) { prctl(PR_SET_NAME, name);",
               "for (long i = 0;; i++) { %s(); handle(kinds[i %% %d]); usleep(1000); } }" % (below, len(names)),
               "int main(void) { pthread_t t; pthread_create(&t, 0, run, (void *)%s); return run((void *)\"plain\") != 0; }"
               % ('"%s"' % THREAD.decode().replace('"', '\\"'))]
    subprocess.run(["gcc", "-g", "-O1", "-fno-optimize-sibling-calls", "-pthread", "-x", "c", "-", "-o", path],
                   input="\n".join(source).encode(), check=True)


def attack(program, copy):
    with open(program, "rb") as file:
        data = file.read()
    for number, name in enumerate(ATTACKS):
        if data.count(placeholder(number) + b"\0") == 0:
            raise AssertionError("the program has no %r" % placeholder(number)[:20])
        data = data.replace(placeholder(number) + b"\0", name + b"\0")
    with open(copy, "wb") as file:
        file.write(data)


def unwind(build, snapshot, page, *options):
    return subprocess.run([os.path.join(build, "cgunwind"), snapshot, "-o", page, "--force", *options],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)


def look(driven, page, view):
    """The elements of a view, by tag and attributes, and its text."""
    driven.open(page, "#view=%s" % view)
    driven.settle()
    return collections.Counter(driven.js(SKELETON)), driven.js("return document.body.innerText")


def shown(name):
    """How a page writes a name: control characters, and what turns a line around, as all outputs
    do, the rest as dom.js says."""
    control = {*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)}
    unseen = {0xFEFF}
    for first, last in ((0x200B, 0x200D), (0x2060, 0x206F), (0xFFF9, 0xFFFB)):
        unseen |= set(range(first, last + 1))
    letters = ("?" if ord(letter) in control else letter for letter in name.decode("utf-8", "replace"))
    return "".join("\\u%04x" % ord(letter) if ord(letter) in unseen else letter for letter in letters)


def check_names(build, directory, driven):
    failures = []
    home = os.path.join(directory.encode(), DIRECTORY)
    os.mkdir(home)
    program = os.path.join(home, b"program<b>")
    snapshot = os.path.join(directory, "snap.bin")
    build_program(program)
    browser.capture(build, snapshot, program, 2)
    hostile = os.path.join(directory, "hostile")
    attack(program, hostile)
    pages = {}
    for name, file in (("plain", os.fsdecode(program)), ("hostile", hostile)):
        pages[name] = os.path.join(directory, name + ".html")
        done = unwind(build, snapshot, pages[name], "--weight", "samples", "--split", "handle:kind", "-e", file)
        if done.returncode != 0:
            return ["cgunwind: %s" % done.stderr.decode(errors="replace")]
    for view in browser.VIEWS:
        plain, _ = look(driven, pages["plain"], view)
        found, text = look(driven, pages["hostile"], view)
        if view != "graph" and found != plain:  # Graphviz lays out lines of names by their lengths
            failures.append("%s: elements differ: %s" % (view, (found - plain) + (plain - found)))
        strange = [kind for kind in found if kind.split(" ")[0].lower() in ("img", "iframe", "object", "embed", "b", "i",
                                                                           "foreignobject", "link", "base", "form")]
        handlers = [kind for kind in found if any(name.startswith("on") for name in kind.split(" ")[1:])]
        failures += ["%s: has %s" % (view, kind) for kind in strange + handlers]
        if view == "table":
            failures += ["table: does not show %r" % shown(name)[:60]
                         for name in ATTACKS if len(name) < 100 and shown(name) not in text]
            if text.count("handle [kind=") < len(ATTACKS) / 2:
                failures.append("table: few values divide a function: %d" % text.count("handle [kind="))
        if driven.js("return window.attacked"):
            failures.append("%s: an attack ran" % view)
        failures += ["%s: the console: %s" % (view, line) for line in driven.console()]
        failures += ["%s: a request: %s" % (view, url) for url in driven.requests() if not url.startswith("data:")]
    return failures


def check_seeds(build, directory, driven):
    failures = []
    written = 0
    for folder in SEEDS:
        for seed in sorted(glob.glob(os.path.join(TREE, "tests", "fuzz", "seeds", folder, "*"))):
            with open(seed, "rb") as file:
                data = file.read()
            path, page = os.path.join(directory, "seed"), os.path.join(directory, "seed.html")
            with open(path, "wb") as file:
                file.write(data[1:] if folder in PREFIXED else data)
            if os.path.exists(page):
                os.unlink(page)
            done = unwind(build, path, page)
            what = "%s/%s" % (folder, os.path.basename(seed))
            if done.returncode not in (0, 1):
                failures.append("%s: status %d: %s" % (what, done.returncode, done.stderr.decode(errors="replace")))
            if not os.path.exists(page) or os.path.getsize(page) == 0:
                continue
            written += 1
            driven.open(page)
            failures += ["%s: the console: %s" % (what, line) for line in driven.console()]
            problem = driven.text(".problem")
            if problem:
                failures.append("%s: %s" % (what, problem))
    print("%d seeds became pages" % written)
    if written < 10:
        failures.append("only %d seeds became pages" % written)
    return failures


def main():
    browser.skip_without()
    build = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as directory, browser.Browser(width=2600) as driven:
        failures = check_names(build, directory, driven)
        failures += check_seeds(build, directory, driven)
    for failure in failures:
        print("FAIL " + failure)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
