#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cgsnap is killed with SIGKILL at random moments, of its start-up as well as of its capture: the target computes the
# right result and ends with its own status each time, and each file reads up to its last whole record.
. "$(dirname "$0")/lib.sh"
times=${CG_KILLS:-100}
program worker
want=$("$work/worker" 60000)
wrong=0 unreadable=0 whole=0 sampled=0 RANDOM=${CG_SEED:-1}
for ((i = 0; i < times; i++)); do
    "$work/worker" 60000 >"$work/out" &
    target=$!
    # Some with --together, some at the highest rate, so that kills fall into stops as well.
    options=(--overhead 100 -F $((RANDOM % 2 ? 99 : 5000)))
    ((RANDOM % 3)) || options+=(--together)
    "$cgsnap" -q -p "$target" -o "$work/snap" "${options[@]}" 2>"$work/err" &
    snap=$!
    # Every other run counts from the first bytes in the file: how long the start takes depends on the machine.
    if ((i % 2)); then
        until [ -s "$work/snap" ] || ! kill -0 "$snap" 2>/dev/null; do sleep 0.005; done
    fi
    sleep "0.0$((RANDOM % 6))$((RANDOM % 10))$((RANDOM % 10))"
    kill -KILL "$snap" 2>/dev/null
    wait "$snap" 2>/dev/null
    wait "$target"
    status=$?
    if [ "$status" != 42 ] || [ "$(cat "$work/out")" != "$want" ]; then
        wrong=$((wrong + 1))
        echo "run $i: status $status, $(cat "$work/out") instead of $want"
    fi
    if [ -s "$work/snap" ]; then
        dump --check "$work/snap" >"$work/dump" || { unreadable=$((unreadable + 1)); cat "$work/dump"; }
        grep -q '"cut": false' "$work/dump" && whole=$((whole + 1))
        grep -q '"sample": [1-9]' "$work/dump" && sampled=$((sampled + 1))
    fi
    rm -f "$work/snap"
done
echo "$times kills; $whole captures had ended by themselves"
check "the target was right each time" [ "$wrong" = 0 ]
check "each file reads up to its last whole record" [ "$unreadable" = 0 ]
check "$sampled of $times files hold samples" [ "$sampled" -ge $((times / 3)) ]
check "most kills hit a running capture" [ "$whole" -lt $((times / 2)) ]
finish
