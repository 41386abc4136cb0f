#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A kernel without /proc/PID/schedstat (CONFIG_SCHED_INFO), as strace makes it look: threads that
# run are sampled, those that sleep are repeated, CPU times are those of clock ticks, and what cannot
# be told is said. As root the process is in so many groups that its status is a long file.
. "$(dirname "$0")/lib.sh"
command -v strace >/dev/null || skip "there is no strace"
program idle
groups=()
[ "$(id -u)" = 0 ] && groups=(setpriv --groups "$(seq -s, 4000100000 4000101000)")
start "${groups[@]}" "$work/idle" 3 60 busy
target=$pid
sleep 0.3
export ASAN_OPTIONS=detect_leaks=0 # which strace keeps from working
strace -o /dev/null -e trace=open,openat -e inject=open,openat:error=ENOENT \
    -P /proc/self/schedstat "$cgsnap" --clock ptrace -F 99 --overhead 100 -p "$target" -d 3 -o "$work/snap" 2>"$work/err"
status=$?
kill "$target"
check "exit status $status" [ $status = 0 ]
check "it says so: $(tail -n 1 "$work/err")" grep -q 'does not tell who has a CPU' "$work/err"
check "the file is sound" dump --check "$work/snap"
dump "$work/snap" >"$work/dump"
busy=$(grep '"type": "sample"' "$work/dump" | grep -c "\"tid\": $target,")
others=$(grep '"type": "sample"' "$work/dump" | grep -vc "\"tid\": $target,")
check "the three that sleep $others times" [ "$others" -ge 3 -a "$others" -le 60 ]
# In each round in which the one that computes is sampled; on a busy machine there are fewer.
check "and repeated: $(field "$work/snap" "end['repeats']")" \
    [ "$(field "$work/snap" "end['repeats'] >= 2 * $busy")" = True ]
"${cgsnap%/*}/cgunwind" --stats -f folded --weight cpu "$work/snap" >"$work/folded" 2>"$work/stats"
check "its report says so" grep -q 'who had a CPU is not known' "$work/stats"
"${cgsnap%/*}/cgunwind" -q -f tree "$work/snap" >"$work/tree"
check "and the head of what is shown, which is CPU time: $(head -n 6 "$work/tree")" \
    eval 'grep -q "^CPU time: " "$work/tree" && grep -q "^who had a CPU is not known: threads that waited" "$work/tree"'
cpu=$(awk '{ sum += $NF } END { printf "%.0f", sum }' "$work/folded")
check "CPU time is told: $cpu ns in 3 s" [ "$cpu" -gt 300000000 -a "$cpu" -lt 3200000000 ]
check "the thread that computes is sampled $busy times" [ "$((busy * 20000000))" -ge "$cpu" ]
finish
