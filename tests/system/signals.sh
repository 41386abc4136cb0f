#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that receives 10,000 signals a second counts every one, in order, while it is captured at 999 Hz.
. "$(dirname "$0")/lib.sh"
n=$((10000 * ${CG_SIGNAL_SECONDS:-3}))
program signals
for mode in "" --together; do
    start "$work/signals" receive >"$work/out"
    until grep -q ready "$work/out"; do sleep 0.02; done
    "$cgsnap" -F 999 --overhead 100 ${mode:+$mode} -p "$pid" -o "$work/snap" 2>"$work/err" &
    snap=$!
    sleep 0.1
    check "sent${mode:+ ($mode)}" "$work/signals" send "$pid" 10000 "$n"
    # The sender is done; what is queued is delivered before the SIGTERM is handled.
    sleep 0.3
    kill -TERM "$pid"
    wait "$pid"
    wait "$snap"
    check "cgsnap ended well" [ $? = 0 ]
    got=$(tail -1 "$work/out")
    check "signals counted, and out of order: $got of $n" [ "$got" = "$n 0" ]
    check "the snapshot is complete: $(cat "$work/err")" [ "$(field "$work/snap" "end['cut']")" = False ]
done
finish
