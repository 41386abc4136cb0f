#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each architecture's tables name every member, and no code outside src/arch asks for one by name.

usage: arch_tables.py [BUILD-DIRECTORY]

What a port forgets would be 0, which the compiler does not tell from what is meant to be 0. So the
sources have to say it. Checked first is that the check finds what it is for.
"""

import os
import re
import sys

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")

# The tables: header and struct, and the file of an architecture's folder that fills it.
TABLES = (
    ("arch/arch.h", "arch", "arch.c"),
    ("arch/capture.h", "arch_capture", "capture.c"),
    ("arch/analysis/analysis.h", "arch_analysis", "analysis.c"),
    ("arch/analysis/analysis.h", "perf_arch", "analysis.c"),
    ("arch/analysis/core.h", "core_layout", "analysis.c"),
)
# Initialisers of several members: their text counts where one is used.
MACROS = ("arch/analysis/core.h", r"#define (CORE_(?:STATUS|INFO)_\w+)((?:.*\\\n)*.*)")

COMMENTS = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
# What code outside src/arch must not have: a name of one, of its tables, of the compiler's.
KNOWS = re.compile(
    r"\bARCH_(?!COUNT\b|REG_MAX\b|LIST\b|[A-Z_0-9]*_H\b)[A-Z_0-9]+\b"
    r"|\b(?:arch|insn_set|plt)_(?:x86|i386|arm|aarch64|riscv|a32|t32|a64|rv)\w*\b"
    r"|\b(?:x86_64|i386|arm|aarch64|riscv64|riscv32)_(?:capture|analysis|syscalls)\b"
    r"|\bEM_(?:386|X86_64|ARM|AARCH64|RISCV)\b"
    r"|\b__(?:x86_64|i386|arm|aarch64|riscv)__\b"
    r"|\bR_(?:X86_64|386|ARM|AARCH64|RISCV)_\w+"
    r"|strcmp\s*\([^;]*arch->name"
    r"|\[ARCH_COUNT\]"
)


def read(*path):
    with open(os.path.join(SOURCES, *path), encoding="utf-8") as file:
        return COMMENTS.sub(" ", file.read())


def members_of(text, name):
    """The members of a struct in a header, those of structs within it aside."""
    body = re.search(r"\bstruct %s \{(.*?)\n\};" % name, text, re.DOTALL)
    members = []
    for declaration in body.group(1).split(";"):
        pointer = re.search(r"\(\*(\w+)\)\s*\(", declaration)
        if pointer:
            members.append(pointer.group(1))
            continue
        words = declaration.split(",")
        first = re.search(r"(\w+)(?:\[[^\]]*\])*\s*$", words[0].strip())
        if first:
            members.append(first.group(1))
        members += [re.match(r"\s*\**(\w+)", word).group(1) for word in words[1:]]
    return members


def missing_members(members, text):
    return [member for member in members if not re.search(r"\.%s = " % member, text)]


def architectures():
    lists = re.findall(r"#define ARCH_LIST\w*\(X\)((?:.*\\\n)*.*)", read("arch", "arch.h"))
    return [name for line in lists for name in re.findall(r"\bX\(\w+, (\w+)\)", line)]


def check_tables():
    names = architectures()
    if not names:
        yield "no architectures found"
    for header, struct, source in TABLES:
        members = members_of(read(*header.split("/")), struct)
        if len(members) < (2 if struct == "perf_arch" else 3):
            yield "%s: struct %s has no members that are understood" % (header, struct)
        for name in names:
            if not os.path.exists(os.path.join(SOURCES, "arch", name, source)):
                yield "arch/%s/%s is missing" % (name, source)
                continue
            text = read("arch", name, source)
            for macro, meaning in re.findall(MACROS[1], read(*MACROS[0].split("/"))):
                text = re.sub(r"\b%s\b" % macro, lambda _: meaning, text)
            for member in missing_members(members, text):
                yield "arch/%s/%s does not set .%s of struct %s" % (name, source, member, struct)
        print("%d members of struct %s in %d tables" % (len(members), struct, len(names)))


def check_others():
    for directory, _, files in os.walk(SOURCES):
        room = os.path.relpath(directory, SOURCES)
        if room == "arch" or room.startswith("arch" + os.sep):
            continue
        for name in sorted(files):
            if name.endswith((".c", ".h")):
                for found in sorted(set(KNOWS.findall(read(room, name)))):
                    yield "%s/%s: %s: ask a table of src/arch instead" % (room, name, found)


def check_the_check():
    header = (
        "struct t {\n    enum x id;\n    uint8_t pc, sp, args[6];\n    const char *const *names;\n"
        "    int (*f)(const struct a *b, int c);\n    struct s one[2];\n};\n"
    )
    members = members_of(header, "t")
    if members != ["id", "pc", "sp", "args", "names", "f", "one"]:
        yield "the check misreads a struct: %s" % members
    if missing_members(["pc", "sp"], "{.pc = 0, .spx = 1}") != ["sp"]:
        yield "the check misses a member that is not set"
    for wrong in (
        "if (arch->id == ARCH_ARM)",
        "static const int sizes[ARCH_COUNT] = {1};",
        "case EM_AARCH64:",
        "#if defined(__arm__)",
        "insn_set_t32.alignment",
        'strcmp(module->arch->name, "arm")',
        "return R_386_RELATIVE;",
        "&x86_64_capture",
    ):
        if not KNOWS.search(wrong):
            yield "the check misses: " + wrong
    for right in ("#ifndef ARCH_ANALYSIS_INSN_H", "id < ARCH_COUNT; id++", "value[ARCH_REG_MAX]"):
        if KNOWS.search(right):
            yield "the check is wrong about: " + right


def main():
    failures = list(check_the_check()) + list(check_tables()) + list(check_others())
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
