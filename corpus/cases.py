"""The cases of the corpus: their names, files and known chains; unwinding and judging their samples."""

import collections
import functools
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.join(HERE, "programs")
OUTSIDE = ".."
STOP = "thread-start"
LOST = "?"
# Where Debian's cross packages have the libraries.
LIBRARIES = {
    "arm": "/usr/arm-linux-gnueabihf/lib",
    "a64": "/usr/aarch64-linux-gnu/lib",
    "rv64": "/usr/riscv64-linux-gnu/lib",
}
LIBRARY_NAMES = {
    "arm": ("ld-linux-armhf.so.3", "libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"),
    "a64": ("ld-linux-aarch64.so.1", "libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"),
    "rv64": ("ld-linux-riscv64-lp64d.so.1", "libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"),
}
TRIPLES = {"arm": "arm-linux-gnueabihf", "a64": "aarch64-linux-gnu", "rv64": "riscv64-linux-gnu"}
# The kernels that run programs of an instruction set, where these are not all of 32 bits.
OWN_KERNEL = {"a64": "arm64", "rv64": "riscv64"}
KERNELS = ("armhf", "arm64", "riscv64")

Case = collections.namedtuple("Case", "name program isa compiler options")


class Failure(Exception):
    """What is wrong, as one or more lines."""


def all_cases():
    cases = []
    with open(os.path.join(HERE, "cases.txt")) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                program, isa, compiler, *options = line.split()
                name = "-".join([program, isa, compiler, *options]).replace("--", "-")
                cases.append(Case(name, program, isa, compiler, tuple(options)))
    return cases


def machine(case):
    """Whose ELF files it needs."""
    return case.isa if case.isa in OWN_KERNEL else "arm"


def kernels(case):
    """The kernels that run it."""
    return (OWN_KERNEL[case.isa],) if case.isa in OWN_KERNEL else ("armhf", "arm64")


def libraries(case):
    return [os.path.join(LIBRARIES[machine(case)], name) for name in LIBRARY_NAMES[machine(case)]]


def expand(text):
    """`a < (b < c)*2` as [a, b, c, b, c]."""
    names = []
    for part in re.findall(r"\(([^)]*)\)\*(\d+)|([^\s<()*]+)(?:\*(\d+))?", text):
        group, times, name, count = part
        if group:
            names += expand(group) * int(times)
        else:
            names += [name] * int(count or 1)
    return names


CHAIN = re.compile(r"^ \* chain(?: (\S+))?: (.*)$", re.MULTILINE)


@functools.lru_cache(None)
def _source(program):
    for suffix in (".c", ".cc", ".rs"):
        path = os.path.join(PROGRAMS, program + suffix)
        if os.path.exists(path):
            with open(path) as file:
                return file.read()
    raise Failure("no source of " + program)


def holds(case, conditions):
    """Whether all of `word,!word` is true of a case."""
    words = set(case.options) | {machine(case), case.isa, case.compiler}
    return all((word.lstrip("!") in words) != word.startswith("!") for word in conditions.split(",") if word)


@functools.lru_cache(None)
def chains(case):
    """The case's known chains, each a tuple of names from the innermost, from its source."""
    found = []
    for conditions, text in CHAIN.findall(_source(case.program)):
        if holds(case, conditions):
            found.append(tuple(expand(text)))
    if not found:
        raise Failure("no chains in the source of " + case.program)
    return found


EXCUSED = re.compile(r"^ \* excused(?: (\S+))?: ([^:]*): (.*)$", re.MULTILINE)


def excuse(case, frames):
    """Why a sample with a frame in certain modules may show something else, or None."""
    for conditions, modules, reason in EXCUSED.findall(_source(case.program)):
        if holds(case, conditions) and {frame.module for frame in frames} & set(modules.split()):
            return reason
    return None


def matches(names, chain):
    """Is `names` the chain from one of its functions outwards?"""
    return 0 < len(names) <= len(chain) and tuple(names) == chain[-len(names):]


class Symbols:
    """The functions of a case's own modules, from the file `symbols` that its build left."""

    def __init__(self, directory):
        self.functions = collections.defaultdict(list)
        with open(os.path.join(directory, "symbols")) as file:
            for line in file:
                module, start, size, name = line.split()
                self.functions[module].append((int(start, 16), int(size, 16), name))

    def name(self, module, vaddr):
        for start, size, name in self.functions.get(module, ()):
            if start <= vaddr < start + size:
                return name, vaddr - start
        return None, 0


def unwind(cgunwind, case, directory, snapshot, *options, files=None):
    """cgunwind's samples of a snapshot, from the files in the case's directory and these libraries (None: of the cross packages)."""
    command = [cgunwind, "-f", "json", "--no-inline", "--sysroot", directory, *options]
    for name in ("program", "plugin.so"):
        path = os.path.join(directory, name)
        if os.path.exists(path):
            command += ["-e", path]
    for path in libraries(case) if files is None else files:
        if os.path.exists(path):
            command += ["-e", path]
    return _samples(case, command + [snapshot])


def unwind_alone(cgunwind, case, snapshot, empty):
    """The same by what the snapshot itself brings; `empty` is a directory without files."""
    return _samples(case, [cgunwind, "-f", "json", "--no-inline", "--sysroot", empty, snapshot])


def _samples(case, command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode != 0:
        raise Failure("%s: cgunwind: %s" % (case.name, done.stderr.strip()))
    samples = [json.loads(line) for line in done.stdout.splitlines()]
    return [sample for sample in samples if sample["type"] == "sample"]


def missing_libraries(samples):
    """The libraries whose file here is not the one that was mapped."""
    return {
        frame["module"]
        for sample in samples
        for frame in sample["frames"]
        if frame.get("module", "").startswith("/lib/") and "vaddr" not in frame
    }


Frame = collections.namedtuple("Frame", "name offset module pc vaddr trust")


def frames_of(sample, symbols):
    """The sample's frames with the names of the build; None: no function of the case."""
    frames = []
    for index, frame in enumerate(sample["frames"]):
        module = os.path.basename(frame.get("module", "?"))
        name, offset = None, 0
        vaddr = int(frame["vaddr"], 16) if "vaddr" in frame else None
        if vaddr is not None and module in symbols.functions:
            is_call = index > 0 and frame["trust"] != "context" and not frame.get("interrupted")
            name, offset = symbols.name(module, vaddr - is_call)
            offset += is_call
        frames.append(Frame(name, offset, module, int(frame["pc"], 16), vaddr, frame["trust"]))
    return frames


def names_of(frames, known):
    """What is to match a chain: functions that no chain has are outside; outsiders next to each other are one."""
    names = []
    for frame in frames:
        name = frame.name if frame.name in known else OUTSIDE
        if name != OUTSIDE or names[-1:] != [OUTSIDE]:
            names.append(name)
    return names


def is_part(names, chain):
    """Is `names` what is left of the chain, from one of its functions outwards, when its outer end is cut off?"""
    return any(tuple(names) == chain[start:start + len(names)] for start in range(len(chain)))


def judge(case, frames, stop):
    """None: a sample's chain is the known one; else ("cut" or "wrong", what it shows)."""
    wanted = chains(case)
    names = names_of(frames, {name for chain in wanted for name in chain})
    if any(matches(names + [LOST] * (stop != STOP), chain) for chain in wanted):
        return None
    cut = stop != STOP and any(is_part(names, chain) for chain in wanted)
    return "cut" if cut else "wrong", "shows %s [%s]" % (run_length(names), stop)


def frame_text(frame):
    """name+offset in the program; the module's name alone where it is Debian's."""
    if frame.name:
        return "%s+%x" % (frame.name, frame.offset)
    return frame.module


def run_length(texts):
    runs = []
    for text in texts:
        if runs and runs[-1][0] == text:
            runs[-1][1] += 1
        else:
            runs.append([text, 1])
    return " < ".join(text if count == 1 else "%s*%d" % (text, count) for text, count in runs)


def expected_line(frames, stop):
    """A sample's chain as one line of the file `expected`: frames with the trust of each."""
    return "%s [%s]" % (run_length("%s %s" % (frame_text(frame), frame.trust) for frame in frames), stop)


def expected_text(lines):
    """The file: what was seen how often, sorted."""
    counts = collections.Counter(lines)
    return "".join("%d: %s\n" % (counts[line], line) for line in sorted(counts))
