#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgunwind --info: what it tells of an input is so, and what is not known is left out.

usage: info.py BUILD-DIRECTORY
"""

import datetime
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known


def info(tools, *arguments, **options):
    return known.check_run([os.path.join(tools, "cgunwind"), "--info", *arguments], **options)


def fields(text):
    """{key: [value, …]}, and the modules' lines by path."""
    found, modules = {}, {}
    for line in text.splitlines():
        if line.startswith("  "):
            path, _, rest = line[2:].partition(": ")
            modules[path.split(", ")[0]] = (path, rest)
        else:
            found.setdefault(line[:10].rstrip(), []).append(line[11:])
    return found, modules


def build_id(path):
    match = re.search(r"Build ID: ([0-9a-f]+)", known.check_run(["readelf", "-n", path]))
    return match[1] if match else None


def expect(what, found, key, wanted):
    if found.get(key) != [wanted]:
        yield "%s: %s is %s, not %s" % (what, key, found.get(key), wanted)


def of_a_process(tools, directory):
    snapshot = os.path.join(directory, "snap")
    before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    with known.Target(["sh", "-c", "read x < /dev/zero"]) as target:
        known.check_run([os.path.join(tools, "cgsnap"), "-q", "-p", str(target.pid), "-n", "5", "-F", "50", "-o", snapshot])
        with open("/proc/%d/cmdline" % target.pid, "rb") as file:
            command = file.read().rstrip(b"\0").replace(b"\0", b" ").decode()
        exe = os.readlink("/proc/%d/exe" % target.pid)
        pid = target.pid
    found, modules = fields(info(tools, snapshot))
    yield from expect("a process", found, "process", "%d %s" % (pid, exe))
    yield from expect("a process", found, "command", command)
    yield from expect("a process", found, "host", os.uname().nodename)
    yield from expect("a process", found, "kernel", os.uname().release)
    yield from expect("a process", found, "threads", "1")
    yield from expect("a process", found, "end", "its duration or count was reached")
    if not re.fullmatch(r"5, \d+ of them repeats; [\d.>]+ % of threads that were running or ready", found.get("samples", [""])[0]):
        yield "a process: samples are %s" % found.get("samples")
    begin = datetime.datetime.strptime(found["begin"][0], "%Y-%m-%d %H:%M:%S UTC")
    if not 0 <= (begin.replace(tzinfo=datetime.timezone.utc) - before).total_seconds() < 60:
        yield "a process: it began at %s, not at %s" % (begin, before)
    if exe not in modules or "build-id %s" % build_id(exe) not in modules[exe][0] or modules[exe][1].split(",")[0] != "found":
        yield "a process: %s is %s" % (exe, modules.get(exe))
    empty = os.path.join(directory, "empty")
    os.mkdir(empty)
    found, modules = fields(info(tools, "--sysroot", empty, snapshot))
    count = len(modules)
    yield from expect("without files", found, "modules", "%d, 0 of them found" % count)
    given, modules = fields(info(tools, "--sysroot", empty, "-e", exe, snapshot))
    yield from expect("with --elf", given, "modules", "%d, 1 of them found" % count)
    if not modules[exe][1].startswith("found"):
        yield "with --elf: %s is %s" % (exe, modules[exe])
    with open(snapshot, "rb") as file:
        whole = file.read()
    piped = subprocess.run([os.path.join(tools, "cgunwind"), "--info", "-"], input=whole, capture_output=True, check=True)
    if fields(piped.stdout.decode())[1].keys() != modules.keys():
        yield "from a pipe there are other modules"
    with open(snapshot, "wb") as file:
        file.write(whole[:-20])
    found, _ = fields(info(tools, snapshot))
    if not found["end"][0].startswith("cut short at offset ") or "rate" in found:
        yield "cut short: end is %s, rate %s" % (found.get("end"), found.get("rate"))


def of_others(tools, directory):
    """A core of one thread; several inputs; what is none."""
    core = os.path.join(directory, "core")
    with known.Target(["sleep", "60"]) as target:
        known.need("gdb")
        known.check_run(["gdb", "-q", "-batch", "-p", str(target.pid), "-ex", "generate-core-file " + core])
        pid = target.pid
    text = info(tools, core, core)
    first, _, second = text.partition("\n\n")
    if first.strip() != second.strip():
        yield "the same core twice is told in two ways"
    found, modules = fields(first)
    if not found.get("process", [""])[0].startswith("%d " % pid) or "rate" in found or "ticks" in found:
        yield "a core: %s" % found
    if not any("sleep" in path or "coreutils" in path for path in modules):
        yield "a core: its modules are %s" % sorted(modules)
    for arguments in (["-f", "tree", core], ["-o", os.path.join(directory, "x"), core]):
        done = known.run([os.path.join(tools, "cgunwind"), "--info", *arguments])
        if done.returncode != 2 or b"--info goes without" not in done.stderr:
            yield "%s: status %d, %s" % (arguments, done.returncode, done.stderr.decode())
    done = known.run([os.path.join(tools, "cgunwind"), "--info", "/etc/passwd", core])
    if done.returncode != 1 or b"is not a snapshot" not in done.stderr or b"kind       core" not in done.stdout:
        yield "what is no snapshot: status %d, %s" % (done.returncode, done.stderr.decode())


def test(tools):
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        failures += of_a_process(tools, directory)
        failures += of_others(tools, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
