#!/usr/bin/env bash
# Threads stop in another order each time; in the chains of a capture of one round they are in the order of their numbers.
. "$(dirname "$0")/lib.sh"
cgunwind=$(dirname "$cgsnap")/cgunwind
compile idle
start "$work/idle" 30 30
sleep 0.3
for together in "" --together; do
    check "cgsnap $together" "$cgsnap" -q -n 1 $together -p "$pid" -o "$work/snap.bin"
    "$cgunwind" -q -f chains "$work/snap.bin" | sed -n 's/^TID \([0-9]*\):.*/\1/p' >"$work/tids"
    check "all threads are there" [ "$(wc -l <"$work/tids")" = 31 ]
    check "in their order" sort -nc "$work/tids"
    check "and their process once" [ "$("$cgunwind" -q -f chains "$work/snap.bin" | grep -c ^PID)" = 1 ]
done
finish
