#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The restored stacks of a snapshot are the target's memory, byte for byte, over several samples with deltas.

truth.py CGSNAP TRUTH DIRECTORY [heap]     TRUTH is the compiled truth.c
"""
import json
import os
import signal
import subprocess
import sys
import time

cgsnap, truth, directory, *where = sys.argv[1:]
failed = False


def check(what, ok):
    global failed
    print(("PASS " if ok else "FAIL ") + what, flush=True)
    failed |= not ok


def wait_stopped(pid):
    while True:
        with open(f"/proc/{pid}/stat") as stat:
            if stat.read().rsplit(")", 1)[1].split()[0] in "Tt":
                return
        time.sleep(0.002)


# Without restartable sequences, for which the kernel writes the CPU's number into a thread's control block whenever it goes on.
target = subprocess.Popen([truth, *where], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "GLIBC_TUNABLES": "glibc.pthread.rseq=0"})
pid = int(target.stdout.readline())
wait_stopped(pid)
path = os.path.join(directory, "truth.snap")
snap = subprocess.Popen([cgsnap, "-q", "-F", "200", "--overhead", "100", "-p", str(pid), "-o", path])
time.sleep(0.5)
images = []  # (time, memory of [stack] and the threads' stacks) while it stood still
for _ in range(12):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        image = []
        for line in maps:
            span, prot = line.split()[:2]
            low, high = (int(x, 16) for x in span.split("-"))
            if prot.startswith("rw"):
                mem.seek(low)
                image.append((low, mem.read(high - low)))
    images.append((time.monotonic_ns(), image))
    os.kill(pid, signal.SIGCONT)
    time.sleep(0.15)
    wait_stopped(pid)
    time.sleep(0.1)
snap.send_signal(signal.SIGINT)
check("cgsnap ends well", snap.wait(10) == 0)
target.kill()
dump = subprocess.run([sys.executable, os.path.join(os.path.dirname(__file__), "snapdump.py"), "--stacks", path],
                      capture_output=True, text=True, check=True)
records = [json.loads(line) for line in dump.stdout.splitlines()]
samples = [r for r in records if r["type"] == "sample"]


def memory(image, start, end):
    for low, data in image:
        if low <= start and end <= low + len(data):
            return data[start - low:end - low]
    return None


compared = differing = written = kept = 0
for when, image in images:
    # The last sample of the first thread before the image was taken, when it already stood still.
    last = [s for s in samples if s["tid"] == pid and s["time"] < when]
    if not last:
        continue
    for region in last[-1]["regions"]:
        data = bytes.fromhex(region["bytes"])
        compared += 1
        differing += memory(image, region["start"], region["end"]) != data
        kept += len(data)
    written += last[-1]["written"]
check(f"{compared} stacks of the first thread are its memory", compared >= 10 and not differing)
check(f"by deltas: {written} bytes written of {kept}", written < kept * 0.9)
# Before the last image, too.
alternate = [s for s in samples if s["tid"] != pid and s["time"] < images[-1][0]]
check("the thread in the handler was sampled", bool(alternate))
two = alternate[-1]["regions"]
check("its alternate and its ordinary stack are there", len(two) == 2)
if len(two) == 2:
    image = images[-1][1]
    same = [memory(image, r["start"], r["end"]) == bytes.fromhex(r["bytes"]) for r in two]
    check("both are its memory", all(same))
    check("the alternate stack ends where sigaltstack said", two[0]["end"] == two[0]["map_end"] and
          two[0]["end"] - two[0]["start"] <= 32768)
    pattern = bytes(i * 7 & 255 for i in range(3000))
    check("the interrupted frames are in the second", pattern in bytes.fromhex(two[1]["bytes"]))
sys.exit(failed)
