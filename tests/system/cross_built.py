#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prologue analysis beside the call frame information of compilers, at every instruction of programs built for each
instruction set.

usage: cross_built.py BUILD-DIRECTORY [--keep DIRECTORY] [--list N] [--only PART-OF-NAME]
                      [--levels LEVEL,…]

tests/programs/frames*.c are built with gcc and clang for A32, T32, A64, x86-64 and i386 with many options. Of each build
.debug_frame is taken away, cgrules analyses the code, and its rows are compared with those of .debug_frame; those of the
plain -O2 builds are in turn compared with readelf's. Where the two name different registers, frame_oracle.py relates them.

    agree         the same CFA, and a place that holds the return address
    cfa wrong, ra wrong
    unknown       no answer
    incomparable  another register than the truth's, and its value is not known
    padding       not counted: between functions
    no row        not counted: the truth is an expression; the answer does not contradict the instructions' sums
    suspect       not counted: the instructions contradict the truth, and not the answer
    sums wrong    not counted: as `no row` or `suspect`, but they contradict the answer too

Exit status: 0 each compiler and instruction set agrees as far as it must, nothing is wrong with the sums, 1 not so, 77 a
compiler is missing. --list prints the disagreements, --keep leaves the builds.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import frame_oracle
import known

STRIPPED_FLOOR = 99.0  # the same where functions must be found: a little below what is reached
FLOOR = 99.8  # percent of the comparable, of each compiler and instruction set
SOURCES = ("frames.c", "frames_flow.c")
LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os")
FRAME_POINTER = ("-fomit-frame-pointer", "-fno-omit-frame-pointer")
COMMON = ["-std=gnu11", "-g", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-w"]
NORETURN = {"abort", "exit", "fail", "fail_twice", "for_ever", "jump_back", "longjmp", "__stack_chk_fail"}

Target = collections.namedtuple("Target", "triple flags machine special")
ARM = "arm-linux-gnueabihf"
X86_SPECIAL = [["-fcf-protection"], ["-fno-plt"]]
TARGETS = {
    "a32": Target(ARM, ["-marm"], frame_oracle.Arm("a32"), [["-mapcs-frame"]]),
    "t32": Target(ARM, ["-mthumb"], frame_oracle.Arm("t32"), []),
    "a64": Target("aarch64-linux-gnu", [], frame_oracle.A64(), [["-mbranch-protection=standard"]]),
    "x86-64": Target("x86_64-linux-gnu", [], frame_oracle.X86(64), X86_SPECIAL),
    "i386": Target("i686-linux-gnu", [], frame_oracle.X86(32), X86_SPECIAL),
}
GCC_ONLY = ("-mapcs-frame",)
READELF_CHECKED = ["-O2", FRAME_POINTER[0]]  # the options of the builds whose rows are compared with readelf's
VERDICTS = ("agree", "cfa wrong", "ra wrong", "unknown", "incomparable")
EXCLUDED = ("padding", "no row", "suspect", "sums wrong")

Build = collections.namedtuple("Build", "compiler target options name")


def builds(levels):
    for compiler in known.COMPILERS:
        for name, target in TARGETS.items():
            special = [option for option in target.special if compiler == "gcc" or option[0] not in GCC_ONLY]
            for options in [[]] + special:
                for level in levels:
                    for pointer in FRAME_POINTER:
                        chosen = [level, pointer] + options
                        yield Build(compiler, name, chosen, "%s-%s%s" % (compiler, name, "".join(chosen)))


def tool(target, name):
    return "%s-%s" % (target.triple, name)


def compile_program(build, directory):
    target = TARGETS[build.target]
    path = os.path.join(directory, build.name)
    flags = COMMON + target.flags + build.options
    sources = [os.path.join(known.PROGRAMS, name) for name in SOURCES]
    linker = tool(target, "gcc")
    if build.compiler == "gcc":
        known.check_run([linker, *flags, *sources, "-o", path])
        return path
    objects = []
    for source in sources:
        objects.append("%s-%s.o" % (path, os.path.basename(source)))
        known.check_run(["clang", "--target=" + target.triple, *flags, "-c", source, "-o", objects[-1]])
    known.check_run([linker, *target.flags, *objects, "-o", path])
    return path


def ranges_of(path):
    """The FDE ranges of .debug_frame by readelf."""
    out = known.check_run(["readelf", "-W", "--debug-dump=frames,no-follow-links", path])
    ranges, inside = [], False
    for line in out.splitlines():
        if line.startswith("Contents of the "):
            inside = ".debug_frame " in line
        match = inside and re.search(r" FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)", line)
        if match:
            ranges.append((int(match[1], 16), int(match[2], 16)))
    return sorted(ranges)


def rows_at(cgrules, method, path, addresses):
    """{address: (register, offset, return address)}; None: no answer."""
    text = "".join("%x\n" % address for address in addresses)
    done = subprocess.run([cgrules, "--method", method, "--pcs", "-", path], input=text, capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise known.Failure("cgrules %s: %s" % (path, done.stderr.strip()))
    rows = {}
    for line in done.stdout.splitlines():
        field = line.split()
        address = int(field[0], 16)
        rows[address] = None if field[1] == "-" else (field[1], int(field[2]), field[3])
    return rows


def verdict(machine, state, truth, answer):
    """One of VERDICTS."""
    if answer is None:
        return "unknown"
    register, offset = answer[0], answer[1]
    value = -truth[1] if register == truth[0] else state.get(register)
    if value is None:
        return "incomparable"
    if value != -offset:
        return "cfa wrong"
    return "agree" if answer[2] == truth[2] or return_address_at(machine, answer[2], state) else "ra wrong"


def return_address_at(machine, place, state):
    """Is the return address known to be there too?"""
    if "ra:" + place not in state:
        return False
    return place == "lr" or machine.sp not in state or state[machine.sp] <= int(place)


def contradicts(answer, state):
    """Does an answer contradict the sums alone?"""
    return answer is not None and answer[0] in state and state[answer[0]] != -answer[1]


def canonical(machine, rows):
    return {address: row and (machine.register(row[0]),) + row[1:] for address, row in rows.items()}


ROW = re.compile(r"^([0-9a-f]{8,16}) (?:([a-z]\w*)([+-]\d+)|exp)\s")


def check_readelf(machine, path, truth):
    """What differs between the CFAs of `truth` and those that readelf shows where a row begins."""
    out = known.check_run(["readelf", "-W", "--debug-dump=frames-interp,no-follow-links", path])
    inside, checked, different = False, 0, []
    for line in out.splitlines():
        if line.startswith("Contents of the "):
            inside = ".debug_frame " in line
        match = inside and ROW.match(line)
        address = int(match[1], 16) if match else 0
        if address not in truth:
            continue
        checked += 1
        theirs = (machine.register(match[2]), int(match[3])) if match[3] else None
        if theirs != (truth[address] and truth[address][:2]):
            different.append("%s: %x: readelf has %s, we %s" % (path, address, theirs, truth[address]))
    return different if checked else ["%s: readelf shows no rows" % path]


Finding = collections.namedtuple("Finding", "verdict build address function truth answer")


class Result:
    """Of one build: how often which verdict, and where."""

    def __init__(self, build):
        self.build = build
        self.count = collections.Counter()
        self.findings = []


def function_pops(insns):
    """How many bytes of arguments the function's return takes off the stack."""
    for insn in insns:
        if insn.name == "ret" and insn.operands:
            return frame_oracle.number(insn.operands[0]) or 0
    return 0


def symbols_of(path, thumb):
    """{address: name} of functions."""
    names = {}
    for line in known.check_run(["nm", path]).splitlines():
        field = line.split()
        if len(field) == 3 and field[1] in "tTwW" and not field[2].startswith("$"):
            address = int(field[0], 16)
            names[address - address % thumb] = field[2]
    return names


def functions_with_truth(build, cgrules, path):
    """[(instructions, Flow)] of the functions of .debug_frame, and the truth."""
    target = TARGETS[build.target]
    machine = target.machine
    insns = frame_oracle.disassemble(tool(target, "objdump"), machine, path)
    functions = [function for function in frame_oracle.functions_of(insns, ranges_of(path)) if function]
    addresses = [insn.address for function in functions for insn in function]
    truth = canonical(machine, rows_at(cgrules, "debug_frame", path, addresses))
    pops = {function[0].address: function_pops(function) for function in functions}
    flows = [frame_oracle.Flow(machine, function, truth, NORETURN, pops).run() for function in functions]
    return list(zip(functions, flows)), truth


def judge(machine, flow, address, truth, answer):
    """One of VERDICTS or EXCLUDED."""
    state = flow.states.get(address, {})
    if address in flow.padding:
        return "padding"
    if truth is None or state.get(frame_oracle.SUSPECT):
        if contradicts(answer, state):
            return "sums wrong"
        return "no row" if truth is None else "suspect"
    return verdict(machine, state, truth, answer)


def compare_build(build, cgrules, directory):
    """The results of the program without .debug_frame, and of the stripped one."""
    target = TARGETS[build.target]
    machine = target.machine
    path = compile_program(build, directory)
    functions, truth = functions_with_truth(build, cgrules, path)
    if build.options == READELF_CHECKED:
        different = check_readelf(machine, path, truth)
        if different:
            raise known.Failure("\n".join(different))
    names = symbols_of(path, 2 if target.triple == ARM else 1)
    results = []
    for option, suffix in (("--remove-section=.debug_frame", "-bare"), ("--strip-all", "-stripped")):
        result = Result(build)
        known.check_run([tool(target, "objcopy"), option, path, path + suffix])
        answers = canonical(machine, rows_at(cgrules, "prologue", path + suffix, sorted(truth)))
        for function, flow in functions:
            for address in [insn.address for insn in function]:
                what = judge(machine, flow, address, truth[address], answers[address])
                result.count[what] += 1
                if what not in ("agree", "padding", "no row"):
                    name = names.get(function[0].address, "?")
                    result.findings.append(
                        Finding(what, build.name + suffix, address, name, truth[address], answers[address]))
        results.append(result)
    return results


def table(results, floor):
    """Prints a line for each compiler and instruction set; returns what is below the floor."""
    pools = collections.OrderedDict()
    for result in results:
        pools.setdefault((result.build.compiler, result.build.target), collections.Counter()).update(result.count)
    print("%-14s %9s %9s" % ("", "agree %", "count") + "".join(" %12s" % v for v in VERDICTS[1:] + EXCLUDED))
    failures = []
    for key, count in pools.items():
        eligible = sum(count[name] for name in VERDICTS)
        percent = 100.0 * count["agree"] / max(1, eligible)
        name = "%s %s" % key
        print("%-14s %9.3f %9d" % (name, percent, eligible) + "".join(" %12d" % count[v] for v in VERDICTS[1:] + EXCLUDED))
        if count["sums wrong"]:
            failures.append("%s: %d answers contradict the instructions" % (name, count["sums wrong"]))
        if percent < floor:
            failures.append("%s: %.3f %% agree, not %.1f %%" % (name, percent, floor))
    return failures


def compare_all(wanted, cgrules, directory):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        jobs = [pool.submit(compare_build, build, cgrules, directory) for build in wanted]
        return [job.result() for job in jobs]


def list_findings(results, limit):
    """Prints up to `limit` findings of each verdict."""
    shown = collections.Counter()
    for finding in [finding for result in results for finding in result.findings]:
        shown[finding.verdict] += 1
        if shown[finding.verdict] <= limit:
            place = "%s %x %s" % (finding.build, finding.address, finding.function)
            print("%-12s %s: %s, not %s" % (finding.verdict, place, finding.answer, finding.truth))


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", help="directory with cgrules")
    parser.add_argument("--keep", help="directory to build in and leave")
    parser.add_argument("--list", type=int, default=0, help="findings to print of each kind")
    parser.add_argument("--levels", default=",".join(LEVELS), help="of optimisation, instead of all")
    parser.add_argument("--only", default="", help="builds with this in their names")
    return parser.parse_args()


def main():
    options = arguments()
    tools = [tool(target, name) for target in TARGETS.values() for name in ("gcc", "objdump", "objcopy")]
    known.need("clang", "readelf", "nm", *tools)
    cgrules = os.path.join(options.build, "cgrules")
    if not os.access(cgrules, os.X_OK):
        sys.exit("cross_built: no %s: build first" % cgrules)
    directory = options.keep or tempfile.mkdtemp(prefix="cg-cross-built-")
    os.makedirs(directory, exist_ok=True)
    try:
        chosen = [build for build in builds(options.levels.split(",")) if options.only in build.name]
        results = compare_all(chosen, cgrules, directory)
    except known.Failure as failure:
        sys.exit("FAILED: %s" % failure)
    finally:
        if not options.keep:
            shutil.rmtree(directory)
    print("With symbols:")
    failures = table([bare for bare, _ in results], FLOOR)
    print("Stripped:")
    failures += table([stripped for _, stripped in results], STRIPPED_FLOOR)
    list_findings([result for both in results for result in both], options.list)
    for failure in failures:
        print("FAILED: " + failure)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
