#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgrules --audit over real files: floors, and the same comparison made with readelf and objdump.

usage: audit.py BUILD-DIRECTORY

Of one file every place that the audit calls wrong must differ from `readelf -wF`, and every instruction (by objdump) at which
`cgrules --pcs` differs from readelf's row in the offset from the same register must be called wrong, or the CFI behind its code;
where it has no answer, unknown. Also: without CFI there is one line of reason; --code-only does not see what strip removes.
"""

import bisect
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known
from cfi_readelf import readelf_functions
from functions import plts

LIBRARIES = "/usr/lib/x86_64-linux-gnu/"
# Per cent of agreement at any instruction, and of wrong answers: a little below what is reached.
FLOORS = {
    LIBRARIES + "libc.so.6": (99.8, 0.02),
    LIBRARIES + "libstdc++.so.6": (99.8, 0.1),
    LIBRARIES + "libcapstone.so.4": (99.8, 0.1),
    LIBRARIES + "libelf.so.1": (99.8, 0.1),
    "/bin/bash": (99.8, 0.1),
    "/usr/bin/python3": (97.5, 0.2),
}
COMPARED = LIBRARIES + "libstdc++.so.6"
SHOWN = 5
COUNTS = re.compile(r"^(\S+) +(\d+) +([\d.]+|-) +(\d+) +(\d+) +(\d+)$")
PLACE = re.compile(r"^([0-9a-f]{16}) \S+ (\S+) (wrong|unknown|incomparable|suspect) cfi=(\S+) analysed=(\S+)$")
KINDS = ["prologue", "body", "epilogue", "after-epilogue", "alloca", "realigned", "fragment", "total"]
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t(.*)$")
NOP = re.compile(r"(data16 |cs )*(nop|xchg +%ax,%ax)|int3")
CFA = re.compile(r"r\w+\+\d+$")


def audit(cgrules, path, *options, **run_options):
    return known.check_run([cgrules, "--audit", *options, path], **run_options)


COVERED = re.compile(r"^code under them: (\d+\.\d\d)%, (\d+) of (\d+) bytes$", re.MULTILINE)


def check_coverage(name, text, least):
    """The bytes under FDEs are told, and at least so many per cent of the code are."""
    found = COVERED.search(text)
    if not found or float(found[1]) != int(found[2]) * 10000 // int(found[3]) / 100:
        yield "%s: what the FDEs cover is not told: %s" % (name, text[:200])
    elif not least <= float(found[1]) <= 100:
        yield "%s: the FDEs cover %s%% of the code" % (name, found[1])


def tables(text):
    """[{kind: [eligible, agree, wrong, unknown, incomparable]}]: of all places, of calls."""
    found = []
    for line in text.splitlines():
        counts = COUNTS.match(line)
        if line.startswith(("any instruction", "at calls")):
            found.append({})
        elif counts and found:
            agree = 0.0 if counts[3] == "-" else float(counts[3])
            found[-1][counts[1]] = [int(counts[2]), agree] + [int(counts[i]) for i in (4, 5, 6)]
    if len(found) != 2 or [list(table) for table in found] != [KINDS, KINDS]:
        raise known.Failure("the audit's tables are not as documented:\n" + text)
    return found


def check_sums(name, table):
    for column in (0, 2, 3, 4):
        if sum(table[kind][column] for kind in KINDS[:-1]) != table["total"][column]:
            yield "%s: column %d does not add up" % (name, column)


def check_floors(cgrules):
    checked = 0
    for path, (agree, wrong) in FLOORS.items():
        if not os.path.exists(path):
            print("%s: not here" % path)
            continue
        checked += 1
        text = audit(cgrules, path)
        if text != audit(cgrules, path):
            yield "%s: two audits differ" % path
        places, calls = tables(text)
        yield from check_sums(path, places)
        yield from check_sums(path, calls)
        yield from check_coverage(path, text, 50)
        total = places["total"]
        wrong_percent = 100 * total[2] / total[0]
        print("%s: %d places, agree %.2f%%, wrong %.3f%%" % (path, total[0], total[1], wrong_percent))
        if total[1] < agree or wrong_percent > wrong:
            yield "%s: below the floor of %.2f%% agreement, %.2f%% wrong" % (path, agree, wrong)
    if checked < 3:
        raise known.Failure("hardly any file to audit")


def listed(text):
    """{address: (kind, verdict, CFI's row, ours)}"""
    matches = filter(None, map(PLACE.match, text.splitlines()))
    return {int(match[1], 16): match.groups()[1:] for match in matches}


def instructions(path):
    """Addresses of instructions by objdump, without those that pad and those of PLTs."""
    stubs = plts(path)
    for line in known.check_run(["objdump", "-d", "-w", "--no-show-raw-insn", path]).splitlines():
        match = INSTRUCTION.match(line)
        if match and not NOP.match(match[2]):
            address = int(match[1], 16)
            if not any(low <= address < high for low, high in stubs):
                yield address


def rows_at(functions, addresses):
    """(address, readelf's CFA) where that is a register plus an offset, and the return address is in its place."""
    starts = sorted(functions)
    for address in addresses:
        index = bisect.bisect_right(starts, address) - 1
        if index < 0 or address >= functions[starts[index]][0]:
            continue
        rows = functions[starts[index]][1]
        begins = sorted(rows)
        row = bisect.bisect_right(begins, address) - 1
        if row < 0:  # readelf shows no rows where the CIE's is the only one
            yield address, "rsp+8"
        elif CFA.match(rows[begins[row]].cfa) and rows[begins[row]].rules["ra"] == "c-8":
            yield address, rows[begins[row]].cfa


def answers(cgrules, path, addresses):
    text = "".join("%x\n" % address for address in addresses)
    out = subprocess.run([cgrules, "--method", "prologue", "--pcs", "-", path], input=text, text=True,
                         stdout=subprocess.PIPE, check=True, timeout=120).stdout
    for line in out.splitlines():
        address, register, offset, _ = line.split()
        yield int(address, 16), None if register == "-" else (register, int(offset))


def check_against_readelf(cgrules):
    path = COMPARED
    text = audit(cgrules, path, "-v", "-v")
    places, eligible = listed(text), tables(text)[0]["total"][0]
    truth = dict(rows_at(readelf_functions(path), instructions(path)))
    if len(truth) < 100000:
        raise known.Failure("readelf and objdump know only %d instructions of %s" % (len(truth), path))
    failures = []
    given = dict(answers(cgrules, path, truth))
    if set(given) != set(truth):
        raise known.Failure("%d addresses were asked for, %d answered" % (len(truth), len(given)))
    for address, ours in given.items():
        register, offset = truth[address].split("+")
        verdict = places.get(address, ("", "agree"))[1]
        if ours is None:
            expected = ("unknown", "wrong")  # wrong: it says that there is no caller
        elif ours == (register, int(offset)):
            expected = ("agree",)
        elif ours[0] == register:
            expected = ("wrong", "suspect")
        else:
            expected = ("agree", "wrong", "incomparable", "suspect")
        if verdict not in expected:
            failures.append("%s: %x: readelf says %s, we %s, the audit calls it %s" %
                            (path, address, truth[address], ours, verdict))
    for address, (_, _, cfi, _) in places.items():
        if address in truth and cfi != truth[address] + ",c-8":
            failures.append("%s: %x: readelf says %s, the audit %s" % (path, address, truth[address], cfi))
    print("%s: %d places compared with readelf, %d differ" % (path, len(truth), len(failures)))
    if not 0.98 * eligible < len(truth) <= eligible:  # the nops that are executed
        failures.append("%s: %d places are eligible, by readelf and objdump %d" % (path, eligible, len(truth)))
    yield from failures[:SHOWN]


def check_without_cfi(cgrules, program, directory):
    path = os.path.join(directory, "without-cfi")
    known.check_run(["objcopy", "-R", ".eh_frame", "-R", ".eh_frame_hdr", "-R", ".debug_frame", program, path])
    done = known.run([cgrules, "--audit", path])
    error = done.stderr.decode()
    if done.returncode != 1 or error.count("\n") != 1 or "--debug-dir" not in error:
        yield "without CFI: exit status %d, %r" % (done.returncode, error)
    text = done.stdout.decode()
    without = rowless(text)
    if not text.startswith(path + ": no CFI to compare with\n") or not without:
        yield "without CFI: %r" % text
    elif not 100000 < without[1] or not 0 <= without[0] < without[1] / 50:
        yield "without CFI: %d of %d bytes without a row" % without


def rowless(text):
    """Bytes without a row, of how many. The largest parts are no more than they are in all."""
    told = re.search(r"^code without a row: [0-9.]+%, (\d+) of (\d+) bytes, \d+ of them in no function\n"
                     r"((?:  [0-9a-f]+ +\d+ of +\d+ bytes .*\n)*)", text, re.MULTILINE)
    if not told:
        return None
    largest = [int(line.split()[1]) for line in told[3].splitlines()]
    if largest != sorted(largest, reverse=True) or sum(largest) > int(told[1]):
        return None
    return int(told[1]), int(told[2])


def check_stripped(cgrules, program, directory):
    """As if the file was stripped is the same as stripped."""
    copies = [os.path.join(directory, name) for name in ("whole", "stripped")]
    outputs = []
    for copy in copies:
        os.mkdir(copy)
        shutil.copy(program, os.path.join(copy, "program"))
    known.check_run(["strip", "-s", os.path.join(copies[1], "program")])
    for copy in copies:
        text = audit(cgrules, "program", "--code-only", cwd=copy)
        # How many starts are expected is told by the symbols.
        outputs.append(text.partition("\nstarts of functions")[0])
        print(text.splitlines()[-1])
    if outputs[0] != outputs[1]:
        yield "--code-only: the audits of a file and of its stripped copy differ:\n%s\n%s" % tuple(outputs)


def check_usage(cgrules):
    for options in (["--audit", "--functions"], ["--audit", "-m", "eh_frame"], ["--audit"]):
        arguments = options + ([cgrules] if len(options) > 1 else [])
        if known.run([cgrules] + arguments).returncode != 2:
            yield "%s is not refused" % " ".join(arguments)


def test(tools):
    known.need("readelf", "objdump", "objcopy", "strip")
    if not os.path.exists(COMPARED):
        known.skip("there is no " + COMPARED)
    cgrules = os.path.join(tools, "cgrules")
    program = os.path.join(tools, "cgunwind")
    failures = list(check_floors(cgrules)) + list(check_against_readelf(cgrules)) + list(check_usage(cgrules))
    with tempfile.TemporaryDirectory() as directory:
        failures += check_without_cfi(cgrules, program, directory)
        failures += check_stripped(cgrules, program, directory)
    return failures


if __name__ == "__main__":
    known.main(test)
