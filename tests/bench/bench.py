#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures cgunwind and cgsnap beside their peers; see docs/bench.md. Run by scripts/bench, which builds first.

usage: bench.py BUILD [--quick] [--only NAME…] [-o DIR] [--table [FILE]]
  --quick       fewer samples and runs: to see that all works
  --only NAME…  only these stages (unwind whole symbolize live core start grow), these inputs of them (deep python3
                sqlite3 gzip node), or these axes of grow (samples depth threads modules)
  -o DIR        where inputs, plots and results.jsonl go (default BUILD/results, with --quick BUILD/quick)
  --table       measure nothing, print the table of FILE (default: results.jsonl of DIR)
"""

import argparse
import os
import platform
import sys
import time

sys.dont_write_bytecode = True
import grow
import stages
import table
from measure import Results

STAGES = {
    "unwind": stages.unwind,
    "whole": stages.whole,
    "symbolize": stages.symbolize,
    "live": stages.live,
    "core": stages.core,
    "start": stages.start,
    "grow": grow.grow,
}
NAMES = set(STAGES) | set(stages.PROFILES) | set(grow.AXES)


def wanted_stages(only):
    """Names of inputs and axes narrow stages down; alone they stand for the stages that have them."""
    chosen = [name for name in STAGES if name in only]
    if not chosen and any(name in stages.PROFILES for name in only):
        chosen += ["unwind", "whole"]
    if "grow" not in chosen and any(name in grow.AXES for name in only):
        chosen.append("grow")
    return chosen or list(STAGES)


def describe_machine(quick):
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
    load = os.getloadavg()[0]
    return (f"{time.strftime('%Y-%m-%d')}{', --quick' if quick else ''}: {os.cpu_count()} CPUs, {model}, Linux {platform.release()}, "
            f"load {load:.1f} at the start{' (NOT QUIET)' if load > 0.5 else ''}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1], add_help=False)
    parser.add_argument("build")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", default=[], choices=sorted(NAMES), metavar="NAME")
    parser.add_argument("-o", dest="directory")
    parser.add_argument("--table", nargs="?", const="", metavar="FILE")
    parser.add_argument("-h", "--help", action="help")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    directory = os.path.abspath(options.directory or os.path.join(build, "quick" if options.quick else "results"))
    path = os.path.join(directory, "results.jsonl")
    if options.table is not None:
        print(table.table(options.table or path))
        return
    os.makedirs(directory, exist_ok=True)
    results = Results(path)
    bench = stages.Bench(build, directory, results, options.quick, options.only)
    begin = time.monotonic()
    results.add(kind="run", stage="run", what=describe_machine(options.quick))
    for name in wanted_stages(options.only):
        print(f"\n== {table.TITLES[name]} ({time.monotonic() - begin:.0f} s)", flush=True)
        STAGES[name](bench)
    print(f"\n{path}: scripts/bench --table prints it; {time.monotonic() - begin:.0f} s")


main()
