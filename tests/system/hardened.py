#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of a release build are hardened, and so are agents.

usage: hardened.py BUILD-DIRECTORY

Read from the ELF files by readelf: position independence, relocations that are read-only and all
made at the start, a stack that is not executable, canaries, checked buffers, marks for indirect
branches. Checked first is that the check finds a program that has none of these.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

ROOT = os.path.dirname(known.TESTS)
# What each lacks: pages of 64 KiB would make arm64's file larger by 16.
AGENTS = {"armhf": "", "armhf-a32": "", "riscv64": "", "x86_64": "", "arm64": "RELRO", "i386": ""}
# What stands where an indirect branch may arrive. Whether the file says so in its notes depends on
# the C library's objects, too: Debian's do not.
LANDING = {"Advanced Micro Devices X86-64": "endbr64", "AArch64": "paciasp"}
LANDINGS_MIN = 100


def readelf(*arguments):
    return known.check_run(["readelf", "-W", *arguments])


def loading(path):
    """What the dynamic linker and the kernel are asked for and is missing."""
    headers, dynamic = readelf("-hl", path), readelf("-d", path)
    if not re.search(r"Type: +DYN", headers):
        yield "is at a fixed address (no PIE)"
    if "GNU_RELRO" not in headers:
        yield "has relocations that stay writable (no RELRO)"
    if not re.search(r"BIND_NOW|FLAGS_1.*\bNOW\b", dynamic):
        yield "has relocations that are made late (no BIND_NOW)"
    if not re.search(r"GNU_STACK .* RW ", headers):
        yield "has an executable stack"


def standing_alone(path):
    if "INTERP" in readelf("-l", path):
        yield "asks for an interpreter, which targets may not have"


def compiling(path):
    """What the compiler is asked for and is missing."""
    symbols = readelf("-s", path)
    machine = re.search(r"Machine: +(.*)", readelf("-h", path))[1]
    if "__stack_chk_fail" not in symbols:
        yield "has no canaries (-fstack-protector-strong)"
    if not re.search(r"__\w+_chk\b", symbols):
        yield "has no checked buffers (_FORTIFY_SOURCE)"
    mark = LANDING.get(machine)
    if mark and known.check_run(["objdump", "-d", path]).count(mark) < LANDINGS_MIN:
        yield "has no marks for indirect branches: " + mark


def check_the_check(directory):
    path = os.path.join(directory, "soft")
    flags = ["-fno-stack-protector", "-fno-pie", "-no-pie", "-fcf-protection=none", "-O0"]
    source = "int main(void) { return 0; }"
    linking = ["-Wl,-z,norelro,-z,lazy", "-z", "execstack"]
    command = ["gcc", "-x", "c", "-", "-o", path, "-U_FORTIFY_SOURCE", *flags, *linking]
    subprocess.run(command, input=source.encode(), check=True)
    found = list(loading(path)) + list(compiling(path))
    if len(found) < 6:
        yield "the check finds only this in a program that is not hardened: " + "; ".join(found)


def canaries_asked(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        return all("-fstack-protector" in unit["command"] for unit in json.load(file))


def check_agents():
    """They are stripped: of what the compiler did nothing but its command line tells."""
    command = [sys.executable, "-B", os.path.join(ROOT, "corpus", "built.py"), *AGENTS]
    done = known.run(command)
    if done.returncode != 0:
        known.skip("the agents cannot be built: run scripts/deps test")
    for preset, path in zip(AGENTS, done.stdout.decode().split()):
        yield from ("agent-%s %s" % (preset, what) for what in standing_alone(path))
        found = [what for what in loading(path) if not AGENTS[preset] or AGENTS[preset] not in what]
        if not canaries_asked(os.path.dirname(path)):
            found.append("is compiled without canaries")
        print("agent-%s: %s" % (preset, found or "hardened"))
        yield from ("agent-%s %s" % (preset, what) for what in found)


def test(tools):
    known.need("readelf", "objdump", "gcc")
    with tempfile.TemporaryDirectory() as directory:
        yield from check_the_check(directory)
    for program in ("cgunwind", "cgrules", "cgtop", "cgsnap"):
        path = os.path.join(tools, program)
        found = list(loading(path)) + list(compiling(path))
        found += standing_alone(path) if program == "cgsnap" else []
        print("%s: %s" % (program, found or "hardened"))
        yield from ("%s %s" % (program, what) for what in found)
    yield from check_agents()


if __name__ == "__main__":
    known.main(lambda tools: list(test(tools)))
