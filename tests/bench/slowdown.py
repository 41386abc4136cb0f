#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a capture costs programs of all kinds: how much slower the same work goes on.

usage: slowdown.py BUILD-DIRECTORY [--seconds N] [--loaded] [--verbose] [NAME ...]

Each program works without end and tells how far it has come. It is captured with cgsnap's
defaults in every second turn of 0.6 s: SIGTSTP makes cgsnap let go of it, SIGCONT take it
again. The speed of such a turn is compared with the mean of its neighbours': a machine whose own
speed changes changes that of neighbours alike. Printed are the median of that, its standard error
(by bootstrap), and the range. What is done once, at the first attach, is no part of it. --loaded:
beside two busy loops. What is not installed is left out, and named.
"""

import argparse
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "system"))
import known
import postgres

TURN = 0.6  # seconds
SETTLES = 0.1  # what follows a change is not counted

GO = r"""
package main
import ("bytes"; "compress/flate"; "crypto/sha256"; "encoding/json"; "os"; "sort")
func work(kind int, data []byte) {
	for i := 0; ; i++ {
		switch kind {
		case 0:
			m := map[string][]int{}
			for k := 0; k < 40; k++ { m[string(rune('a'+k))] = []int{k, i, k * i} }
			text, _ := json.Marshal(m)
			json.Unmarshal(text, &m)
		case 1:
			s := make([]int, 2000)
			for k := range s { s[k] = (k * 7919) % 2003 }
			sort.Ints(s)
		case 2:
			sha256.Sum256(data)
		case 3:
			var b bytes.Buffer
			w, _ := flate.NewWriter(&b, 5)
			w.Write(data[:8192])
			w.Close()
		}
		if i % 50 == 0 { os.Stdout.Write([]byte{'\n'}) }
	}
}
func main() {
	data := make([]byte, 1<<16)
	for i := range data { data[i] = byte(i * i >> 3) }
	for kind := 1; kind < 4; kind++ { go work(kind, data) }
	work(0, data)
}
"""

ERLANG = (
    "F = fun F(N) -> lists:sort([erlang:phash2({N, K}) || K <- lists:seq(1, 400)]), "
    'case N rem 50 of 0 -> io:format("~n"); _ -> ok end, F(N + 1) end, '
    "[spawn(fun() -> F(1) end) || _ <- lists:seq(1, 8)]."
)

JAVA = r"""
import java.util.*;
import java.util.stream.*;
class Work {
    public static void main(String[] args) {
        for (long sum = 1; ; System.out.println(sum == 0 ? "!" : "")) {
            Map<String, Integer> map = new HashMap<>();
            for (int i = 0; i < 60000; i++) map.merge("k" + i % 5000, i, Integer::sum);
            sum += IntStream.range(0, 300000).parallel().mapToLong(i -> Long.hashCode(i * 31L) % 7).sum();
            sum += map.values().stream().sorted().skip(10).findFirst().get();
        }
    }
}
"""

NODE = """
const crypto = require('crypto'), fs = require('fs');
for (let n = 0; ; fs.writeSync(1, '\\n')) {
  for (let k = 0; k < 10; k++) {
    const o = JSON.parse(JSON.stringify(Array.from({length: 1500}, (_, i) => ({i, s: 'x' + i % 97}))));
    n += o.sort((a, b) => a.s < b.s ? -1 : 1).length + crypto.createHash('sha1').update(String(n)).digest()[0];
  }
}
"""

PYTHON = """
import json, os, re, threading, zlib
def work():
    while True:
        for i in range(5):
            text = json.dumps([{'k': k, 'v': str(k) * 3} for k in range(500)])
            zlib.compress(text.encode()); re.findall(r'[0-9]{3}', text); sorted(text[:5000])
        os.write(1, b'\\n')
for t in range(3): threading.Thread(target=work).start()
"""

PERL = ("$| = 1; while (1) { my %h; $h{$_ % 9973} .= substr($_, -2) for 1..60000; my @k = sort keys %h; "
        "join(',', @k) =~ /(9\\d+,)+/; print qq(\\n); }")
RUBY = ("$stdout.sync = true; loop { h = Hash.new(0); 60000.times { |i| h[i.to_s[-3..] || i] += i }; "
        "h.sort_by { |_, v| v }.map(&:to_s).join =~ /9+/; puts }")
PHP = ("while (true) { $a = []; for ($i = 0; $i < 60000; $i++) $a[] = md5($i % 997); sort($a); "
       'preg_match("/f{3}/", implode($a)); fwrite(STDOUT, "\\n"); }')
LUA = ("while true do local a = {} for i = 1, 40000 do a[i] = tostring(i * 7919 % 10007) end table.sort(a) "
       "table.concat(a):find('99+') io.write('\\n') io.flush() end")
AWK = "BEGIN { for (;;) { for (i = 0; i < 200000; i++) a[i % 1000] += length(i * 7919); print; fflush(); } }"
SQL = (
    "drop table if exists t; create table t(a integer primary key, b text); with recursive n(i) as (select 1 union "
    "all select i + 1 from n where i < 20000) insert into t select i, hex(i * 7919 % 10007) from n; create index "
    "x on t(b); select count(*) from t x join t y on x.b = y.b;\n"
)
SOURCE = "#include <stdlib.h>\n" + "".join(
    "int f%d(int *a, int n) { int s = %d; for (int i = 0; i < n; i++) { if (a[i] %% %d) s += a[i] * %d; else s ^= a[n - i - 1]; } return s + abs(s >> 3); }\n"
    % (i, i, i + 2, i * 3 + 1)
    for i in range(8)
)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def go(directory):
    write(directory + "/work.go", GO)
    subprocess.run(["go", "build", "-o", "work", "work.go"], cwd=directory, check=True,
                   env={**os.environ, "GOCACHE": directory + "/cache", "GO111MODULE": "off"})
    return [directory + "/work"]


def java(directory):
    write(directory + "/Work.java", JAVA)
    subprocess.run(["javac", "Work.java"], cwd=directory, check=True)
    return ["java", "-cp", directory, "Work"]


def again_and_again(command):
    return ["sh", "-c", "while :; do %s; echo; done" % command]


def make(directory):
    for i in range(2):
        write(directory + "/s%d.c" % i, SOURCE)
    write(directory + "/Makefile", "all: " + " ".join("s%d.o" % i for i in range(2)) +
          "\n%.o: %.c FORCE\n\t@$(CC) -O2 -c -o $@ $<\nFORCE:\n")
    return again_and_again("make -s -j2 -C " + directory)


def compiler(directory):
    write(directory + "/s.c", SOURCE)
    return again_and_again("gcc -O2 -c -o /dev/null %s/s.c" % directory)


def data(directory):
    path = directory + "/data"
    write(path, "".join("%d;%x\n" % (i * 7919 % 1000003, i) for i in range(300000)))
    return path


def sort(directory):
    return again_and_again("sort --parallel=2 -t';' -k2 %s > /dev/null" % data(directory))


def sha512(directory):
    return again_and_again("sha512sum %s > /dev/null" % " ".join([data(directory)] * 10))


def feed(directory):
    return ["sh", "-c", "while :; do cat %s; done" % data(directory)]


class Program:
    """What it writes tells how far it has come: how many bytes, and when the last of them came."""

    def __init__(self, make_command, follow=False, feed=None):
        self.make_command, self.follow, self.feed = make_command, follow, feed

    def start(self, directory):
        self.processes = []
        command, source = self.make_command(directory), subprocess.DEVNULL
        if self.feed:
            source = self.run(self.feed(directory), subprocess.DEVNULL).stdout
        self.pid, output = (process := self.run(command, source)).pid, process.stdout.fileno()
        self.count, self.time = 0, time.monotonic()
        threading.Thread(target=self.read, args=[output], daemon=True).start()

    def begin(self):
        pass

    def run(self, command, source):
        self.processes.append(subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE,
                                               stderr=subprocess.DEVNULL, start_new_session=True))
        return self.processes[-1]

    def read(self, output):
        while data := os.read(output, 1 << 16):
            self.count, self.time = self.count + len(data), time.monotonic()

    def progress(self):
        return self.count, self.time

    def stop(self):
        for process in self.processes:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Redis:
    """The server is captured while clients ask it."""

    follow, client = False, None

    def start(self, directory):
        self.socket = directory + "/socket"
        self.server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", self.socket, "--save", "",
                                        "--dir", directory], stdout=subprocess.DEVNULL)
        self.pid = self.server.pid
        time.sleep(1)

    def begin(self):
        self.client = subprocess.Popen(["redis-benchmark", "-s", self.socket, "-q", "-l", "-n", "100000",
                                        "-t", "set,get,lpop"], stdout=subprocess.DEVNULL)

    def progress(self):
        told = subprocess.run(["redis-cli", "-s", self.socket, "info", "stats"], capture_output=True, text=True, check=True)
        line = next(line for line in told.stdout.splitlines() if line.startswith("total_commands_processed"))
        return int(line.split(":")[1]), time.monotonic()

    def stop(self):
        if self.client:
            self.client.kill()
            self.client.wait()
        self.server.kill()
        self.server.wait()


class Postgres:
    """All processes of the server, while pgbench asks it and logs what was answered."""

    follow, client = True, None

    def start(self, directory):
        os.chmod(os.path.dirname(directory), 0o755)
        self.server = postgres.Server(directory, scale=5)
        self.pid, self.directory = self.server.process.pid, directory

    def begin(self):
        self.client = subprocess.Popen(
            [*self.server.pgbench(4, 1 << 30), "-l", "--log-prefix=" + self.directory + "/log"],
            cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.log = "%s/log.%d" % (self.directory, self.client.pid)
        # All clients have their process then.
        known.wait_until(lambda: os.path.exists(self.log) and os.path.getsize(self.log), "pgbench")

    def progress(self):
        return os.path.getsize(self.log), time.monotonic()

    def stop(self):
        if self.client:
            self.client.kill()
            self.client.wait()
        self.server.stop()


def of(*command):
    return Program(lambda directory: list(command))


def filter_of(*command):
    return Program(lambda directory: list(command), feed=feed)


PROGRAMS = {
    "go": ("go", Program(go)),
    "erlang": ("erl", of("erl", "-noshell", "-eval", ERLANG)),
    "java": ("javac", Program(java)),
    "node": ("node", of("node", "-e", NODE)),
    "postgres": ("/usr/lib/postgresql", Postgres()),
    "redis": ("redis-server", Redis()),
    "ffmpeg": ("ffmpeg", of("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180", "-c:v", "libx264",
                            "-preset", "faster", "-f", "framecrc", "-flush_packets", "1", "-")),
    "make": ("make", Program(make, follow=True)),
    "gcc": ("gcc", Program(compiler, follow=True)),
    "sort": ("sort", Program(sort, follow=True)),
    "python": ("python3", of("python3", "-c", PYTHON)),
    "perl": ("perl", of("perl", "-e", PERL)),
    "ruby": ("ruby", of("ruby", "-e", RUBY)),
    "php": ("php", of("php", "-r", PHP)),
    "lua": ("lua5.4", of("lua5.4", "-e", LUA)),
    "awk": ("mawk", of("mawk", AWK)),
    "sqlite": ("sqlite3", Program(lambda directory: ["sqlite3", ":memory:"], feed=lambda directory: ["yes", SQL])),
    "xz": ("xz", filter_of("xz", "-1", "-T2", "--block-size=256KiB", "-c")),
    "zstd": ("zstd", filter_of("zstd", "-9", "-T2", "-B512K", "-c", "-q")),
    "gzip": ("gzip", filter_of("gzip", "-6", "-c")),
    "sha512": ("sha512sum", Program(sha512, follow=True)),
}


class Capture:
    """cgsnap of a program, which it leaves alone between turns."""

    def __init__(self, tools, program, directory):
        self.process = subprocess.Popen(
            [tools + "/cgsnap", "-p", str(program.pid), "-o", directory + "/snap",
             *(["--follow-forks"] if program.follow else [])],
            stderr=subprocess.PIPE, text=True, process_group=0)

    def is_suspended(self):
        with open("/proc/%d/stat" % self.process.pid, encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"

    def suspend(self):
        while not self.is_suspended():
            self.process.send_signal(signal.SIGTSTP)
            time.sleep(0.02)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.resume()
        self.process.send_signal(signal.SIGINT)
        told = self.process.communicate(timeout=60)[1]
        if self.process.returncode:
            raise RuntimeError(told)
        return next((line for line in told.splitlines() if " samples " in line), told)


def speed(program):
    time.sleep(SETTLES)
    first, began = program.progress()
    time.sleep(TURN)
    last, ended = program.progress()
    while ended == began:  # it tells of its work in large pieces
        time.sleep(TURN)
        last, ended = program.progress()
    return (last - first) / (ended - began)


def measure(program, capture, seconds):
    """The speed of each turn: alone, captured, alone, ..."""
    speeds, end = [], time.monotonic() + seconds
    while time.monotonic() < end or len(speeds) % 2 == 0:
        (capture.resume if len(speeds) % 2 else capture.suspend)()
        speeds.append(speed(program))
    return speeds


def slower_by(speeds):
    """In per cent, for each turn that was captured."""
    return [50 * (speeds[i - 1] + speeds[i + 1]) / speeds[i] - 100 for i in range(1, len(speeds), 2)]


def standard_error(values):
    """Of their median."""
    draw = random.Random(1)
    return statistics.stdev(statistics.median(draw.choices(values, k=len(values))) for _ in range(1000))


def test(name, program, options):
    with tempfile.TemporaryDirectory(prefix="cg-slow-") as directory:
        os.chmod(directory, 0o755)
        os.mkdir(directory + "/work")
        program.start(directory + "/work")
        try:
            time.sleep(1)
            capture = Capture(os.path.abspath(options.build), program, directory)
            try:
                time.sleep(1)
                program.begin()
                speeds = measure(program, capture, options.seconds)
                told = capture.end()
            finally:
                capture.process.kill()
        finally:
            program.stop()
    slower = sorted(slower_by(speeds))
    print("%-9s %+5.1f %% ± %.1f, %d turns of %+.1f to %+.1f %%"
          % (name, statistics.median(slower), standard_error(slower), len(slower), slower[0], slower[-1]), flush=True)
    if options.verbose:
        print("          " + told, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--loaded", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_intermixed_args()
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * options.loaded)]
    try:
        for name in options.name or PROGRAMS:
            needed, program = PROGRAMS[name]
            if shutil.which(needed) or os.path.isdir(needed):
                test(name, program, options)
            else:
                print("%-9s %s is not installed" % (name, needed))
    finally:
        for loop in loops:
            loop.kill()


if __name__ == "__main__":
    main()
