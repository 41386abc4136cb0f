#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""perf.data as input: what perf has recorded is unwound as it is, in all forms that perf writes.

usage: perf_data.py BUILD-DIRECTORY

tests/programs/spins.c is recorded as a file, compressed and through a pipe, with stacks that hold
all and with such that are cut; with frame pointers; and without chains. The chains are those that
the source says, and frame by frame those of `perf script --no-inline`. A file that is cut gives
one line and everything that is before the cut.
"""

import gzip
import os
import re
import struct
import sys
import tempfile

sys.dont_write_bytecode = True
import known

HERTZ = "999"
EVENT = ["-q", "-e", "cpu-clock", "-F", HERTZ]
# Of some 1200; where a machine has no time fewer come, and how many is known from perf script.
SAMPLES_MIN = 20
AGREE_MIN = 0.99  # of the samples, with perf script's


def build_id(path, known_ids={}):
    """Of a file; perf records those only of files that a sample's own address is in."""
    if path not in known_ids:
        notes = known.check_run(["readelf", "-n", path]) if path.startswith("/") else ""
        match = re.search(r"Build ID: ([0-9a-f]+)", notes)
        known_ids[path] = match[1] if match else None
    return known_ids[path]


def record(command, output, *options):
    known.check_run(["perf", "record", *EVENT, *options, "-o", output, *command])
    return output


def record_pipe(command, output, *options):
    with open(output, "wb") as file:
        done = known.subprocess.run(
            ["perf", "record", *EVENT, *options, "-o", "-", *command],
            stdin=known.subprocess.DEVNULL,
            stdout=file,
            stderr=known.subprocess.PIPE,
            timeout=120,
        )
    if done.returncode != 0:
        raise known.Failure("perf record to a pipe: " + done.stderr.decode(errors="replace"))
    return output


def skip_without_perf(directory):
    """perf may lack the permission, or the machine the event."""
    output = os.path.join(directory, "try.data")
    done = known.run(["perf", "record", *EVENT, "--call-graph", "dwarf", "-o", output, "true"])
    if done.returncode != 0:
        error = done.stderr.decode(errors="replace").strip().splitlines()
        known.skip("perf record fails: " + (error[0] if error else "no reason given"))


def unwind(tools, path, *options, stdin=None):
    """cgunwind's JSON samples in the order of the file, with their threads' names."""
    command = [os.path.join(tools, "cgunwind"), "-f", "json", *options, "-" if stdin else path]
    with open(path, "rb") as file:
        done = known.subprocess.run(
            command,
            stdin=file if stdin == "file" else known.subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
        ) if stdin != "pipe" else known.subprocess.run(
            ["sh", "-c", 'cat "$0" | "$@"', path, *command], capture_output=True, timeout=120
        )
    names, samples = {}, []
    for line in done.stdout.decode().splitlines():
        item = known.json.loads(line)
        if item["type"] == "thread":
            names[item["tid"]] = item["name"]
        elif item["type"] == "sample":
            item["name"] = names[item["tid"]]
            samples.append(item)
    return samples, done


def check_chains(title, samples, program, expected, stops):
    """What is wrong with the samples of the threads whose chain is known."""
    seen = set()
    for sample in samples:
        runs = known.shown_runs(sample, program)
        while runs and runs[0][0] == "..":
            runs.pop(0)  # the kernel and the vDSO
        if sample["name"] not in expected or not runs or runs[0][0] != "spin":
            continue
        seen.add(sample["name"])
        if runs != known.expected_runs(expected[sample["name"]]):
            yield "%s: %s shows %s" % (title, sample["name"], known.runs_text(runs))
            return
        if sample["stop"] not in stops:
            yield "%s: %s ends with %s" % (title, sample["name"], sample["stop"])
            return
    if seen != set(expected):
        yield "%s: no samples of %s" % (title, sorted(set(expected) - seen))


def check_order(title, samples):
    times = [sample["time_ns"] for sample in samples]
    if times != sorted(times):
        yield title + ": samples are not in the order of time"
    if len(samples) < SAMPLES_MIN:
        yield "%s: %d samples, fewer than %d" % (title, len(samples), SAMPLES_MIN)


HEAD = re.compile(r"\s*(\d+)\s+(\d+)\.(\d{9}):\s*$")
FRAME = re.compile(r"\s*([0-9a-f]+) (.*) \((.*)\)$")


def perf_script(path):
    """{(tid, time in ns): [function, …]} as perf shows them; several of one key in a list."""
    command = ["perf", "script", "--no-inline", "--ns", "-F", "tid,time,ip,sym,dso", "-i", path]
    chains, chain = {}, None
    for line in known.check_run(command).splitlines():
        head, frame = HEAD.match(line), FRAME.match(line)
        if head:
            chain = []
            key = int(head[1]), int(head[2]) * 10**9 + int(head[3])
            chains.setdefault(key, []).append(chain)
        elif frame and chain is not None:
            chain.append(frame[2])
    return chains


def same_frames(sample, chain, symbols):
    """Whether perf's chain is ours, or ends earlier."""
    frames = known.real_frames(sample)
    if len(chain) > len(frames):
        return False
    for frame, name in zip(frames, chain):
        ours = frame.get("function")
        if name == "[unknown]" or ours == name:
            continue
        if ours is None or frame.get("module") == "[kernel]":
            return False
        if not symbols.same(dict(frame, build_id=build_id(frame["module"])), name):
            return False
    return True


def compare_script(title, samples, chains, symbols):
    if sum(map(len, chains.values())) != len(samples):
        yield "%s: %d samples, perf script has %d" % (
            title, len(samples), sum(map(len, chains.values())))
    same = kernel = shorter = 0
    first = None
    for sample in samples:
        theirs = chains.get((sample["tid"], sample["time_ns"]), [])
        if any(same_frames(sample, chain, symbols) for chain in theirs):
            same += 1
            shorter += all(len(c) < len(known.real_frames(sample)) for c in theirs)
        elif first is None:
            first = "%s instead of %s" % (known.real_frames(sample), theirs)
        kernel += any(frame["trust"] == "kernel" for frame in sample["frames"])
    print("%s: %d of %d samples as perf script has them, in %d of which it ends earlier; %d with "
          "kernel frames" % (title, same, len(samples), shorter, kernel))
    if same < AGREE_MIN * len(samples):
        yield "%s: %d of %d samples differ: %s" % (title, len(samples) - same, len(samples), first)


def pcs(sample):
    """A sample's chain; but what is above the vDSO needs build-ids, which a cut file lacks."""
    frames = known.real_frames(sample)
    inside = [i for i, frame in enumerate(frames) if frame.get("module") == "[vdso]"]
    return [frame["pc"] for frame in (frames[: inside[0]] if inside else frames)]


def check_cut_file(tools, path, directory):
    """Cut anywhere: what is before the cut, and one line."""
    with open(path, "rb") as file:
        data = file.read()
    whole, _ = unwind(tools, path, "--no-inline")
    whole = {(sample["tid"], sample["time_ns"]): pcs(sample) for sample in whole}
    before = 0
    for part in (0.05, 0.3, 0.7, 0.95):
        cut = os.path.join(directory, "cut.data")
        with open(cut, "wb") as file:
            file.write(data[: int(len(data) * part)])
        samples, done = unwind(tools, cut, "--no-inline")
        errors = [e for e in done.stderr.decode().splitlines() if "cut short" in e]
        if done.returncode != (0 if samples else 1) or len(errors) != 1:
            yield "cut at %.2f: status %d: %s" % (part, done.returncode, done.stderr.decode())
        if any(pcs(s) != whole.get((s["tid"], s["time_ns"])) for s in samples):
            yield "cut at %.2f: the samples before are not the same" % part
        if len(samples) < before or (part > 0.5 and not samples):
            yield "cut at %.2f: %d samples" % (part, len(samples))
        before = len(samples)


def check_killed(tools, path, directory):
    """perf that was killed has not written the header's sizes; perf itself refuses such a file."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    records, size = struct.unpack_from("<QQ", data, 40)
    struct.pack_into("<Q", data, 48, 0)
    killed = os.path.join(directory, "killed.data")
    with open(killed, "wb") as file:
        file.write(data[: records + size])
    whole, _ = unwind(tools, path, "--no-inline")
    samples, done = unwind(tools, killed, "--no-inline")
    if len(samples) != len(whole) or "cut short" not in done.stderr.decode():
        yield "killed: %d samples of %d: %s" % (len(samples), len(whole), done.stderr.decode())


def check_gzip(tools, path, title, directory):
    """Compressed by gzip it is the same, also in a block of zeros; cut it goes as far as it goes."""
    packed = os.path.join(directory, title + ".gz")
    with open(path, "rb") as file:
        data = gzip.compress(file.read())
    whole, _ = unwind(tools, path, "--no-inline")
    for part, stdin, behind in ((1, None, b""), (1, "pipe", b""), (1, None, bytes(100000)), (0.7, None, b"")):
        with open(packed, "wb") as file:
            file.write(data[: int(len(data) * part)] + behind)
        samples, done = unwind(tools, packed, "--no-inline", stdin=stdin)
        cut = "cut short" in done.stderr.decode()
        if part == 1 and (samples != whole or cut) or part < 1 and (not cut or len(samples) >= len(whole)):
            yield "%s, %.1f of gzip: %d samples of %d: %s" % (title, part, len(samples), len(whole),
                                                               done.stderr.decode())


def check_gzip_bomb(tools, directory):
    """Few bytes that stand for more than 4 GiB are one line."""
    path = os.path.join(directory, "bomb.gz")
    with open(path, "wb") as file:
        file.write(gzip.compress(b"PERFILE2" + struct.pack("<Q", 104) + bytes(1000)))
        file.write(gzip.compress(bytes(64 << 20)) * 65)
    done = known.run([os.path.join(tools, "cgunwind"), path])
    told = done.stderr.decode()
    if done.returncode != 1 or told.count("\n") != 1 or "decompressed, which is more than is read" not in told:
        yield "a bomb: status %d: %s" % (done.returncode, told)


VMLINUX = """
.globl _text, _stext, _etext
.text
_text: _stext:
.set i, 0
.altmacro
.macro part n
.type part_\\n, @function
part_\\n: .skip 0x10000
.endm
.rept 1024
part %i
.set i, i + 1
.endr
_etext:
"""


def check_vmlinux(tools, path, directory):
    """A kernel's file names its frames, wherever it was; another's is one line."""
    source, vmlinux = os.path.join(directory, "vmlinux.S"), os.path.join(directory, "vmlinux")
    with open(source, "w") as file:
        file.write(VMLINUX)
    for build_id in ("none", "0x1234"):
        known.check_run(["gcc", "-nostdlib", "-static", "-no-pie", "-Wl,-Ttext=0xffffffff81000000",
                         "-Wl,-e,0", "-Wl,--build-id=" + build_id, source, "-o", vmlinux])
        samples, done = unwind(tools, path, "--no-inline", "-e", vmlinux)
        told = [line for line in done.stderr.decode().splitlines() if vmlinux in line]
        frames = [frame for sample in samples for frame in sample["frames"]
                  if frame.get("trust") == "kernel"]
        if not frames:
            print("no kernel frames: vmlinux is left out")
            return
        named = [frame for frame in frames if frame.get("function", "").startswith("part_")]
        steps = {int(frame["pc"], 16) - int(frame["function"][5:]) * 0x10000 >> 16 for frame in named}
        if build_id == "none" and (not named or len(steps) != 1 or len(told) != 1 or
                                   "may be of another build" not in told[0]):
            yield "vmlinux: %d of %d named, at %s: %s" % (len(named), len(frames), steps, told)
        if build_id != "none" and (named or len(told) != 1 or "build-id" not in told[0]):
            yield "vmlinux of another build: %d named: %s" % (len(named), told)


def check_stats(tools, path):
    """The kernel has no file that could be missing. The program's code has rows, all but all of it."""
    done = known.run([os.path.join(tools, "cgunwind"), "--stats", "-f", "folded", path])
    told = done.stderr.decode()
    without = re.search(r"^code without a row, .*:\n((?: +[0-9.]+% \S.*\n)+)", told, re.MULTILINE)
    if "modules not found: 0\n" not in told or not without:
        yield "--stats: " + told
    elif any(float(line.split("%")[0]) > 2 for line in without[1].splitlines()):
        yield "--stats: much code without a row: " + without[1]


def check_wall(tools, path):
    done = known.run([os.path.join(tools, "cgunwind"), "--weight", "wall", "-f", "folded", path])
    lines = [line for line in done.stderr.decode().splitlines() if "wall" in line]
    if len(lines) != 1 or done.returncode != 1 or done.stdout:
        yield "--weight wall says: %r" % done.stderr.decode()


def test(tools):
    known.need("perf")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        os.environ["HOME"] = directory  # perf keeps copies of what it records below it
        skip_without_perf(directory)
        program = known.program(tools, "spins", directory)
        expected = dict(line.split(": ", 1) for line in known.check_run([program]).splitlines())
        name = lambda what: os.path.join(directory, what + ".data")
        dwarf = ("--call-graph", "dwarf,16384")
        files = {
            "file": (record([program], name("file"), *dwarf), None),
            "compressed": (record([program], name("compressed"), "-z", *dwarf), None),
            "pipe": (record_pipe([program], name("pipe"), *dwarf), "pipe"),
        }
        symbols = known.Symbols(directory)
        for title, (path, stdin) in files.items():
            samples, done = unwind(tools, path, "--no-inline", stdin=stdin)
            failures += check_chains(title, samples, program, expected, {"thread-start"})
            failures += check_order(title, samples)
            failures += check_gzip(tools, path, title, directory)
            failures += compare_script(title, samples, perf_script(path), symbols)
            if done.returncode != 0:
                failures.append("%s: %s" % (title, done.stderr.decode()))
        failures += check_gzip_bomb(tools, directory)
        failures += check_vmlinux(tools, name("file"), directory)
        samples, _ = unwind(tools, name("file"), "--no-inline", stdin="file")
        failures += check_chains("standard input", samples, program, expected, {"thread-start"})

        cut = record([program], name("small"), "--call-graph", "dwarf,512")
        samples, _ = unwind(tools, cut, "--no-inline")
        stops = {s["stop"] for s in samples if s["name"] in ("deep", "wide")
                 and any(f.get("function") == "spin" for f in s["frames"])}
        if stops != {"truncated"}:
            failures.append("stacks of 512 bytes end with %s" % sorted(stops))

        frames = record([program], name("fp"), "--call-graph", "fp")
        samples, _ = unwind(tools, frames, "--no-inline")
        short = [s for s in samples if s["name"] == "wide"
                 and [f.get("function") for f in s["frames"]][:2] == ["spin", "wide_thread"]]
        theirs = [chain for chains in perf_script(name("fp")).values() for chain in chains
                  if chain[:2] == ["spin", "wide_thread"]]
        if len(short) < max(SAMPLES_MIN // 3, AGREE_MIN * len(theirs)):
            failures.append("frame pointers: %d samples of spin < wide_thread, perf script has %d"
                            % (len(short), len(theirs)))

        plain = record([program], name("plain"))
        samples, done = unwind(tools, plain)
        if not samples or "--call-graph" not in done.stderr.decode():
            failures.append("without chains it says %r" % done.stderr.decode())
        failures += check_cut_file(tools, name("file"), directory)
        failures += check_killed(tools, name("file"), directory)
        failures += check_stats(tools, name("file"))
        failures += check_wall(tools, name("file"))
    return failures


if __name__ == "__main__":
    known.main(test)
