#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgunwind and cgrules on bad input: one clear line, the right exit status, no crash, no hang,
bounded memory.

usage: bad_input.py BUILD-DIRECTORY

Files that are no snapshots; a snapshot cut at many lengths (what came before is used, the user
is told); bits flipped, with the checksum as it was (refused at that record) and made right
(anything but harm); records that lie about sizes and counts; ELF files that are other files than
the snapshot's, or damaged.
"""

import concurrent.futures
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known
import snapfile

SECONDS = 20
MEMORY = 2 << 30
CUTS, FLIPS, HOSTILE_FLIPS, ELF_FLIPS = 120, 120, 200, 60


class Runner:
    """Runs the programs under limits and collects what goes wrong."""

    def __init__(self, tools, directory):
        self.tools, self.directory, self.failures, self.count = tools, directory, [], 0
        with open(os.path.join(tools, "cgunwind"), "rb") as file:
            sanitized = b"__asan_init" in file.read()
        # The sanitizer reserves terabytes of addresses, so that it bounds what is used itself.
        memory = "unlimited" if sanitized else str(MEMORY >> 10)
        self.limit = ["sh", "-c", 'ulimit -c 0; ulimit -v %s; exec "$@"' % memory, "sh"]
        self.environment = dict(os.environ, ASAN_OPTIONS="hard_rss_limit_mb=%d" % (MEMORY >> 20))

    def fail(self, what, text):
        self.failures.append("%s: %s" % (what, text.strip()[:600] or "(nothing on standard error)"))

    def run(self, what, program, *arguments, statuses=(0, 1), stdin=subprocess.DEVNULL):
        """Runs; checks the status, and that 1 comes with one line of reason. (status, out, err)."""
        self.count += 1
        try:
            done = subprocess.run(
                [*self.limit, os.path.join(self.tools, program), *arguments],
                stdin=stdin,
                capture_output=True,
                timeout=SECONDS,
                env=self.environment,
            )
        except subprocess.TimeoutExpired:
            self.fail(what, "hangs")
            return None, b"", ""
        error = done.stderr.decode(errors="replace")
        reasons = [line for line in error.splitlines() if ": warning: " not in line]
        if done.returncode not in statuses:
            self.fail(what, "exit status %d: %s" % (done.returncode, error))
        elif done.returncode == 1 and [line.partition(" ")[0] for line in reasons] != [program + ":"]:
            self.fail(what, "not one line of reason: " + error)
        elif done.returncode == 0 and reasons:
            self.fail(what, "says on success: " + error)
        return done.returncode, done.stdout, error

    def refused(self, what, *arguments, text, **options):
        """cgunwind ends with 1, says one line that has `text` in it, and nothing else."""
        status, out, error = self.run(what, "cgunwind", *arguments, statuses=(1,), **options)
        if status == 1 and (text not in error or error.count("\n") != 1 or out):
            self.fail(what, "instead of one line with %r: %s" % (text, error))

    def write(self, name, data):
        path = os.path.join(self.directory, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def samples(self, what, name, data, statuses):
        """cgunwind's samples of these bytes: (status, their number or None, standard error)."""
        path = self.write(name, data)
        status, out, error = self.run(
            what, "cgunwind", "-f", "json", "--debug-dir", self.directory, path, statuses=statuses
        )
        os.unlink(path)
        try:
            count = sum(json.loads(line)["type"] == "sample" for line in out.splitlines())
        except ValueError:
            self.fail(what, "not JSON: %r" % out[-200:])
            count = None
        return status, count, error


def check_no_snapshots(runner):
    sound = snapfile.header()
    files = {
        "empty": b"",
        "text": b"This is no snapshot.\n" * 9,
        "magic-only": sound[:8],
        "half-header": sound[:20],
        "header-only": sound,
        "zeroes": bytes(4096),
        "next-version": snapfile.header(major=2),
        "big-endian": snapfile.header(order=2),
        "other-machine": snapfile.header(machine=8),
        "other-word-size": snapfile.header(word=5),
        "header-checksum": snapfile.header(crc=12345),
    }
    for name, data in files.items():
        path = runner.write(name, data)
        status, out, error = runner.run(name, "cgunwind", path, statuses=(1,))
        if status == 1 and (path not in error or out):
            runner.fail(name, "does not name the file: " + error)
        os.unlink(path)
    runner.refused("missing file", "/no/such/file", text="/no/such/file: No such file")
    runner.refused("directory", runner.directory, text=runner.directory)
    runner.refused("/dev/zero", "/dev/zero", text="is not a snapshot")
    runner.refused("an ELF file", "/bin/sh", text="not a core")
    with open("/dev/zero", "rb") as zeroes:
        runner.refused("standard input of zeroes", "-", text="standard input", stdin=zeroes)
    runner.run("no snapshot given", "cgunwind", statuses=(2,))
    runner.run("unknown format", "cgunwind", "-f", "nonsense", "x", statuses=(2,))


def check_cut(runner, whole, offset):
    """A snapshot that ends at `offset`: the whole records before are used."""
    what = "cut at %d" % offset
    samples = whole.samples_before(offset)
    expected = 0 if samples else 1
    data = whole.data[:offset]
    status, count, error = runner.samples(what, "cut-%d" % offset, data, (expected,))
    if status == expected and count != samples:
        runner.fail(what, "%s samples instead of %d: %s" % (count, samples, error))
    if offset >= snapfile.HEADER_SIZE and error.count("cut short") != 1:
        runner.fail(what, "does not say that it is cut short: " + error)


def check_flip(runner, whole, offset, bit):
    """A flipped bit: refused at its record, or cut short when a length leads past the end."""
    what = "bit %d of byte %d flipped" % (bit, offset)
    data = bytearray(whole.data)
    data[offset] ^= 1 << bit
    hit = next((item.offset for item in whole.records if item.offset <= offset < item.end), 0)
    status, count, error = runner.samples(what, "flip-%d-%d" % (offset, bit), bytes(data), (0, 1))
    if count != whole.samples_before(hit):
        runner.fail(what, "%s samples, %d before it" % (count, whole.samples_before(hit)))
    named = "at offset %d" % hit in error or hit == 0
    if not named or status == 0 and "cut short" not in error:
        runner.fail(what, "the record is not refused: " + error)


def check_hostile_flip(runner, whole, seed):
    """Bytes of one record changed and its checksum made right: no harm."""
    chance = random.Random(seed)
    chosen = chance.randrange(len(whole.records))
    payload = bytearray(whole.records[chosen].payload)
    for _ in range(chance.choice((1, 1, 2, 8))):
        offset = min(int(chance.expovariate(1 / 60)), len(payload) - 1)
        payload[offset] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    parts = [item.encode() for item in whole.records]
    parts[chosen] = snapfile.record(whole.records[chosen].kind, bytes(payload))
    data = whole.header + b"".join(parts)
    runner.samples("hostile change %d" % seed, "hostile-%d" % seed, data, (0, 1))


def process(pid=1):
    fields = struct.pack("<IIQIIQ", pid, 0, 0, 4096, 8, 0)
    return snapfile.record(snapfile.PROCESS, fields + bytes(2 + 4 + 4 + 2 + 2))


def thread(tid=1, pid=1):
    return snapfile.record(snapfile.THREAD, struct.pack("<IIQQH", pid, tid, 0, 0, 0))


def sample(regions, tid=1, regs=17, region_count=None):
    """`regions` are (start, end, mapping's end, [(offset, length, bytes)])."""
    out = struct.pack("<IIQcBHQ", 1, tid, 0, b"R", 0, regs, 0) + struct.pack("<Q", 0x1000) * 17
    out += struct.pack("<B", len(regions) if region_count is None else region_count)
    for start, end, map_end, runs in regions:
        out += struct.pack("<QQQI", start, end, map_end, len(runs))
        for offset, length, data in runs:
            out += struct.pack("<II", offset, length) + data
    return snapfile.record(snapfile.SAMPLE, out)


def runs_of(count):
    out = struct.pack("<IIQcBHQ", 1, 1, 0, b"R", 0, 17, 0) + struct.pack("<Q", 0x1000) * 17
    out += struct.pack("<BQQQI", 1, 0x1000, 0x2000, 0x2000, count)
    return snapfile.record(snapfile.SAMPLE, out)


def mapping(start, end, build_id_size=0, path=b""):
    fields = struct.pack("<IBBBB", 1, 1, 5, 0, build_id_size)
    fields += struct.pack("<5Q", start, end, 0, 0, 0)
    return snapfile.record(snapfile.MAP, fields + struct.pack("<H", len(path)) + path)


SOUND = (0x1000, 0x1008, 0x2000, [(0, 8, bytes(8))])


def liars():
    """Name and records of snapshots that a reader has to refuse."""
    start = process() + thread()
    yield "length of 4 GiB", start + snapfile.record(snapfile.SAMPLE, b"", length=0xFFFFFFFF)
    above = snapfile.record(snapfile.SAMPLE, b"", length=(32 << 20) + 1)
    yield "length above the limit", start + above
    yield "unknown required record", start + snapfile.record(99, b"x")
    yield "record of no bytes", start + snapfile.record(snapfile.SAMPLE, b"")
    yield "wrong checksum", start + snapfile.record(snapfile.THREAD, bytes(26), crc=1)
    yield "thread of no process", thread()
    yield "sample of no thread", process() + sample([SOUND])
    yield "repeat of no sample", start + snapfile.record(snapfile.REPEAT, struct.pack("<IQ", 1, 0))
    yield "no region", start + sample([])
    yield "five regions", start + sample([(i << 12, i << 12, i << 12, []) for i in range(1, 6)])
    yield "more regions than there are", start + sample([SOUND], region_count=3)
    yield "65,535 registers", start + sample([SOUND], regs=65535)
    yield "no register", start + sample([SOUND], regs=0)
    yield "4 G runs", start + runs_of(0xFFFFFFFF)
    yield "run outside", start + sample([(0x1000, 0x1008, 0x2000, [(4, 8, bytes(8))])])
    yield "run that wraps", start + sample([(0x1000, 0x1008, 0x2000, [(0xFFFFFFFC, 8, bytes(8))])])
    yield "run of 4 GiB", start + sample([(0x1000, 0x1008, 0x2000, [(0, 0xFFFFFFFF, bytes(8))])])
    overlapping = [(0, 8, bytes(8)), (4, 4, bytes(4))]
    yield "runs overlap", start + sample([(0x1000, 0x1008, 0x2000, overlapping)])
    yield "regions overlap", start + sample([SOUND, SOUND])
    yield "region from end to start", start + sample([(0x2000, 0x1000, 0x2000, [])])
    yield "region past its mapping", start + sample([(0x1000, 0x1008, 0x1004, [(0, 8, bytes(8))])])
    yield "region of all memory", start + sample([(0, 2**64 - 1, 2**64 - 1, [])])
    yield "region above the limit", start + sample([(0, (16 << 20) + 1, 1 << 40, [])])
    regions = [(i << 30, (i << 30) + (16 << 20), 1 << 40, []) for i in range(4)]
    yield "four regions never written", start + sample(regions)
    yield "bytes never written", start + sample([(0x1000, 0x1010, 0x2000, [(0, 8, bytes(8))])])
    yield "mapping from end to start", process() + mapping(0x2000, 0x1000)
    yield "build-id longer than the record", process() + mapping(0x1000, 0x2000, 64)
    yield "path longer than the record", process()[:-2] + b"\xff\xff"
    yield "5,000 processes", b"".join(process(pid) for pid in range(1, 5001))
    yield "70,000 threads", process() + b"".join(thread(tid) for tid in range(1, 70001))
    maps = (mapping(2 * i * 4096, (2 * i + 1) * 4096) for i in range(1, 1000002))
    yield "1,000,001 mappings", process() + b"".join(maps)
    stack = bytes(15 << 20)
    region = (0, len(stack), 1 << 40, [(0, len(stack), stack)])
    kept = b"".join(thread(tid) + sample([region], tid) for tid in range(1, 5))
    yield "unknown record after 60 MB of stacks", process() + kept + snapfile.record(99, b"")


def check_liars(runner):
    for name, records in liars():
        path = runner.write("liar", snapfile.header() + records)
        runner.run(name, "cgunwind", "-f", "folded", path, statuses=(1,))
        os.unlink(path)


def check_idle(runner):
    """A few records that say of many threads, each with a long line, that they did not run: what is written of it
    stays within what the snapshot's size allows, and that is told."""
    records = process() + mapping(0, 1 << 47, path=b"/" + 4000 * b"m")
    records += b"".join(thread(tid) + sample([SOUND], tid) for tid in range(1, 201))
    for time in range(1, 1001):
        records += snapfile.record(snapfile.IDLE, struct.pack("<IQI", 1, time * 10**7, 0))
    path = runner.write("idle", snapfile.header() + records)
    out = os.path.join(runner.directory, "idle.txt")
    for form, status in ("chains", 1), ("json", 1), ("folded", 0):
        what = "idle threads as " + form
        _, _, error = runner.run(what, "cgunwind", "-f", form, "-o", out, path, statuses=(status,))
        size, most = os.path.getsize(out), 4096 * os.path.getsize(path)
        if size > most:
            runner.fail(what, "%d bytes of a snapshot of %d" % (size, os.path.getsize(path)))
        if status and "samples of threads that did not run are left out" not in error:
            runner.fail(what, "not told: " + error)
        os.unlink(out)
    os.unlink(path)


def check_hollow_elf(runner, data):
    """An ELF file of a gigabyte that is a hole: no memory is made of it."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    hollow = bytearray(data)
    for at in range(table, table + size * count, size):
        (flags,) = struct.unpack_from("<Q", hollow, at + 8)
        (length,) = struct.unpack_from("<Q", hollow, at + 32)
        if flags & 4 and length > 256:  # .text
            struct.pack_into("<Q", hollow, at + 32, 1000 << 20)
    path = runner.write("hollow", hollow)
    os.truncate(path, 1 << 30)
    for task in ("--functions",), ("-m", "prologue"), ("--audit",):
        what = "hollow ELF file: " + task[0]
        _, out, error = runner.run(what, "cgrules", *task, path, statuses=(1,))
        if out or "is nearly all a hole" not in error:
            runner.fail(what, "not refused: " + error)
    os.unlink(path)


def check_names(runner, program):
    """Control characters, C1 too, in a file's name: not printed, in data or messages."""
    path = os.path.join(os.fsencode(runner.directory), b"a\x1b\x9b\xc2\x9b\n.elf")
    shutil.copy(program, path)
    for task in ("--audit",), ("--explain", "main"), ("--method", "debug_frame"):
        what = "control characters in the name: " + task[0]
        _, out, error = runner.run(what, "cgrules", *task, path)
        printed = out.partition(b"\n")[0] + error.encode("utf-8", "replace")
        if b"\x1b" in printed or b"\xc2\x9b" in printed or b"\x9b" in printed or b"????" not in printed:
            runner.fail(what, repr(printed[:200]))
    os.unlink(path)


def check_skippable(runner, whole):
    """What a later minor version may add is ignored."""
    parts = [whole.header]
    for item in whole.records:
        parts.append(snapfile.record(77, b"later", flags=0))
        parts.append(snapfile.record(item.kind, item.payload + b"later", item.flags))
    everything = whole.samples_before(len(whole.data))
    status, count, error = runner.samples("later minor version", "later", b"".join(parts), (0,))
    if status == 0 and count != everything:
        runner.fail("later minor version", "%s samples of %d: %s" % (count, everything, error))


def own_function(out, module):
    """Whether a frame of `module` has a function's name of chains.c, and one of libc has one."""
    own = foreign = False
    samples = (item for item in map(json.loads, out.splitlines()) if item["type"] == "sample")
    for item in samples:
        for frame in item["frames"]:
            own |= frame.get("module") == module and frame.get("function") == "vdso_spin"
            foreign |= frame.get("function") in ("clone3", "__clone3", "qsort_r")
    return own, foreign


def check_other_build(runner, program, other, snapshot):
    """A file of the right name and another build-id: refused, and the other modules are fine."""
    given = os.path.join(runner.directory, "other", os.path.basename(program))
    os.mkdir(os.path.dirname(given))
    shutil.copy(other, given)

    def named(what, *options):
        arguments = ("-f", "json", *options, snapshot)
        _, out, error = runner.run(what, "cgunwind", *arguments, statuses=(0,))
        return own_function(out, program), error

    what = "--elf of another build"
    functions, error = named(what, "-e", given)
    told = error.count("\n") == 1 and given in error and "build-id" in error
    if functions != (True, True) or not told:
        runner.fail(what, "not refused with one warning: " + error)
    os.rename(program, program + ".aside")
    shutil.copy(other, program)
    what = "another build in its place"
    functions, error = named(what)
    if functions != (False, True) or program not in error or "build-id" not in error:
        runner.fail(what, "not refused with a warning: " + error)
    what = "--elf of the right build"
    functions, error = named(what, "-e", program + ".aside")
    if functions != (True, True) or error:
        runner.fail(what, "not used: " + error)
    os.rename(program + ".aside", program)


def check_damaged_elf(runner, program, snapshot, seed):
    """An ELF file with damage here and there: no harm, by any method."""
    chance = random.Random(seed)
    with open(program, "rb") as file:
        data = bytearray(file.read())
    if seed % 6 == 0:
        del data[chance.randrange(len(data)) :]
    # The file's header and its section headers at the end decide most.
    for _ in range(chance.choice((1, 4, 40))):
        ranges = ((16, 64), (64, 800), (0, len(data)), (len(data) - 2400, len(data)))
        low, high = chance.choice(ranges)
        offset = chance.randrange(max(low, 0), max(high, 1))
        data[min(offset, len(data) - 1)] = chance.randrange(256)
    path = runner.write("elf-%d" % seed, data)
    what = "damaged ELF file %d" % seed
    runner.run(what, "cgunwind", "-e", path, "-f", "folded", snapshot, statuses=(0,))
    runner.run(what, "cgunwind", "--method", "prologue,fp", "-e", path, snapshot, statuses=(0,))
    for method in ("eh_frame", "prologue"):
        runner.run(what, "cgrules", "--method", method, path)
    os.unlink(path)


def find_section(data, wanted):
    """(offset, size) of a section of a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * size) for i in range(count)]
    for name, _, _, _, offset, length in headers:
        start = headers[names][4] + name
        if data[start : data.index(b"\0", start)] == wanted:
            return offset, length
    raise known.Failure("there is no " + wanted.decode())


def check_cut_elf(runner, data, size):
    """An ELF file that ends too soon: what is left with a warning, or 1 and one line where no code is; by any task."""
    path = runner.write("cut-elf-%d" % size, data[:size])
    code = find_section(data, b".init")[0]
    for task in (), ("-m", "eh_frame"), ("-m", "prologue"), ("--functions",), ("--audit",):
        what = "ELF file cut at %d: %s" % (size, " ".join(task) or "rows")
        status, out, error = runner.run(what, "cgrules", *task, path)
        told = "at offset" in error and "the file ends at %d" % size in error
        if size >= 64 and not told:
            runner.fail(what, "no line that says what is missing: " + error)
        if size < code and (status != 1 or out) or status == 0 and not out:
            runner.fail(what, "status %s, %d bytes of output" % (status, len(out)))
    os.unlink(path)


def entries(data, offset, size):
    """Where the entries of .eh_frame begin, in the section, and the distance to their CIE."""
    at = 0
    while at + 8 <= size:
        length, distance = struct.unpack_from("<II", data, offset + at)
        if length:
            yield at, distance
        at += 4 + length


def check_damaged_fdes(runner, data):
    """FDEs that lead nowhere: those that are left are printed, and how many were not, and which is the first."""
    offset, size = find_section(data, b".eh_frame")
    fdes = [at for at, distance in entries(data, offset, size) if distance]
    for chosen in fdes[3:5], fdes:
        damaged = bytearray(data)
        for at in chosen:
            struct.pack_into("<I", damaged, offset + at + 4, 2)
        path = runner.write("fdes", damaged)
        some = len(chosen) < len(fdes)
        told = "%d of %d FDEs of .eh_frame cannot" % (len(chosen), len(fdes))
        for task in ("-m", "eh_frame"), ("--audit",):
            what = "%d damaged FDEs: %s" % (len(chosen), task[0])
            status, out, error = runner.run(what, "cgrules", *task, path, statuses=(0 if some else 1,))
            first = "the first at %08x in" % chosen[0]
            if told not in error or first not in error or error.count("\n") != 1 or bool(out) != some:
                runner.fail(what, "%r instead of %r and %r" % (error, told, first))
        # Without a choice of the method the code is analysed when no FDE is left.
        status, out, error = runner.run("rows of damaged FDEs", "cgrules", path, statuses=(0,))
        if told not in error or not out:
            runner.fail("rows of damaged FDEs", error)
        os.unlink(path)


def check_elf_files(runner, program, pool):
    with open(program, "rb") as file:
        data = file.read()
    check_damaged_fdes(runner, data)
    text, size = find_section(data, b".text")
    cuts = {63, 64, 500, find_section(data, b".init")[0] - 1, text + size // 2, text + size, find_section(data, b".eh_frame")[0] + 40, len(data) - 1}
    return [pool.submit(check_cut_elf, runner, data, cut) for cut in sorted(cuts)]


def capture(runner, program):
    """A snapshot of a few rounds, with repeats in it."""
    path = os.path.join(runner.directory, "whole.bin")
    with known.Target([program]) as target:
        target.wait_ready(spinning=("vdso",))
        cgsnap = os.path.join(runner.tools, "cgsnap")
        known.check_run([cgsnap, "-F", "50", "-n", "4", "-o", path, "-p", str(target.pid)])
    return path


def check_snapshots(runner, whole, pool):
    chance = random.Random(1)
    size = len(whole.data)
    ends = [item.end for item in whole.records]
    cuts = {chance.randrange(size) for _ in range(CUTS)}
    cuts |= {end + chance.choice((-1, 0, 1, 12)) for end in ends}
    cuts = sorted(cut for cut in cuts if cut < size)
    flips = [(chance.randrange(size), chance.randrange(8)) for _ in range(FLIPS)]
    flips += [(item.offset + chance.randrange(12), chance.randrange(8)) for item in whole.records]
    jobs = [pool.submit(check_cut, runner, whole, cut) for cut in cuts]
    jobs += [pool.submit(check_flip, runner, whole, *flip) for flip in flips]
    jobs += [pool.submit(check_hostile_flip, runner, whole, seed) for seed in range(HOSTILE_FLIPS)]
    return jobs


def check_all(runner):
    program = known.build("gcc", 0, runner.directory)
    other = known.build("gcc", 3, runner.directory)
    snapshot = capture(runner, program)
    with open(snapshot, "rb") as file:
        whole = snapfile.Snapshot(file.read())
    everything = whole.samples_before(len(whole.data))
    status, count, error = runner.samples("the snapshot itself", "itself", whole.data, (0,))
    if status != 0 or count != everything or count < 36 or error:
        runner.fail("the snapshot itself", "%s of %d samples: %s" % (count, everything, error))
    check_no_snapshots(runner)
    check_liars(runner)
    check_idle(runner)
    check_names(runner, program)
    with open(program, "rb") as file:
        check_hollow_elf(runner, file.read())
    check_skippable(runner, whole)
    check_other_build(runner, program, other, snapshot)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = check_snapshots(runner, whole, pool)
        jobs += check_elf_files(runner, program, pool)
        jobs += [
            pool.submit(check_damaged_elf, runner, program, snapshot, seed)
            for seed in range(ELF_FLIPS)
        ]
        for job in jobs:
            job.result()


def test(tools):
    known.need("gcc")
    directory = tempfile.mkdtemp(prefix="cg-bad-input-")
    runner = Runner(tools, directory)
    try:
        check_all(runner)
        print("%d runs" % runner.count)
        return runner.failures
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    known.main(test)
