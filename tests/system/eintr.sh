#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Being stopped must not show: system calls that return EINTR after a ptrace stop are restarted, and those that a
# real signal's handler interrupts return EINTR as ever.
. "$(dirname "$0")/lib.sh"
seconds=${CG_EINTR_SECONDS:-3}
program eintr
for options in "-F 99" "-F 999 --overhead 100" "-F 999 --overhead 100 --together"; do
    start "$work/eintr" "$seconds" >"$work/out"
    sleep 0.05
    "$cgsnap" -q $options -p "$pid" -o "$work/snap"
    check "$options: cgsnap captured" [ $? = 0 ]
    wait "$pid"
    samples=$(field "$work/snap" "end['counts']['sample']")
    check "$options: $samples samples" [ "${samples:-0}" -gt 20 ]
    lines=0
    while read -r call calls eintr more; do
        lines=$((lines + 1))
        if [ "$call" = handled ]; then
            check "$options: $calls signals were handled" [ "$calls" -ge 10 ]
            check "$options: of $calls signals handled, $more were seen as EINTR" [ "$more" -ge "$calls" ]
        else
            check "$options: $call: $eintr EINTR in $calls calls" [ "$eintr" = 0 ]
        fi
    done <"$work/out"
    check "$options: the target told of $lines kinds of calls" [ "$lines" -ge 5 ]
    rm -f "$work/snap"
done
program eintr_once
start "$work/eintr_once" 30 >"$work/out"
sleep 0.1
"$cgsnap" -q -F 50 --together -p "$pid" -o "$work/snap"
check "one signal: cgsnap captured" [ $? = 0 ]
wait "$pid"
lines=0
while read -r _ kind count wrong; do
    lines=$((lines + 1))
    check "of $count threads with one signal $kind, $wrong went wrong" [ "$wrong" = 0 ]
done <"$work/out"
check "one signal: the target told of $lines kinds" [ "$lines" = 3 ]
finish
