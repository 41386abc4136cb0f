#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bash, zsh and fish complete the programs' options, choices, files and processes: what was typed goes to the shell
itself, and the line that it makes of it is looked at.

usage: completion.py BUILD-DIRECTORY
"""

import os
import pty
import re
import select
import shlex
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import known

PROGRAMS = ("cgsnap", "cgunwind", "cgrules", "cgtop")
SHELLS = ("bash", "zsh", "fish")
FILES = ("snapshot.bin", "snap shot.bin", "sub/inner")

# What is typed, and what has to be offered for its last word: that only, or also something else.
ONLY, ALSO = "only", "also"
CASES = (
    ("cgunwind --form", ONLY, {"--format"}),
    ("cgunwind --no", ALSO, {"--nodes", "--node-fraction", "--no-inline"}),
    ("cgunwind -f thr", ONLY, {"threads", "threads-json", "threads-dot", "threads-svg"}),
    ("cgunwind --format cal", ONLY, {"callgrind"}),
    ("cgunwind --format=cal", ONLY, {"callgrind"}),
    ("cgunwind --by ", ONLY, {"function", "line", "module"}),
    ("cgunwind --cluster no", ONLY, {"none"}),
    ("cgunwind --method eh_frame,pro", ONLY, {"eh_frame,prologue"}),
    ("cgunwind --state run", ONLY, {"running"}),
    ("cgunwind -e snaps", ONLY, {"snapshot.bin"}),
    ("cgunwind --sysroot s", ONLY, {"sub"}),
    ("cgunwind -q snaps", ONLY, {"snapshot.bin"}),
    ("cgunwind --nodes ", ONLY, set()),
    ("cgsnap --fr", ONLY, {"--freq"}),
    ("cgsnap --ra", ONLY, {"--rate"}),
    ("cgsnap -o snaps", ONLY, {"snapshot.bin"}),
    ("cgsnap -p {pid} -t ", ONLY, {"{pid}"}),
    ("cgsnap --pid {part}", ALSO, {"{pid}"}),
    ("cgsnap -F 99 -- cgunwi", ONLY, {"cgunwind"}),
    ("cgsnap -F 99 cgunwi", ONLY, {"cgunwind"}),
    ("cgrules --method exi", ONLY, {"exidx"}),
    ("cgrules --pcs snaps", ONLY, {"snapshot.bin"}),
    ("cgrules --completion z", ONLY, {"zsh"}),
    ("cgrules --debug-dir s", ONLY, {"sub"}),
    ("cgtop --weight of", ONLY, {"offcpu"}),
    ("cgtop --pid {part}", ALSO, {"{pid}"}),
)


class Terminal:
    """An interactive shell that says what its line editor made of what was typed."""

    def __init__(self, command, setup, insert, environment, directory):
        self.insert = insert
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execvpe(command[0], command, environment)
        self.count = 0
        for line in setup:
            self.type(line + "\n")
        self.complete_line("true", "")

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.fd)

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait_for(self, pattern):
        end, seen = time.monotonic() + 30, b""
        while not re.search(pattern, seen, re.S):
            if not select.select([self.fd], [], [], end - time.monotonic())[0]:
                raise known.Failure("no answer of the shell: %r" % seen[-500:])
            seen += os.read(self.fd, 65536)
        return re.search(pattern, seen, re.S)[1].decode(errors="replace")

    def complete_line(self, typed, insert):
        """The words of the line after `insert`, a key that puts all completions in place of its last word."""
        self.count += 1
        # Control-A and Control-E: the line becomes the arguments of printf. The quotes keep the echo apart.
        self.type("%s%s\x01printf '<%%s>' B''%d \x05 E''%d\n" % (typed, insert, self.count, self.count))
        text = self.wait_for(b"<B%d>(.*?)<E%d>" % (self.count, self.count))
        return re.findall(r"<([^>]*)>", text)

    def offered(self, typed):
        """Where nothing is, the word stays as it was typed."""
        before = shlex.split(typed + "x")[:-1]
        return set(self.complete_line(typed, self.insert)[len(before):])


def bash(directory, completions):
    environment = dict(os.environ, INPUTRC="/dev/null", TERM="dumb", HOME=directory, COLUMNS="4000")
    setup = ["PS1='> '; bind 'set enable-bracketed-paste off'; bind 'set bell-style none'"]
    setup += ["source %s" % shlex.quote(os.path.join(completions, name)) for name in PROGRAMS]
    return Terminal(["bash", "--norc", "--noprofile", "-i"], setup, "\x1b*", environment, directory)


def zsh(directory, completions):
    environment = dict(os.environ, TERM="dumb", HOME=directory, COLUMNS="4000")
    setup = [
        "unsetopt zle_bracketed_paste prompt_cr prompt_sp; unset zle_bracketed_paste; PS1='> '; bindkey -e",
        "fpath=(%s $fpath); autoload -Uz compinit; compinit -D -u" % shlex.quote(completions),
        "zstyle ':completion:all-matches::::' completer _all_matches _complete",
        "zstyle ':completion:all-matches:*' insert true; zstyle ':completion:*' insert-ids single",
        "zle -C all-matches complete-word _generic; bindkey '^Xa' all-matches",
    ]
    return Terminal(["zsh", "-f", "-i"], setup, "\x18a", environment, directory)


class Fish:
    """Says itself what it would offer."""

    def __init__(self, directory, completions):
        self.directory = directory
        self.sources = ["source %s.fish" % shlex.quote(os.path.join(completions, name)) for name in PROGRAMS]

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        pass

    def offered(self, typed):
        script = "; ".join([*self.sources, "complete -C %s" % shlex.quote(typed)])
        text = known.check_run(["fish", "--no-config", "-c", script], cwd=self.directory,
                               env=dict(os.environ, HOME=self.directory))
        # Fish 4 offers what has the letters anywhere, too, behind what begins with them.
        last = typed.rsplit(" ", 1)[-1]
        words = {line.split("\t")[0] for line in text.splitlines()}
        return {word for word in words if word.startswith(last)} or words


def check_case(shell, session, typed, kind, want):
    got = {word.split("=")[-1].rstrip("/") for word in session.offered(typed)}
    if got != want and not (kind is ALSO and got > want):
        yield "%s: '%s' offers %s instead of %s %s" % (shell, typed, sorted(got)[:20], kind, sorted(want))


def check_shell(shell, directory, completions, pid):
    make = {"bash": bash, "zsh": zsh, "fish": Fish}[shell]
    with make(directory, completions) as session:
        for typed, kind, want in CASES:
            values = {"pid": pid, "part": str(pid)[:-1]}
            want = {word.format(**values) for word in want}
            yield from check_case(shell, session, typed.format(**values), kind, want)


def check_names(directory, completions):
    """Names of processes that zsh shows do not steer the terminal."""
    program = os.path.join(directory, "q\x1b]0;A\x07\u202eB")
    source = os.path.join(directory, "waits.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("#include <unistd.h>\nint main(void) { for (;;) pause(); }\n")
    known.check_run(["gcc", "-o", program, source])
    show = 'compdef() :; _describe() print -rl -- $processes; source "$1"; _cgsnap_processes'
    with known.Target([program]) as target:
        lines = known.check_run(["zsh", "-f", "-c", show, "zsh", os.path.join(completions, "_cgsnap")],
                                env=dict(os.environ, LC_ALL="C.UTF-8"))
    shown = re.findall("^%d:(.*)$" % target.pid, lines, re.M)
    if shown != ["q?]0;A??B"]:
        yield "zsh shows %r" % shown


def test(tools):
    known.need(*SHELLS, "gcc")
    known.need_terminals()
    os.environ["PATH"] = os.path.realpath(tools) + ":" + os.environ["PATH"]
    completions = os.path.join(os.path.realpath(tools), "completion")
    failures = []
    with tempfile.TemporaryDirectory() as directory, known.Target(["sleep", "600"]) as target:
        for name in FILES:
            os.makedirs(os.path.dirname(os.path.join(directory, name)), exist_ok=True)
            with open(os.path.join(directory, name), "w"):
                pass
        for shell in SHELLS:
            found = list(check_shell(shell, directory, completions, target.pid))
            print("%s: %d of %d command lines" % (shell, len(CASES) - len(found), len(CASES)))
            failures += found
        failures += check_names(directory, completions)
    return failures


if __name__ == "__main__":
    known.main(test)
