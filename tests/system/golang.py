# SPDX-License-Identifier: MIT
"""Building Go programs, and asking Go's own tools of them, for the tests beside this file."""

import glob
import os
import re
import shutil
import subprocess

import known

SYMBOL = re.compile(r" *([0-9a-f]+) +(\d+) [Tt] (.+)")


def tool_root(directory):
    """Where Go is: installed, or unpacked, two packages that are one tree."""
    go = shutil.which("go")
    if go:
        return known.check_run([go, "env", "GOROOT"]).strip()
    packages = known.unpacked("amd64", "golang-go*", "golang-src*")
    tools, = glob.glob(packages[0] + "/usr/lib/go-*")
    sources = [path + "/." for part in packages for path in glob.glob(part + "/usr/share/go-*/src")]
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
    """A directory for programs of one source."""

    def __init__(self, directory, source):
        self.directory = directory
        root = tool_root(directory)
        self.command = os.path.join(root, "bin", "go")
        self.environment = dict(os.environ, GOROOT=root, GOCACHE=os.path.join(directory, "cache"),
                                GOPATH=os.path.join(directory, "path"), GO111MODULE="off", GOFLAGS="",
                                CGO_ENABLED="1", GOTOOLCHAIN="local")
        with open(os.path.join(directory, "main.go"), "w", encoding="utf-8") as file:
            file.write(source)

    def run(self, *arguments, **variables):
        environment = dict(self.environment, **variables)
        return known.check_run([self.command, *arguments], env=environment, cwd=self.directory)

    def build(self, name, options, linker, **variables):
        self.run("build", *options, "-ldflags=" + " ".join(linker), "-o", name, "main.go", **variables)
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
