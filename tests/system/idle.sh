#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What idle threads cost: in a process in which nothing runs, one system call a round besides waiting for the round;
# beside a busy thread, no idle one is stopped.
. "$(dirname "$0")/lib.sh"
command -v strace >/dev/null || skip "there is no strace"
program idle
count() { # the system calls of 1.5 s in the middle of a capture, behind its start and before its end; those of waiting and writing apart
    strace -f -ttt -o "$work/trace" "$cgsnap" -q -F 99 -p "$target" -d 5 -o "$work/snap"
    grep -vE 'rt_sigtimedwait|write\(|\+\+\+|---' "$work/trace" |
        awk '!begin { begin = $2 } $2 - begin >= 3 && $2 - begin < 4.5 { n++ } END { print n + 0 }'
}
for threads in 0 200; do
    start "$work/idle" "$threads" 60
    target=$pid
    sleep 0.5
    # On a busy machine a thread may take its time to block again after its first sample: try again then.
    for _ in 1 2 3 4 5 6; do
        rounds=$(($(count) * 1000 / 1485))
        stopped=$(grep -c PTRACE_INTERRUPT "$work/trace")
        [ "$rounds" -gt 105 ] || [ "$stopped" -gt $((threads + 3)) ] || break
    done
    check "$((threads + 1)) idle threads: 0.01 × $rounds system calls a round" [ "$rounds" -le 105 -a "$rounds" -ge 20 ]
    check "$((threads + 1)) idle threads: stopped once each ($stopped)" [ "$stopped" -le $((threads + 3)) ]
    check "$((threads + 1)) idle threads: hardly more than one sample each" \
        [ "$(field "$work/snap" "end['counts']['sample'] <= $((threads + 3))")" = True ]
    kill "$target"
done
start "$work/idle" 200 60 busy
target=$pid
sleep 0.5
for _ in 1 2 3; do
    "$cgsnap" -q -F 99 -p "$target" -d 2 -o "$work/snap"
    dump "$work/snap" >"$work/dump"
    others=$(grep '"type": "sample"' "$work/dump" | grep -vc "\"tid\": $target,")
    [ "$others" -gt 205 ] || break
done
busy=$(grep '"type": "sample"' "$work/dump" | grep -c "\"tid\": $target,")
check "beside a busy thread ($busy samples): 200 idle ones were sampled $others times" [ "$others" -le 205 ]
check "the busy one is sampled" [ "$busy" -ge 100 ]
check "the others are repeated" [ "$(field "$work/snap" "end['repeats'] > 30000")" = True ]
check "in little room" [ "$(field "$work/snap" "end['counts']['repeat'] < 3000")" = True ]
kill "$target"
# A thread that computes, while another sleeps, and when that has ended.
start python3 -c 'import threading, time
threading.Thread(target=time.sleep, args=(2.5,)).start()
end = time.monotonic() + 60
while time.monotonic() < end: pass'
target=$pid
sleep 0.3
"$cgsnap" -q -F 99 -p "$target" -d 6 -o "$work/snap"
dump "$work/snap" >"$work/dump"
computing=$(grep '"type": "sample"' "$work/dump" | grep -c "\"tid\": $target,")
check "computing beside one that sleeps, then ends: $computing samples in 594 rounds" [ "$computing" -ge 450 ]
check "no more than some repeats" [ "$(field "$work/snap" "end['repeats'] < 400")" = True ]
kill "$target"
# Threads that slept for long are looked at together: one that wakes must be seen all the same.
start "$work/idle" 50 60 blink
target=$pid
sleep 0.2
"$cgsnap" -q -F 99 -p "$target" -d 6 -o "$work/snap"
dump "$work/snap" >"$work/dump"
awake=$(grep '"type": "sample"' "$work/dump" | grep "\"tid\": $target," | grep -c '"state": "R"')
rest=$(grep '"type": "sample"' "$work/dump" | grep -vc "\"tid\": $target,")
check "computing 0.1 s of every 1.6 s: $awake of 35 samples see it" [ "$awake" -ge 20 -a "$awake" -le 45 ]
check "and the 50 threads beside it sleep on: $rest samples" [ "$rest" -le 53 ]
check "there are idle rounds" [ "$(field "$work/snap" "end['counts']['idle'] > 50")" = True ]
kill "$target"
# poll of nothing is a sleep: its address, which is none, says nothing of the mappings.
start python3 -c 'import ctypes
poll = ctypes.CDLL(None).poll
while True: poll(None, 0, 7)'
target=$pid
sleep 0.5
strace -e trace=openat -o "$work/trace" "$cgsnap" -q -F 99 -p "$target" -d 2 -o "$work/snap"
maps=$(grep -c '/maps"' "$work/trace")
check "polling nothing: the mappings are read $maps times" [ "$maps" -ge 1 -a "$maps" -le 20 ]
finish
