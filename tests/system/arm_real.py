#!/usr/bin/env python3
"""Debian's own ARM programs, stripped as shipped, at work in emulated kernels: how many chains reach the thread's start.

usage: arm_real.py BUILD-DIRECTORY [--keep DIRECTORY [armhf|arm64]]

python3 and sqlite3 of the armhf and arm64 archives run under their kernels while cgsnap captures them. cgunwind has the packages' files and no
debug files. Beside it stands what gdb-multiarch finds with the same files in core files of the same programs.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "corpus"))
import cases
import emulator
import known
import tools as corpus_tools

FLOOR = 98.0
CORES = 4
PACKAGES = ("python3.11-minimal", "libpython3.11-minimal", "libexpat1", "zlib1g", "libc6", "libgcc-s1", "sqlite3", "libsqlite3-0",
            "libreadline8", "libtinfo6")
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


def unwind(cgunwind, root, snapshot):
    """(samples, those whose chain reaches the thread's start, {stop reason: count})"""
    command = [cgunwind, "-f", "json", "--sysroot", root, "--debug-dir", os.path.join(root, "none"), snapshot]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    if done.returncode != 0:
        raise cases.Failure("cgunwind: " + done.stderr.strip())
    samples = [item for item in map(json.loads, done.stdout.splitlines()) if item["type"] == "sample"]
    stops = {}
    for sample in samples:
        stops[sample["stop"]] = stops.get(sample["stop"], 0) + 1
    return len(samples), stops


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
    emulator.run(arch, files, SCRIPT % {"stops": " ".join(map(str, range(CORES)))}, result, timeout=250)
    failures = []
    for name, program in PROGRAMS.items():
        snapshot = os.path.join(result, name + ".snap")
        if not os.path.exists(snapshot):
            with open(os.path.join(result, "log")) as file:
                raise cases.Failure("no snapshot of %s: %s" % (name, file.read()[-1500:]))
        count, stops = unwind(os.path.join(tools, "cgunwind"), root, snapshot)
        percent = 100.0 * stops.get(cases.STOP, 0) / max(1, count)
        print("%s %s: %d samples, %.2f %% reach the thread's start; %s" % (arch, name, count, percent, stops))
        cores = [os.path.join(result, "%s.%d.core" % (name, stop)) for stop in range(CORES)]
        cores = [core for core in cores if os.path.exists(core)]
        print("%s %s: gdb reaches it in %d of %d core files" % (arch, name, by_gdb(program, root, cores, output), len(cores)))
        if percent < FLOOR or count < 100:
            failures.append("%s %s: %.2f %% of %d samples" % (arch, name, percent, count))
    return failures


def test(tools, option=None, keep=None, only=None):
    reason = emulator.available()
    if reason:
        known.skip(reason)
    output = keep if option == "--keep" else tempfile.mkdtemp(prefix="cg-real-")
    try:
        return sum((check_kernel(tools, arch, output) for arch in cases.KERNELS if not only or arch == only), [])
    except (cases.Failure, emulator.Failure) as failure:
        return [str(failure)]
    finally:
        if option != "--keep":
            shutil.rmtree(output)


if __name__ == "__main__":
    known.main(test)
