#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command that README.md and three pages of docs show runs.

usage: documented_commands.py BUILD-DIRECTORY [PART-OF-A-BLOCK]

Commands are in blocks fenced with ```sh, output in blocks fenced with ```text; another block is a
failure. Each block of commands runs in a directory of its own, by bash, with the built programs
first on PATH, and with the files that the documents take for granted: `./app` and its library, a
process 1234 of it, snapshots, a core. What needs another machine or a screen has a stand-in. A
block fails when a command does, when a file that it writes or what it prints is empty, or when it
has a command that the tables here do not know. What installs or builds everything is not run: its
options have to be in its usage.

Checked first is that the check finds what it is for. Exit status 77: perf may not record here.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import boarddump
import known
import viewers

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(known.TESTS)
DOCUMENTS = ("README.md", "docs/boards.md", "docs/cookbook.md", "docs/variables.md")
SECONDS = 120  # for a block

# What runs as it is; of these the first three have output that is looked at.
OURS = ("cgsnap", "cgunwind", "cgrules", "cgtop")
PLAIN = ("gcc", "kill", "perf", "qemu-system-arm", "sleep", "./app", "./shop")
# What is checked and not run: it would install or build everything.
CHECKED = ("./scripts/demo", "./scripts/deps", "./scripts/test", "./scripts/bench", "cmake")
BOARD = (
    "exec qemu-system-arm -M mps2-an385 -display none -kernel firmware.elf -gdb tcp:127.0.0.1:%d"
)
# Programs that a block may call and that are something else here.
STAND_INS = {
    # The other machine is this one. As ssh does, words become one command line.
    "ssh": 'shift; exec sh -c "$*"',
    "flamegraph.pl": 'exec perl "FLAMEGRAPH" "$@"',
    # The page of pprof would stay open; what it shows is in the table, too.
    "go": '[ "$1 $2 $3" = "tool pprof -http" ] || exit 2; exec "PPROF" -top "$5"',
    # No probe: OpenOCD looks at its options and files, and an emulated board takes its place.
    "openocd": '/usr/bin/openocd "$@" -c shutdown || exit; ' + BOARD % 3333,
    "pyocd": BOARD % 3333,
    "JLinkGDBServer": BOARD % 2331,
    # No stub: the registers are those of the fixtures.
    "gdb-multiarch": '[ "$1 $2 $3" = "-batch -ex target remote :2345" ] || exit 2; '
    'exec cat "FIXTURES/regs.txt"',
    # No screen.
    "kcachegrind": 'exec callgrind_annotate "$1"',
    # Debian has it in zstd, which nothing else here needs: the fixture is not compressed.
    "zstdcat": 'exec cat "$@"',
    # Debian has it in gdb; gdb-multiarch is what the other tests use.
    "gcore": '[ "$1" = -o ] || exit 2; exec /usr/bin/gdb-multiarch -nx -q -batch -p "$3" '
    '-ex "generate-core-file $2.$3" >/dev/null 2>&1',
}
# Shorter, and where other machines' names and files are.
REPLACED = (
    (r"^((?!.*--gdb).* -d )(?:5|10)\b", r"\g<1>1"),  # halts are paid for by time
    (r"\bsleep 9\b", "sleep 1"),
    (r"--sysroot /srv/target\b", "--sysroot /"),
    (r"\b192\.0\.2\.7\b", "127.0.0.1"),
    (r"--cgroup system\.slice/nginx\.service", "-p $$"),  # families.py has cgroups
)


class Block:
    def __init__(self, document, line, text):
        self.where, self.text = "%s:%d" % (document, line), text

    def lines(self):
        """Logical lines: continued ones are one; without those that are comments only."""
        for line in self.text.replace("\\\n", " ").splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line


def blocks_of(document, text):
    """The blocks of commands; what is wrong with others is a text in their place."""
    fence = begin = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if fence is None:
                fence, begin, body = line[3:], number, []
                if fence not in ("sh", "text"):
                    yield "%s:%d: fenced with '%s', neither sh nor text" % (document, number, fence)
            else:
                if fence == "sh":
                    yield Block(document, begin, "\n".join(body) + "\n")
                fence = None
        elif fence is not None:
            body.append(line)
        elif re.match(r" {4,}\S*(cgsnap|cgunwind|cgrules|scripts/)", line):
            yield "%s:%d: a command without a fence" % (document, number)


class Command:
    """One program with its arguments, its redirection, and whether a pipe takes its output."""

    def __init__(self, words, redirected, piped):
        while words and re.match(r"[A-Z_]+=", words[0]):
            words = words[1:]
        self.words, self.redirected, self.piped = words, redirected, piped
        self.program = words[0] if words else None

    def value(self, *options):
        for option in options:
            if option in self.words[:-1]:
                return self.words[self.words.index(option) + 1]
        return None

    def files(self):
        """What it writes, by the command line."""
        if self.redirected:
            yield self.redirected
        if self.program in OURS and "-V" not in self.words:
            output = self.value("-o", "--output")
            if not output and self.program == "cgsnap":
                output = "snap.bin"
            if output and output != "-" and not output.startswith("tcp:"):
                yield output
        if self.program == "perf" and self.value("-o") not in (None, "-"):
            yield self.value("-o")

    def prints(self):
        return (
            self.program in ("cgunwind", "cgrules")
            and not (self.piped or self.redirected)
            and not self.value("-o", "--output")
        )


def commands_of(line):
    """The commands of a line, with those that a remote shell is to run."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.wordchars += "$%:,=@!*+{}"
    words, redirected = [], None
    tokens = list(lexer) + [";"]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token == ">":
            redirected = tokens[position]
            position += 1
        elif set(token) <= set("|&;"):
            if words:
                if words[0] == "ssh":
                    yield Command(["ssh"], None, True)
                    words = words[2:]
                yield Command(words, redirected, token == "|")
            words, redirected = [], None
        else:
            words.append(token)


def usage_of(script):
    """The comment at the top."""
    with open(script, encoding="utf-8") as file:
        lines = file.read().splitlines()
    end = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[:end])


def check_option(command):
    """What is wrong with a command that is not run, or None."""
    path = os.path.join(ROOT, command.program)
    if command.program == "cmake":
        with open(os.path.join(ROOT, "CMakePresets.json"), encoding="utf-8") as file:
            presets = json.load(file)
        if "--install" in command.words:
            names = ["build/" + preset["name"] for preset in presets["configurePresets"]]
            directory = command.value("--install")
            return None if directory in names else "no preset builds in '%s'" % directory
        kind = "buildPresets" if "--build" in command.words else "configurePresets"
        names = [preset["name"] for preset in presets[kind]]
        preset = command.value("--preset")
        return None if preset in names else "no preset '%s' in %s" % (preset, kind)
    if not os.access(path, os.X_OK):
        return "no such script: " + command.program
    for word in command.words[1:]:
        if word.startswith("-") and not re.search(re.escape(word) + r"\b", usage_of(path)):
            return "%s knows no %s" % (command.program, word)
    return None


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Fixtures:
    """What the documents take for granted, made once; a context manager."""

    def __init__(self, tools, directory):
        self.tools, self.directory = tools, directory
        self.stand_ins = self.make_stand_ins()
        self.why_not = {}  # by file: why it cannot be had here
        source = os.path.join(HERE, "documented_commands.c")
        flags = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-pthread"]
        known.check_run([*flags, "-DLIBRARY", "-shared", "-fPIC", "-o", self.path("libfoo.so"), source])
        known.check_run(
            [*flags, "-o", self.path("app"), source, self.path("libfoo.so"), "-Wl,-rpath,$ORIGIN"]
        )
        shutil.copy(self.path("app"), self.path("daemon"))
        # Blocks run with a copy of app, whose build-id is the same.
        self.target = known.Target([self.path("app"), "forever"])

    def __enter__(self):
        self.target.__enter__()
        self.other = subprocess.Popen(["sleep", "10000"])
        known.wait_until(lambda: len(list(self.target.threads())) == 4, "the threads of app")
        for name in ("before.bin", "after.bin"):
            self.capture(name)
        shutil.copy(self.path("after.bin"), self.path("snap.bin"))
        self.make_core()
        self.make_perf_data()
        self.make_kallsyms()
        self.make_trace()
        self.make_board()
        return self

    def __exit__(self, *unused):
        self.other.kill()
        self.other.wait()
        self.target.__exit__()

    def path(self, name):
        return os.path.join(self.directory, name)

    def make_stand_ins(self):
        directory = self.path("stand-ins")
        os.mkdir(directory)
        words = {"FIXTURES": self.directory, "PPROF": viewers.pprof(), "FLAMEGRAPH": viewers.flamegraph()}
        for name, text in STAND_INS.items():
            path = os.path.join(directory, name)
            with open(path, "w", encoding="utf-8") as file:
                text = re.sub("|".join(words), lambda found: words[found[0]], text)
                file.write("#!/bin/sh\n" + text + "\n")
            os.chmod(path, 0o755)
        return directory

    def capture(self, name):
        command = [self.tools + "/cgsnap", "-q", "-F", "199", "--overhead", "100", "-d", "2", "-o", self.path(name)]
        known.check_run([*command, "-p", str(self.target.pid)])

    def make_core(self):
        known.need("gdb-multiarch")
        pid = str(self.target.pid)
        known.check_run([self.stand_ins + "/gcore", "-o", self.path("core"), pid])
        os.rename(self.path("core." + pid), self.path("core"))
        shutil.copy(self.path("core"), self.path("core.zst"))

    def make_perf_data(self):
        command = ["perf", "record", "-q", "-F", "99", "--call-graph", "dwarf,65528"]
        done = known.run([*command, "-o", self.path("perf.data"), self.path("app")])
        if done.returncode != 0:
            error = done.stderr.decode(errors="replace").strip().splitlines()
            self.why_not["perf.data"] = "perf record fails: " + (error[0] if error else "?")
            self.why_not["perf record"] = self.why_not["perf.data"]
        # The whole machine takes more permissions.
        if known.run(["perf", "record", "-q", "-a", "-o", self.path("all.data"), "true"]).returncode != 0:
            self.why_not["dwarf -a "] = "perf record -a is not permitted here"

    def make_kallsyms(self):
        with open("/proc/kallsyms", encoding="utf-8") as file:
            text = file.read()
        if not re.search("^0*[1-9a-f]", text, re.MULTILINE):
            self.why_not["board.kallsyms"] = "/proc/kallsyms has no addresses here"
        with open(self.path("board.kallsyms"), "w", encoding="utf-8") as file:
            file.write(text)

    def make_trace(self):
        """A program that is another `app`, and what it writes."""
        os.mkdir(self.path("traced"))
        program = self.path("traced/app")
        flags = ["gcc", "-std=c11", "-D_GNU_SOURCE", "-O1", "-g", "-no-pie"]
        tracer = self.path("traced/tracer.o")
        known.check_run([*flags, "-c", known.PROGRAMS + "/tracer.c", "-o", tracer])
        known.check_run(
            [*flags, "-finstrument-functions", known.PROGRAMS + "/traced.c", tracer, "-o", program]
        )
        trace = self.path("traced/trace.txt")
        known.check_run([program], env={**os.environ, "TRACE": trace})
        os.remove(tracer)

    def make_board(self):
        """Firmware, and dumps of it in its only function."""
        source, elf = self.path("firmware.c"), self.path("firmware.elf")
        with open(source, "w", encoding="utf-8") as file:
            file.write("extern char top[];\nvoid start(void) { for (;;); }\n"
                       "__attribute__((section(\".vectors\"), used)) void *const vectors[4] = "
                       "{top, start, start, start};\n")
        known.check_run(["arm-none-eabi-gcc", "-mcpu=cortex-m3", "-mthumb", "-nostdlib", "-O1",
                         "-Wl,--defsym=top=0x20001000,-Ttext=0x100,--section-start=.vectors=0,"
                         "-e,start,--build-id=none", "-o", elf, source])
        registers = {name: 0 for name in boarddump.R}
        registers.update(sp=0x20000F00, pc=0x100, lr=0xFFFFFFFF, xpsr=0x01000000)
        halt = boarddump.Halt(boarddump.ARM, registers, [(0x20000000, bytes(4096))])
        files = {"board.core": boarddump.core(halt), "regs.txt": boarddump.registers_text(halt),
                 "zephyr.log": boarddump.zephyr_log(boarddump.zephyr(halt, 2)),
                 "ram.bin": bytes(4096)}
        for name, data in files.items():
            with open(self.path(name), "wb") as file:
                file.write(data)

    def fill(self, directory, text):
        """Puts there what a block with this text may use."""
        names = ["app", "libfoo.so", "daemon", "snap.bin", "before.bin", "after.bin"]
        names += ["core.zst", "perf.data", "board.kallsyms"]
        names += ["firmware.elf", "board.core", "zephyr.log", "ram.bin", "regs.txt"]
        for name in names:
            if os.path.exists(self.path(name)):
                shutil.copy(self.path(name), directory)
        if re.search(r"\bcore$|\bcore\s", text):
            shutil.copy(self.path("core"), directory)
        if "trace.txt" in text:
            for name in ("app", "trace.txt"):
                shutil.copy(os.path.join(self.path("traced"), name), directory)
        os.symlink(os.path.join(ROOT, "docs"), os.path.join(directory, "docs"))

    def fill_in(self, text):
        """The text with this machine's numbers."""
        worker = next(tid for name, tid in self.target.threads() if name == "worker")
        text = re.sub(r"\b1234\b", str(self.target.pid), text)
        text = re.sub(r"\b1236\b", str(self.other.pid), text)
        return re.sub(r"\b1235\b", str(worker), text)


def script_of(block, port):
    """The block for bash. Each line's output goes to a file; a line that listens stays behind."""
    parts = ["set -eu -o pipefail"]
    stub = re.search(r"--gdb localhost:(\d+)", block.text)
    for number, line in enumerate(block.lines()):
        for pattern, text in REPLACED:
            line = re.sub(pattern, text, line)
        if "-gdb tcp:" not in line:
            line = re.sub(r"(tcp-listen:|tcp-listen:[0-9.]+:|tcp:[0-9.]+:)\d+\b(?!\.)", r"\g<1>%d" % port, line)
        if stub and line == "sleep 2":  # it may take longer on a busy machine
            line = "until grep -q ':%04X .* 0A ' /proc/net/tcp; do sleep 0.1; done" % int(stub[1])
        if "tcp-listen:" in line:
            parts.append("{ %s\n} >out.%d & listener=$!" % (line, number))
            parts.append("until grep -q ':%04X .* 0A ' /proc/net/tcp*; do sleep 0.05; done" % port)
        else:
            parts.append("{ %s\n} >out.%d" % (line, number))
    parts.append("[ -z ${listener-} ] || wait $listener")
    return "\n".join(parts) + "\n"


def run_script(script, directory, fixtures):
    path = ":".join([fixtures.tools, fixtures.stand_ins, os.environ["PATH"]])
    with open(os.path.join(directory, "errors"), "w+b") as errors:
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=directory,
            env={**os.environ, "PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
            start_new_session=True,
        )
        try:
            status = process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            status = "none after %d s" % SECONDS
        finally:
            try:  # what the block has left in the background
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        errors.seek(0)
        return status, errors.read().decode(errors="replace").strip()


def check_file(path):
    if not os.path.isfile(path) or os.path.getsize(path) == 0:
        return "is not there or empty"
    with open(path, "rb") as file:
        data = file.read()
    if path.endswith(".svg") and b"</svg>" not in data:
        return "is no picture"
    if path.endswith(".json"):
        json.loads(data)
    return None


def check_results(block, commands, directory, before):
    for number, line in enumerate(block.lines()):
        out = os.path.join(directory, "out.%d" % number)
        if any(command.prints() for command in commands[number]) and os.path.getsize(out) == 0:
            yield "prints nothing: " + line
        for command in commands[number]:
            for name in command.files():
                path = os.path.join(directory, name)
                wrong = check_file(path)
                if not wrong and before.get(name) == os.stat(path).st_mtime_ns:
                    wrong = "was not written"
                if wrong:
                    yield "%s %s: %s" % (name, wrong, line)


def check_block(block, fixtures, skips):
    """What is wrong with a block, as texts."""
    text = fixtures.fill_in(block.text)
    filled = Block("", 0, text)
    commands = [list(commands_of(line)) for line in filled.lines()]
    every = [command for line in commands for command in line if command.program]
    unknown = [
        command.program
        for command in every
        if command.program not in (*OURS, *PLAIN, *CHECKED, *STAND_INS)
    ]
    if unknown or not every:
        yield "there is no way to run: " + (" ".join(unknown) or "a block without a command")
        return
    checked = [command for command in every if command.program in CHECKED]
    if checked:
        yield from filter(None, map(check_option, checked))
        if len(checked) < len(every):
            yield "has commands that are run and such that are not"
        return
    for name, reason in fixtures.why_not.items():
        if name in block.text:
            skips.append("%s: %s" % (block.where, reason))
            return
    with tempfile.TemporaryDirectory() as directory:
        fixtures.fill(directory, text)
        before = {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(directory)}
        status, errors = run_script(script_of(filled, free_port()), directory, fixtures)
        if status != 0:
            yield "exit status %s: %s" % (status, errors)
            return
        if "no sample passes" in errors:
            yield errors
        yield from check_results(filled, commands, directory, before)


WRONG = (
    ("an unknown option", "cgunwind --nonsense snap.bin\n"),
    ("one in a pipe", "cgsnap -p 1234 -n 1 --nonsense -o - | cgunwind -\n"),
    ("one that ssh runs", "cgsnap -p 1234 -n 1 -o - | ssh host cgunwind --nonsense -\n"),
    ("one in the first of two lines", "cgunwind --nonsense snap.bin\ncgunwind snap.bin\n"),
    ("an unknown format", "cgunwind -f nonsense snap.bin\n"),
    ("a file that is not there", "cgunwind nowhere.bin\n"),
    ("a program without a stand-in", "speedscope snap.bin\n"),
    ("one that ssh should run", "cgsnap -p 1234 -n 1 -o - | ssh host speedscope -\n"),
    ("an empty file", "sleep 0 > empty.txt\n"),
    ("no output", "cgunwind --thread nobody -f folded snap.bin\n"),
    ("a file that was there before", "cgsnap --version -o before.bin\n"),
    ("an unknown option of a script", "./scripts/demo --nonsense\n"),
    ("a script that is not there", "./scripts/demo && ./scripts/test --quicker\n"),
    ("an unknown preset", "cmake --preset nonsense\n"),
    ("the directory of no preset", "cmake --install build/nonsense\n"),
    ("nothing", "# a comment\n"),
)
RIGHT = (
    "cgunwind snap.bin\n",
    "./scripts/demo    # a comment\n./scripts/test --quick\n",
    "cmake --preset release && cmake --build --preset release\n"
    "cmake --install build/release\n",
)
WRONG_TEXTS = ("```\ncgunwind snap.bin\n```\n", "    cgsnap -p 1234\n", "```bash\ntrue\n```\n")


def check_the_check(fixtures):
    for what, text in WRONG:
        if not list(check_block(Block("wrong", 0, text), fixtures, [])):
            yield "the check misses %s: %s" % (what, text.strip())
    for text in RIGHT:
        for finding in check_block(Block("right", 0, text), fixtures, []):
            yield "the check is wrong about %s: %s" % (text.strip(), finding)
    for text in WRONG_TEXTS:
        if not any(isinstance(found, str) for found in blocks_of("wrong", text)):
            yield "the check misses a wrong fence: " + text.strip()


def check_documents(fixtures, part, skips):
    for document in DOCUMENTS:
        with open(os.path.join(ROOT, document), encoding="utf-8") as file:
            found = list(blocks_of(document, file.read()))
        blocks = [block for block in found if isinstance(block, Block)]
        yield from (text for text in found if isinstance(text, str))
        if not blocks:
            yield document + " has no commands"
        for block in blocks:
            if part in block.text:
                for finding in check_block(block, fixtures, skips):
                    yield "%s: %s" % (block.where, finding)
        print("%s: %d blocks" % (document, len(blocks)))


def test(tools, part=""):
    known.need("gcc", "perl", "perf", "callgrind_annotate", "gdb-multiarch")
    skips = []
    with tempfile.TemporaryDirectory() as directory, Fixtures(tools, directory) as fixtures:
        failures = list(check_documents(fixtures, part, skips))
        failures += list(check_the_check(fixtures)) if not part else []
    for skip in skips:
        print("not run: " + skip)
    if skips and not failures:
        known.skip("; ".join(skips))
    return failures


if __name__ == "__main__":
    known.main(test)
