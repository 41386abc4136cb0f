#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files that debuginfod servers have: cgunwind asks for them when it is told to, and else never.

usage: debuginfod.py BUILD-DIRECTORY

Debian's server on loopback, with a program's debug file, then with the program as well, which is
gone from where it was. Besides: servers that have nothing, that are not there, that never answer,
and that answer with another file.
"""

import contextlib
import http.server
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import known

SOURCE = """
#include <unistd.h>
static __attribute__((noinline)) void innermost(void) { pause(); }
static __attribute__((noinline)) void middle(void) { innermost(); __asm__(""); }
int main(void) { middle(); return 0; }
"""
NAMES = ("innermost", "middle", "main")
TIMEOUT = "2"  # seconds, of libdebuginfod
PATIENCE = 30


class Files:
    """The program, a snapshot of it, and what a server may have."""

    def __init__(self, tools, directory):
        self.tools, self.directory = tools, directory
        source, self.program = os.path.join(directory, "waits.c"), os.path.join(directory, "waits")
        self.served, self.snapshot = os.path.join(directory, "served"), os.path.join(directory, "snap")
        os.mkdir(self.served)
        with open(source, "w", encoding="ascii") as file:
            file.write(SOURCE)
        known.check_run(["gcc", "-g", "-O1", "-o", self.program, source])
        self.debug = self.program + ".debug"
        known.check_run(["objcopy", "--only-keep-debug", self.program, self.debug])
        known.check_run(["strip", self.program])
        target = subprocess.Popen([self.program])
        try:
            time.sleep(0.3)
            known.capture(tools, target.pid, self.snapshot)
        finally:
            target.kill()
            target.wait()
        self.runs = 0

    def unwind(self, urls, *options, option=False):
        """The program's functions, what was said, and how long it took; with an empty cache of the library."""
        self.runs += 1
        environment = dict(os.environ, DEBUGINFOD_TIMEOUT=TIMEOUT, DEBUGINFOD_RETRY_LIMIT="0",
                           DEBUGINFOD_CACHE_PATH=os.path.join(self.directory, "cache-%d" % self.runs))
        environment.pop("DEBUGINFOD_URLS", None)
        command = [os.path.join(self.tools, "cgunwind"), "-f", "folded", *options]
        if option:
            command += ["--debuginfod", urls]
        elif urls is not None:
            environment["DEBUGINFOD_URLS"] = urls
        begin = time.monotonic()
        done = known.run([*command, self.snapshot], env=environment, text=True)
        if done.returncode:
            raise known.Failure("status %d: %s" % (done.returncode, done.stderr))
        functions = [line.rpartition(" ")[0].split(";") for line in done.stdout.splitlines()][0]
        return [name for name in NAMES if name in functions], done.stderr, time.monotonic() - begin


@contextlib.contextmanager
def server(directory):
    """Debian's, once it has looked at the directory."""
    port = known.free_port()
    log = os.path.join(os.path.dirname(directory), "server.log")
    with open(log, "w", encoding="utf-8") as file:
        process = subprocess.Popen(["debuginfod", "-v", "-F", "-p", str(port), "-d", ":memory:", directory],
                                   stdout=file, stderr=file)
    try:
        url = "http://127.0.0.1:%d" % port

        def has_scanned():
            with open(log, encoding="utf-8", errors="replace") as file:
                return "groomed" in file.read()

        known.wait_until(has_scanned, "the server has looked at its files", PATIENCE)
        yield url
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def silent():
    """Takes connections, and says nothing."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(16)
        yield "http://127.0.0.1:%d" % listening.getsockname()[1]


class Quiet(http.server.BaseHTTPRequestHandler):
    def log_message(self, *unused):
        pass


def wrong(path):
    """Has this one file, whatever it is asked for."""

    class Handler(Quiet):
        def do_GET(self):
            with open(path, "rb") as file:
                content = file.read()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return serving(Handler)


def endless(pause):
    """Sends without an end, and states no size; seconds between pieces of 64 KiB."""

    class Handler(Quiet):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                while True:
                    self.wfile.write(bytes(65536))
                    time.sleep(pause)

    return serving(Handler)


@contextlib.contextmanager
def serving(handler):
    http_server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=http_server.serve_forever, daemon=True)
    thread.start()
    try:
        yield "http://127.0.0.1:%d" % http_server.server_address[1]
    finally:
        http_server.shutdown()


def debug_files(files):
    known_without, _, _ = files.unwind(None)
    if known_without:
        yield "without a server the names are known: %s" % known_without
    shutil.copy(files.debug, files.served)
    with server(files.served) as url:
        for what, found in (
                ("by the environment", files.unwind(url)), ("by the option", files.unwind(url, option=True)),
                ("below a sysroot", files.unwind(url, "--sysroot", "/")),
                ("without a sandbox", files.unwind(url, "--no-sandbox")),
                ("of several", files.unwind("http://127.0.0.1:%d %s" % (known.free_port(), url)))):
            if found[0] != list(NAMES):
                yield "a debug file, %s: only %s: %s" % (what, found[0], found[1])
        os.environ["DEBUGINFOD_URLS"] = url
        if files.unwind("", option=True)[0]:
            yield "--debuginfod '' asks the server of the environment"


def executables(files):
    os.rename(files.program, files.program + ".gone")
    shutil.copy(files.program + ".gone", files.served)
    with server(files.served) as url:
        found, said, _ = files.unwind(url)
        if found != list(NAMES):
            yield "the program itself: only %s: %s" % (found, said)
    os.rename(files.program + ".gone", files.program)


def useless_servers(files):
    empty = os.path.join(files.directory, "empty")
    os.mkdir(empty)
    with server(empty) as nothing, silent() as dumb, wrong("/bin/true") as other:
        for what, url in (("has nothing", nothing), ("is not there", "http://127.0.0.1:%d" % known.free_port()),
                          ("never answers", dumb), ("has another file", other), ("is no address", "nonsense://")):
            found, said, seconds = files.unwind(url, "--thread", "waits")
            if found or seconds > PATIENCE:
                yield "a server that %s: %s in %.1f s: %s" % (what, found, seconds, said)
            if what == "never answers" and "waiting for the" not in said:
                yield "that a file is waited for is not told: %s" % said


def endless_servers(files):
    """Ends by bytes, and, of one that is slow, by time; and the disk has no more of it than that."""
    for what, pause, name, value in (("size", 0, "DEBUGINFOD_MAXSIZE", 4 << 20), ("time", 0.2, "DEBUGINFOD_MAXTIME", 3)):
        os.environ[name] = str(value)
        with endless(pause) as url:
            found, said, seconds = files.unwind(url, "--thread", "waits")
        del os.environ[name]
        if found or seconds > PATIENCE:
            yield "a body without an end, by %s: %s in %.1f s: %s" % (what, found, seconds, said)


def test(tools):
    known.need("debuginfod", "objcopy", "strip")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        files = Files(tools, directory)
        for check in (debug_files, executables, useless_servers, endless_servers):
            failures += check(files)
    return failures


if __name__ == "__main__":
    known.main(test)
