#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# exec, fork, vfork, and a first thread that ends before the others, while the process is captured.
. "$(dirname "$0")/lib.sh"
program lifecycle
run() { # run NAME OPTIONS… -- ARGUMENTS…
    local name=$1
    shift
    timeout 60 "$cgsnap" -q -F 500 --overhead 100 -o "$work/$name" "${@:1:$(($# - 1))}" -- "$work/lifecycle" ${!#}
    status=$?
    check "$name: the program's own status ($status)" [ "$status" = 7 ]
    check "$name: the snapshot is complete" [ "$(field "$work/$name" "end['cut']")" = False ]
}
# programs SNAPSHOT name|time|CPU: of the five of "burn 4" each has its own
programs() {
    dump "$1" | python3 -c 'import json, sys
programs = []
for r in map(json.loads, sys.stdin):
    if r["type"] == "process":
        programs.append({"time": r["time"], "names": [], "times": [], "cpu": 0})
    elif r["type"] == "thread":
        programs[-1]["names"].append(r["name"])
        programs[-1]["times"].append(r["time"])
    elif r["type"] == "sample":
        programs[-1]["cpu"] += r["cpu"]
later = programs[1:]
right = {"name": all(p["names"][0] == "lifecycle" for p in programs),
         "time": all(p["times"][0] == p["time"] >= before["time"] + 150000000 for before, p in zip(programs, later)),
         # The last one ends when it has used it.
         "CPU": all(p["cpu"] >= 9000000 for p in programs[:-1])}[sys.argv[1]]
sys.exit(0 if right and len(programs) == 5 else str(programs))' "$2"
}
run exec "exec 5"
check "exec: 6 program images" [ "$(field "$work/exec" "end['counts']['process']")" = 6 ]
# The last one ends at once, perhaps before it is sampled.
check "exec: each has its modules" [ "$(dump "$work/exec" | grep -c '"type": "map".*lifecycle"')" -ge 5 ]
run burn "burn 4"
for what in name time CPU; do
    check "exec: each program begins with its own $what" programs "$work/burn" "$what"
done
"${cgsnap%cgsnap}cgunwind" -q -f threads-json -o "$work/json" "$work/burn"
check "exec: threads-json has each program begin later" python3 -c 'import json, sys
starts = [o.get("start_ns", 0) for o in map(json.loads, open(sys.argv[1])) if o["type"] == "thread"]
wrong = len(starts) != 5 or any(b - a < 150000000 for a, b in zip(starts, starts[1:]))
sys.exit(str(starts) if wrong else 0)' "$work/json"
run together --together "exec 3"
run fork fork
check "fork: the children are let go" [ "$(field "$work/fork" "end['counts']['process']")" = 1 ]
run spawn spawn
check "spawn: the children are let go" [ "$(field "$work/spawn" "end['counts']['process']")" = 1 ]
run follow --follow-forks fork
check "fork followed: 21 processes" [ "$(field "$work/follow" "end['counts']['process']")" = 21 ]
# What a child was before its exec is written down if it is sampled as that: on a busy machine, try again.
for _ in 1 2 3; do
    run follow-spawn --follow-forks spawn
    images=$(field "$work/follow-spawn" "end['counts']['process']")
    [ "$images" != 41 ] || break
done
check "vfork followed: 20 children, each with an exec" [ "$images" = 41 ]
check "vfork followed: 21 processes" \
    [ "$(dump "$work/follow-spawn" | grep '"type": "process"' | grep -o '"pid": [0-9]*' | sort -u | wc -l)" = 21 ]
run leader leader
check "leader: both threads and their ends" [ "$(field "$work/leader" "(end['threads'],end['ended'])")" = "(2, 2)" ]
# A thread that takes an ended first thread's place by exec is not a new one, which waits a second for its maker's report.
start "$work/lifecycle" replace
until [ "$(ps -o stat= -p "$pid" | head -c 1)" = Z ]; do sleep 0.01; done
"$cgsnap" -q --clock ptrace -F 500 --overhead 100 -p "$pid" -o "$work/replace"
check "exec behind an ended first thread: the program is sampled from its beginning" python3 -c 'import json, sys
records = [json.loads(line) for line in sys.stdin]
begin = [r["time"] for r in records if r["type"] == "process"][-1]
first = min(r["time"] for r in records if r["type"] == "sample" and r["time"] >= begin)
sys.exit(0 if first - begin < 900000000 else str((begin, first)))' < <(dump "$work/replace")
# Attached to the running process, too.
start "$work/lifecycle" leader 2000
sleep 0.1
"$cgsnap" -q -p "$pid" -d 0.1 -o "$work/late"
check "leader: attached when the first thread has ended" [ "$(field "$work/late" "end['counts']['sample'] > 0")" = True ]
check "leader: and the process has its program, command line and auxiliary vector" python3 - "$work/late" "$here" "$work/lifecycle" <<'EOF'
import sys
sys.path.insert(0, sys.argv[2])
sys.dont_write_bytecode = True
import snapfile, struct
process = next(r for r in snapfile.Snapshot(open(sys.argv[1], "rb").read()).records if r.kind == snapfile.PROCESS).payload
offset, texts = 32, []
for width in "<H", "<I", "<I": # program, command line, auxiliary vector
    length = struct.unpack_from(width, process, offset)[0]
    offset += struct.calcsize(width)
    texts.append(process[offset : offset + length])
    offset += length
program = sys.argv[3].encode()
right = texts[0] == program and texts[1] == program + b"\0leader\0002000\0" and len(texts[2]) >= 16
sys.exit(0 if right else str(texts))
EOF
wait "$pid"
check "leader: ended by itself" [ $? = 7 ]
# --tid with the first thread's number, which another thread takes by an exec.
start python3 -c 'import os, threading, time
def replace():
    time.sleep(1)
    os.execvp("sleep", ["sleep", "30"])
threading.Thread(target=replace).start()
while True: sum(range(1000))'
sleep 0.3
timeout 10 "$cgsnap" -q -p "$pid" -t "$pid" -o "$work/taken"
check "--tid: ends when another thread calls exec" [ $? = 0 ]
check "--tid: the snapshot is complete" [ "$(field "$work/taken" "end['cut']")" = False ]
# The third thread calls exec while cgsnap attaches: to the second, or to itself, when the kernel has
# it wait until cgsnap has seen the second one end. strace delays that one call; where that was too
# short, and the exec did not come in between, all is done again.
exec_at_attach() { # exec_at_attach NTH: which thread cgsnap attaches to at that time
    local status
    start python3 -c 'import os, sys, threading, time
end = time.monotonic() + 15
def replace():
    while "TracerPid:\t0\n" in open("/proc/self/status").read() and time.monotonic() < end:
        pass
    os.execv(sys.argv[1], sys.argv[1:])
threading.Thread(target=time.sleep, args=[60], daemon=True).start()
threading.Thread(target=replace).start()
time.sleep(60)' "$work/lifecycle" leader 3000
    sleep 0.5
    ASAN_OPTIONS=detect_leaks=0 timeout -s KILL 20 strace -o "$work/strace" -e trace=ptrace \
        -e inject=ptrace:delay_enter=15000:when="$1" \
        "$cgsnap" -q --clock ptrace --overhead 100 -p "$pid" -o "$work/attach" --force
    status=$?
    check "exec while thread $1 is attached: cgsnap ends in order" [ $status = 0 ]
    check "exec while thread $1 is attached: the new program is captured" \
        [ "$(dump "$work/attach" | sed -n '/"type": "map".*lifecycle/,$p' | grep -c '"type": "sample"')" -ge 5 ]
    wait "$pid"
    check "exec while thread $1 is attached: the program ends by itself" [ $? = 7 ]
    grep -q 'PTRACE_SEIZE.* \(ESRCH\|? ERESTART\)' "$work/strace"
}
if command -v strace >/dev/null; then
    for nth in 2 3; do
        met=no
        for _ in 1 2 3 4 5; do
            exec_at_attach $nth && met=yes && break
        done
        check "exec while thread $nth is attached: it came in between" [ $met = yes ]
    done
else
    unable="there is no strace"
fi
# Few file descriptors: all threads are sampled all the same.
program idle
start "$work/idle" 100 30
sleep 0.3
(ulimit -n 64; "$cgsnap" -q -p "$pid" -d 0.5 -o "$work/few")
check "64 file descriptors, 101 threads: $(field "$work/few" "end['counts']['sample']") samples" \
    [ "$(field "$work/few" "end['counts']['sample'] >= 101 and end['ended'] == 0")" = True ]
finish
