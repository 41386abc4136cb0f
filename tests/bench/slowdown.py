#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a capture costs programs of all kinds: how much longer the same work takes.

usage: slowdown.py BUILD-DIRECTORY [--pairs N] [--loaded] [NAME ...]

Each program does a fixed piece of work, alone and while cgsnap captures it with its defaults, in
turn and in both orders. Printed are the median times, the median of the pairs' ratios, and their
range. --loaded: beside two busy loops. What is not installed is left out, and named.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "system"))
import postgres

GO = r"""
package main
import ("bytes"; "compress/flate"; "crypto/sha256"; "encoding/json"; "sort"; "sync")
func work(kind, n int) {
	data := make([]byte, 1<<16)
	for i := range data { data[i] = byte(i * i >> 3) }
	for i := 0; i < n; i++ {
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
	}
}
func main() {
	var group sync.WaitGroup
	for kind, n := range []int{30000, 15000, 16000, 7000} {
		group.Add(1)
		go func() { defer group.Done(); work(kind, n) }()
	}
	group.Wait()
}
"""

ERLANG = (
    "F = fun F(0) -> ok; F(N) -> lists:sort([erlang:phash2({N, K}) || K <- lists:seq(1, 400)]), F(N - 1) end, "
    "Self = self(), [spawn(fun() -> F(1500), Self ! done end) || _ <- lists:seq(1, 8)], "
    "[receive done -> ok end || _ <- lists:seq(1, 8)], halt()."
)

JAVA = r"""
import java.util.*;
import java.util.stream.*;
class Work {
    public static void main(String[] args) {
        long sum = 0;
        for (int turn = 0; turn < 60; turn++) {
            Map<String, Integer> map = new HashMap<>();
            for (int i = 0; i < 60000; i++) map.merge("k" + i % 5000, i, Integer::sum);
            sum += IntStream.range(0, 300000).parallel().mapToLong(i -> Long.hashCode(i * 31L) % 7).sum();
            sum += map.values().stream().sorted().skip(10).findFirst().get();
        }
        System.out.println(sum);
    }
}
"""

NODE = """
const crypto = require('crypto'); let n = 0;
for (let turn = 0; turn < 700; turn++) {
  const o = JSON.parse(JSON.stringify(Array.from({length: 1500}, (_, i) => ({i, s: 'x' + i % 97}))));
  n += o.sort((a, b) => a.s < b.s ? -1 : 1).length + crypto.createHash('sha1').update(String(n)).digest()[0];
}
"""

PYTHON = """
import json, re, threading, zlib
def work():
    for i in range(350):
        text = json.dumps([{'k': k, 'v': str(k) * 3} for k in range(500)])
        zlib.compress(text.encode()); re.findall(r'[0-9]{3}', text); sorted(text[:5000])
threads = [threading.Thread(target=work) for _ in range(3)]
[t.start() for t in threads]; [t.join() for t in threads]
"""

PERL = "for $t (1..45) { my %h; $h{$_ % 9973} .= substr($_, -2) for 1..60000; my @k = sort keys %h; join(',', @k) =~ /(9\\d+,)+/; }"
RUBY = "60.times { h = Hash.new(0); 60000.times { |i| h[i.to_s[-3..] || i] += i }; h.sort_by { |_, v| v }.map(&:to_s).join =~ /9+/ }"
PHP = "for ($t = 0; $t < 60; $t++) { $a = []; for ($i = 0; $i < 60000; $i++) $a[] = md5($i % 997); sort($a); preg_match('/f{3}/', implode($a)); }"
LUA = "for t = 1, 60 do local a = {} for i = 1, 40000 do a[i] = tostring(i * 7919 % 10007) end table.sort(a) table.concat(a):find('99+') end"
SQL = (
    "create table t(a integer primary key, b text); with recursive n(i) as (select 1 union all select i + 1 from n "
    "where i < 300000) insert into t select i, hex(i * 7919 % 10007) from n; create index x on t(b); "
    "select count(*), max(b) from t group by b order by 1; select count(*) from t x join t y on x.b = y.b;"
)
SOURCE = "#include <stdlib.h>\n" + "".join(
    "int f%d(int *a, int n) { int s = %d; for (int i = 0; i < n; i++) { if (a[i] %% %d) s += a[i] * %d; else s ^= a[n - i - 1]; } return s + abs(s >> 3); }\n"
    % (i, i, i + 2, i * 3 + 1)
    for i in range(120)
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


def data(directory):
    path = directory + "/data"
    with open(path, "wb") as file:
        file.write(b"".join(b"%d;%x\n" % (i * 7919 % 1000003, i) for i in range(3000000)))
    return path


def make(directory):
    for i in range(10):
        write(directory + "/s%d.c" % i, SOURCE)
    write(directory + "/Makefile", "all: " + " ".join("s%d.o" % i for i in range(10)) +
          "\n%.o: %.c FORCE\n\t@$(CC) -O2 -c -o $@ $<\nFORCE:\n")
    return ["make", "-s", "-j2", "-C", directory]


def compiler(directory):
    write(directory + "/s.c", SOURCE)
    return ["gcc", "-O2", "-c", "-o", "/dev/null", directory + "/s.c"]


def x264(_):
    return ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:duration=12", "-c:v", "libx264",
            "-preset", "faster", "-f", "null", "-"]


class Command:
    """A program that ends when its work is done. `follow`: what it starts is captured as well."""

    def __init__(self, make_command, follow=False):
        self.make_command, self.follow = make_command, follow

    def start(self, directory):
        self.command = self.make_command(directory)
        if self.follow:  # it is captured before it starts others
            self.command = ["sh", "-c", 'sleep 0.3; exec "$0" "$@"', *self.command]

    def stop(self):
        pass

    def once(self, capture):
        begin = time.monotonic()
        process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with capture(process.pid, self.follow):
            if process.wait():
                raise RuntimeError("status %d of %s" % (process.returncode, self.command[0]))
            return time.monotonic() - begin


class Redis:
    """The server is captured while clients ask it."""

    follow = False

    def start(self, directory):
        self.server = subprocess.Popen(["redis-server", "--port", "0", "--unixsocket", directory + "/socket", "--save", "",
                                        "--dir", directory], stdout=subprocess.DEVNULL)
        self.client = ["redis-benchmark", "-s", directory + "/socket", "-q", "-n", "120000", "-t", "set,get,lpush"]
        time.sleep(1)

    def once(self, capture):
        with capture(self.server.pid, False):
            begin = time.monotonic()
            subprocess.run(self.client, stdout=subprocess.DEVNULL, check=True)
            return time.monotonic() - begin

    def stop(self):
        self.server.kill()
        self.server.wait()


class Postgres:
    """All processes of the server, while pgbench asks it."""

    def start(self, directory):
        os.chmod(os.path.dirname(directory), 0o755)
        self.server = postgres.Server(directory, scale=5)

    def once(self, capture):
        with capture(self.server.process.pid, True):
            begin = time.monotonic()
            subprocess.run(self.server.pgbench(4, 3000), check=True, cwd=self.server.directory,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return time.monotonic() - begin

    def stop(self):
        self.server.stop()


def of(*command):
    return Command(lambda directory: list(command))


def with_data(*command):
    return Command(lambda directory: [*command, data(directory)])


PROGRAMS = {
    "go": ("go", Command(go)),
    "erlang": ("erl", of("erl", "-noshell", "-eval", ERLANG)),
    "java": ("javac", Command(java)),
    "node": ("node", of("node", "-e", NODE)),
    "postgres": ("/usr/lib/postgresql", Postgres()),
    "redis": ("redis-server", Redis()),
    "ffmpeg": ("ffmpeg", Command(x264)),
    "make": ("make", Command(make, follow=True)),
    "gcc": ("gcc", Command(compiler, follow=True)),
    "python": ("python3", of("python3", "-c", PYTHON)),
    "perl": ("perl", of("perl", "-e", PERL)),
    "ruby": ("ruby", of("ruby", "-e", RUBY)),
    "php": ("php", of("php", "-r", PHP)),
    "lua": ("lua5.4", of("lua5.4", "-e", LUA)),
    "sqlite": ("sqlite3", of("sqlite3", ":memory:", SQL)),
    "xz": ("xz", with_data("xz", "-2", "-T2", "-c")),
    "zstd": ("zstd", with_data("zstd", "-9", "-T2", "-c", "-q")),
    "gzip": ("gzip", with_data("gzip", "-6", "-c")),
    "sort": ("sort", with_data("sort", "--parallel=2", "-t;", "-k2")),
    "sha512": ("sha512sum", with_data("sh", "-c", "for i in 1 2 3 4 5 6 7 8; do sha512sum $0; done")),
    "awk": ("mawk", of("mawk", "BEGIN { for (i = 0; i < 4000000; i++) a[i % 1000] += length(i * 7919); }")),
}


class Nothing:
    def __init__(self, pid, follow):
        pass

    def __enter__(self):
        pass

    def __exit__(self, *unused):
        pass


class Capture(Nothing):
    tools = directory = None
    said = []

    def __init__(self, pid, follow):
        super().__init__(pid, follow)
        self.cgsnap = subprocess.Popen([self.tools + "/cgsnap", "-p", str(pid), "-o", self.directory + "/snap",
                                        *(["--follow-forks"] if follow else [])],
                                       stderr=subprocess.PIPE, text=True)

    def __exit__(self, *unused):
        if self.cgsnap.poll() is None:
            self.cgsnap.send_signal(2)
        self.said += self.cgsnap.communicate()[1].splitlines()[-1:]


def measure(program, pairs):
    alone, captured = [], []
    program.once(Nothing)  # files and caches are warm
    for i in range(pairs):
        for captures in ((False, True) if i % 2 else (True, False)):
            (captured if captures else alone).append(program.once(Capture if captures else Nothing))
    return alone, captured


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--loaded", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("name", nargs="*")
    options = parser.parse_intermixed_args()
    Capture.tools = os.path.abspath(options.build)
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2 * options.loaded)]
    try:
        for name in options.name or PROGRAMS:
            needed, program = PROGRAMS[name]
            if not shutil.which(needed) and not os.path.isdir(needed):
                print("%-9s %s is not installed" % (name, needed))
                continue
            with tempfile.TemporaryDirectory(prefix="cg-slow-") as directory:
                os.chmod(directory, 0o755)
                Capture.directory = directory
                os.mkdir(directory + "/work")
                program.start(directory + "/work")
                try:
                    alone, captured = measure(program, options.pairs)
                finally:
                    program.stop()
            ratios = sorted(c / a for c, a in zip(captured, alone))
            print("%-9s alone %5.2f s, captured %5.2f s: %+5.1f %% (%+.1f to %+.1f)"
                  % (name, statistics.median(alone), statistics.median(captured), 100 * statistics.median(ratios) - 100,
                     100 * ratios[0] - 100, 100 * ratios[-1] - 100), flush=True)
            if options.verbose:
                print("          " + Capture.said[-1], flush=True)
    finally:
        for loop in loops:
            loop.kill()


if __name__ == "__main__":
    sys.exit(main())
