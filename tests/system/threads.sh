#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How threads were made, and what blocked ones wait for: both are in the snapshot as the program itself tells it.
# With "i386" as the second argument: of an i386 program (i386_threads.sh).
. "$(dirname "$0")/lib.sh"
shown() { python3 "$here/threads.py" "$@"; } # shown make|waits SNAPSHOT OUTPUT [HOW…]
command_makes() { # command_makes WHAT PROGRAM HOW [OPTION…]
    local what=$1 program=$2 how=$3
    shift 3
    "$cgsnap" -q "$@" -o "$work/snap" -- "$work/$program" make </dev/null >"$work/out"
    check "$what: the program's own status" [ $? = 0 ]
    check "$what: each thread has its creation" shown make "$work/snap" "$work/out" all $how
}
# attach PROGRAM WHAT LINES [OPTION…]: captures it as soon as it has printed so many lines, and returns when samples are written;
# a line to descriptor 9 is its sign
attach() {
    local program=$1 what=$2 lines=$3
    shift 3
    rm -f "$work/go" "$work/snap"
    mkfifo "$work/go"
    "$work/$program" "$what" <"$work/go" >"$work/out" &
    target=$!
    started+=("$target")
    exec 9>"$work/go"
    until [ "$(wc -l <"$work/out")" -ge "$lines" ]; do sleep 0.05; done
    sleep "${emulated:+2}0.3" # for the last of them to block
    "$cgsnap" -q "$@" -p "$target" -o "$work/snap" &
    agent=$!
    until [ -s "$work/snap" ] || ! kill -0 "$agent"; do sleep 0.05; done
}
attached_makes() { # attached_makes WHAT PROGRAM HOW [OPTION…]
    local what=$1 program=$2 how=$3
    shift 3
    attach "$program" make 0 "$@"
    echo go >&9
    wait "$target"
    check "$what: the program's own status" [ $? = 0 ]
    wait "$agent"
    check "$what: each thread that came has its creation" shown make "$work/snap" "$work/out" $how
}
readable() { dump --check "$work/snap" >"$work/err"; }
waiting() { # waiting WHAT PROGRAM [OPTION…]
    local what=$1 program=$2
    shift 2
    attach "$program" waits 10 "$@"
    sleep 1.5 # long enough for all to count as sleepers
    echo hand over >&9
    sleep "${emulated:+1}1.5"
    kill -INT "$agent"
    wait "$agent"
    check "$what: all is waited for as the program says" shown waits "$work/snap" "$work/out"
    echo end >&9
    wait "$target"
    check "$what: the program's own status" [ $? = 0 ]
}
i386_programs() {
    command_makes "i386 program, from the start" threads32 ""
    attached_makes "i386 program, attached" threads32 ""
    waiting "i386 program, waits" threads32
}
if [ "${2-}" = i386 ]; then
    command -v i686-linux-gnu-gcc >/dev/null || skip "no compiler for i386 programs"
    i686-linux-gnu-gcc -static -std=c11 -D_GNU_SOURCE -O1 -g -pthread -o "$work/threads32" "$here/../programs/threads.c" ||
        { echo "FAIL cannot compile the i386 program"; exit 1; }
    i386_part i386_programs
    finish
fi
program threads
program churn
command_makes "from the start" threads ""
command_makes "from the start, together" threads "" --together
command_makes "from the start, with its child" threads followed --follow-forks
attached_makes "attached" threads ""
attached_makes "attached, together" threads "" --together
attached_makes "attached, with its child" threads followed --follow-forks
waiting "waits" threads
waiting "waits, together" threads --together
# 1,000 threads a second: to their right end, whatever becomes of the capture.
for mode in "" --together; do
    "$cgsnap" -q $mode -o "$work/snap" -- "$work/churn" 1000 2 >"$work/out"
    check "2,000 short threads${mode:+ ($mode)}: the program is right" [ "$? $(cat "$work/out")" = "0 2000" ]
    made=$(field "$work/snap" "end['counts']['creation']")
    check "2,000 short threads${mode:+ ($mode)}: $made creations" [ "$made" -ge 1980 ]
done
for delay in 0.4 1.2; do
    "$work/churn" 1000 2 >"$work/out" &
    target=$!
    "$cgsnap" -q ${mode:+$mode} -p "$target" -o "$work/snap" 2>"$work/err" &
    agent=$!
    sleep "$delay"
    kill -KILL "$agent"
    wait "$agent" 2>/dev/null
    wait "$target"
    check "cgsnap killed after $delay s${mode:+ ($mode)}: the program is right" [ "$? $(cat "$work/out")" = "0 2000" ]
    [ ! -s "$work/snap" ] || check "and what was written can be read" readable
    [ "$mode" ] && mode= || mode=--together
done
finish
