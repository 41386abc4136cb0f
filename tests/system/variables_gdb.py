#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The variables of frames, told by cgunwind as gdb tells them.

usage: variables_gdb.py BUILD-DIRECTORY [--matrix] [--only WORD+WORD,…] [--stops N] [--pointees N]
                        [--list N] [--all]

Programs whose frames have variables of all kinds wait below a chain of calls, or are stopped
while they compute. gdb writes their cores, reads them, and says the value of each parameter and
variable of each frame; so does cgunwind of the core, and of the snapshot of the same moment. None
may be another, and FLOOR % of those that gdb knows must be known from the core
(variables_compare.py has the verdicts). gdb also reads a core whose registers that callees need not
keep were changed: what changes with it in another frame than the innermost is no value of it.

Without --matrix a few builds. With it, by hand: gcc and clang, -O0 to -O3, DWARF 4 and 5, position
independent or not, x86-64, i386, ARM and AArch64, C, C++ and Rust (where there is rustc); cgsnap's
snapshots and the kernel's cores of A64, A32, T32 and RV64 programs in emulated machines
(variables_kernels.py); and programs nobody tuned for: Debian's python3.11 (python3.11-dbg), its
valgrind (valgrind-dbg), cgunwind; a table of figures at the end. --only takes builds by words of
their titles: armhf+-O2,rust is all for armhf at -O2, and all in Rust. --stops is how often a
program that computes is stopped; with --pointees snapshots are also taken with what the stack
points to, where the machine's cgsnap can. Of each moment up to --list failures are
shown; with --all also what one side alone knows.
"""

import argparse
import collections
import itertools
import os
import random
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import arm
import emulator
import known
import variables_compare as compare
import variables_kernels as kernels
import variables_moments as moments
from variables_moments import ARM64, ARMHF, I386, LEVELS, X86_64, Build

FLOOR = 95.0
LEAST = 300  # values that gdb knows in the few builds
FEW = (
    Build(X86_64, "c", "gcc", "-O2", ("-gdwarf-5",)),
    Build(X86_64, "c", "clang", "-O2", ("-gdwarf-4", "-no-pie")),
    Build(X86_64, "c", "gcc", "-O0", ("-gdwarf-4",)),
    Build(X86_64, "cxx", "gcc", "-O2", ("-gdwarf-5",)),
)
BATCH = 10  # moments that one gdb reads
PYTHON = "/usr/bin/python3.11"
MEMCHECK = "/usr/libexec/valgrind/memcheck-amd64-linux"  # what `valgrind` becomes
MEMCHECK_SECONDS = 3.0  # reads debug information, starts Python, translates its code
SEEDS = ("1", "77")
SCRIPT = """
import functools, json, re, sys
print("ready", flush=True)
class Item:
    def __init__(self, number): self.number = number
    def __lt__(self, other): return self.number * 7919 % 1009 < other.number * 7919 % 1009
    def __hash__(self): return self.number % 17
    def __eq__(self, other): return self.number == other.number
def default(item): return {"number": item.number, "next": [str(item.number) * 3]}
def work(match): return json.dumps([Item(int(match[0]))], default=default, indent=1)
def fold(text, item): return text[-200:] + re.sub(r"[0-9]+", work, str(item.number))
while True:
    items = sorted({Item(n): n for n in range(300)}, key=functools.cmp_to_key(
        lambda a, b: a.number * 31 % 101 - b.number * 31 % 101 + len(fold("", a)) % 2))
    text = functools.reduce(fold, items, "")
    values = json.loads("[%s]" % ",".join(map(str, range(100))))
    print(len("%s %r %.3f" % (text, values, 1.5)), file=sys.stderr)
"""


def check_the_check():
    """The comparison finds what it is for."""
    def frames(*items):
        return {1: [{"pc": "0x10", "function": "f", "variables": list(items)}]}

    def gdbs(*items):
        return {"threads": [{"tid": 1, "frames": [
            {"pc": 16, "function": "f", "inline": False, "variables":
             [dict(item, type="int") for item in items]}]}]}

    n = {"name": "n", "kind": "local"}
    known_5 = dict(n, value="5")
    lost = dict(n, state="optimized-out")
    by_gdb = dict(n, optimized_out=True)
    part = dict(n, state="partial", value="{a = 1, b = <optimized out>}")
    unreturned = dict(n, state="unavailable", why="a system call has not returned yet")
    for ours, theirs, want in (
            (known_5, known_5, compare.SAME), (known_5, dict(n, value="6"), compare.DIFFERENT),
            (lost, known_5, compare.GDB_ONLY), (known_5, by_gdb, compare.OURS_ONLY),
            (unreturned, dict(n, value="18446744073709551102"), compare.UNRETURNED),
            (unreturned, known_5, compare.GDB_ONLY),
            (lost, by_gdb, compare.UNKNOWN), (part, part, compare.SAME),
            (part, dict(n, value="{a = 1, b = 22}"), compare.PART),
            (part, dict(n, value="{a = 2, b = 22}"), compare.DIFFERENT),
            (dict(n, value="0x10 <not captured>"), dict(n, value='0x10 "t"'), compare.PART),
            (dict(n, value="0x10"), dict(n, value='0x10 "t"'), compare.PART),
            (dict(n, value='0x10 "s"'), dict(n, value='0x10 "t"'), compare.DIFFERENT),
            (dict(n, value="0x10"), dict(
                n, value="0x10 <error: Cannot access memory at address 0x10>"), compare.SAME),
            (dict(n, value="0x10"), dict(n, value="0x10 <f+1>"), compare.NO_SYMBOL),
            (dict(n, value="0x10 <f+1>"), dict(n, value="0x10 <f(int)+1>"), compare.NO_SYMBOL),
            (dict(n, value="0x10 <__write>"), dict(n, value="0x10 <__GI___libc_write>"),
             compare.NO_SYMBOL),
            (dict(n, value="0x10 <f.cold+6>"), dict(n, value="0x10 <f-90>"), compare.NO_SYMBOL),
            (dict(n, value="0x10 <f+6>"), dict(n, value="0x10 <f+5>"), compare.DIFFERENT),
            (dict(n, value="0x10 <g>"), dict(n, value="0x10 <f>"), compare.DIFFERENT),
            (dict(n, value="{1, 2..."), dict(n, value="{1, 22}"), compare.PART),
            (dict(n, value="{0x10 <f+1>, 0x20 <g..."), dict(n, value="{0x10 <f+1>, 0x20 <gg>, 3}"),
             compare.PART),
            (dict(n, value="{0x10 <f+1>, 0x20 <g..."), dict(n, value="{0x10 <f+1>, 0x21 <gg>, 3}"),
             compare.DIFFERENT),
            (dict(n, value="0x10"), dict(n, value='0x10 "a < b"...'), compare.PART),
            (dict(n, value="{<a::b<int *>> = {x = 1}}"), dict(n, value="{<a::b<int*>> = {x = 1}, }"),
             compare.SAME),
            (dict(n, value="{1, 3..."), dict(n, value="{1, 22}"), compare.DIFFERENT)):
        tally = compare.compare(frames(ours), gdbs(theirs))
        if tally.count != {want: 1}:
            yield "the check says %s of %s and %s, not %s" % (dict(tally.count), ours, theirs, want)
    for ours, theirs, want in (((), (known_5,), compare.MISSING), ((known_5,), (), compare.EXTRA)):
        if compare.compare(frames(*ours), gdbs(*theirs)).count != {want: 1}:
            yield "the check misses what is %s" % want
    if not compare.compare({1: [{"pc": "0x11", "variables": []}]}, gdbs()).lone:
        yield "the check takes another frame for the same"
    yield from check_clobbered(known_5)
    explained = {"size": 16, "location": "multi-location:\n"
                 "  Range 0x10-0x20: a variable in $rbp [8-byte piece]\n"
                 "  Range 0x20-0x30: a variable in $rbp [8-byte piece], and a variable in $rax "
                 "[8-byte piece]\n"}
    if not compare.is_short(explained, 0x1f) or compare.is_short(explained, 0x20):
        yield "the check is wrong about pieces that are less than the object"
    yield from check_entry(known_5)


def check_entry(item):
    """What gdb has of an inlined function's variable, and of the function around it."""
    explained = {"location": "multi-location:\n  Base address 0x10  Range 0x10-0x20: a variable in "
                 "$r13\n  Range 0x20-0x30: a complex DWARF expression:\n     0: DW_OP_entry_value\n"}
    if compare.is_entry(explained, 0x1f) or not compare.is_entry(explained, 0x20):
        yield "the check is wrong about what the caller passed"
    for around, want in (("5", True), ("7", False)):
        frames = [{"pc": 16, "function": "f", "inline": inline,
                   "variables": [{"name": "n", "kind": "local", "value": value}]}
                  for inline, value in ((True, "6"), (False, around))]
        theirs = {"threads": [{"tid": 1, "frames": frames}]}
        ours = {1: [{"pc": "0x10", "inline": inline, "variables": [dict(item, value=value)]}
                    for inline, value in ((True, "5"), (False, around))]}
        findings = compare.compare(ours, theirs).findings
        if [compare.may_be_entry(found, theirs) for found in findings] != [want]:
            yield "the check is wrong about a function around an inlined one"


def check_clobbered(item):
    """A value of a caller that follows the innermost frame's registers."""
    ours = {1: [{"pc": "0x10", "variables": [item]}, {"pc": "0x20", "variables": [item]}]}

    def gdbs(value):
        return {"threads": [{"tid": 1, "frames": [
            {"pc": pc, "function": "f", "inline": False,
             "variables": [{"name": "n", "kind": "local", "value": value}]} for pc in (16, 32)]}]}

    count = compare.compare(ours, gdbs("5"), gdbs("6")).count
    if count != {compare.SAME: 1, compare.CLOBBERED_TOO: 1}:
        yield "the check says %s of a register that callees need not keep" % dict(count)


class Group:
    """The tallies of moments that stand in one line of the table."""

    def __init__(self):
        self.moments = 0
        self.core = compare.Tally()
        self.snapshots = collections.defaultdict(compare.Tally)
        self.bytes, self.seconds = collections.Counter(), collections.Counter()


def take_mistakes(moment, theirs, tally, directory, options):
    """
    What gdb made of pieces that are less than the object is no value; nor is what the caller passed
    where gdb takes another for the caller.
    """
    short = [found for found in tally.findings if compare.may_be_short(found)]
    entries = [found for found in tally.findings if compare.may_be_entry(found, theirs)]
    if not short + entries:
        return
    for found, explained in zip(short + entries, moments.explained(moment, short + entries,
                                                                   directory, options.gdb)):
        pc = found.pc - (0 if found.level[1] == 0 else 1)
        if found in entries and compare.is_entry(explained, pc):
            tally.now(found, compare.ENTRY)
        elif found in short and compare.is_short(explained, pc):
            tally.now(found, compare.SHORT)


def judge(tools, moment, directory, group, options):
    """Compares one moment; yields what is wrong."""
    theirs, other = moment.gdb()
    group.moments += 1
    for kind, path in (("core", moment.core), *moment.snapshots.items()):
        lines, seconds = moments.told(tools, moment, path)
        tally = compare.compare(compare.samples_of(lines), theirs, other)
        take_mistakes(moment, theirs, tally, directory, options)
        (group.core if kind == "core" else group.snapshots[kind]).add(tally)
        group.bytes[kind] += os.path.getsize(path)
        group.seconds[kind] += seconds
        for text in tally.lone:
            print("%s, %s: %s" % (moment.title, kind, text))
        failures = [found for found in tally.findings if found.verdict in compare.FAILURES]
        if failures:
            yield "%s, %s: %d are not gdb's" % (moment.title, kind, len(failures))
        show(moment, kind, (tally.findings if options.all else failures)[:options.list], directory,
             options)


def show(moment, kind, findings, directory, options):
    """With the locations, where a few are to be looked at."""
    locations = [{"location": ""}] * len(findings)
    if findings and not options.all:
        locations = moments.explained(moment, findings, directory, options.gdb)
    for found, explained in zip(findings, locations):
        print("%s, %s: %s: %s at %#x, thread %d frame %d: %s %s\n  ours %s\n  gdb  %s" % (
            moment.title, kind, found.verdict, found.function, found.pc, *found.level, found.type,
            found.name, shown(found.ours), shown(found.gdb)))
        if explained["location"]:
            print("  " + explained["location"].strip().replace("\n", "\n  "))


def shown(item):
    """What is told of a variable: its value, or why there is none."""
    if item is None:
        return "nothing"
    return item.get("value") or " ".join("%s %s" % (key, item[key]) for key in item
                                         if key not in ("name", "kind", "type", "line"))


def print_line(name, moments_count, tally):
    gdb_only = ", ".join("%d %s" % (count, reason) for reason, count in
                         tally.reasons[compare.GDB_ONLY].most_common(6))
    counts = [tally.count[key] for key in compare.VERDICTS]
    print("| %s | %d | %d | %.2f%% | %s | %s |" % (
        name, moments_count, tally.known_by_gdb(), tally.share(),
        " | ".join(map(str, counts)), gdb_only))


def print_table(groups):
    print("| group | moments | known by gdb | known | %s | gdb only, by our reason |" %
          " | ".join(compare.VERDICTS))
    print("|---|" + "---:|" * (3 + len(compare.VERDICTS)) + "---|")
    for name, group in groups.items():
        print_line(name, group.moments, group.core)
        for kind, tally in group.snapshots.items():
            print_line("%s, %s" % (name, kind), group.moments, tally)
        print("%s: each %s" % (name, ", ".join(
            "%s %d bytes, %.3f s" % (kind, size // group.moments,
                                     group.seconds[kind] / group.moments)
            for kind, size in group.bytes.items())))


def wanted(text, options):
    return not options.only or any(set(words.split("+")) <= set(text.split())
                                   for words in options.only.split(","))


def matrix():
    for arch in (X86_64, I386, ARMHF, ARM64):
        for language in ("c", "cxx"):
            for compiler in known.COMPILERS:
                if arch != X86_64 and language == "cxx" and compiler == "clang":
                    continue  # clang would need the other machine's C++ headers
                for level in LEVELS:
                    for dwarf in ("-gdwarf-4", "-gdwarf-5"):
                        for place in (("-pie", "-fPIE"), ("-no-pie",)) if arch == X86_64 else ((),):
                            yield Build(arch, language, compiler, level, (dwarf, *place))
    if shutil.which("rustc"):
        for level in LEVELS:
            for dwarf in ("4", "5"):
                yield Build(X86_64, "rust", "rustc", level, ("-Cdwarf-version=" + dwarf,))


def native(tools, builds, directory, options):
    """Moments of builds that run here."""
    started = []
    for build in builds:
        exe = moments.make(build, directory)
        for seed in SEEDS if options.matrix else SEEDS[:1]:
            started.append((moments.title(build), build.level, exe, [exe, seed],
                            moments.says_ready, {}))
    return moments.of_processes(tools, directory, started, options.pointees)


def emulated(build, directory):
    exe = moments.make(build, directory)
    for seed in SEEDS:
        yield moments.of_emulated(directory, moments.title(build), build.level, exe, build.arch,
                                  ["abort", seed])


def group_of(moment_title):
    """The line of the table: all but the DWARF version and the place."""
    return " ".join(moment_title.split()[:4])


def check(tools, found, directory, groups, options, name=group_of):
    if not found:
        return
    crashes = moments.gdb([moment.job() for moment in found], directory, options.gdb)
    if crashes:
        print("gdb died %d times" % crashes)
    for moment in found:
        yield from judge(tools, moment, directory, groups[name(moment.title)], options)
        moment.remove()


def check_builds(tools, directory, groups, options):
    for build in filter(lambda build: wanted(moments.title(build), options), matrix()):
        print(moments.title(build), file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=directory) as work:
            if build.arch in moments.EMULATORS:
                for moment in emulated(build, work):
                    yield from check(tools, [moment], work, groups, options)
            else:
                yield from check(tools, native(tools, [build], work, options), work, groups, options)


def check_kernels(tools, directory, groups, options):
    """What Debian's kernels for ARM, AArch64 and RISC-V and cgsnap there say of one stop."""
    missing = emulator.available(*arm.NATIVE)
    if missing:
        print("%s: kernels are not compared" % missing)
        return
    for kernel, isas in arm.NATIVE.items():
        chosen = [(isa, build) for isa in isas for build in kernels.builds(isa)
                  if wanted(kernels.title(isa, build), options)]
        if not chosen:
            continue
        print("kernel", kernel, file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(dir=directory) as work:
            taken = iter(kernels.of_kernel(kernel, chosen, work))
            while batch := list(itertools.islice(taken, BATCH)):
                yield from check(tools, batch, work, groups, options, kernels.group_of)


def check_stops(tools, directory, groups, options, program, **how):
    """A program that is stopped anywhere."""
    print(program[0], file=sys.stderr, flush=True)
    taken = moments.of_stops(tools, directory, program, options.stops, options.pointees, **how)
    while batch := list(itertools.islice(taken, BATCH)):
        yield from check(tools, batch, directory, groups, options)


def check_untuned(tools, directory, groups, options):
    """
    Debian's Python and valgrind with their debug files; cgunwind, where it is built with debug
    information.
    """
    python = [PYTHON, "-c", SCRIPT]
    if wanted("python3.11 - Debian -O2", options):
        program = ("python3.11 - Debian -O2", "-O2", PYTHON, python, moments.begins)
        yield from check_stops(tools, directory, groups, options, program)
    if wanted("valgrind - Debian -O2", options):
        yield from check_valgrind(tools, directory, groups, options, python)
    exe = os.path.join(tools, "cgunwind")
    if not wanted("cgunwind - gcc -O2", options):
        return
    if ".debug_info" not in known.check_run(["readelf", "-SW", exe]):
        print("cgunwind has no debug information: not compared")
        return
    core = os.path.join(directory, "read.core")
    with moments.running(python, moments.begins) as process:
        moments.gdb([{"pid": process.pid, "core": core}], directory)
    arguments = [exe, "-f", "json", "--variables=all", core]
    program = ("cgunwind - gcc -O2", "-O2", exe, arguments, lambda process: None)
    yield from check_stops(tools, directory, groups, options, program)


def check_valgrind(tools, directory, groups, options, command):
    """The frames of memcheck itself, which no file of the program that it runs says anything of."""
    if not os.path.exists(MEMCHECK):
        print("no %s: not compared" % MEMCHECK)
        return
    moment = random.Random(1)  # any, but the same each time

    def runs(process):
        known.wait_until(lambda: os.readlink("/proc/%d/exe" % process.pid) == MEMCHECK, "valgrind")
        time.sleep(moment.uniform(0, MEMCHECK_SECONDS))

    arguments = ["valgrind", "-q", "--vgdb=no", *command]
    program = ("valgrind - Debian -O2", "-O2", MEMCHECK, arguments, runs)
    yield from check_stops(tools, directory, groups, options, program, runs_others=True)


def test(tools, *arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--list", type=int, default=10)
    parser.add_argument("--stops", type=int, default=20)
    parser.add_argument("--pointees", type=int, default=0)
    parser.add_argument("--gdb", default="gdb-multiarch")
    options = parser.parse_args(arguments)
    known.need("gcc", "g++", "clang", options.gdb)
    failures = list(check_the_check())
    groups = collections.defaultdict(Group)
    with tempfile.TemporaryDirectory(prefix="cg-variables-") as directory:
        if options.matrix:
            failures += check_builds(tools, directory, groups, options)
            failures += check_kernels(tools, directory, groups, options)
            failures += check_untuned(tools, directory, groups, options)
        else:
            failures += check(tools, native(tools, FEW, directory, options), directory, groups,
                              options)
    print_table(groups)
    total = compare.Tally()
    for group in groups.values():
        total.add(group.core)
    if total.share() < FLOOR:
        failures.append("%.2f %% of what gdb knows is known, not %.0f" % (total.share(), FLOOR))
    if not options.only and total.known_by_gdb() < LEAST:
        failures.append("gdb knows %d values only" % total.known_by_gdb())
    return failures


if __name__ == "__main__":
    known.main(test)
