#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Debian's own ARM programs, stripped as shipped, at work in emulated kernels: how many chains reach the thread's start.

usage: arm_real.py BUILD-DIRECTORY [arm64|armhf] [--keep DIRECTORY]

python3 and sqlite3 of the armhf and arm64 archives run under their kernels while cgsnap captures them. cgunwind has the packages' files and no
debug files. Beside it stands what gdb-multiarch finds with the same files in core files of the same programs. With the debug files
of python3 and of the C library the chains have to be the same, and have names.
"""

import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus"))
import arm
import cases
import emulator
import known
import tools as corpus_tools

FLOOR = 98.0
CORES = 4
PACKAGES = ("python3.11-minimal", "libpython3.11-minimal", "libexpat1", "zlib1g", "libc6", "libgcc-s1", "sqlite3", "libsqlite3-0",
            "libreadline8", "libtinfo6")
DEBUG_PACKAGES = ("python3.11-dbg", "libc6-dbg")
SAME, NAMED = 0.98, 99.0
ENTRY_BYTES = 96  # of _start
CLONE = ("clone", "__clone", "thread_start", "__thread_start")
PYTHON = """
import re, collections
def fib(n): return n if n < 2 else fib(n - 1) + fib(n - 2)
class Node:
    def __init__(self, value): self.value, self.next = value, None
text = " ".join(str(i * 7919 % 1000) for i in range(2000))
while True:
    fib(12)
    collections.Counter(re.findall(r"[0-9]+", text))
    sorted(text.split(), key=lambda word: (len(word), word[::-1]))
    {str(i): [Node(i)] for i in range(500)}
    "".join(map(chr, range(300))).encode().hex()
"""
SQL = """
create table t(a integer, b text, c real);
create index i on t(b, a);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000000)
insert into t select i % 5000 + random() % 9, hex(i * 7919), i / 3.0 from n where (select count(*) from t where b like '%7%') < 100000;
"""
PROGRAMS = {"python3": "usr/bin/python3.11", "sqlite3": "usr/bin/sqlite3"}
SCRIPT = """
ulimit -c unlimited
echo /tmp/core >/proc/sys/kernel/core_pattern
run() {
    name=$1; shift
    "$@" >/out/$name.output 2>&1 &
    pid=$!
    sleep 2
}
for stop in %(stops)s; do
    run python3 /usr/bin/python3.11 /work/run.py
    [ $stop != 0 ] || /bin/cgsnap -p $pid -F 47 -n 200 -o /out/python3.snap
    usleep $((100000 + RANDOM * 10)); kill -ABRT $pid; wait $pid; mv /tmp/core /out/python3.$stop.core
    run sqlite3 /usr/bin/sqlite3 :memory: '.read /work/run.sql'
    [ $stop != 0 ] || /bin/cgsnap -p $pid -F 47 -n 200 -o /out/sqlite3.snap
    usleep $((100000 + RANDOM * 10)); kill -ABRT $pid; wait $pid; mv /tmp/core /out/sqlite3.$stop.core
done
"""
GDB = """
import gdb, re
good = 0
for core in %(cores)r:
    gdb.execute("core-file " + core, to_string=True)
    entry = int(re.search(r"AT_ENTRY.* (0x[0-9a-f]+)", gdb.execute("info auxv", to_string=True))[1], 16) & ~1
    frame, pc = gdb.newest_frame(), 0
    try:
        while frame is not None:
            pc, frame = frame.pc(), frame.older()
    except gdb.error:
        pass
    good += entry <= pc < entry + 96
print("RESULT %%d" %% good)
"""


def by_gdb(program, root, cores, directory):
    """How many of the core files' chains reach the program's entry in gdb, with the same files."""
    script = os.path.join(directory, "real.gdb.py")
    with open(script, "w") as file:
        file.write(GDB % {"cores": cores})
    command = ["gdb-multiarch", "-nx", "-batch", "-iex", "set auto-load off", "-iex", "set debuginfod enabled off"]
    for setting in ("sysroot " + root, "debug-file-directory /nonexistent", "backtrace past-main on"):
        command += ["-ex", "set " + setting]
    command += ["-ex", "file " + os.path.join(root, program), "-ex", "source " + script]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    for line in done.stdout.splitlines():
        if line.startswith("RESULT "):
            return int(line.split()[1])
    raise cases.Failure("gdb: " + (done.stdout + done.stderr)[-2000:])


def unwind(cgunwind, root, snapshot, *options):
    """The samples, as cgunwind prints them."""
    command = [cgunwind, "-f", "json", "--no-inline", "--sysroot", root, *(options or ("--debug-dir", root)), snapshot]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    if done.returncode != 0:
        raise cases.Failure("cgunwind: " + done.stderr.strip())
    return [item for item in map(json.loads, done.stdout.splitlines()) if item["type"] == "sample"]


def entry(path):
    text = subprocess.run(["readelf", "-hW", path], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"Entry point address: *0x([0-9a-f]+)", text)[1], 16) & ~1


def reaches_start(sample, program, entry_vaddr):
    """Does the chain say that it is complete, and end in the program's entry or where the C library starts threads?"""
    last = sample["frames"][-1]
    if sample["stop"] != cases.STOP or "vaddr" not in last:
        return False
    return last.get("function", "").split("@")[0] in CLONE or (
        last["module"] == "/" + program and 0 <= int(last["vaddr"], 16) - entry_vaddr < ENTRY_BYTES)


def pcs(sample):
    return [frame["pc"] for frame in sample["frames"]]


def named(samples):
    frames = [frame for sample in samples for frame in sample["frames"]]
    return 100.0 * sum("function" in frame for frame in frames) / max(1, len(frames))


def check_names(cgunwind, arch, root, snapshot, without):
    """With the debug files: the same chains, with names."""
    options = []
    for directory in emulator.packages(arch, *DEBUG_PACKAGES):
        options += ["--debug-dir", os.path.join(directory, "usr", "lib", "debug")]
    samples = unwind(cgunwind, root, snapshot, *options)
    same = sum(pcs(a) == pcs(b) for a, b in zip(samples, without))
    print("%s python3: with debug files %d of %d chains are the same; frames with a name %.1f %%, without %.1f %%" % (
        arch, same, len(samples), named(samples), named(without)))
    if len(samples) != len(without) or same < SAME * len(samples) or named(samples) < NAMED:
        return ["%s python3: not the same chains with debug files, or without names" % arch]
    return []


def check_kernel(tools, arch, output):
    root = os.path.join(output, "root-" + arch)
    shutil.rmtree(root, ignore_errors=True)
    for directory in emulator.packages(arch, *PACKAGES):
        for top in ("lib", "usr"):
            if os.path.isdir(os.path.join(directory, top)):
                shutil.copytree(os.path.join(directory, top), os.path.join(root, top), symlinks=True, dirs_exist_ok=True,
                                ignore=shutil.ignore_patterns("doc", "man", "locale", "gconv", "__pycache__"))
    agent = corpus_tools.capture.agent(arch)
    files = {"bin/cgsnap": agent, "lib": os.path.join(root, "lib"), "usr": os.path.join(root, "usr"),
             "work/run.py": PYTHON.encode(), "work/run.sql": SQL.encode()}
    result = os.path.join(output, "real-" + arch)
    emulator.run(arch, files, SCRIPT % {"stops": " ".join(map(str, range(CORES)))}, result, counted=True)
    cgunwind, failures = os.path.join(tools, "cgunwind"), []
    for name, program in PROGRAMS.items():
        snapshot = os.path.join(result, name + ".snap")
        if not os.path.exists(snapshot):
            with open(os.path.join(result, "log")) as file:
                raise cases.Failure("no snapshot of %s: %s" % (name, file.read()[-1500:]))
        samples = unwind(cgunwind, root, snapshot)
        entry_vaddr = entry(os.path.join(root, program))
        percent = 100.0 * sum(reaches_start(sample, program, entry_vaddr) for sample in samples) / max(1, len(samples))
        print("%s %s: %d samples, %.2f %% reach the thread's start; %s" % (
            arch, name, len(samples), percent, dict(collections.Counter(sample["stop"] for sample in samples))))
        cores = [os.path.join(result, "%s.%d.core" % (name, stop)) for stop in range(CORES)]
        cores = [core for core in cores if os.path.exists(core)]
        print("%s %s: gdb reaches it in %d of %d core files" % (arch, name, by_gdb(program, root, cores, output), len(cores)))
        if percent < FLOOR or len(samples) < 100:
            failures.append("%s %s: %.2f %% of %d samples" % (arch, name, percent, len(samples)))
        if name == "python3":
            failures += check_names(cgunwind, arch, root, snapshot, samples)
    return failures


def test(tools, *arguments):
    reason = emulator.available()
    if reason:
        known.skip(reason)
    kernels, keep = arm.kept(arguments)
    output = keep or tempfile.mkdtemp(prefix="cg-real-")
    try:
        return sum((check_kernel(tools, arch, output) for arch in kernels), [])
    except (cases.Failure, emulator.Failure) as failure:
        return [str(failure)]
    finally:
        if not keep:
            shutil.rmtree(output)


if __name__ == "__main__":
    known.main(test)
