#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Depth costs once, only change costs per sample: recursion 500 deep of which the top 10 frames change.
. "$(dirname "$0")/lib.sh"
program recurse
measure() { # measure CHANGING: bytes a sample, after the first
    start "$work/recurse" 500 "$1" 30
    sleep 0.1
    "$cgsnap" -q -F 200 --overhead 100 -d 2 -p "$pid" -o "$work/snap"
    kill "$pid"
    dump "$work/snap" | python3 -c '
import json, sys
records = [json.loads(line) for line in sys.stdin]
samples = [r for r in records if r["type"] == "sample"]
rest = samples[1:]
print(sum(r["size"] for r in rest) // len(rest),
      sum(r["regions"][0]["end"] - r["regions"][0]["start"] for r in rest) // len(rest), len(samples))'
}
read -r few depth samples < <(measure 10)
echo "top 10 of 500 change: $few bytes a sample of a stack of $depth ($samples samples)"
read -r many depth samples < <(measure 500)
echo "all 500 change: $many bytes a sample of a stack of $depth ($samples samples)"
check "the bytes follow the 10, not the 500" [ "$few" -lt $((depth / 15)) ]
check "what changes is written" [ "$many" -gt $((depth / 3)) ]
finish
