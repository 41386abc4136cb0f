#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cgtop on terminals of tmux: what it shows is what cgunwind says of the snapshot that it writes; keys, sizes, names
that would harm a terminal; and whatever becomes of it, the target goes on.

usage: cgtop.py BUILD-DIRECTORY
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.dont_write_bytecode = True
import known

ROWS = 5  # the first line with one
LINES, COLUMNS = 40, 140


class Terminal:
    """A terminal of a tmux of its own, in which a command runs; ends both at the end."""

    count = 0

    def __init__(self, directory, command, environment=None):
        Terminal.count += 1  # the server before may still be ending
        self.socket = os.path.join(directory, "tmux%d" % Terminal.count)
        self.tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(COLUMNS), "-y", str(LINES), "-c", directory,
            "-s", "test", *command,
            env=dict(os.environ, LC_ALL="C.UTF-8", SHELL="/bin/sh", HOME=directory, **(environment or {})),
        )
        self.tmux("set-option", "-g", "remain-on-exit", "on")

    def tmux(self, *arguments, **options):
        return known.check_run(["tmux", "-S", self.socket, *arguments], **options)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        known.run(["tmux", "-S", self.socket, "kill-server"])

    def keys(self, *keys):
        self.tmux("send-keys", "-t", "test", *keys)

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "test").split("\n")

    def wait_for(self, what, lines=slice(None), seconds=20):
        """The screen, once the expression is found in these lines of it."""
        end = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if re.search(what, "\n".join(screen[lines]), re.MULTILINE):
                return screen
            if time.monotonic() > end:
                raise known.Failure("not seen: %s\n%s" % (what, "\n".join(screen)))
            time.sleep(0.05)

    def pane(self):
        return int(self.tmux("display-message", "-p", "-t", "test", "#{pane_pid}"))

    def has_ended(self):
        return self.tmux("display-message", "-p", "-t", "test", "#{pane_dead}").strip() == "1"


def tracer(pid):
    """Of any of its threads; and whether one is stopped."""
    found = set()
    for tid in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/status" % (pid, tid), encoding="utf-8", errors="replace") as file:
            text = file.read()
        found.add(int(re.search(r"^TracerPid:\s*(\d+)", text, re.MULTILINE)[1]))
        if re.search(r"^State:\s*[tT]", text, re.MULTILINE):
            found.add(-1)
    return found - {0}


def check_goes_on(target, what):
    """No thread is traced or stopped any more, and it uses the CPU."""

    def used():
        with open("/proc/%d/stat" % target.pid, encoding="utf-8", errors="replace") as file:
            return int(file.read().rsplit(")", 1)[1].split()[11])

    known.wait_until(lambda: not tracer(target.pid), "all threads to be let go: " + what)
    before = used()
    known.wait_until(lambda: used() > before, "the target to go on: " + what)
    print("the target goes on: " + what)


def rows(screen):
    found = []
    for line in screen[ROWS : LINES - 1]:
        if not line.strip():
            break
        found.append(line)
    return found


def check_tree(screen, text, least):
    """Each line of cgunwind's tree, in its order."""
    wanted = []
    for line in text.splitlines():
        line = re.match(r"\s*([\d.]+%)\s+([\d.]+%)?\s+([\d.]+(?: \S+)?)  (.*)$", line)
        if line:
            wanted.append((line[1], line[2] or "", line[3], re.sub("^[|` -]*", "", line[4])))
    shown = []
    for line in rows(screen):
        row = re.match(r"\s*([\d.]+%)\s+([\d.]+%)?\s+([\d.]+(?: [mµn]?s)?)\s+(?:[+-] )?(.*?)\s*$", line)
        shown.append((row[1], row[2] or "", row[3], row[4]))
    print("tree: %d rows" % len(shown))
    if shown != wanted or len(shown) < least:
        yield "tree:\n%s\nbut cgunwind:\n%s" % ("\n".join(rows(screen)), text)


REST = "[CPU time without a sample]"


def sums(weight, objects):
    """{function: (self, total)} of json's samples, and how much there is."""
    items, rest = known.with_cpu_time(objects)
    rest = sum(rest.values()) if weight == "CPU time" else 0
    functions, whole = {REST: (rest, rest)} if rest else {}, rest
    for item in items:
        names = [frame.get("function", "?") for frame in item["frames"]]
        value = item["given_ns"] if weight == "CPU time" else item["type"] == "sample"
        whole += value
        for name in set(names) if value else ():
            own, total = functions.get(name, (0, 0))
            functions[name] = (own + value * (names[0] == name), total + value)
    return functions, whole


def share(part, total):
    return "%.2f%%" % ((part * 10000 + total // 2) // total / 100)


def check_functions(weight, screen, objects):
    functions, whole = sums(weight, objects)
    shown = {}
    for line in rows(screen):
        row = re.match(r"\s*([\d.]+%)\s+([\d.]+%)\s+([\d.]+(?: [mµn]?s)?)\s+(\[.*\]|\S+ \[.*\])$", line)
        if not row:
            raise known.Failure("cgtop: cannot read %r" % line)
        shown[row[4] if row[4] == REST else row[4].split(" [")[0]] = row.groups()[:3]
    wanted = {
        name.split("@")[0]: (share(own, whole), share(total, whole),
                             known.time_text(total) if weight == "CPU time" else str(total))
        for name, (own, total) in functions.items()
    }
    shown = {name.split("@")[0]: row for name, row in shown.items()}
    print("functions: %d rows" % len(shown))
    if shown != wanted or "spin_leaf" not in shown:
        yield "functions: %s\nbut by json: %s" % (sorted(shown.items()), sorted(wanted.items()))
    selves = [float(line.split("%")[0]) for line in rows(screen)]
    if selves != sorted(selves, reverse=True):
        yield "functions are not in the order of self: %s" % selves


def last_states(path):
    """{tid: what it did last} of cgunwind's timeline."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    found = {}
    for event in events:
        if event["ph"] == "X" and "function" != event["cat"] and event["cat"] != "not sampled":
            if event["ts"] >= found.get(event["tid"], (0,))[0]:
                found[event["tid"]] = (event["ts"], event["cat"], event["name"])
    return {tid: last[1:] for tid, last in found.items()}


def check_threads(screen, stats, states):
    """By `cgunwind -f stats -v` and `-f chrome`."""
    running, single = {}, set()
    for line in stats.splitlines():
        row = re.match(r"(?: +(\d+) )?.* 1 +\d+ .* ([\d.]+%) +[\d.]+% +[\d.]+%$", line)
        if row and row[1]:
            running[int(row[1])] = row[2]
        elif row:  # the only one of its identity
            single.add(row[2])
    count = 0
    for line in rows(screen):
        row = re.match(r" *(\d+) (.{17}) +([\d.]+%) (.*)$", line)
        tid, state, cpu, rest = int(row[1]), row[2].strip(), row[3], row[4]
        count += 1
        if running.get(tid, cpu) != cpu or (tid not in running and cpu not in single):
            yield "thread %d: CPU %s, but cgunwind: %s" % (tid, cpu, running)
        if tid not in states or states[tid][0] != state:
            yield "thread %d: %s, but cgunwind: %s" % (tid, state, states.get(tid))
        elif state not in ("running", "ready (no CPU)") and states[tid][1] not in rest:
            yield "thread %d: %s, but cgunwind: %s" % (tid, rest, states[tid][1])
    print("threads: %d rows" % count)
    if count != 6 or sum("mutex g_lock, held by holder (" in line for line in rows(screen)) != 3:
        yield "threads:\n" + "\n".join(rows(screen))


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def check_names(screen):
    """Nothing of what would harm the terminal is there, and wide characters keep the columns."""
    text = "\n".join(screen)
    for name in ("?]0;x??[2J", "a?b?", "日本語"):
        if name not in text:
            yield "no thread is called %s" % name
    if re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text):
        yield "there is a character that does something"
    columns = {width(line.split("mutex g_lock")[0]) for line in rows(screen) if "mutex g_lock" in line}
    if len(columns) != 1:
        yield "columns differ: %s" % columns


WEIGHTS = ("CPU time", "wall time", "off-CPU time", "samples")


def weight_of(screen):
    return re.search(r"Weight: (.*?)  ", screen[3])[1]


def weigh(terminal, weight):
    """By a key that goes on to the next one."""
    found = weight_of(terminal.wait_for(r"Weight: ", slice(3, 4)))
    while found != weight:
        found = WEIGHTS[(WEIGHTS.index(found) + 1) % len(WEIGHTS)]
        terminal.keys("m")
        terminal.wait_for("Weight: %s " % found, slice(3, 4))


def check_keys(terminal):
    terminal.keys("1", "s")
    screen = terminal.wait_for(r"Sort: total", slice(3, 4))
    totals = [float(line.split()[1].rstrip("%")) for line in rows(screen)]
    if totals != sorted(totals, reverse=True):
        yield "functions are not in the order of total: %s" % totals
    terminal.keys("s")
    names = [re.match(r"\s*\S+\s+\S+\s+[\d.]+(?: [mµn]?s)?\s+(\S+)", line)[1] for line in rows(terminal.wait_for(r"Sort: name", slice(3, 4)))]
    if names != sorted(names):
        yield "functions are not in the order of names: %s" % names
    weigh(terminal, "wall time")  # others have no CPU time
    terminal.keys("<", "<", "/", "^spin_", "Enter")
    screen = terminal.wait_for(r"Filter: \^spin_", slice(3, 4))
    if any(name in line for line in rows(screen) for name in ("hold ", "wait_for_lock ")):
        yield "filtered:\n" + "\n".join(rows(screen))
    if not re.search(r"time: [\d.]+ \S+ of [\d.]+ m?s shown", screen[2]):
        yield "filtered, but not told: " + screen[2]
    terminal.keys("3")
    screen = terminal.wait_for(r"WAITS FOR", slice(4, 5))
    if len(rows(screen)) != 1 or "spinner" not in rows(screen)[0]:
        yield "filtered threads:\n" + "\n".join(rows(screen))
    terminal.keys("/", "(", "Enter")
    terminal.wait_for("^.*([Pp]arenthes|Unmatched)", slice(LINES - 1, None))
    terminal.keys("/", "C-u", "Enter")
    terminal.wait_for(r"holder", slice(ROWS, None))
    terminal.keys("Home", "Enter")
    screen = terminal.wait_for(r"Thread: \d+ spinner", slice(3, 4))
    if "spin_leaf" not in "\n".join(screen) or "hold " in "\n".join(rows(screen)):
        yield "one thread:\n" + "\n".join(screen)
    terminal.keys("Escape")
    weigh(terminal, "wall time")
    terminal.wait_for(r"\bhold \[", slice(ROWS, None))
    terminal.keys("h")
    terminal.wait_for(r"Any key goes back")
    terminal.keys("x")
    weigh(terminal, "CPU time")
    weigh(terminal, "samples")
    terminal.keys("2", "-")
    screen = terminal.wait_for(r"^ .* \+ ", slice(ROWS, ROWS + 1))
    terminal.keys("+")
    terminal.wait_for(r"^ .* - ", slice(ROWS, ROWS + 1))


def check_sizes(terminal):
    for size, seen in ((("-x", "39", "-y", "24"), "^too small$"), (("-x", "40", "-y", "10"), "^cgtop "),
                       (("-x", "80", "-y", "9"), "^too small$"), (("-x", "2", "-y", "1"), "^t…$"),
                       (("-x", "1", "-y", "1"), "^[^t]?$"),  # drawn anew, as ncurses can
                       (("-x", str(COLUMNS), "-y", str(LINES)), "^cgtop ")):
        terminal.tmux("resize-window", "-t", "test", *size)
        terminal.wait_for(seen, slice(0, 1))
    print("sizes: done")


def check_numbers(tools, directory, terminal):
    """What is shown, frozen, against cgunwind on the snapshot that is written."""
    terminal.wait_for(r"Window: (2\.[5-9]|3)", slice(2, 3))
    terminal.keys("Space")
    terminal.wait_for(r"frozen", slice(0, 1))
    chosen = weight_of(terminal.screen())
    screens = {}
    for weight in (chosen, "CPU time", "samples"):
        weigh(terminal, weight)
        terminal.keys("1")
        functions = terminal.wait_for(r"SELF +TOTAL", slice(4, 5))
        terminal.keys("2")
        screens[weight] = functions, terminal.wait_for(r"TOTAL +SELF", slice(4, 5))
    weigh(terminal, chosen)
    terminal.keys("3")
    threads = terminal.wait_for(r"WAITS FOR", slice(4, 5))
    terminal.keys("w")
    line = terminal.wait_for(r"^written: cgtop-\d+-\d{8}-\d{6}\.bin", slice(LINES - 1, None))[LINES - 1]
    path = os.path.join(directory, line.split()[1])
    if os.stat(path).st_mode & 0o777 != 0o600:
        yield "the snapshot is not its owner's alone"
    unwind = [os.path.join(tools, "cgunwind"), path]
    objects = [json.loads(line) for line in known.check_run([*unwind, "-f", "json"]).splitlines()]
    for weight, options in ((chosen, ()), ("CPU time", ("--weight", "cpu")), ("samples", ("--weight", "samples"))):
        done = known.run([*unwind, "-f", "tree", *options])
        if done.returncode or done.stderr:
            yield "cgunwind: status %d, %s" % (done.returncode, done.stderr.decode())
        functions, tree = screens[weight]
        yield from check_tree(tree, done.stdout.decode(), 5 if weight == "CPU time" else 10)
        if weight != "wall time":
            yield from check_functions(weight, functions, objects)
    known.check_run([*unwind, "-f", "chrome", "-o", os.path.join(directory, "x.json")])
    yield from check_threads(threads, known.check_run([*unwind, "-f", "stats", "-v"]),
                             last_states(os.path.join(directory, "x.json")))
    yield from check_names(threads)
    if terminal.screen()[1:3] != screens[chosen][0][1:3]:
        yield "frozen, it changes"
    terminal.keys("Space")
    terminal.wait_for(r"\d\d:\d\d:\d\d", slice(0, 1))


def check_job(terminal, target):
    """A shell stops it and has it continue."""
    terminal.keys("C-z")
    terminal.wait_for(r"\[1\].*[Ss]topped")
    check_goes_on(target, "cgtop is stopped")
    terminal.keys("fg", "Enter")
    terminal.wait_for(r"^cgtop ", slice(0, 1))
    known.wait_until(lambda: tracer(target.pid), "the target to be attached to again")
    terminal.wait_for(r"Threads: 6 ", slice(1, 2))
    os.kill(foreground(terminal), signal.SIGSTOP)  # it cannot give the terminal back
    terminal.wait_for(r"\[1\].*[Ss]topped")
    terminal.keys("clear; fg", "C-j")  # its modes are still the terminal's
    terminal.wait_for(r"^cgtop ", slice(0, 1))
    terminal.wait_for(r"FUNCTION \[MODULE\]", slice(4, 5))
    terminal.keys("Space")
    terminal.wait_for("frozen", slice(0, 1))
    terminal.keys("C-s")
    os.kill(foreground(terminal), signal.SIGCONT)  # has it draw all anew
    known.wait_until(lambda: writes_to_terminal(foreground(terminal)), "cgtop to draw")
    os.killpg(foreground(terminal), signal.SIGTSTP)
    terminal.keys("C-q")
    terminal.wait_for(r"\[1\].*[Ss]topped")
    terminal.keys("clear; fg", "C-j")
    terminal.wait_for("frozen", slice(0, 1))


def foreground(terminal):
    """The job that has the terminal."""
    with open("/proc/%d/stat" % terminal.pane(), encoding="utf-8", errors="replace") as file:
        return int(file.read().rsplit(")", 1)[1].split()[5])


def check_first(tools, directory, target):
    cgtop = os.path.join(tools, "cgtop")
    with Terminal(directory, ["sh", "-i"], {"PS1": "$ "}) as terminal:
        terminal.keys("%s -w 3 -d 0.3 -p %d" % (cgtop, target.pid), "Enter")
        yield from check_numbers(tools, directory, terminal)
        yield from check_keys(terminal)
        check_sizes(terminal)
        check_job(terminal, target)
        terminal.keys("q")
        terminal.wait_for(r"^\$")
        terminal.keys("echo status $?", "Enter")
        terminal.wait_for(r"\bstatus 0")
        check_goes_on(target, "q")


def attached(terminal, target):
    terminal.wait_for(r"Threads: 6 ", slice(1, 2))
    if not tracer(target.pid):
        raise known.Failure("it is not attached to")


def misbehaviour(directory, target):
    """What is tried from within the reading of ELF files; confined.py has more."""
    report = os.path.join(directory, "report")
    with open(report, "wb") as file:
        file.truncate(65536)
    for name in ("victim", "goner", "moved"):
        with open(os.path.join(directory, name), "w", encoding="ascii") as file:
            file.write("as it was\n")
    return report, {
        "MISBEHAVE_IN": "parser", "MISBEHAVE_DIRECTORY": directory, "MISBEHAVE_PORT": "9",
        "MISBEHAVE_PID": str(target.pid), "MISBEHAVE_REPORT": report,
    }


def check_confined(report):
    with open(report, encoding="ascii") as file:
        lines = [line.split() for line in file.read().rstrip("\0").splitlines()]
    worked = {what for what, how in lines if how == "done"}
    print("confined: %d things tried" % len(lines))
    if len(lines) < 20 or worked - {"read", "device", "descriptor"}:
        yield "confined: of %d things, worked: %s" % (len(lines), worked)


def is_sanitized(program):
    """Then nothing can be loaded before it, and it has no seccomp."""
    with open(program, "rb") as file:
        return b"__asan_init" in file.read()


def writes_to_terminal(pid):
    """It waits in write(2) of descriptor 1."""
    with open("/proc/%d/syscall" % pid, encoding="ascii") as file:
        call = file.read().split()
    return len(call) > 2 and call[1] == "0x1"


def check_ends(tools, directory, target):
    cgtop = [os.path.join(tools, "cgtop"), "-p", str(target.pid)]
    report, environment = misbehaviour(directory, target)
    preload = [] if is_sanitized(cgtop[0]) else ["LD_PRELOAD=" + os.path.join(tools, "tests", "misbehave.so")]
    with Terminal(directory, ["env", *preload, *cgtop, "--no-cache"], environment) as terminal:
        attached(terminal, target)
        if preload:
            yield from check_confined(report)
        os.kill(terminal.pane(), signal.SIGKILL)
        check_goes_on(target, "SIGKILL")
    with Terminal(directory, cgtop) as terminal:
        attached(terminal, target)
        pid = terminal.pane()
    known.wait_until(lambda: not os.path.exists("/proc/%d" % pid), "cgtop to end with its terminal")
    check_goes_on(target, "the terminal is gone")
    with Terminal(directory, cgtop) as terminal:
        attached(terminal, target)
        terminal.keys("C-s")
        known.wait_until(lambda: writes_to_terminal(terminal.pane()), "the terminal to take nothing")
        os.kill(terminal.pane(), signal.SIGTERM)
        known.wait_until(terminal.has_ended, "cgtop to end whose terminal takes nothing")
        check_goes_on(target, "Ctrl-S, SIGTERM")
    with Terminal(directory, cgtop) as terminal:
        attached(terminal, target)
        terminal.wait_for("spin_leaf", slice(ROWS, None))  # it sleeps at times
        target.process.kill()
        target.process.wait()
        terminal.wait_for(r"process has ended", slice(0, 1))
        time.sleep(1.2)  # it would be made anew meanwhile
        if "spin_leaf" not in "\n".join(terminal.screen()):
            yield "what was seen is gone:\n" + "\n".join(terminal.screen())
        terminal.keys("q")
        known.wait_until(terminal.has_ended, "cgtop to end")
        print("the target's end: told")


def check_refused(tools, target):
    cgtop = os.path.join(tools, "cgtop")
    for command, status, why in (
        ([cgtop, "-p", str(target.pid)], 1, b"have to be a terminal"),
        ([cgtop], 2, b"which process"),
        ([cgtop, "-p", str(2**22 + 1)], 1, b"no such process|no process"),
        ([cgtop, "-p", "1", "-w", "0"], 2, b"seconds"),
    ):
        done = known.run(command)
        if done.returncode != status or not re.search(why, done.stderr):
            yield "%s: status %d, %s" % (command, done.returncode, done.stderr)
    check_goes_on(target, "refused")


def check_messages(tools, target):
    """No message brings the terminal characters without width, or none of its encoding."""
    for language, wanted in (("C.UTF-8", "no-such-\u00e4?"), ("C", "no-?such-??")):
        master, terminal = os.openpty()
        environment = dict(os.environ, LC_ALL=language, TERM="no-\u200bsuch-\u00e4\x1b")
        done = subprocess.run([os.path.join(tools, "cgtop"), "-p", str(target.pid)], env=environment, stdin=terminal,
                              stdout=terminal, stderr=subprocess.PIPE, timeout=60, check=False)
        os.close(master)
        os.close(terminal)
        if "not known: %s;" % wanted not in done.stderr.decode("utf-8", "replace"):
            yield "a message in %s: %s" % (language, done.stderr)


def check_missing(tools, directory, target):
    """-v alone tells which parts of the sandbox the kernel lacks."""
    if not shutil.which("strace"):
        print("strace not found: not tried")
        return
    for verbose in ("", "-v"):
        errors = os.path.join(directory, "errors")
        command = "exec strace -f -o /dev/null -e inject=landlock_create_ruleset:error=ENOSYS %s %s -p %d 2>%s" % (
            os.path.join(tools, "cgtop"), verbose, target.pid, errors)
        with Terminal(directory, ["/bin/sh", "-c", command]) as terminal:
            terminal.wait_for("^ *SELF", seconds=60)
            terminal.keys("q")
            known.wait_until(terminal.has_ended, "cgtop to end")
        with open(errors, encoding="utf-8") as file:
            text = file.read()
        told = "cgtop: warning: not confined in full" in text and "Landlock" in text
        if told != bool(verbose):
            yield "without Landlock %s: %s" % (verbose, text)


def test(tools):
    known.need("tmux")
    known.need_terminals()
    program = os.path.join(tools, "tests", "programs", "live")
    with tempfile.TemporaryDirectory() as directory, known.Target([program]) as target:
        target.process.stdout.readline()
        yield from check_refused(tools, target)
        yield from check_messages(tools, target)
        if not is_sanitized(os.path.join(tools, "cgtop")):
            yield from check_missing(tools, directory, target)
        yield from check_first(tools, directory, target)
        yield from check_ends(tools, directory, target)


if __name__ == "__main__":
    known.main(lambda tools: list(test(tools)))
