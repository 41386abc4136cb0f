#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a person reads first: ten servers and programs at work, by cgunwind and by perf, to look at.

usage: first_lines.py BUILD-DIRECTORY OUTPUT-DIRECTORY [--seconds N] [NAME ...]

Each is captured with cgsnap's defaults, beside perf's cpu-clock, as root. OUTPUT-DIRECTORY/NAME.txt
has the first ten lines of `cgunwind snap.bin` and of `cgunwind -f top snap.bin`, those of `perf
report`, and the ten hottest functions by perf where what the kernel does is its callers', as
cgsnap has it. Nothing is judged: do the lines answer "what is hot?", or why nothing is?

Wants these packages, and leaves out and names what is not here: linux-perf nginx-light
apache2-utils postgresql redis-server redis-tools python3 nodejs default-jdk-headless ffmpeg gcc
ruby. Servers are started from a directory of their own, and what the packages start is not needed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import beside_perf
import slowdown

import known

HERE = os.path.dirname(os.path.abspath(__file__))
SHOP = os.path.join(HERE, "..", "..", "docs", "pictures", "shop.c")
LINES = 10
WARM_UP = 3  # seconds; a deadlock is there by then, too

NGINX = """
daemon off;
worker_processes 2;
pid %(directory)s/pid;
error_log stderr;
events { worker_connections 256; }
http {
    access_log %(directory)s/access.log;
    gzip on;
    gzip_types text/plain;
    server {
        listen 127.0.0.1:%(port)d;
        root %(directory)s;
        default_type text/plain;
    }
}
"""


class Nginx:
    """It compresses a text for each who asks."""

    follow, client, port = True, None, 18080

    def start(self, directory):
        text = "".join("%d %x\n" % (i, i * 7919) for i in range(3000))
        slowdown.write(directory + "/page", text)
        slowdown.write(directory + "/nginx.conf",
                       NGINX % {"directory": directory, "port": self.port})
        self.server = subprocess.Popen(["nginx", "-p", directory, "-c", directory + "/nginx.conf"],
                                       stderr=subprocess.DEVNULL)
        self.pid = self.server.pid

    def begin(self):
        self.client = subprocess.Popen(
            ["ab", "-q", "-k", "-c", "8", "-t", "60", "-n", "100000000",
             "-H", "Accept-Encoding: gzip", "http://127.0.0.1:%d/page" % self.port],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop(self):
        for process in filter(None, (self.client, self.server)):
            process.terminate()
            process.wait()


def deadlock(directory):
    shop = directory + "/shop"
    known.check_run(["gcc", "-std=c11", "-g", "-O2", "-pthread", SHOP, "-o", shop])
    return [shop, "stuck"]


PROGRAMS = {
    "nginx": ("nginx", Nginx()),
    **{name: slowdown.PROGRAMS[name]
       for name in ("postgres", "redis", "python", "node", "java", "ffmpeg", "gcc", "ruby")},
    "deadlock": ("gcc", slowdown.Program(deadlock)),
}


def first_lines(command):
    done = known.run(command)
    lines = (done.stderr + done.stdout).decode(errors="replace").splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("#")][:LINES]


def looks(tools, snapshot, recording):
    """(what is asked, command)"""
    cgunwind = tools + "/cgunwind"
    yield "cgunwind snap.bin", [cgunwind, snapshot]
    yield "cgunwind -f top snap.bin", [cgunwind, "-f", "top", snapshot]
    yield "perf report", ["perf", "report", "--stdio", "-q", "--no-children", "-g", "none",
                          "-i", recording]


def hottest(tools, recording):
    """By perf."""
    shares = beside_perf.in_per_cent(beside_perf.own_amounts(tools, recording))
    return ["%7.2f%%  %s" % (share, name) for name, share in shares.most_common(LINES)]


def test(tools, name, program, options):
    with tempfile.TemporaryDirectory(prefix="cg-first-") as directory:
        os.chmod(directory, 0o755)
        os.mkdir(directory + "/work")
        program.start(directory + "/work")
        try:
            time.sleep(WARM_UP)
            program.begin()
            snapshot, recording = directory + "/snap.bin", directory + "/perf.data"
            told = beside_perf.capture(tools, program, options, snapshot, recording)
            parts = ["== cgsnap", told, ""]
            for title, command in looks(tools, snapshot, recording):
                parts += ["== " + title, *first_lines(command), ""]
            parts += ["== perf, the kernel's time with its callers", *hottest(tools, recording), ""]
        finally:
            program.stop()
    slowdown.write(os.path.join(options.output, name + ".txt"), "\n".join(parts))
    print(name + ".txt", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build")
    parser.add_argument("output")
    parser.add_argument("--seconds", type=int, default=4)
    parser.add_argument("name", nargs="*", help=", ".join(PROGRAMS))
    options = parser.parse_intermixed_args()
    options.rate = 99
    os.makedirs(options.output, exist_ok=True)
    return beside_perf.run_each(test, PROGRAMS, options.name or PROGRAMS, options)


if __name__ == "__main__":
    sys.exit(main())
