#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""scripts/deps on systems that are not this one.

usage: dependencies.py [BUILD-DIRECTORY]

apt is a stand-in that has the packages it is told of and notes what it is asked to install. A name
that a release has changed is found; what is wanted and not there is left out, and told; what is
needed and not there is an error; each part has those before it. Without apt the system's own names
are told, only of what is missing.
"""

import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import known

SCRIPT = os.path.join(os.path.dirname(known.TESTS), "scripts", "deps")
TOOLS = ("sh", "sed", "tr", "awk", "id", "cat", "dirname", "env", "cmp", "grep")
APT = {
    "dpkg-query": 'for name; do :; done; grep -qx -- "$name" "$ROOT/installed" && printf installed',
    "apt-cache": 'shift; for name; do grep -qx -- "$name" "$ROOT/known" && '
                 'printf "%s:\\n  Candidate: 1\\n" "$name"; done',
    "apt-get": 'case "$*" in *install*) echo "$*" >>"$ROOT/asked"; for name; do '
               '! grep -qx -- "$name" "$ROOT/broken" || exit 100; done ;; esac',
}


class System:
    """A directory of programs, the only ones that scripts/deps finds."""

    def __init__(self, directory, programs):
        self.directory = directory
        for tool in TOOLS:
            os.symlink(known.check_run(["sh", "-c", "command -v " + tool]).strip(), self.path(tool))
        for name, text in programs.items():
            with open(self.path(name), "w", encoding="ascii") as file:
                file.write("#!/bin/sh\n%s\n" % text)
            os.chmod(self.path(name), 0o755)
        for name in ("installed", "known", "broken", "asked"):
            self.write(name, [])

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, lines):
        with open(self.path(name), "w", encoding="ascii") as file:
            file.writelines(line + "\n" for line in lines)

    def deps(self, *arguments, **files):
        """Its exit status, what it says, and the words of what apt-get was asked."""
        for name, lines in files.items():
            self.write(name, lines)
        self.write("asked", [])
        environment = {"PATH": self.directory, "ROOT": self.directory, "HOME": self.directory,
                       "CG_OS_RELEASE": self.path("release")}
        done = subprocess.run([self.path("sh"), SCRIPT, *arguments], env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        with open(self.path("asked"), encoding="ascii") as file:
            return done.returncode, done.stdout, file.read().split()


def packages():
    """{level: names}, all alternatives, as the script has them."""
    with open(SCRIPT, encoding="utf-8") as file:
        rows = re.findall(r"^ +(\w+) +(needed|wanted) +(.*)$", file.read(), re.MULTILINE)
    found = {}
    for level, _, names in rows:
        found.setdefault(level, []).extend(names.replace("|", " ").split())
    return found


def check_apt(system, found):
    every = [name for names in found.values() for name in names]
    status, said, asked = system.deps(known=every)
    if status != 0 or not {"cmake", "libelf-dev", "pkg-config"} <= set(asked) or "pkgconf" in asked:
        yield "build: %d, %s, %s" % (status, said, asked)
    if {"graphviz", "gdb", "chromium"} & set(asked):
        yield "build installs more: %s" % asked
    status, said, asked = system.deps("demo", known=every)
    if status != 0 or not {"cmake", "graphviz"} <= set(asked) or "gdb" in asked:
        yield "demo: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps("quick", known=every)
    if {"graphviz", "gdb"} - set(asked) or any(name.startswith("qemu") for name in asked):
        yield "quick: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps("--dry-run", "bench", known=every)
    if status != 0 or asked or "sqlite3" not in said or "lintian" not in said or "axe-core" not in said:
        yield "--dry-run: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps(known=set(every) - {"pkg-config", "libdeflate-dev"})
    if status != 0 or "pkgconf" not in asked or "this release has no libdeflate-dev\n" not in said:
        yield "names that changed: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps(known=set(every) - {"libdwarf-dev"})
    if status != 1 or asked or "apt has no package libdwarf-dev\n" not in said:
        yield "a needed package is not there: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps("demo", known=every, broken=["graphviz"])
    if status != 0 or "left out: graphviz\n" not in said or asked.count("fonts-dejavu-core") != 2:
        yield "a wanted package cannot be installed: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps("demo", known=every, broken=["cmake"])
    if status == 0:
        yield "a needed package cannot be installed: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps("demo", known=[], installed=every, broken=[])
    if status != 0 or asked or "everything is installed" not in said:
        yield "nothing is missing: %d, %s, %s" % (status, said, asked)
    status, said, asked = system.deps("all")
    if status != 2 or "usage: " not in said:
        yield "an unknown word: %d, %s" % (status, said)


def check_elsewhere(system):
    systems = {"fedora": "dnf install", "rhel fedora": "dnf install", "arch": "pacman -S",
               "alpine": "apk add", "suse opensuse": "zypper install"}
    for like, command in systems.items():
        status, said, _ = system.deps(release=['NAME="Some System"', 'ID=some', 'ID_LIKE="%s"' % like])
        if status != 1 or command not in said or said.count("\n") != 1 or "zstd" not in said:
            yield "%s: %d, %s" % (like, status, said)
        if " cmake" in said or "expat" not in said:
            yield "%s: what is installed is told, too: %s" % (like, said)
    status, said, _ = system.deps(release=["ID=other"])
    if status != 1 or any(command not in said for command in systems.values()):
        yield "an unknown system: %d, %s" % (status, said)


def test(_):
    found = packages()
    if set(found) != {"build", "demo", "quick", "test", "full", "bench"}:
        yield "the table is not read: %s" % found
    with tempfile.TemporaryDirectory() as directory:
        yield from check_apt(System(directory, APT), found)
    has = 'case "$*" in *cmake) ;; *) exit 1 ;; esac'
    with tempfile.TemporaryDirectory() as directory:
        yield from check_elsewhere(System(directory, {name: has for name in ("rpm", "pacman", "apk")}))


if __name__ == "__main__":
    known.main(test)
