#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that starts and ends 1,000 threads a second: every thread is in the snapshot, with its end, none is lost
# or hangs.
. "$(dirname "$0")/lib.sh"
seconds=${CG_CHURN_SECONDS:-10}
program churn
begin=$(date +%s%N)
"$cgsnap" -v -o "$work/snap" -- "$work/churn" 1000 "$seconds" >"$work/out"
status=$?
took=$((($(date +%s%N) - begin) / 1000000))
check "the program ended well (status $status)" [ "$status" = 0 ]
check "it was not held up: $took ms for $seconds s" [ "$took" -lt $((seconds * 1000 + 3000)) ]
started=$(cat "$work/out")
check "the snapshot is complete" [ "$(field "$work/snap" "end['cut']")" = False ]
threads=$(field "$work/snap" "end['threads']") ends=$(field "$work/snap" "end['ended']")
check "threads in the snapshot: $threads of $started and the first" [ "$threads" = $((started + 1)) ]
check "ends in the snapshot: $ends" [ "$ends" = $((started + 1)) ]
# Behind clone's system call there are no unwind tables.
"$(dirname "$cgsnap")/cgunwind" -f chains "$work/snap" >"$work/chains"
check "samples in clone: $(grep -c '^#0 .*clone' "$work/chains")" [ "$(grep -c '^#0 .*clone' "$work/chains")" -gt 10 ]
check "chains that end in clone for want of a rule: $(grep -c 'stop: no-rule' "$work/chains")" \
    [ "$(grep -c 'stop: no-rule' "$work/chains")" = 0 ]
stopped=$("$(dirname "$cgsnap")/cgunwind" -f chains "$work/snap" | grep -c '^TID [0-9]*: [^,]*, t,')
check "samples of threads that nobody but cgsnap stopped: $stopped" [ "$stopped" = 0 ]
finish
