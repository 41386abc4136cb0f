# SPDX-License-Identifier: MIT
"""What a capture of threads.c must hold, given what the program printed.

usage: threads.py make|waits SNAPSHOT PROGRAM-OUTPUT [all|followed]

all: the program was started by cgsnap, so that there is a CREATION for every thread but its first.
followed: the child by fork is captured as well. Says what is wrong, one line each; exit status 1
then.
"""

import struct
import sys

sys.dont_write_bytecode = True
import snapdump

PLACE_FILE = 1
OWNER = 8  # pthread_mutex_t: where its owner is, for 32 and 64 bits
SYSTEM_CALLS = (b"\x0f\x05", b"\xcd\x80", b"\x0f\x34", b"\x00\x00\x00\xef", b"\x01\x00\x00\xd4")
LIBRARIES = ("libc.so.6", "threads32")  # the latter is linked statically

wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def read_snapshot(path):
    with open(path, "rb") as file:
        reader = snapdump.Reader(file, stacks=True)
        word = reader.header()["word"]
        return word, list(reader.records())


def read_lines(path):
    with open(path) as file:
        return [line.split(" ", 3 if line.startswith("fd") else -1) for line in file.read().split("\n")
                if line]


def of(records, name, /, **fields):
    return [r for r in records if r["type"] == name and all(r[k] == v for k, v in fields.items())]


def words(record, size):
    for region in record["regions"]:
        data = bytes.fromhex(region["bytes"])
        for at in range(0, len(data) - size + 1, size):
            yield int.from_bytes(data[at:at + size], "little")


def check_place(records, creation):
    """The maker comes out of a system call of the C library's."""
    pc = creation["regs"][{17: 16, 9: 8, 33: 32}[len(creation["regs"])]]
    maps = [m for m in of(records, "map", pid=creation["pid"]) if m["start"] <= pc < m["end"]]
    expect(maps and maps[-1]["path"].endswith(LIBRARIES), "a maker's PC is in no C library")
    if maps:
        with open(maps[-1]["path"], "rb") as file:
            file.seek(pc - maps[-1]["start"] + maps[-1]["file_off"] - 4)
            before = file.read(4)
        expect(before.endswith(SYSTEM_CALLS), "a maker's PC is behind no system call: " + before.hex())


def check_creation(records, word, fields, pid, maker, sites):
    tid, site = int(fields[1]), int(fields[2], 16)
    found = of(records, "creation", new_tid=tid)
    expect(len(found) == 1, "%d CREATIONs of %d" % (len(found), tid))
    for creation in found:
        expect((creation["pid"], creation["tid"]) == (maker, maker), "not made by the first thread")
        expect(creation["new_pid"] == pid, "made in another process")
        check_place(records, creation)
        stack = set(words(creation, word))
        for other in sites:
            expect((other in stack) == (other == site), "a creation's stack does not show its site")


def check_make(records, word, lines, *how):
    maker = of(records, "process")[0]["pid"]
    made = [fields for fields in lines if fields[0] == "made"]
    for fields in made:
        names = [r["name"] for r in of(records, "thread", tid=int(fields[1]))]
        expect(names[-1:] == ["named late"], "a thread is called %s" % names)
    child = [fields for fields in lines if fields[0] == "child"]
    sites = {int(fields[2], 16) for fields in made + child}
    expect(len(made) == 8 and len(child) == 1, "the program did not say all")
    for fields in made:
        check_creation(records, word, fields, maker, maker, sites)
    for fields in child if "followed" in how else []:
        check_creation(records, word, fields, int(fields[1]), maker, sites)
    count = len(made) + ("followed" in how)
    expect(len(of(records, "creation")) == count, "not %d CREATIONs in all" % count)
    threads = {r["tid"] for r in of(records, "thread")}
    expect("all" not in how or len(threads) == count + 1, "not %d threads" % (count + 1))


def number_at(wait, address):
    data = bytes.fromhex(wait["bytes"])
    off = address - wait["start"]
    return struct.unpack_from("<i", data, off)[0] if 0 <= off <= len(data) - 4 else None


def check_lock(records, tid, address, owner, place):
    waits = of(records, "wait", tid=tid, kind=1)
    expect(waits, "no memory of the lock of %d" % tid)
    for wait in waits:
        expect(number_at(wait, address) == 2, "the lock word is not that of a lock with waiters")
        expect(number_at(wait, address + OWNER) == owner, "the lock's owner is wrong")
        expect(wait["place"] == place, "place %d instead of %d" % (wait["place"], place))
        if place == PLACE_FILE:
            code = [m for m in of(records, "map", path=wait["path"])]
            expect(code and code[0]["start"] - code[0]["file_off"] == wait["file"],
                   "the lock's file is mapped elsewhere: " + wait["path"])


def check_handed(records, tid, address):
    waits = of(records, "wait", tid=tid, kind=1)
    owners = [number_at(wait, address + 4) for wait in waits]
    expect(owners and owners[0] == 1 and owners[-1] == 2, "owners of the lock: %s" % owners)
    last = max((wait["offset"] for wait in waits), default=0)
    expect(not [s for s in of(records, "sample", tid=tid) if s["offset"] > last],
           "the thread was sampled anew when the lock changed hands")


def check_fds(records, tid, fds):
    waits = of(records, "wait", tid=tid, kind=2)
    for number, link in fds:
        expect(any((w["fd"], w["link"]) == (number, link) for w in waits),
               "no WAIT of %d for %d %s" % (tid, number, link))
    expect({w["fd"] for w in waits} <= {number for number, _ in fds}, "a WAIT for another file")
    if len(fds) > 1:
        lists = of(records, "wait", tid=tid, kind=1)
        expect(lists and all(number_at(w, w["start"]) == fds[0][0] for w in lists),
               "the list of descriptors is missing")


def check_waits(records, word, lines, *how):
    del word, how
    fds = {}
    for fields in lines:
        if fields[0] == "lock":
            check_lock(records, int(fields[1]), int(fields[2], 16), int(fields[3]), int(fields[4]))
        elif fields[0] == "handed":
            check_handed(records, int(fields[1]), int(fields[2], 16))
        else:
            fds.setdefault(int(fields[1]), []).append((int(fields[2]), fields[3]))
    expect(len(lines) == 10 and len(fds) == 6, "the program did not say all")
    for tid, pairs in fds.items():
        check_fds(records, tid, pairs)


def main():
    kind, path, output, *how = sys.argv[1:]
    word, records = read_snapshot(path)
    {"make": check_make, "waits": check_waits}[kind](records, word, read_lines(output), *how)
    print("\n".join(sorted(set(wrong))), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
