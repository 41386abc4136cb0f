#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A file system stands still, for seconds or for good, as strace makes it: a write(2) to the output,
# or a stat(2) of the program's file, does not return. The target gets its signals meanwhile, what was
# captured is written when the file system goes on, and cgsnap does not wait for one that never does.
. "$(dirname "$0")/lib.sh"
command -v strace >/dev/null || skip "there is no strace"
program held
export ASAN_OPTIONS=detect_leaks=0 # which strace keeps from working

# frozen DELAY CALLS [WHEN]: a capture of 2 s, of which calls for the output take so long
frozen() {
    start "$work/held" >"$work/out"
    target=$pid
    sleep 0.3
    rm -f "$work/end"
    begin=$(date +%s%N)
    # strace itself waits for its delay to end.
    start strace -f -qq -o /dev/null -P "$work/snap" -e trace="$2" \
        -e inject="$2":delay_enter="$1""${3-}" sh -c '"$@"; echo $? >"$0.new"; mv "$0.new" "$0"' \
        "$work/end" "$cgsnap" -p "$target" -d 2 -o "$work/snap" 2>"$work/err"
    until [ -e "$work/end" ]; do sleep 0.05; done
    took=$((($(date +%s%N) - begin) / 1000000))
    status=$(cat "$work/end")
    kill -TERM "$target"
    wait "$target"
    read -r longest count _ <"$work/out"
}

: >"$work/snap"
# The bound is far above what a busy machine adds, and far below the five seconds.
frozen 5s write :when=3
check "5 s: exit status $status after $took ms: $(cat "$work/err")" [ $status = 0 -a "$took" -ge 5000 ]
check "the target's $count signals took $longest ms at most" [ "${longest%.*}" -lt 2500 ]
check "the file is sound" dump --check "$work/snap"
check "nothing was lost for it, as it fits the pipe" \
    [ "$(grep -c 'output took no more' "$work/err")" = 0 ]

for call in rename close; do # of an earlier snapshot, and of the output
    frozen 5s $call :when=1
    check "$call, 5 s: exit status $status after $took ms: $(cat "$work/err")" \
        [ $status = 0 -a "$took" -ge 5000 ]
    check "the target's $count signals took $longest ms at most" [ "${longest%.*}" -lt 2500 ]
done
check "the earlier one is kept" dump --check "$work/snap.old"

frozen 60s write :when=3
check "60 s: exit status $status after $took ms: $(cat "$work/err")" [ $status = 1 -a "$took" -lt 40000 ]
check "it says so" grep -q 'file system takes no more' "$work/err"
check "the target's $count signals took $longest ms at most" [ "${longest%.*}" -lt 2500 ]

# unanswered SECONDS [WHEN]: the file system of the program's own file takes 5 s for an answer
unanswered() {
    start "$work/held" >"$work/out"
    target=$pid
    sleep 0.3
    : >"$work/snap"
    strace -f -qq -o /dev/null -P "/proc/$target/root$work/held" -e trace=%%stat \
        -e inject=%%stat:delay_enter=5s"${2-}" \
        "$cgsnap" -F 99 -p "$target" -d "$1" -o "$work/snap" 2>"$work/err"
    status=$?
    kill -TERM "$target"
    wait "$target"
    read -r longest count _ <"$work/out"
    check "no answer: exit status $status: $(cat "$work/err")" [ $status = 0 ]
    check "the file is sound" dump --check "$work/snap"
    check "the target's $count signals took $longest ms at most" [ "${longest%.*}" -lt 2500 ]
}

unanswered 2
check "it says so" grep -q 'files of .* mappings were not looked at' "$work/err"
unanswered 12 :when=1
check "it is asked again" [ "$(grep -c 'were not looked at' "$work/err")" = 0 ]
dump "$work/snap" >"$work/dump"
check "and written once more" [ "$(grep -c '"type": "map".*/held"' "$work/dump")" = 2 ]

# Files of the target's are opened by the tracer itself before it holds anything. (A delay by strace
# would be one more stop of cgsnap, which its guard ends.)
start "$work/held" >"$work/out"
strace -qq -o "$work/trace" -e trace=open,openat,ptrace "$cgsnap" -q -p "$pid" -n 5 -o "$work/snap" --force
held=$(grep -n 'PTRACE_SEIZE' "$work/trace" | head -n 1 | cut -d : -f 1)
tail -n +"$held" "$work/trace" | sed -nE 's/^open[^"]*"([^"]*)".*/\1/p' >"$work/opened"
check "cgsnap attaches, and opens files in /proc then" grep -q '^/proc/' "$work/opened"
check "but none that lies on a file system: $(grep -vE '^/(proc|sys)/|^[^/]' "$work/opened")" \
    [ -z "$(grep -E '^/' "$work/opened" | grep -vE '^/sys/|^/proc/([^/]*/)?[a-z]*$')" ]
check "nor the program's own" [ "$(grep -c 'exe$' "$work/opened")" = 0 ]
finish
