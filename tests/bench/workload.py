#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""What the benchmark lets Python do while it is sampled: recursion, regular expressions, JSON, sorting.

usage: workload.py SECONDS
"""

import json
import re
import sys
import time


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def walk(tree, depth=0):
    if isinstance(tree, dict):
        return sum(walk(value, depth + 1) for value in tree.values())
    if isinstance(tree, list):
        return sum(walk(value, depth + 1) for value in tree)
    return depth


def nested(depth):
    return {"left": nested(depth - 1), "right": [nested(depth - 1), depth]} if depth else {"leaf": "x" * 20}


def main():
    end = time.monotonic() + float(sys.argv[1])
    words = re.compile(r"(\w+)-(\d+)(?=,|$)")
    text = ",".join(f"item-{i}" for i in range(2000))
    while time.monotonic() < end:
        fibonacci(16)
        walk(json.loads(json.dumps(nested(7))))
        sorted(words.findall(text), key=lambda match: match[1][::-1])


main()
