#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An address has the same row whatever was asked before.

usage: order.py BUILD-DIRECTORY

Analyses are kept for each other: a fragment's is made of that of the function that jumps into it, and what was decoded is forgotten when
it is too much. Addresses of one function and fragment each are asked alone, in ascending and in descending order.
"""

import random
import subprocess
import sys

sys.dont_write_bytecode = True
import known

FILES = [("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", []), ("/usr/lib/x86_64-linux-gnu/libc.so.6", ["--code-only"]),
         ("/bin/bash", ["--code-only"])]
ALONE, TOGETHER = 25, 2000


def ask(cgrules, path, options, addresses):
    text = "".join("%x\n" % address for address in addresses)
    done = subprocess.run([cgrules, "--method", "prologue", "--pcs", "-", *options, path], input=text,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise known.Failure("cgrules --pcs: " + done.stderr)
    answers = done.stdout.splitlines()
    if len(answers) != len(addresses):
        raise known.Failure("%d answers to %d addresses" % (len(answers), len(addresses)))
    return dict(zip(addresses, answers))


def compare(path, address, how, one, other):
    if one != other:
        raise known.Failure("%s: %s is answered to %x in ascending order, %s %s" % (path, one, address, other, how))


def check(cgrules, path, options):
    lines = known.check_run([cgrules, "--functions", *options, path]).splitlines()
    middle = [int(line.split()[0], 16) + int(line.split()[1]) // 2 // 4 * 4 for line in lines]
    fragments = [address for address, line in zip(middle, lines) if " fragment " in line or ".cold" in line]
    chosen = random.Random(1)
    addresses = sorted(chosen.sample(middle, min(TOGETHER, len(middle))))
    up, down = ask(cgrules, path, options, addresses), ask(cgrules, path, options, addresses[::-1])
    for address in addresses:
        compare(path, address, "in descending order", up[address], down[address])
    alone = chosen.sample(addresses, ALONE - 10) + chosen.sample(fragments, min(10, len(fragments)))
    known_answers = ask(cgrules, path, options, sorted(set(alone)))
    for address in alone:
        compare(path, address, "alone", known_answers[address], ask(cgrules, path, options, [address])[address])
    print("%s %s: %d addresses, %d alone, %d of them in fragments" %
          (path, " ".join(options), len(addresses), len(alone), min(10, len(fragments))))


def test(build):
    for path, options in FILES:
        check(build + "/cgrules", path, options)
    return []


if __name__ == "__main__":
    known.main(test)
