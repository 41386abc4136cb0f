#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What idle threads cost: in a process in which nothing runs, one system call a round besides waiting for the round;
# beside a busy thread, no idle one is stopped.
. "$(dirname "$0")/lib.sh"
command -v strace >/dev/null || skip "there is no strace"
program idle
# The system calls of some seconds of a capture: they end before the end, when each thread is looked
# at and stopped once more, to be let go; and begin when threads that took their time to block again
# after their first sample, on a busy machine, do sleep. Those of the tracer, without waiting and
# writing; of the processes that help it; the waits of the tracer, one for each round; its stops
# then, and before.
count() { # count PID SECONDS THREADS: in $work/counts.THREADS, of the snapshot $work/snap.THREADS
    strace -f -ttt -o "$work/trace.$3" \
        "$cgsnap" -q -F 99 --overhead 100 -p "$1" -d "$2" -o "$work/snap.$3"
    awk -v threads="$3" -v seconds="$2" '
        { tracer = NR == 1 ? $1 : tracer }
        $1 == tracer { at[++lines] = $2; line[lines] = $0; next }
        !/nanosleep|write\(|rt_sigtimedwait|resumed>|\+\+\+|---/ { other[++others_all] = $2 }
        END {
            for (i = lines; i > 0 && let_go < threads; i--)
                let_go += line[i] ~ /PTRACE_INTERRUPT/
            end = at[i + 1] - 1
            begin = end - seconds / 2
            for (i = 1; at[i] < end; i++) {
                stops_all += line[i] ~ /PTRACE_INTERRUPT/
                if (at[i] < begin || line[i] ~ /nanosleep|write\(|resumed>|\+\+\+|---/)
                    continue
                stops += line[i] ~ /PTRACE_INTERRUPT/
                if (line[i] ~ /rt_sigtimedwait/)
                    waits++
                else
                    calls++
            }
            for (i = 1; i <= others_all; i++)
                others += other[i] >= begin && other[i] < end
            print calls + 0, others + 0, waits + 0, stops + 0, stops_all + 0
        }' "$work/trace.$3" >"$work/counts.$3"
}
counting=()
for threads in 0 200; do # at once: they sleep
    start "$work/idle" "$threads" 60
    { sleep 0.5; count "$pid" 8 $((threads + 1)); } &
    counting+=($!)
done
wait "${counting[@]}"
for all in 1 201; do
    read -r calls others waits stops stops_all <"$work/counts.$all"
    rounds=$((calls * 100 / (waits + !waits)))
    check "$all idle threads: $waits waits in 4 s, one for each round" \
        [ "$waits" -ge 80 -a "$waits" -le 440 ]
    check "$all idle threads: 0.01 × $rounds system calls a round" [ "$rounds" -le 105 -a "$rounds" -ge 20 ]
    check "$all idle threads: $others calls of the others in 4 s" [ "$others" -le 320 ]
    check "$all idle threads: none is stopped ($stops)" [ "$stops" = 0 ]
    # One that had not blocked again by the round after its first sample has run since.
    check "$all idle threads: hardly one is stopped twice before ($stops_all)" \
        [ "$stops_all" -ge "$all" -a "$stops_all" -le $((all + 3 + all / 20)) ]
    check "$all idle threads: a sample for each stop" \
        [ "$(field "$work/snap.$all" "end['counts']['sample'] <= $stops_all")" = True ]
done
for pid in "${started[@]}"; do kill "$pid"; done
start "$work/idle" 200 60 busy
target=$pid
sleep 0.5
for _ in 1 2 3; do
    "$cgsnap" -q -F 99 --overhead 100 -p "$target" -d 2 -o "$work/snap"
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
# Three at once, of which two hardly use a CPU. A thread that computes, while another sleeps, and
# when that has ended.
start python3 -c 'import threading, time
threading.Thread(target=time.sleep, args=(2.8,)).start()
end = time.monotonic() + 60
while time.monotonic() < end: pass'
computer=$pid
# Threads that slept for long are looked at together: one that wakes must be seen all the same.
start "$work/idle" 50 60 blink
blinker=$pid
# poll of nothing is a sleep: its address, which is none, says nothing of the mappings.
start python3 -c 'import ctypes
poll = ctypes.CDLL(None).poll
while True: poll(None, 0, 7)'
poller=$pid
sleep 0.5
capturing=()
"$cgsnap" -q -F 99 --overhead 100 -p "$computer" -d 6 -o "$work/snap.computing" &
capturing+=($!)
"$cgsnap" -q -F 99 --overhead 100 -p "$blinker" -d 6 -o "$work/snap.blink" &
capturing+=($!)
strace -e trace=openat -o "$work/trace" \
    "$cgsnap" -q -F 99 --overhead 100 -p "$poller" -d 2 -o "$work/snap.polling" &
capturing+=($!)
wait "${capturing[@]}"
kill "$computer" "$blinker" "$poller"
dump "$work/snap.computing" >"$work/dump"
computing=$(grep '"type": "sample"' "$work/dump" | grep -c "\"tid\": $computer,")
check "computing beside one that sleeps, then ends: $computing samples in 594 rounds" [ "$computing" -ge 450 ]
check "no more than some repeats" [ "$(field "$work/snap.computing" "end['repeats'] < 400")" = True ]
dump "$work/snap.blink" >"$work/dump"
awake=$(grep '"type": "sample"' "$work/dump" | grep "\"tid\": $blinker," | grep -c '"state": "R"')
rest=$(grep '"type": "sample"' "$work/dump" | grep -vc "\"tid\": $blinker,")
check "computing 0.1 s of every 1.6 s: $awake of 35 samples see it" [ "$awake" -ge 20 -a "$awake" -le 45 ]
check "and the 50 threads beside it sleep on: $rest samples" [ "$rest" -le 53 ]
check "there are idle rounds" [ "$(field "$work/snap.blink" "end['counts']['idle'] > 50")" = True ]
maps=$(grep -c '/maps"' "$work/trace")
check "polling nothing: the mappings are read $maps times" [ "$maps" -ge 1 -a "$maps" -le 20 ]
finish
