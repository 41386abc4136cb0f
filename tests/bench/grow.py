# SPDX-License-Identifier: MIT
"""How cost grows: time and peak memory of cgunwind over samples, depth, threads and modules; plots and exponents."""

import math
import os
import shutil
import statistics

import inputs
import plot
from measure import Missing
from stages import LIMIT, check

DEPTH = 24     # of the samples where depth is not what varies
PLUGIN_PATH = 20  # modules that a chain goes through, where modules vary

# name -> (quick, full): the sizes
AXES = {
    "samples": ([1000, 10000, 100000], [1000, 3000, 10000, 30000, 100000, 300000, 1000000]),
    "depth": ([10, 100, 1000], [10, 30, 100, 300, 1000]),
    "threads": ([10, 100, 1000], [1, 10, 30, 100, 300, 1000]),
    "modules": ([10, 100], [10, 30, 100, 200, 500]),
}


def base_snapshot(bench, depth):
    """Real samples of the deep program at this depth."""
    path = bench.path(f"base-{depth}.snap")
    if not inputs.is_made(path, bench.build):
        inputs.make_snapshot(bench.build, path, [bench.tool("deep"), "run", "2", str(depth), "30"], ["-F", "499", "--overhead", "100", "-d", "2"])
    return path


def plugin_snapshot(bench, count):
    """Real samples of a process that has mapped so many copies of a library; each is a file of its own."""
    directory = bench.path("plugins")
    os.makedirs(directory, exist_ok=True)
    for i in range(count):
        file = os.path.join(directory, f"plugin{i}.so")
        if not os.path.exists(file):
            shutil.copy(bench.tool("libplugin.so"), file)
    path = bench.path(f"modules-{count}.snap")
    if not inputs.is_made(path, bench.build):
        inputs.make_snapshot(bench.build, path, [bench.tool("deep"), "plugins", "60", str(PLUGIN_PATH), directory, str(count)], ["-F", "499", "--overhead", "100", "-d", "2"], wait=None)
    return path


def grown(bench, base, samples, threads):
    path = bench.path("grown.snap")
    check([bench.tool("bench_grow"), base, path, str(samples), str(threads)])
    return path


def make(bench, axis, size):
    """The snapshot of one point."""
    if axis == "samples":
        return grown(bench, base_snapshot(bench, DEPTH), size, 8)
    if axis == "depth":
        return grown(bench, base_snapshot(bench, size), 2000, 8)
    if axis == "threads":
        return grown(bench, base_snapshot(bench, DEPTH), 20000, size)
    return grown(bench, plugin_snapshot(bench, size), 20000, 8)


def exponent(sizes, values):
    """The slope of log value over log size, by least squares over the upper decade: below it the start dominates."""
    points = [(math.log(s), math.log(v)) for s, v in zip(sizes, values) if s * 10 >= sizes[-1] and v > 0]
    if len(points) < 2:
        return 0.0
    mean_x = statistics.mean(x for x, _ in points)
    mean_y = statistics.mean(y for _, y in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def grow(bench):
    for axis, sizes in AXES.items():
        if any(word in AXES for word in bench.only) and axis not in bench.only:
            continue
        try:
            grow_axis(bench, axis, sizes[0 if bench.quick else 1])
        except Missing as why:
            bench.results.skip("grow", axis, why)


def grow_axis(bench, axis, sizes):
    times, peaks = [], []
    for size in sizes:
        path = make(bench, axis, size)
        runs = [bench.run([[bench.cgunwind, "-q", "-f", "folded", "--no-inline", path]], 10 * LIMIT) for _ in range(1 if bench.quick else 3)]
        if any(run.status for run in runs):
            raise Missing(f"cgunwind fails at {size:,} {axis}")
        times.append([run.seconds for run in runs])
        peaks.append(max(run.peak_kb for run in runs) / 1024)
        bench.results.value("grow", f"{size:,} {axis}", "s", times[-1], note=f"{os.path.getsize(path) / 2**20:,.0f} MiB, peak memory {peaks[-1]:.1f} MiB")
    os.remove(bench.path("grown.snap"))
    medians = [statistics.median(t) for t in times]
    bench.results.value("grow", f"time over {axis}, exponent", "", [exponent(sizes, medians)], "≤ 1.05", "of the upper decade")
    bench.results.value("grow", f"peak memory over {axis}, exponent", "", [exponent(sizes, peaks)], "≤ 1.05", "of the upper decade")
    plot.write(bench.path(f"grow-{axis}.svg"), axis, sizes, {"time, s": medians, "peak memory, MiB": peaks})
