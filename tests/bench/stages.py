# SPDX-License-Identifier: MIT
"""What the benchmark measures: one function for each stage of docs/bench.md."""

import json
import os
import re
import statistics
import subprocess
import sys

import compare_chains
import inputs
from inputs import HERE, pinned
from measure import Missing, Run, alternate, number

PROFILES = ("deep", "python3", "sqlite3", "gzip", "node")
PERF_DEPTH = ["--max-stack", "65535"]  # else perf cuts chains at 127 frames
LIMIT = 120  # seconds that a peer may take


class Bench:
    """What all stages share."""

    def __init__(self, build, directory, results, quick, only):
        self.build, self.directory, self.results, self.quick, self.only = build, directory, results, quick, only
        self.cgunwind = os.path.join(build, "cgunwind")
        self.cgsnap = os.path.join(build, "cgsnap")

    def wants(self, name):
        """Is an input of this name asked for? --only deep gzip: these inputs in all stages."""
        chosen = [word for word in self.only if word in PROFILES]
        return not chosen or name in chosen

    def path(self, name):
        return os.path.join(self.directory, name)

    def tool(self, name):
        return os.path.join(self.build, "bench", name)

    def run(self, commands, limit=LIMIT):
        return Run(self.tool("bench_run"), commands, limit)


def check(command):
    """The command's output, which is to work: else the stage is left out, with its message."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        program = command[len(pinned(0)) if command[0] == "taskset" else 0]
        raise Missing(f"{os.path.basename(program)} fails: " + (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1])
    return done.stdout


def seconds(runs):
    return [run.seconds for run in runs]


def unwind(bench):
    """Unwinding alone: ours, libdw and libunwind on the same samples in memory."""
    for name in filter(bench.wants, PROFILES):
        try:
            data = inputs.make_perf_data(bench.build, bench.directory, name, bench.quick)
            rounds = 2 if bench.quick else 7
            output = check(pinned(0) + [bench.tool("bench_unwind"), data, str(rounds), "ours", "libdw", "libunwind"])
        except Missing as why:
            bench.results.skip("unwind", name, why)
            continue
        unwind_results(bench, name, [json.loads(line) for line in output.splitlines()])


def unwind_results(bench, name, lines):
    passes, compared = {}, {}
    for line in lines:
        if "pass" in line:
            passes.setdefault((line["unwinder"], line["pass"]), []).append(line["ns"] / max(line["frames"], 1))
        elif "compare" in line:
            compared[line["with"]] = line
        else:
            given = line["input"]
    depth = given["frames"] / given["samples"]
    deep = depth > 100
    shared = given["shared"] / given["frames"]
    note = f"{given['samples']:,} samples, {depth:.1f} frames each, {shared:.1%} of them as in the thread's sample before"
    bench.results.value("unwind", f"{name}, cold", "ns/frame", passes["ours", "cold"], "≤ 250", note)
    bench.results.value("unwind", f"{name}, warm", "ns/frame", passes["ours", "warm"], "≤ 10" if deep else "≤ 25")
    bench.results.value("unwind", f"{name}, warm, with comparing stacks", "ns/frame", passes["ours", "compared"],
                        note="what is unchanged since the thread's sample before is found out while the time is taken")
    bench.results.value("unwind", f"{name}, warm, each sample apart", "ns/frame", passes["ours", "apart"],
                        note="nothing is reused: what an unwound frame costs")
    reused_cost(bench, name, passes, shared, "warm" if given["told"] else "compared")
    rounds = len(passes["ours", "cold"])
    for peer in ("libdw", "libunwind"):
        line = compared[peer]
        total = sum(line[key] for key in ("same", "longer", "shorter", "different"))
        note = f"same chains {line['same'] / total:.2%}, ours longer {line['longer']}, shorter {line['shorter']}, different {line['different']}"
        bench.results.compare("unwind", f"{name}, warm", "ns/frame", per_round(passes["ours", "warm"], rounds), peer,
                              per_round(passes[peer, "warm"], rounds), "≥ 20x", note)
        bench.results.compare("unwind", f"{name}, cold", "ns/frame", passes["ours", "cold"], peer, passes[peer, "cold"])


def per_round(values, rounds):
    """The median of each round's passes."""
    each = len(values) // rounds
    return [statistics.median(values[i * each:(i + 1) * each]) for i in range(rounds)]


def reused_cost(bench, name, passes, shared, kind):
    """whole = shared * reused + (1 - shared) * unwound: where enough is shared, what a reused frame costs."""
    if shared < 0.1:
        return
    rounds = len(passes["ours", "apart"])
    values = [(whole_cost - (1 - shared) * apart) / shared
              for whole_cost, apart in zip(per_round(passes["ours", kind], rounds), passes["ours", "apart"])]
    bench.results.value("unwind", f"{name}, warm, a reused frame", "ns/frame", values,
                        note=f"computed from the lines above{', with comparing stacks' if kind == 'compared' else ''}")


def whole(bench):
    """All of cgunwind against perf script, which prints and does not even fold."""
    for name in filter(bench.wants, PROFILES):
        try:
            inputs.need("perf")
            data = inputs.make_perf_data(bench.build, bench.directory, name, bench.quick)
            check([bench.cgunwind, "-q", "-f", "folded", "-o", "/dev/null", data])
            whole_compare(bench, name, data)
        except Missing as why:
            bench.results.skip("whole", name, why)


def whole_compare(bench, name, data):
    perf = ["perf", "script", "-i", data] + PERF_DEPTH
    pairs = 3 if bench.quick else 7
    ours, theirs = alternate(bench.run, pairs, [[bench.cgunwind, "-q", "-f", "folded", "--no-inline", data]], [perf + ["--no-inline"]])
    stopped = theirs[0].timed_out
    bench.results.compare("whole", f"{name}, no inlines", "s", seconds(ours), "perf script --no-inline", seconds(theirs), "≥ 10x",
                          memory(ours, theirs), stopped)
    ours, theirs = alternate(bench.run, 1 if bench.quick else 3, [[bench.cgunwind, "-q", "-f", "folded", data]], [perf])
    bench.results.compare("whole", f"{name}, inlines", "s", seconds(ours), "perf script", seconds(theirs), "≥ 50x",
                          memory(ours, theirs), theirs[0].timed_out)
    if not stopped:
        whole_chains(bench, name, data, perf)


def memory(ours, theirs):
    return f"peak memory {statistics.median(r.peak_kb for r in ours) / 1024:.0f} and {statistics.median(r.peak_kb for r in theirs) / 1024:.0f} MiB"


def whole_chains(bench, name, data, perf):
    ours, theirs = bench.path(name + ".json"), bench.path(name + ".script")
    check([bench.cgunwind, "-q", "-f", "json", "--no-inline", "-o", ours, data])
    with open(theirs, "w") as file:
        subprocess.run(perf + ["--no-inline", "--ns", "-F", "comm,tid,time,ip,sym"], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.DEVNULL, check=True)
    counts, only_ours, only_perf, lines = compare_chains.report(ours, theirs)
    total = sum(counts.values())
    if not total:
        raise Missing(f"no sample is in both: {only_ours} ours, {only_perf} perf's")
    with open(bench.path(name + ".chains.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    agree = sum(counts[key] for key in compare_chains.AGREE)
    classes = ", ".join(f"{compare_chains.CLASSES[key]}: {count}" for key, count in counts.items() if count and key not in compare_chains.AGREE)
    bench.results.value("whole", f"{name}, chains as perf's", "%", [100 * agree / total], "≥ 99.9",
                        (f"of {total}; {classes}; " if classes else f"of {total}; ") + f"only ours {only_ours}, only perf's {only_perf}")
    bench.results.value("whole", f"{name}, chains as perf's as far as perf goes", "%", [100 * (agree + counts["perf-early"]) / total], "≥ 99.9")
    os.remove(ours)
    os.remove(theirs)


# What symbolize.py prints, by the end of the name: peer, unit, scale, what is wanted.
SYMBOLIZED = {
    "time-llvm": ("llvm-symbolizer", "s", 1, "≥ 3x"),
    "time-addr2line": ("addr2line -i", "s", 1, "≥ 5x"),
    "memory-llvm": ("llvm-symbolizer", "MiB", 1024, "≥ 2x"),
}


def symbolize(bench):
    """Names, lines and inlines of addresses, by symbolize.py: lines of NAME OURS PEER RATIO."""
    script, program = os.path.join(HERE, "symbolize.py"), bench.tool("symbolize")
    files, why = inputs.symbol_files(bench.directory)
    if why:
        bench.results.skip("symbolize", "sqlite3", why)
    if not os.path.exists(script) or not os.path.exists(program) or not files:
        bench.results.skip("symbolize", "names, lines, inlines", "tests/bench/symbolize.* are not there" if files else "there is no file to ask about")
        return
    few = {"CG_PAIRS": "2", "CG_COUNT": "10000"} if bench.quick else {}
    done = subprocess.run([sys.executable, script, program] + files, env={**os.environ, **few}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    pairs = dict(re.findall(r"^symbolize-(\S+): (pairs from .*)$", done.stderr, re.MULTILINE))
    for line in done.stdout.splitlines():
        symbolize_result(bench, line, pairs)
    print("".join(f"  {line}\n" for line in done.stderr.splitlines() if "pairs from" not in line), end="")
    if done.returncode != 0:
        bench.results.skip("symbolize", "names, lines, inlines", (["fails"] + (done.stdout + done.stderr).strip().splitlines())[-1])


def symbolize_result(bench, line, pairs):
    match = re.match(r"symbolize-(\w+)-(\w+)-(\S+) ([\d.]+) (>?)([\d.]+) ", line)
    if not match:
        print("  " + line)
        return
    file, order, kind = match[1], match[2], match[3]
    ours, theirs = float(match[4]), float(match[6])
    if kind in SYMBOLIZED:
        peer, unit, scale, wanted = SYMBOLIZED[kind]
        what = "peak memory" if unit == "MiB" else "CPU time"
        note = pairs.get(f"{file}-{order}", "") if kind == "time-llvm" else ""
        bench.results.compare("symbolize", f"{file}, {order}, {what}", unit, [ours / scale], peer, [theirs / scale], wanted, note, bool(match[5]))
    else:
        bench.results.value("symbolize", f"{file}, {order}, {kind} with llvm-symbolizer", "%", [100 * ours / theirs],
                            "≥ 99.9" if kind.endswith("explained") else "", f"of {theirs:,.0f} addresses")


def count_frames(command):
    return len(re.findall(r"^#\d+ ", check(command), re.MULTILINE))


def live(bench):
    """One picture of a running process of 9 threads, against eu-stack; on CPU 0, the watching thread on CPU 1."""
    try:
        inputs.need("eu-stack")
        process = inputs.Live(bench.build, bench.directory)
    except Missing as why:
        bench.results.skip("live", "9 threads", why)
        return
    try:
        live_times(bench, process)
        live_pauses(bench, process)
    except Missing as why:
        bench.results.skip("live", "9 threads", why)
    finally:
        process.close()


def live_commands(bench, process):
    snap, pid = bench.path("live.snap"), str(process.pid)
    capture = pinned(0) + [bench.cgsnap, "-q", "-n", "1", "-p", pid, "-o", snap]
    return snap, capture, pinned(0) + ["eu-stack", "-n", "0", "-p", pid]


def live_times(bench, process):
    snap, capture, stack = live_commands(bench, process)
    pairs = 5 if bench.quick else 25
    check(capture)
    frames = count_frames([bench.cgunwind, "-q", "--no-inline", "-f", "chains", snap]), count_frames(stack)
    note = f"frames {frames[0]} and {frames[1]}"
    for what, ours, theirs in (("names", ["-f", "folded", "--no-inline"], []), ("names, lines, inlines", ["-f", "chains"], ["-s", "-i"])):
        mine, peer = alternate(bench.run, pairs, [capture, pinned(0) + [bench.cgunwind, "-q"] + ours + [snap]], [stack + theirs])
        bench.results.compare("live", f"9 threads, {what}", "ms", [1000 * s for s in seconds(mine)], "eu-stack", [1000 * s for s in seconds(peer)],
                              "≥ 1x", note)


def live_pauses(bench, process):
    """The longest gap that the watching thread noticed while each of them ran, and while nothing did."""
    _, capture, stack = live_commands(bench, process)
    gaps = {"ours": [], "theirs": [], "nobody": []}
    commands = {"ours": capture, "theirs": stack, "nobody": ["sleep", "0.02"]}
    for i in range(7 if bench.quick else 31):
        for who in (list(gaps) if i % 2 else reversed(list(gaps))):
            process.gap_begin()
            bench.run([commands[who]])
            gaps[who].append(process.gap_ns() / 1000)
    bench.results.compare("live", "pause of a thread", "µs", gaps["ours"], "eu-stack", gaps["theirs"], "≥ 1x",
                          f"the longest gap in a thread's sight of the clock; with nobody there {number(statistics.median(gaps['nobody']))} µs")
    done = subprocess.run([word for word in capture if word != "-q"], capture_output=True, text=True)
    line = re.search(r"stopped ([\d.]+) (\S+) in all, ([\d.]+) (\S+) at (?:most|worst)", done.stderr)
    if line:
        bench.results.value("live", "pauses of all threads, as cgsnap says", line[2], [float(line[1])], note=f"the longest {line[3]} {line[4]}")


def core(bench):
    """A core of 8 threads, against eu-stack and gdb."""
    try:
        inputs.need("eu-stack", "gdb")
        core_times(bench, inputs.make_core(bench.build, bench.directory))
    except Missing as why:
        bench.results.skip("core", "8 threads", why)


def core_times(bench, path):
    program = bench.tool("deep")
    eu_stack = ["eu-stack", "-n", "0", "--core", path, "-e", program]
    gdb = ["gdb", "-nx", "-q", "-batch", "-ex", "thread apply all bt", program, path]
    frames = [count_frames(command) for command in ([bench.cgunwind, "-q", "--no-inline", "-f", "chains", path], eu_stack, gdb)]
    pairs = 5 if bench.quick else 25
    names = [[bench.cgunwind, "-q", "-f", "folded", "--no-inline", path]]
    lines = [[bench.cgunwind, "-q", "-f", "chains", path]]
    for what, ours, peer, theirs, wanted in (
            ("names", names, "eu-stack", eu_stack, "≥ 3x"),
            ("names, lines, inlines", lines, "eu-stack -s -i", eu_stack + ["-s", "-i"], "≥ 3x"),
            ("names, lines, inlines", lines, "gdb", gdb, "≥ 20x")):
        mine, other = alternate(bench.run, pairs if peer != "gdb" else max(3, pairs // 3), ours, [theirs])
        bench.results.compare("core", f"8 threads, {what}", "ms", [1000 * s for s in seconds(mine)], peer, [1000 * s for s in seconds(other)], wanted,
                              f"frames {frames[0]}, {frames[1]} and {frames[2]} (ours, eu-stack, gdb)")


def start(bench):
    """Start-up: one sample of a process that maps node."""
    try:
        path = inputs.make_node_snapshot(bench.build, bench.directory)
        check([bench.cgunwind, "-q", path])
    except Missing as why:
        bench.results.skip("start", "node", why)
        return
    runs = [bench.run([[bench.cgunwind, "-q", path]]) for _ in range(5 if bench.quick else 25)]
    bench.results.value("start", "node, one sample", "ms", [1000 * s for s in seconds(runs)], "≤ 50")
    bench.results.value("start", "node, one sample, peak memory", "MiB", [run.peak_kb / 1024 for run in runs], "≤ 50")
