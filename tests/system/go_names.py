#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Names, lines and inlined functions of stripped Go programs, against Go's own tools and against DWARF.

usage: go_names.py BUILD-DIRECTORY

A program is built as usual, to be relocated (-buildmode=pie), and that by the C compiler's linker, which makes the table
a part of another section; each with symbols and DWARF and without. At some addresses of each function, what is told of
the stripped file must be what `go tool nm` and `go tool addr2line` tell of the other one, and what its DWARF tells of
inlined functions: but DWARF does not tell what is inlined into methods that the compiler makes.
"""

import os
import random
import re
import sys
import tempfile

sys.dont_write_bytecode = True
import golang
import known

SOURCE = """
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

type shape interface{ area() int }
type box struct{ w, h int }

func (b *box) area() int { return mul(b.w, b.h) }

func mul(a, b int) int { return add(a*b, 0) }

func add(a, b int) int {
	if a > 3 {
		return a + b
	}
	return b + a + 1
}

func each[T any](items []T, f func(T) int) int {
	sum := 0
	for _, item := range items {
		sum += f(item)
	}
	return sum
}

func main() {
	var s shape = &box{len(os.Args), 4}
	text, _ := json.Marshal(map[string]int{"a": s.area()})
	words := strings.Fields(string(text))
	sort.Strings(words)
	fmt.Println(words, each([]int{1, 2}, func(i int) int { return mul(i, 3) }))
}
"""
MODES = {  # options, the linker's options
    "exe": ([], []),
    "pie": (["-buildmode=pie"], []),
    "external": (["-buildmode=pie"], ["-linkmode=external"]),
}
EACH = 4  # addresses of a function
FUNCTIONS_MIN, INLINED_MIN = 1500, 500
DWARF_DIFFERS = 0.005  # of the addresses, at most


def plain(name):
    """As the linker writes it into the table: without type arguments, and without the calling convention."""
    return re.sub(r"\[.*\]", "[...]", re.sub(r"\.abi(0|internal)$", "", name))


def answers(tools, path, addresses):
    """What symtool tells of each: (function, file:line), innermost first."""
    lines = golang.ask([os.path.join(tools, "tests", "symtool"), path], addresses)
    out = []
    for line in lines:
        if re.fullmatch("0x[0-9a-f]{16}", line):
            out.append([])
        else:
            out[-1].append(line)
    return [list(zip(chain[::2], chain[1::2])) for chain in out]


def without_headers(path):
    """A copy without section headers."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    content[0x28:0x30] = bytes(8)  # e_shoff
    content[0x3A:0x40] = bytes(6)  # e_shentsize, e_shnum, e_shstrndx
    with open(path + "-bare", "wb") as file:
        file.write(content)
    return path + "-bare"


def comparable(chain):
    return [(plain(function), place.replace("./<auto", "<auto")) for function, place in chain]


def differences(wanted, got):
    """How many, of which the first are shown."""
    found = [pair for pair in zip(wanted, got) if pair[0] != pair[1]]
    for pair in found[:5]:
        print("wanted %s, got %s" % pair)
    return len(found)


def check(tools, go, mode):
    options, linker = MODES[mode]
    full = go.build(mode, options, linker)
    stripped = go.build(mode + "-stripped", options, [*linker, "-s", "-w"])
    functions = go.functions(full)
    pick = random.Random(1)
    asked = [(start + pick.randrange(size), name) for start, size, name in functions for _ in range(EACH)]
    addresses = [address for address, _ in asked]
    names = [name for _, name in asked]
    got = answers(tools, stripped, addresses)
    inlined = sum(len(chain) > 1 for chain in got)
    if len(functions) < FUNCTIONS_MIN or inlined < INLINED_MIN:
        yield "%s: %d functions, inlined at %d addresses" % (mode, len(functions), inlined)

    if differences(map(plain, names), (chain[-1][0] for chain in got)):
        yield mode + ": other names than those of go tool nm"
    if mode == "exe":  # it reads no other
        places = ((plain(function), place) for function, place in go.places(full, addresses))
        if differences(places, ((chain[-1][0], chain[0][1]) for chain in got)):
            yield mode + ": other lines than those of go tool addr2line"
    wrong = differences(map(comparable, answers(tools, full, addresses)), map(comparable, got))
    print("%s: %d addresses, inlined at %d, DWARF differs at %d" % (mode, len(got), inlined, wrong))
    if wrong > len(got) * DWARF_DIFFERS:
        yield "%s: DWARF differs at %d addresses" % (mode, wrong)

    if answers(tools, without_headers(stripped), addresses) != got:
        yield mode + ": other answers without section headers"
    wanted = ([*chain[:-1], (re.sub(r"\.abi0$", "", name), chain[-1][1])] for chain, name in zip(got, names))
    with_symbols = answers(tools, go.build(mode + "-symbols", options, [*linker, "-w"]), addresses)
    if differences(wanted, with_symbols):
        yield mode + ": other answers with symbols, or none of their names"


def test(tools):
    with tempfile.TemporaryDirectory() as directory:
        go = golang.Go(directory, SOURCE)
        return [failure for mode in MODES for failure in check(tools, go, mode)]


if __name__ == "__main__":
    known.main(test)
