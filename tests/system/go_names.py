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
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

CACHE = os.environ.get("CG_CACHE", os.path.expanduser("~/.cache/cg-debian")) + "/amd64"
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
SYMBOL = re.compile(r" *([0-9a-f]+) +(\d+) [Tt] (.+)")


def tool_root(directory):
    """Where Go is: installed, or unpacked by scripts/deps, as two packages that are one tree."""
    go = shutil.which("go")
    if go:
        return known.check_run([go, "env", "GOROOT"]).strip()
    tools = CACHE + "/golang-1.19-go/usr/lib/go-1.19"
    sources = [CACHE + "/golang-1.19-%s/usr/share/go-1.19/src/." % part for part in ("go", "src")]
    if not all(map(os.path.exists, [tools + "/bin/go", *sources])):
        known.skip("Go is not installed (scripts/deps)")
    root = os.path.join(directory, "root")
    os.makedirs(root + "/src")
    for part in ("bin", "pkg"):
        os.symlink(os.path.join(tools, part), os.path.join(root, part))
    known.check_run(["cp", "-as", *sources, root + "/src"])
    return root


def ask(command, addresses, **options):
    """The lines with which it answers to addresses on standard input."""
    text = "".join("0x%x\n" % address for address in addresses)
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=600, **options)
    if done.returncode != 0:
        raise known.Failure("%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr.strip()))
    return done.stdout.splitlines()


class Go:
    def __init__(self, directory):
        self.directory = directory
        root = tool_root(directory)
        self.command = os.path.join(root, "bin", "go")
        self.environment = dict(os.environ, GOROOT=root, GOCACHE=os.path.join(directory, "cache"),
                                GOPATH=os.path.join(directory, "path"), GO111MODULE="off", GOFLAGS="",
                                CGO_ENABLED="1", GOTOOLCHAIN="local")
        with open(os.path.join(directory, "main.go"), "w", encoding="utf-8") as file:
            file.write(SOURCE)

    def run(self, *arguments):
        return known.check_run([self.command, *arguments], env=self.environment, cwd=self.directory)

    def build(self, name, options, linker):
        self.run("build", *options, "-ldflags=" + " ".join(linker), "-o", name, "main.go")
        return os.path.join(self.directory, name)

    def functions(self, path):
        """(address, size, name) of each that is of Go."""
        found = map(SYMBOL.match, self.run("tool", "nm", "-n", "-size", path).splitlines())
        symbols = [(int(m[1], 16), int(m[2]), m[3]) for m in found if m]
        start, end = (next(s[0] for s in symbols if s[2] == name) for name in ("runtime.text", "runtime.etext"))
        return [symbol for symbol in symbols if symbol[1] > 0 and start <= symbol[0] < end]

    def places(self, path, addresses):
        """function and file:line at each address."""
        lines = ask([self.command, "tool", "addr2line", path], addresses, env=self.environment)
        return list(zip(lines[::2], lines[1::2]))


def plain(name):
    """As the linker writes it into the table: without type arguments, and without the calling convention."""
    return re.sub(r"\[.*\]", "[...]", re.sub(r"\.abi(0|internal)$", "", name))


def answers(tools, path, addresses):
    """What symtool tells of each: (function, file:line), innermost first."""
    lines = ask([os.path.join(tools, "tests", "symtool"), path], addresses)
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
    wanted = ([*chain[:-1], (name, chain[-1][1])] for chain, name in zip(got, names))
    with_symbols = answers(tools, go.build(mode + "-symbols", options, [*linker, "-w"]), addresses)
    if differences(wanted, with_symbols):
        yield mode + ": other answers with symbols, or none of their names"


def test(tools):
    with tempfile.TemporaryDirectory() as directory:
        go = Go(directory)
        return [failure for mode in MODES for failure in check(tools, go, mode)]


if __name__ == "__main__":
    known.main(test)
