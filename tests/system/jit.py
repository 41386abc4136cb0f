#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Code that is made at run time: its names and rows, and chains through what has neither.

usage: jit.py BUILD-DIRECTORY

A program whose chain is known (tests/programs/made.c) copies functions to anonymous memory and tells
their names in a perf map: in the temporary directory of its own root and by the number of its own
pid namespace, for as long as it lives, moved about, or not at all. What is no file of its user's is
not read. Then V8 (node --perf-basic-prof, and --perf-prof, which writes a jitdump that is given or
found), and LuaJIT, which tells nothing.
"""

import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known
import snapfile

SHARE = 0.95
SAMPLES_MIN = 50  # of running threads
CHAIN = "busy < made inner < made outer < enter < main"
NODE = """
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function sorts() { const a = []; for (let i = 0; i < 20000; i++) a.push((i * 7919) % 10007);
                   return a.sort((x, y) => x - y)[5]; }
console.log("ready");
for (let n = 0;; ) n += fib(20) + sorts();
"""
LUA = """
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function loops() local s = 0 for i = 1, 1000000 do s = s + (i % 7) * 3 end return s end
print("ready") io.stdout:flush()
while true do fib(20) loops() end
"""


def map_path(pid):
    return "/tmp/perf-%d.map" % pid


def remove(path):
    try:
        os.remove(path)
    except FileNotFoundError:
        pass


def cgsnap(tools, *options):
    known.check_run([os.path.join(tools, "cgsnap"), "-q", "--overhead", "100", "--force", *options])


def running(tools, snapshot, *options):
    out = known.check_run([os.path.join(tools, "cgunwind"), "-f", "json", *options, snapshot])
    samples = [item for item in map(json.loads, out.splitlines()) if item["type"] == "sample"]
    found = [sample for sample in samples if sample["state"] in ("running", "ready")]
    if len(found) < SAMPLES_MIN:
        raise known.Failure("%s: %d samples of running threads" % (snapshot, len(found)))
    return found


def chain_of(sample, program):
    """The program's functions, and what was made; what is below busy, or beyond main, is left out."""
    names = [frame.get("function", "?") for frame in sample["frames"]
             if frame.get("module") in (program, "[jit]", "[anon]") and not frame.get("inline")]
    text = " < ".join(names)
    return text[:text.index("main") + 4] if "main" in names else text


def check_chains(what, samples, program, wanted, trust):
    """Nearly all that are busy have the chain, and made code is passed by that trust alone."""
    busy = [sample for sample in samples if any(frame.get("function") == "busy" for frame in sample["frames"])]
    right = sum(chain_of(sample, program) == wanted for sample in busy)
    complete = sum(sample["stop"] == "thread-start" for sample in samples)
    trusts = {frame["trust"] for sample in busy for frame, callee in zip(sample["frames"][1:], sample["frames"])
              if callee.get("module") in ("[jit]", "[anon]")}
    print("%s: %d of %d chains as known, %d of %d complete, by %s" %
          (what, right, len(busy), complete, len(samples), sorted(trusts)))
    if right < SHARE * len(busy) or len(busy) < SAMPLES_MIN:
        others = {chain_of(sample, program) for sample in busy} - {wanted}
        yield "%s: %d of %d chains are as known, others: %s" % (what, right, len(busy), sorted(others)[:3])
    if complete < SHARE * len(samples):
        yield "%s: %d of %d chains are complete" % (what, complete, len(samples))
    if trust not in trusts:
        yield "%s: made code was passed by %s" % (what, sorted(trusts))


def made(tools, program, snapshot, has_map, *more):
    """The samples of the program, with its names or without."""
    options = [option for option in more if option.startswith("-")]
    # The number is known before the program is.
    command = "exec %s 60 %s %s" % (program, "/tmp/perf-$$.map" if has_map else "", "moving" if "moving" in more else "")
    with known.Target(["sh", "-c", command]) as target:
        target.process.stdout.readline()
        try:
            cgsnap(tools, "-d", "1.5", "-p", str(target.pid), "-o", snapshot, *options)
            if has_map:
                shutil.copy(map_path(target.pid), snapshot + ".map")
                shutil.copy(map_path(target.pid), os.path.dirname(snapshot))
        finally:
            remove(map_path(target.pid))
    return running(tools, snapshot)


def is_named(snapshot):
    with open(snapshot, "rb") as file:
        return any(item.kind == snapfile.NAMES for item in snapfile.Snapshot(file.read()).records)


def own(tools, directory):
    program, snapshot = known.program(tools, "made", directory), os.path.join(directory, "snap")
    yield from check_chains("named", made(tools, program, snapshot, True), program, CHAIN, "prologue")
    yield from check_chains("moving", made(tools, program, snapshot, True, "moving"), program, CHAIN, "prologue")
    tree = known.check_run([os.path.join(tools, "cgunwind"), "-f", "folded", snapshot])
    stacks = {line.rpartition(" ")[0] for line in tree.splitlines() if "made outer" in line and "busy" in line}
    if len(stacks) != 1:
        yield "moving: functions that moved are not one: %s" % sorted(stacks)
    samples = made(tools, program, snapshot, False)
    complete = sum(sample["stop"] == "thread-start" for sample in samples)
    if complete < SHARE * len(samples):
        yield "without names: %d of %d chains are complete" % (complete, len(samples))
    samples = made(tools, program, snapshot, True, "--no-jit")
    if is_named(snapshot) or any(frame.get("module") == "[jit]" for sample in samples for frame in sample["frames"]):
        yield "--no-jit: there are names"
    trusts = {frame["trust"] for sample in samples for frame in sample["frames"] if frame.get("function") == "enter"}
    complete = sum(sample["stop"] == "thread-start" for sample in samples)
    print("--no-jit: %d of %d complete, enter by %s" % (complete, len(samples), sorted(trusts)))
    if complete < SHARE * len(samples) or trusts != {"scan"}:
        yield "--no-jit: %d of %d complete, enter by %s" % (complete, len(samples), sorted(trusts))
    # The names from a file: of any process, and of the one in its name, which no other one has.
    own_map = max((name for name in os.listdir(directory) if re.fullmatch(r"perf-\d+\.map", name)),
                  key=lambda name: os.stat(os.path.join(directory, name)).st_mtime_ns)
    shutil.copy(os.path.join(directory, own_map), os.path.join(directory, "perf-1.map"))
    for name, is_told in (("snap.map", True), (own_map, True), ("perf-1.map", False)):
        samples = running(tools, snapshot, "--perf-map", os.path.join(directory, name))
        names = {frame.get("function") for sample in samples for frame in sample["frames"]}
        if ("made inner" in names) != is_told:
            yield "--perf-map %s: named are %s" % (name, sorted(map(str, names)))


def made_anew(tools, directory):
    """What lay at an address is told by what was told then; what has been left behind is not called."""
    if os.uname().machine != "x86_64":
        print("made anew: only x86-64 code is at hand")
        return
    program, snapshot = known.program(tools, "made_anew", directory), os.path.join(directory, "snap")
    with known.Target(["sh", "-c", "exec %s 4 anew /tmp/perf-$$.map" % program]) as target:
        target.process.stdout.readline()
        cgsnap(tools, "-p", str(target.pid), "-o", snapshot)  # to its end
        remove(map_path(target.pid))
    chains = [(sample["time_ns"], chain_of(sample, program)) for sample in running(tools, snapshot)]
    begin, end = chains[0][0], chains[-1][0]
    for name, low, high in (("first", 0.05, 0.45), ("second", 0.65, 0.95)):
        part = [chain for time_ns, chain in chains if low < (time_ns - begin) / (end - begin) < high and "made" in chain]
        right = sum(chain == "made %s < enter < work < main" % name for chain in part)
        print("made %s: %d of %d chains as known" % (name, right, len(part)))
        if right < SHARE * len(part) or len(part) < SAMPLES_MIN:
            yield "made %s: %d of %d chains are as known: %s" % (name, right, len(part), sorted(set(part))[:3])
    for options in ((), ("--no-jit",)):
        with known.Target([program, "60", "record"]) as target:
            target.process.stdout.readline()
            cgsnap(tools, "-d", "1", "-p", str(target.pid), "-o", snapshot, *options)
        chains = [chain_of(sample, program) for sample in running(tools, snapshot)]
        part = [chain for chain in chains if chain.startswith("?")]
        right = sum(chain == "? < enter < work < main" for chain in part)
        print("record %s: %d of %d chains as known" % (" ".join(options), right, len(part)))
        if right < SHARE * len(part) or len(part) < SAMPLES_MIN:
            yield "record %s: %d of %d chains are as known: %s" % (options, right, len(part), sorted(set(part))[:3])


def of_a_command(tools, directory):
    """It ends by itself, and cannot be asked any more then."""
    program, snapshot = known.program(tools, "made", directory), os.path.join(directory, "snap")
    script = os.path.join(directory, "command")
    with open(script, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\necho $$ >%s.pid\nexec %s 2 /tmp/perf-$$.map\n" % (script, program))
    os.chmod(script, 0o755)
    cgsnap(tools, "-o", snapshot, "--", script)
    with open(script + ".pid", encoding="ascii") as file:
        remove(map_path(int(file.read())))
    yield from check_chains("of a command", running(tools, snapshot), program, CHAIN, "prologue")


def through_a_pipe(tools, directory):
    program = known.program(tools, "made", directory)
    with known.Target(["sh", "-c", "exec %s 60 /tmp/perf-$$.map" % program]) as target:
        target.process.stdout.readline()
        try:
            line = "%s/cgsnap -q -d 1.5 -p %d -o - | %s/cgunwind -f folded -" % (tools, target.pid, tools)
            folded = known.check_run(["sh", "-c", line])
        finally:
            remove(map_path(target.pid))
    if "enter;made outer;made inner;busy" not in folded:
        yield "through a pipe there are no names:\n" + folded[:1000]


def in_a_namespace(tools, directory):
    """It has another /tmp, and another number in it."""
    program, snapshot = known.program(tools, "made", directory), os.path.join(directory, "snap")
    inside = "mount -t tmpfs none /tmp && exec %s/made 60 /tmp/perf-$$.map"
    hidden = os.path.dirname(program)
    if hidden.startswith("/tmp/"):
        # The program is in what is hidden then.
        inside = "cp %s/made /dev/shm/made.$$ && mount -t tmpfs none /tmp && cp /dev/shm/made.$$ /tmp/made && " \
                 "rm /dev/shm/made.$$ && exec /tmp/made 60 /tmp/perf-$$.map"
    command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside % hidden]
    with known.Target(command) as target:
        target.process.stdout.readline()
        with open("/proc/%d/task/%d/children" % (target.pid, target.pid), encoding="ascii") as file:
            child = file.read().split()[0]
        cgsnap(tools, "-d", "1.5", "-p", child, "-o", snapshot)
        # Its files are to be had by way of it, by a process that is confined as well.
        for options in (("--sysroot", "/proc/%s/root" % child), ("-e", "/proc/%s/exe" % child), ("-e", program)):
            samples = running(tools, snapshot, *options)
            names = {frame.get("function") for sample in samples for frame in sample["frames"]}
            if not {"made inner", "made outer", "enter", "main"} <= names:
                yield "in a namespace, %s: named are %s" % (" ".join(options), sorted(map(str, names)))


def of_others(tools, directory):
    """Neither a link nor another user's file, nor what is no file at all."""
    program, snapshot = known.program(tools, "made", directory), os.path.join(directory, "snap")
    secret = os.path.join(directory, "secret")
    with open(secret, "w", encoding="ascii") as file:
        file.write("1000 10 secret\n")
    ways = {"a link": lambda path: os.symlink(secret, path), "a pipe": os.mkfifo}
    if os.geteuid() == 0:
        def of_nobody(path):
            with open(path, "w", encoding="ascii") as file:
                file.write("1000 10 secret\n")
            os.chown(path, 65534, 65534)
        ways["another user's file"] = of_nobody
    for what, make in ways.items():
        with known.Target([program, "60"]) as target:
            target.process.stdout.readline()
            make(map_path(target.pid))
            begin = time.monotonic()
            cgsnap(tools, "-d", "1", "-p", str(target.pid), "-o", snapshot)
            took = time.monotonic() - begin
            remove(map_path(target.pid))
        if is_named(snapshot):
            yield "%s was read for names" % what
        if took > 20:
            yield "%s: took %.1f s" % (what, took)


def share(what, samples, named):
    complete = sum(sample["stop"] == "thread-start" for sample in samples)
    frames = [frame for sample in samples for frame in sample["frames"] if frame.get("module") in ("[jit]", "[anon]")]
    with_name = sum("function" in frame for frame in frames)
    print("%s: %d of %d complete, %d of %d frames of made code named" %
          (what, complete, len(samples), with_name, len(frames)))
    if complete < SHARE * len(samples):
        yield "%s: %d of %d chains are complete" % (what, complete, len(samples))
    if named and (with_name < SHARE * len(frames) or not frames):
        yield "%s: %d of %d frames have a name" % (what, with_name, len(frames))


def node(tools, directory):
    script, snapshot = os.path.join(directory, "work.js"), os.path.join(directory, "snap")
    with open(script, "w", encoding="utf-8") as file:
        file.write(NODE)
    # It writes a log of its own where it is.
    with known.Target(["sh", "-c", "cd %s && exec node --perf-basic-prof %s" % (directory, script)]) as target:
        target.process.stdout.readline()
        time.sleep(0.5)
        cgsnap(tools, "-d", "2", "-p", str(target.pid), "-o", snapshot)
        remove(map_path(target.pid))
    samples = running(tools, snapshot)
    yield from share("node", samples, True)
    sorts = sum(any(re.search(r"sorts\b.*work\.js", frame.get("function", "")) for frame in sample["frames"])
                for sample in samples)
    if sorts < len(samples) / 4:
        yield "node: sorts is in %d of %d chains" % (sorts, len(samples))


def jit_dump(tools, directory):
    """V8 tells the same in both: what is named by one is named so by the other."""
    script, snapshot = os.path.join(directory, "work.js"), os.path.join(directory, "snap")
    with open(script, "w", encoding="utf-8") as file:
        file.write(NODE.replace("for (let n = 0;; )", "for (let n = 0, end = Date.now() + 4000; Date.now() < end; )"))
    command = "cd %s && exec node --perf-prof --perf-basic-prof %s" % (directory, script)
    with known.Target(["sh", "-c", command]) as target:
        target.process.stdout.readline()
        time.sleep(0.5)
        try:
            cgsnap(tools, "-d", "2", "--no-jit", "-p", str(target.pid), "-o", snapshot)
            target.process.wait(60)  # it keeps the last records back until then
            shutil.copy(map_path(target.pid), directory)
        finally:
            remove(map_path(target.pid))
        files = [os.path.join(directory, name % target.pid) for name in ("perf-%d.map", "jit-%d.dump")]
    by_map, by_dump = (running(tools, snapshot, "--perf-map", file) for file in files)
    names = [[frame.get("function") for sample in samples for frame in sample["frames"]] for samples in (by_map, by_dump)]
    told = {name for name in names[1] if name and "work.js" in name}
    print("jitdump: %d frames, %d names of JavaScript" % (len(names[1]), len(told)))
    if names[0] != names[1] or not any("sorts" in name for name in told):
        yield "jitdump: what is named by it and by the perf map differs: %s" % sorted(told)
    yield from found_dump(tools, snapshot, files[1], names[1])
    # Both, in any order, and through a pipe, which a jitdump cannot come by.
    for first, second in (files, files[::-1]):
        samples = running(tools, snapshot, "--perf-map", first, "--perf-map", second)
        if [frame.get("function") for sample in samples for frame in sample["frames"]] != names[0]:
            yield "a perf map and a jitdump: the one has taken the other's place"
    for path, wanted in ((files[0], 0), (files[1], 1)):
        line = 'exec %s/cgunwind --perf-map <(cat %s) -f folded %s' % (tools, path, snapshot)
        done = known.run(["bash", "-c", line])
        if done.returncode != wanted or (wanted == 0) != (b"sorts" in done.stdout):
            yield "%s through a pipe: status %d: %s" % (path, done.returncode, done.stderr.decode())
    with open(files[1], "r+b") as file:
        file.seek(44)
        file.write(b"\1\0\0\0")  # the first record's size
    done = known.run([os.path.join(tools, "cgunwind"), "--perf-map", files[1], snapshot])
    if done.returncode != 1 or b"jit-%d.dump: at offset 44: " % target.pid not in done.stderr:
        yield "jitdump that is damaged: status %d: %s" % (done.returncode, done.stderr.decode())


def patched(content, off, value):
    return content[:off] + struct.pack("<I", value) + content[off + 4:]


def found_dump(tools, snapshot, path, names):
    """The process has mapped the dump: it is used without being given, if it is the process's."""

    def folded(*options):
        done = known.run([os.path.join(tools, "cgunwind"), "-f", "folded", *options, snapshot])
        return done.returncode, b"sorts" in done.stdout, done.stderr.decode().splitlines()

    if [frame.get("function") for sample in running(tools, snapshot) for frame in sample["frames"]] != names:
        yield "jitdump: what is named by it differs when it is found"
    with open(path, "rb") as file:
        content = file.read()
    root = os.path.join(os.path.dirname(path), "root")
    below = root + path
    os.makedirs(os.path.dirname(below))
    shutil.copy(path, below)
    ways = {"another machine's": patched(content, 12, 40), "another process's": patched(content, 20, 1),
            "damaged": patched(content, 44, 1), "no jitdump": b"text", "empty": b"", "another file's": content, "not there": None}
    for what, other in ways.items():
        if what in ("another file's", "not there"):
            os.rename(path, path + ".old")  # its inode is not to be another's
        if other is not None:
            with open(path, "wb") as file:
                file.write(other)
        status, named, warnings = folded()
        wanted = 1 if "'s" in what or what == "damaged" else 0
        warnings = [line for line in warnings if "jit-" in line]
        if status != 0 or named or len(warnings) != wanted:
            yield "jitdump, %s: status %d, named %s, %s" % (what, status, named, warnings)
    os.mkfifo(path)
    if folded()[:2] != (0, False):
        yield "jitdump: a FIFO was taken for one"
    os.remove(path)
    if folded("--sysroot", root)[:2] != (0, True):
        yield "jitdump: not found below the sysroot"
    with open(path, "wb") as file:
        file.write(content)
    given = os.path.join(os.path.dirname(path), "given.map")
    with open(given, "w", encoding="ascii") as file:
        file.write("10 10 nothing\n")
    if folded("--perf-map", given)[:2] != (0, False):
        yield "jitdump: one that is found goes before a file that is given"


def luajit(tools, directory):
    script, snapshot = os.path.join(directory, "work.lua"), os.path.join(directory, "snap")
    with open(script, "w", encoding="utf-8") as file:
        file.write(LUA)
    program = known.unpacked("amd64", "luajit")[0] + "/usr/bin/luajit"
    with known.Target([program, script]) as target:
        target.process.stdout.readline()
        time.sleep(0.5)
        cgsnap(tools, "-d", "2", "-p", str(target.pid), "-o", snapshot)
    yield from share("luajit", running(tools, snapshot), False)


def test(tools):
    known.need("node", "unshare")
    with tempfile.TemporaryDirectory() as directory:
        for part in (own, made_anew, of_a_command, through_a_pipe, of_others, node, jit_dump, luajit):
            yield from part(tools, directory)
        reason = known.no_mounts()
        if reason:
            known.skip(reason)
        yield from in_a_namespace(tools, directory)


if __name__ == "__main__":
    known.main(test)
