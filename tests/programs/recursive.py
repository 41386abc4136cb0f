# SPDX-License-Identifier: MIT
"""Recursion that goes through the interpreter's C functions, in two threads, down to a sleep.

Run by Debian's python3: a stripped program that nobody built here. Prints "ready" when both are
in place.
"""

import threading
import time

DEPTH = 60
in_place = threading.Barrier(3)


def descend(depth):
    if depth == 0:
        in_place.wait()
        time.sleep(600)
        return 0
    # sorted() and max(map()) call back into Python from C, so that every level has C frames.
    if depth % 2:
        return max(map(descend, [depth - 1]))
    return sorted([depth - 1], key=descend)[0]


def main():
    for depth in (DEPTH, DEPTH // 3):
        threading.Thread(target=descend, args=(depth,), daemon=True).start()
    in_place.wait()
    print("ready", flush=True)
    descend_in_main = sorted([1, 2], key=lambda number: time.sleep(600))
    return descend_in_main


main()
