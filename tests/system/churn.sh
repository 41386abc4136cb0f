#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that starts and ends 1,000 threads a second: every thread is in the snapshot, with its end, none is lost
# or hangs. With sanitizers other tests run beside it: it takes half as long, and may be held up.
. "$(dirname "$0")/lib.sh"
judged=yes usual=10
sanitized && judged='' usual=5
seconds=${CG_CHURN_SECONDS:-$usual}
program churn
ms() { echo $(($(date +%s%N) / 1000000)); }
# Each thread's begin and end is a stop under any tracer, and on a busy machine each stop waits for a CPU: strace,
# which looks at nothing else here, says how long two seconds of it take.
peer=2000
if [ $judged ]; then
    begin=$(ms)
    strace -f -qq --seccomp-bpf -e trace=none -o /dev/null "$work/churn" 1000 2 >"$work/out"
    peer=$(($(ms) - begin))
    [ "$peer" -ge 2000 ] || peer=2000
fi
bound=$((peer * seconds / 2 + 3000))
begin=$(ms)
"$cgsnap" -v --overhead 100 -o "$work/snap" -- "$work/churn" 1000 "$seconds" >"$work/out"
status=$?
took=$(($(ms) - begin))
check "the program ended well (status $status)" [ "$status" = 0 ]
[ $judged ] && check "it was not held up: $took ms for $seconds s, $peer ms for 2 s under strace" \
    [ "$took" -lt "$bound" ]
started=$(cat "$work/out")
check "the snapshot is complete" [ "$(field "$work/snap" "end['cut']")" = False ]
threads=$(field "$work/snap" "end['threads']") ends=$(field "$work/snap" "end['ended']")
check "threads in the snapshot: $threads of $started and the first" [ "$threads" = $((started + 1)) ]
check "ends in the snapshot: $ends" [ "$ends" = $((started + 1)) ]
# Behind clone's system call there are no unwind tables. How many samples are there is chance: more captures have more.
cgunwind=$(dirname "$cgsnap")/cgunwind
in_clone() { grep -c '^#0 .*clone' "$work/chains"; }
"$cgunwind" -f chains "$work/snap" >"$work/chains"
for _ in 1 2 3 4 5; do
    [ $judged ] && [ "$(in_clone)" -le 10 ] || break
    "$cgsnap" -q --overhead 100 -o "$work/more" --force -- "$work/churn" 1000 "$seconds" >"$work/out"
    "$cgunwind" -f chains "$work/more" >>"$work/chains"
done
[ $judged ] && check "samples in clone: $(in_clone)" [ "$(in_clone)" -gt 10 ]
check "chains that end in clone for want of a rule: $(grep -c 'stop: no-rule' "$work/chains")" \
    [ "$(grep -c 'stop: no-rule' "$work/chains")" = 0 ]
stopped=$(grep -c '^TID [0-9]*: [^,]*, t,' "$work/chains")
check "samples of threads that nobody but cgsnap stopped: $stopped" [ "$stopped" = 0 ]
finish
