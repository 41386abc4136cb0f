#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""CPU time goes to the phase of a program in which it was used, whatever the rate was then.

usage: phases.py BUILD-DIRECTORY [show [--matrix N] [--scale S] [--only WORD,WORD]]

Four threads compute in one function, then three times as long in another, and tell what CPU time
each has had (tests/programs/phases.c). cgsnap captures all of it with its defaults, and what
cgunwind shows without a weight, as CPU time, and in its texts is compared with that: half the sum
of the differences of the two shares, in points. A sampler that looks more often at the beginning,
or only when threads have a CPU at the right moment, gives the first phase too much.

"show" prints the figures and fails nothing. --matrix takes root and a user without privileges, 99
and 999 Hz, none, two and eight busy loops beside, one CPU and two, N times each; cgsnap has the
same CPUs as the program. --only: those cases whose titles have all of these words, as in
--only root,999Hz,1cpu. --scale: the phases last 3 S and 9 S seconds.
"""

import argparse
import itertools
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections import namedtuple

sys.dont_write_bytecode = True
import known
import weights

FUNCTIONS = ("first_phase", "second_phase")
THREADS = 4
PHASES = (3, 9)  # seconds
BOUND = {"root": 3.0, "user": 5.0}  # points
SHORT = 1 / 3
MATRIX_SCALE = 1 / 4

Case = namedtuple("Case", "who rate load cpus")
QUICK = (Case("root", 99, 2, 2), Case("user", 99, 2, 2))
MATRIX = tuple(map(Case._make, itertools.product(("root", "user"), (99, 999), (0, 2, 8), (1, 2))))

# What one capture shows: points by each way to ask; the share of the CPU time that has a place;
# samples, and the rate at which they were taken.
Result = namedtuple("Result", "points placed samples rate")


def title(case):
    return "%s %dHz %dloops %dcpu" % case


def run_on(case):
    """The prefix of all commands of a case."""
    cpus = sorted(os.sched_getaffinity(0))[:case.cpus]
    return ["taskset", "-c", ",".join(map(str, cpus))]


def is_captured(pid, capture):
    """By this cgsnap, with all its threads; or cgsnap has ended."""
    if capture.poll() is not None:
        return True
    for tid in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, tid), encoding="ascii") as status:
            if "TracerPid:\t%d\n" % capture.pid not in status.read():
                return False
    return True


def let_run(target, capture):
    """What it tells of its functions: {name: ns}."""
    known.wait_until(lambda: is_captured(target.pid, capture), "cgsnap")
    target.stdin.write("go\n")
    target.stdin.flush()
    lines = [target.stdout.readline().split() for _ in FUNCTIONS]
    capture.send_signal(signal.SIGINT)
    errors = capture.communicate()[1]
    if capture.returncode:
        raise known.Failure("cgsnap: " + errors)
    return {line[0]: int(line[1]) for line in lines}


def record(directory, case, scale, path):
    """Captures a run; what the program told."""
    on, user = run_on(case), weights.NOBODY if os.geteuid() == 0 and case.who == "user" else []
    program = [os.path.join(directory, "phases"), str(THREADS), *(str(s * scale) for s in PHASES)]
    capture = [os.path.join(directory, "cgsnap"), "-F", str(case.rate), "-o", path, "-p"]
    with weights.Load(on, case.load), \
         subprocess.Popen([*on, *user, *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, start_new_session=True) as target:
        try:
            if target.stdout.readline() != "ready\n":
                raise known.Failure("phases: not ready")
            with subprocess.Popen([*on, *user, *capture, str(target.pid)], text=True,
                                  stderr=subprocess.PIPE, start_new_session=True) as tracer:
                return let_run(target, tracer)
        finally:
            target.kill()


def shown(tools, path, text):
    """The shares of the functions with what they call, in per cent, as a text has them."""
    column = {"top": 2, "tree": 0}[text]
    shares = dict.fromkeys(FUNCTIONS, 0.0)
    for line in known.check_run([tools + "/cgunwind", "-f", text, path]).splitlines():
        percents = re.findall(r"([\d.]+)%", line)
        for name in FUNCTIONS:
            if re.search(r"\b%s \[" % name, line) and len(percents) > column:
                shares[name] += float(percents[column])
    return shares


def folded(tools, path, *options):
    """What each function has in it."""
    lines = known.check_run([tools + "/cgunwind", "-f", "folded", *options, path]).splitlines()
    amounts = dict.fromkeys(FUNCTIONS, 0)
    for chain, _, amount in (line.rpartition(" ") for line in lines):
        for name in weights.chain_names(chain) & set(FUNCTIONS):
            amounts[name] += int(amount)
    return amounts


def rate_of(tools, path):
    """In Hz, as it was kept."""
    info = known.check_run([tools + "/cgunwind", "--info", path])
    found = re.search(r"^rate +([\d.]+)", info, re.MULTILINE)
    return float(found[1]) if found else 0.0


def look(tools, path, told):
    """What a capture shows, beside what the program told."""
    cpu = folded(tools, path, "--weight", "cpu")
    ways = {"default": folded(tools, path), "cpu": cpu,
            **{text: shown(tools, path, text) for text in ("top", "tree")}}
    samples = sum(folded(tools, path, "--weight", "samples").values())
    return Result({way: weights.off_by(told, amounts) for way, amounts in ways.items()},
                  sum(cpu.values()) / sum(told.values()), samples, rate_of(tools, path))


def measure(tools, directory, case, scale):
    path = os.path.join(directory, "snap")
    if os.path.exists(path):
        os.unlink(path)
    return look(tools, path, record(directory, case, scale, path))


def bound(case):
    """A user without root's rights has one of 5 points, whatever the case is called."""
    return BOUND["root" if os.geteuid() == 0 and case.who == "root" else "user"]


def check(tools, directory, case, scale):
    result = measure(tools, directory, case, scale)
    chance = weights.chance(result.samples)
    points = ", ".join("%.1f (%s)" % (points, way) for way, points in result.points.items())
    print("%s, phases of %.3g and %.3g s: off by %s points (%.1f by chance, %d samples); "
          "%.0f %% of CPU time placed, %.1f Hz"
          % (title(case), *(s * scale for s in PHASES), points, chance, result.samples,
             100 * result.placed, result.rate), flush=True)
    for way, points in result.points.items():
        if points > bound(case) + chance:
            yield "%s: shares by %s are wrong by %.1f points" % (title(case), way, points)


def is_possible(case):
    if len(os.sched_getaffinity(0)) < case.cpus:
        return False
    if case.who == "user" and not weights.may_trace_others():
        print(title(case) + ": left out, as the kernel permits no tracing of others")
        return False
    return True


def show_cell(tools, directory, case, count, scale):
    """One line of the matrix; the results."""
    results = [measure(tools, directory, case, scale) for _ in range(count)]
    placed = [100 * result.placed for result in results]
    rates = [result.rate for result in results]
    points = (tuple(result.points[way] for result in results) for way in results[0].points)
    columns = ["%6.1f%7.1f" % (max(of), statistics.median(of)) for of in points]
    columns.append("%6.0f%7.0f" % (min(placed), max(placed)))
    print("%-24s%s %8.1f" % (title(case), "".join(columns), statistics.median(rates)),
          flush=True)
    return results


def show_matrix(tools, directory, cases, count, scale):
    heads = ("default", "cpu", "top", "tree", "placed")
    print("runs of each: %d; phases of %.3g and %.3g s; points that shares are off by, the worst\n"
          "and the median; per cent of the CPU time that have a place, the least and the most\n"
          "%-24s%s %8s" % (count, *(s * scale for s in PHASES), "",
                           "".join("%13s" % head for head in heads), "Hz"), flush=True)
    results = {case: show_cell(tools, directory, case, count, scale) for case in cases}
    for who in BOUND:
        for way in ("default", "cpu"):
            worst = max(((result.points[way], title(case)) for case in cases if case.who == who
                         for result in results[case]), default=None)
            if worst:
                print("the worst of %s, %s: %.1f points (%s)" % (who, way, *worst))


def arguments_of(words):
    parser = argparse.ArgumentParser(prog="phases.py BUILD-DIRECTORY")
    parser.add_argument("show", nargs="?", choices=["show"])
    parser.add_argument("--matrix", type=int, metavar="N")
    parser.add_argument("--scale", type=float)
    parser.add_argument("--only", default="")
    options = parser.parse_args(words)
    options.scale = options.scale or (MATRIX_SCALE if options.matrix else SHORT)
    return options


def test(tools, *words):
    options = arguments_of(words)
    known.need("taskset", "setpriv")
    wanted = set(filter(None, options.only.split(",")))
    cases = [case for case in (MATRIX if options.matrix else QUICK)
             if wanted <= set(title(case).split()) and is_possible(case)]
    failures = []
    with tempfile.TemporaryDirectory(prefix="cg-phases-") as directory:
        known.program(tools, "phases", directory)
        shutil.copy(os.path.join(tools, "cgsnap"), directory)
        os.chmod(directory, 0o777)
        if options.matrix:
            show_matrix(tools, directory, cases, options.matrix, options.scale)
            return []
        for case in cases:
            found = lambda scale: check(tools, directory, case, scale)
            failures += (found(options.scale) if options.show
                         else weights.confirm(found, options.scale))
    return [] if options.show else failures


if __name__ == "__main__":
    known.main(test)
