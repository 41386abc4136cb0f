#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All of src/ compiles, without warnings, where the C library is musl.

usage: musl_syntax.py BUILD-DIRECTORY

Each file is compiled as compile_commands.json says, but with musl's headers (of Debian's package musl-dev, fetched by scripts/debian-package)
in place of glibc's; the kernel's and the libraries' are this machine's. Nothing is linked.
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MULTIARCH = "x86_64-linux-gnu"
# Of /usr/include: what is no part of a C library.
OTHERS = ("linux", "asm-generic", "capstone", "elfutils", "graphviz", "libdwarf", "libdwarf-0", "libiberty", "curses.h", "demangle.h",
          "dwarf.h", "expat.h", "expat_external.h", "gelf.h", "jansson.h", "libdeflate.h", "libdwarf.h", "libelf.h", "lzma", "lzma.h",
          "ncurses.h", "ncurses_dll.h", "ncursesw", "unctrl.h", "zconf.h", "zdict.h", "zlib.h", "zstd.h", "zstd_errors.h")
OTHERS_OF_MACHINE = ("asm", "expat_config.h", "jansson_config.h", "zconf.h", "gmp.h")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def link_headers(directory):
    for base, names in (("/usr/include", OTHERS), ("/usr/include/" + MULTIARCH, OTHERS_OF_MACHINE)):
        for name in names:
            path = os.path.join(base, name)
            if os.path.exists(path) and not os.path.lexists(os.path.join(directory, name)):
                os.symlink(path, os.path.join(directory, name))


def without_system(arguments):
    """Neither the compiler's cache nor directories of glibc's headers; nothing is written."""
    kept, skip = [], False
    for argument in arguments[1 if "ccache" in arguments[0] else 0:]:
        if skip:
            skip = argument = None
        elif argument in ("-o", "-MF", "-MT"):
            skip = True
        elif argument not in ("-c", "-MD"):
            kept.append(argument)
    return kept


def compile_one(entry, headers):
    command = without_system(shlex.split(entry["command"]))
    done = subprocess.run([*command, "-fsyntax-only", "-Werror", "-nostdinc", *headers], cwd=entry["directory"], capture_output=True,
                          text=True, check=False)
    return done.stderr if done.returncode != 0 else ""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(os.path.join(sys.argv[1], "compile_commands.json")) as file:
        entries = [entry for entry in json.load(file) if entry["file"].startswith(os.path.join(ROOT, "src") + "/")]
    musl = os.path.join(run(os.path.join(ROOT, "scripts/debian-package"), "amd64", "musl-dev"), "usr/include/x86_64-linux-musl")
    compiler = run("gcc", "-print-file-name=include")
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        link_headers(directory)
        headers = [part for path in (musl, compiler, directory) for part in ("-isystem", path)]
        errors = [error for error in pool.map(lambda entry: compile_one(entry, headers), entries) if error]
    for error in errors:
        print(error.rstrip())
    print("%d of %d files do not compile with musl's headers" % (len(errors), len(entries)))
    sys.exit(1 if errors or not entries else 0)


if __name__ == "__main__":
    main()
