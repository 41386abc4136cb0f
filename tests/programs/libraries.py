#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Threads that share Python's lock, leave it for C functions, and measure what CPU time each of
these has used. They are told by the names that their libraries export.

usage: libraries.py THREADS SECONDS    "ready" when all run; at the end a line "NAME CPU-NS WALL-NS"
                                       for each function
"""

import bz2
import hashlib
import random
import sys
import threading
import time
import zlib

TEXT = random.Random(1).randbytes(3000).hex().encode()
MORE_TEXT = TEXT * 3
MUCH_TEXT = TEXT * 60
FUNCTIONS = {
    "deflate": lambda: zlib.compress(MORE_TEXT),
    "SHA256_Update": lambda: hashlib.sha256(MUCH_TEXT),
    "BZ2_bzCompress": lambda: bz2.compress(TEXT),
}


def work(end, amounts):
    while time.monotonic() < end:
        for name, function in FUNCTIONS.items():
            cpu, wall = time.thread_time_ns(), time.monotonic_ns()
            function()
            wall = time.monotonic_ns() - wall
            cpu = time.thread_time_ns() - cpu
            amounts[name][0] += cpu
            amounts[name][1] += wall


def main(count, seconds):
    all_amounts = [{name: [0, 0] for name in FUNCTIONS} for _ in range(count)]
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=work, args=(end, amounts)) for amounts in all_amounts]
    for thread in threads:
        thread.start()
    print("ready", flush=True)
    for thread in threads:
        thread.join()
    for name in FUNCTIONS:
        print(name, *(sum(amounts[name][k] for amounts in all_amounts) for k in (0, 1)))


main(int(sys.argv[1]), int(sys.argv[2]))
