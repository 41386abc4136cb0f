# SPDX-License-Identifier: MIT
"""Runs inside gdb: what gdb tells of the variables of all frames, as JSON; and cores of processes.

usage: CG_JOBS=JOBS.json gdb -nx -batch -x gdb_variables.py

JOBS.json is a list. {"pid": P, "core": C} writes a core of a process. {"exe": E, "core": JOB,
"other": JOB}, each JOB {"core": C, "out": O}, reads a core and writes O; and makes of it the other
core, whose registers that callees need not keep hold something else (core_registers.py), and reads
that. "modules", [[FILE, BIAS]], are ELF files that no link map tells of, for their symbols.
{"exe": E, "core": C, "out": O, "explain": [[TID, FRAME, NAME], …]} writes a list: the size of
each variable and its location as `info scope` has it. What is written of a core:

    {"threads": [{"tid": …, "frames": [{"pc": …, "function": …, "inline": …, "saved": …,
        "variables": [{"name": …, "kind": "parameter"|"local", "line": …, "type": …,
                       "value": TEXT or "optimized_out" or "no_memory" or "error": TEXT}]}]}]}

Frames go from the innermost to the outermost, inlined functions are frames of their own; variables
from the innermost block to the function's. Texts are those of `info locals`. Of registers that
callees need not keep, those that the frame has `saved`: their addresses.
"""

import json
import os
import re
import sys

import gdb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import core_registers

SETTINGS = (
    "confirm off", "pagination off", "width 0", "height 0", "auto-load off", "debuginfod enabled off",
    "print static-members off", "print pretty off", "print elements 200", "print repeats 10",
    "print object off", "print vtbl off", "print union on", "print array off", "print symbol on",
    "print sevenbit-strings off", "print entry-values no", "backtrace past-main on",
    "backtrace limit 2000", "max-value-size 65536", "print max-depth 20",
)
FRAMES_MAX = 2000
SAVED = re.compile(r"(\w+) at (0x[0-9a-f]+)")
CLOBBERED = {"rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "eax", "ecx", "edx"}
CLOBBERED_RISCV = {"ra", *("t%d" % i for i in range(7)), *("a%d" % i for i in range(8)),
                   *("f%s%d" % (kind, i) for kind in "ta" for i in range(12))}
CLOBBERED_ARM = {*("r%d" % i for i in (0, 1, 2, 3, 12)), *("x%d" % i for i in range(18))}


def is_enumerator(symbol):
    """A constant of an enumeration that the function defines: no variable."""
    kind = symbol.type.strip_typedefs()
    return (symbol.is_constant and kind.code == gdb.TYPE_CODE_ENUM
            and any(field.name == symbol.name for field in kind.fields()))


class Progress:
    """Where it is, in a file: what gdb dies of is passed over the next time."""

    def __init__(self, job):
        self.path, self.skip = job["out"] + ".at", job.get("skip", [])
        self.place = [0, 0, 0]  # thread, frame, variable

    def enter(self, depth):
        self.place[depth] += 1
        self.place[depth + 1:] = [0] * (2 - depth)
        return depth < 2 or self.goes_on(self.place)

    def may_unwind(self):
        return self.goes_on([*self.place, "caller"])

    def goes_on(self, place):
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(place, file)
        return place not in self.skip

    def end(self):
        if os.path.exists(self.path):
            os.remove(self.path)


def told(symbol, frame):
    """{"value": …} or why gdb does not know it."""
    try:
        value = symbol.value(frame) if symbol.needs_frame else symbol.value()
        text = value.format_string(raw=True, deref_refs=True)
        return {"optimized_out": True} if text == "<optimized out>" else {"value": text}
    except gdb.MemoryError as error:
        return {"no_memory": str(error)}
    except gdb.error as error:
        text = str(error)
        return {"optimized_out": True} if "optimized out" in text else {"error": text}


def variables(frame, progress):
    """Of the innermost block first; each block in the order that gdb has."""
    found = []
    try:
        block = frame.block()
    except RuntimeError:  # no debug information
        return found
    while block is not None and not block.is_global and not block.is_static:
        for symbol in block:
            if not (symbol.is_argument or symbol.is_variable or symbol.is_constant):
                continue
            if is_enumerator(symbol):
                continue
            item = {"name": symbol.name, "kind": "parameter" if symbol.is_argument else "local",
                    "line": symbol.line}
            if progress.enter(2):
                item.update(told(symbol, frame), type=str(symbol.type))
            else:
                item.update(error="gdb dies of it", type="?")
            found.append(item)
        if block.function is not None:  # also of an inlined function: its caller is the next frame
            break
        block = block.superblock
    return found


def saved():
    """Where the selected frame has registers of its caller that it need not have kept."""
    try:
        text = gdb.execute("info frame", to_string=True).rpartition("Saved registers:")[2]
    except gdb.error:  # the core lacks its stack
        return []
    machine = gdb.selected_frame().architecture().name()
    names = CLOBBERED_ARM if machine.startswith(("arm", "aarch64")) else CLOBBERED
    names = CLOBBERED_RISCV if machine.startswith("riscv") else names
    return [int(place, 16) for name, place in SAVED.findall(text) if name in names]


def frames(progress):
    frame, found = gdb.newest_frame(), []
    while frame is not None and len(found) < FRAMES_MAX:
        progress.enter(1)
        frame.select()
        gdb.execute("set language " + frame.language())
        kind = frame.type()
        if kind != gdb.TAILCALL_FRAME:  # nothing of it is on the stack
            found.append({"pc": frame.pc(), "function": frame.name(),
                          "inline": kind == gdb.INLINE_FRAME,
                          "saved": [] if kind == gdb.INLINE_FRAME else saved(),
                          "variables": variables(frame, progress)})
        try:
            frame = frame.older() if progress.may_unwind() else None
        except gdb.error:
            break
    return found


def open_core(job, core):
    if gdb.current_progspace().filename != os.path.realpath(job["exe"]):
        gdb.execute("file " + job["exe"])
    gdb.execute("core-file " + core)
    gdb.execute("set language c")  # in the last frame's it may not even read a number
    for path, bias in job.get("modules", ()):
        gdb.execute("add-symbol-file %s -o %#x" % (path, bias), to_string=True)


def close_core(job):
    gdb.execute("core-file")
    if "modules" in job:
        gdb.execute("symbol-file")


def read(job, part):
    open_core(job, part["core"])
    threads, progress = [], Progress(part)
    for thread in gdb.selected_inferior().threads():
        progress.enter(0)
        thread.switch()
        threads.append({"tid": thread.ptid[1] or thread.ptid[0], "frames": frames(progress)})
    close_core(job)
    with open(part["out"] + ".part", "w", encoding="utf-8") as file:
        json.dump({"threads": threads}, file)
    os.rename(part["out"] + ".part", part["out"])
    progress.end()


def read_both(job):
    """The core, and the one with other registers."""
    if not os.path.exists(job["core"]["out"]):
        read(job, job["core"])
    with open(job["core"]["out"], encoding="utf-8") as file:
        places = {place for thread in json.load(file)["threads"] for frame in thread["frames"]
                  for place in frame["saved"]}
    core_registers.with_others(job["core"]["core"], job["other"]["core"], places)
    read(job, job["other"])


def location(frame, name):
    """{"size": …, "location": TEXT} of the innermost variable of that name."""
    block, size = frame.block(), None
    while block is not None and size is None:
        size = next((symbol.type.sizeof for symbol in block if symbol.name == name), None)
        block = block.superblock
    pc = frame.pc() - (0 if frame.level() == 0 else 1)
    try:
        text = gdb.execute("info scope *%#x" % pc, to_string=True)
    except gdb.error:  # it stumbles over variables of inlined functions
        text = ""
    found = re.search(r"Symbol %s is (.*?)(?=^Symbol |\Z)" % re.escape(name), text, re.M | re.S)
    return {"size": size, "location": found[1] if found else ""}


def explain(job):
    open_core(job, job["core"])
    found = []
    for tid, level, name in job["explain"]:
        for thread in gdb.selected_inferior().threads():
            if tid in thread.ptid:
                thread.switch()
        frame = gdb.newest_frame()
        while level:
            level -= frame.type() != gdb.TAILCALL_FRAME
            frame = frame.older()
        frame.select()
        found.append(location(frame, name))
    close_core(job)
    with open(job["out"], "w", encoding="utf-8") as file:
        json.dump(found, file)


def write_core(job):
    gdb.execute("attach %d" % job["pid"])
    gdb.execute("generate-core-file " + job["core"])
    gdb.execute("detach")


def main():
    for setting in SETTINGS:
        gdb.execute("set " + setting)
    gdb.execute("maint set internal-error corefile no")
    gdb.execute("maint set internal-error quit yes")
    with open(os.environ["CG_JOBS"], encoding="utf-8") as file:
        jobs = json.load(file)
    for job in jobs:
        (write_core if "pid" in job else explain if "explain" in job else read_both)(job)


main()
