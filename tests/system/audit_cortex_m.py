#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgrules --audit over the C libraries for Cortex-M, with their tables and as if stripped: floors.

usage: audit_cortex_m.py BUILD-DIRECTORY [--all]

Each library is linked whole to a file of its own, with what it needs of libgcc. That of the small
multilibs, v6-M and v8-M's baseline, is Thumb-1: large functions jump by calls there. --all: those
of more multilibs, with a table of the figures.
"""

import glob
import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import known

PICOLIBC = "/usr/lib/picolibc/arm-none-eabi/lib/release/thumb/%s/libc.a"
NEWLIB = "/usr/lib/arm-none-eabi/newlib/thumb/%s/"
LIBGCC = "/usr/lib/gcc/arm-none-eabi/*/thumb/%s/libgcc.a"
LIBRARIES = {
    "picolibc": (PICOLIBC,),
    "newlib": (NEWLIB + "libc.a", NEWLIB + "libm.a", NEWLIB + "libnosys.a"),
    "newlib-nano": (NEWLIB + "libc_nano.a", NEWLIB + "libm.a", NEWLIB + "libnosys.a"),
}
# Per cent of agreement at any instruction: a little below what is reached; with the file's tables,
# and by code alone, where functions that nothing in a library calls have to be found, too.
FLOORS = {
    ("picolibc", "v6-m/nofp"): (99.7, 99.6),
    ("newlib-nano", "v6-m/nofp"): (99.7, 99.6),
    ("newlib", "v7-m/nofp"): (99.7, 99.6),
    ("newlib", "v8-m.base/nofp"): (99.7, 99.6),
    ("newlib", "v8-m.main+fp/hard"): (99.7, 99.6),
    ("picolibc", "v8.1-m.main+mve/hard"): (99.6, 99.6),
}
MULTILIBS = ("v6-m/nofp", "v7-m/nofp", "v7e-m+fp/hard", "v8-m.base/nofp", "v8-m.main+fp/hard",
             "v8.1-m.main+mve/hard")
TOTAL = re.compile(r"^total +(\d+) +([\d.]+) +(\d+) +(\d+) +\d+$", re.MULTILINE)


def link(library, multilib, directory):
    whole, *others = (path % multilib for path in LIBRARIES[library])
    others += glob.glob(LIBGCC % multilib)
    out = os.path.join(directory, "%s-%s.elf" % (library, multilib.replace("/", "-")))
    linker = ["arm-none-eabi-ld", "-z", "muldefs", "--no-warn-mismatch"]
    archives = ["--whole-archive", whole, "--no-whole-archive", "--start-group", *others, "--end-group"]
    known.check_run([*linker, "-r", *archives, "-o", out + ".o"])
    # What the board has to bring: what is called and is nowhere would be called at the call itself.
    missing = re.findall(r" U (\S+)", known.check_run(["nm", "-u", out + ".o"]))
    functions = "".join(".global %s\n.thumb_func\n%s: bx lr\n" % (name, name) for name in missing)
    with open(out + ".board.s", "w", encoding="ascii") as file:
        file.write(functions)
    known.check_run(["arm-none-eabi-as", "-mthumb", "-o", out + ".board.o", file.name])
    known.check_run([*linker, "-Ttext", "0x8000", "-e", "0", "--noinhibit-exec", *archives, out + ".board.o", "-o", out])
    return out


def audit(cgrules, path, *options):
    """Eligible instructions, per cent of agreement, wrong ones, unknown ones."""
    text = known.check_run([cgrules, "--audit", *options, path])
    found = TOTAL.search(text)
    if not found:
        raise known.Failure("%s: no total: %s" % (path, text[:200]))
    return int(found[1]), float(found[2]), int(found[3]), int(found[4])


def check(cgrules, library, multilib, floors, show):
    with tempfile.TemporaryDirectory() as directory:
        path = link(library, multilib, directory)
        for options, floor in zip(((), ("--code-only",)), floors):
            count, agree, wrong, unknown = audit(cgrules, path, *options)
            name = " ".join([library, multilib, *options])
            if show:
                print("%-42s %7d %6.2f%% %6d wrong %6d unknown" % (name, count, agree, wrong, unknown))
            if count < 50000 or agree < floor:
                yield "%s: %s%% of %d instructions agree, not %s%%" % (name, agree, count, floor)


def test(tools, *options):
    cgrules = os.path.join(tools, "cgrules")
    known.need("arm-none-eabi-ld")
    wanted = FLOORS
    show = "--all" in options
    if show:
        wanted = {(name, multilib): (0, 0) for name in LIBRARIES for multilib in MULTILIBS}
    failures = [
        text
        for (library, multilib), floors in wanted.items()
        for text in check(cgrules, library, multilib, floors, show)
    ]
    print("%d libraries audited" % len(wanted))
    return failures


if __name__ == "__main__":
    known.main(test)
