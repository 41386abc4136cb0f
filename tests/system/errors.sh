#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Everything that cannot be captured, and every option that makes no sense: one clear line, and the right exit status.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
expect() { # expect STATUS PATTERN COMMAND…: one line that matches
    local want=$1 pattern=$2 status lines
    shift 2
    timeout 20 "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    lines=$(wc -l <"$work/err")
    if [ "$status" = "$want" ] && [ "$lines" = 1 ] && grep -Eq "$pattern" "$work/err"; then
        pass "$(cat "$work/err")"
    else
        fail "${*:2}: status $status instead of $want, or not one line with '$pattern': $(cat "$work/err")"
    fi
}
# What cannot be captured. No output file may appear.
gone=$(sh -c 'echo $$')
expect 1 "no such process: $gone" "$cgsnap" -p "$gone"
expect 1 "kernel thread" "$cgsnap" -p 2
python3 -c 'import os, time
child = os.fork()
if child == 0: os._exit(0)
print(child, flush=True)
time.sleep(30)' >"$work/zombie" &
started+=($!)
until zombie=$(cat "$work/zombie") && [[ $(ps -o stat= -p "${zombie:-1}") = Z* ]]; do sleep 0.1; done
expect 1 "zombie" "$cgsnap" -p "$zombie"
start sleep 600 # longer than this takes on a loaded machine
target=$pid
expect 1 "has no thread" "$cgsnap" -p "$target" -t 1
program idle
start "$work/idle" 2 30
sleep 0.2
tid=$(ls "/proc/$pid/task" | grep -vx "$pid" | tail -1) # numbers may have begun anew
expect 1 "is a thread of process $pid; use -p" "$cgsnap" -p "$tid"
expect 1 "cannot run ./missing: No such file" "$cgsnap" -- ./missing
expect 1 "cannot run /: Permission denied" "$cgsnap" -- /
check "no output file was left" [ ! -e snap.bin ]
echo precious >snap.bin
expect 1 "no such process" "$cgsnap" -p "$gone"
check "an old snapshot survives a capture that cannot begin" [ "$(cat snap.bin)" = precious ]
rm snap.bin
if command -v strace >/dev/null; then
    start strace -qq -o /dev/null -p "$target"
    sleep 0.5
    expect 1 "no permission to attach to process $target .*strace\) traces it already" "$cgsnap" -p "$target"
    kill "$pid"
    sleep 0.2
else
    echo "not tried: another tracer (there is no strace)"
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && id nobody >/dev/null 2>&1; then
    mkdir open && chmod 777 open . && cp "$cgsnap" open/cgsnap && chmod 755 open/cgsnap
    expect 1 "another user \(uid 0\)" setpriv --reuid nobody --clear-groups open/cgsnap -p "$target" -o open/x
else
    echo "not tried: another user's process (not root)"
fi
# Outputs.
expect 1 "cannot write: No such file or directory; choose" "$cgsnap" -p "$target" -o nowhere/snap
expect 1 "reader has gone" bash -c '"$0" -q -p "$1" -d 5 -F 1000 --overhead 100 -o - | head -c 100 >/dev/null; exit ${PIPESTATUS[0]}' "$cgsnap" "$target"
check "the target of the broken pipe lives" kill -0 "$target"
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # there are pseudo-terminals
    script -qec "'$cgsnap' -p $target -o -" /dev/null >tty </dev/null
    check "a terminal is refused: $(tr -d '\r' <tty)" grep -q "is a terminal" tty
fi
# Usage.
expect 2 "which process" "$cgsnap"
expect 2 "not both" "$cgsnap" -p "$target" -- true
expect 2 "unknown option --nonsense" "$cgsnap" --nonsense
expect 2 "unknown option" "$cgsnap" -x
expect 2 "needs a value" "$cgsnap" -p
for bad in "-p 0" "-p 99999999999" "-F 0" "-F -1" "-F 1e9" "-F nan" "-F ''" "-d 0" "-d -3" "-d 5x" "-d s" "-d 0.1ms" "-d 999999h" "-n 0" "-n 1x" \
    "-s 0" "-s 17M" "-s 1G" "-s 99999999999999999999" "-t x" "--stack-size 1kk"; do
    expect 2 "bad value" "$cgsnap" -p "$target" $bad
done
expect 2 "which takes 0.001 s to 10\^9 s" "$cgsnap" -p "$target" -d 999999h
expect 0 "samples" "$cgsnap" -p "$target" -d 2500us -o micro
expect 0 "samples" "$cgsnap" -p "$target" -d 2500µs -o micro
expect 2 "bad value '999µs' for option -d" "$cgsnap" -p "$target" -d 999µs
expect 2 "which takes 0.001 to 20000 Hz" "$cgsnap" -p "$target" -F 0
expect 2 "goes with -p" "$cgsnap" -t 5 -- true
# By name: the command's, or the first thread's, of which the kernel keeps 15 characters.
expect 2 "no process is called 'no such name'" "$cgsnap" -p "no such name"
expect 2 "no process is called '-1'" "$cgsnap" -p -1
expect 2 "no process is called '1x'" "$cgsnap" -p 1x
cp "$work/idle" "$work/lone-$$"
start "$work/lone-$$" 1 60
sleep 0.2
alone=$pid
expect 0 "^cgsnap: 2 samples .* named$" "$cgsnap" -p "lone-$$" -n 1 -o named
check "the process of that name was captured" [ "$(dump named | head -2 | tail -1 | grep -o '"pid": [0-9]*')" = '"pid": '"$alone" ]
expect 0 "^cgsnap: 2 samples .* named$" "$cgsnap" -p "lone-$$" -n 1 -d 1500ms -o named --force
start "$work/lone-$$" 1 60
sleep 0.2
timeout 20 "$cgsnap" -p "lone-$$" -n 1 -o several 2>err
check "several of one name are refused" [ $? = 2 ]
check "and listed" [ "$(grep -Ec "^ +($alone|$pid)  .*lone-$$ 1 60\$" err)" = 2 ]
check "and not captured" [ ! -e several ]
# By a name that begins with a digit; by a file, whatever it is called now.
ln -s "$work/idle" "$work/$$-of-a-kind"
start "$work/$$-of-a-kind" 1 60
cp "$work/idle" "$work/replaced-$$"
start "$work/replaced-$$" 1 60
sleep 0.2
expect 0 "^cgsnap: 2 samples .* named$" "$cgsnap" -p "$$-of-a-kind" -n 1 -o named --force
expect 0 "^cgsnap: 2 samples .* named$" "$cgsnap" -p "./replaced-$$" -n 1 -o named --force
check "the process of that file was captured" [ "$(dump named | head -2 | tail -1 | grep -o '"pid": [0-9]*')" = '"pid": '"$pid" ]
rm "$work/replaced-$$"
expect 0 "^cgsnap: 2 samples .* named$" "$cgsnap" -p "$(realpath "$work")/replaced-$$" -n 1 -o named --force
expect 2 "no process is called './replaced-$$'" "$cgsnap" -p "./replaced-$$"
expect 1 "cannot run $alone: .*captured with -p $alone" "$cgsnap" "$alone"
expect 2 "output would mix" "$cgsnap" -o - -- true
# Usage of the other two: what would have no effect is refused.
cgunwind=$(dirname "$cgsnap")/cgunwind cgrules=$(dirname "$cgsnap")/cgrules
expect 2 "one ELF file" "$cgrules"
expect 2 "name of the ELF file is empty" "$cgrules" ""
expect 2 "name of the file is empty" "$cgrules" --pcs "" "$cgrules"
expect 2 "no such method: a\?b" "$cgrules" -m $'a\nb' "$cgrules"
expect 2 "only one of" "$cgrules" --audit --functions "$cgrules"
expect 2 "goes with --audit" "$cgrules" -v "$cgrules"
expect 2 "goes with --audit" "$cgrules" --functions -v "$cgrules"
expect 2 "take no --method" "$cgrules" --audit -m prologue "$cgrules"
expect 2 "take no --method" "$cgrules" --functions -m eh_frame "$cgrules"
expect 2 "not with eh_frame" "$cgrules" --code-only -m eh_frame "$cgrules"
expect 2 "no such directory: nosuch" "$cgrules" --debug-dir nosuch "$cgrules"
expect 2 "no such directory: $cgrules" "$cgrules" --debug-dir "$cgrules" "$cgrules"
expect 1 "^cgrules: /: Is a directory" "$cgrules" --pcs / "$cgrules"
printf 'fff\n \r\ntext\n' >text
expect 1 "^cgrules: text: line 3 is not a hexadecimal address$" "$cgrules" --pcs text "$cgrules"
expect 1 "^cgrules: nosuch: No such file" "$cgrules" nosuch
echo 'void f(void) { }' | gcc -x c -c -o relocatable.o -
expect 1 "^cgrules: relocatable.o: a relocatable file, " "$cgrules" relocatable.o
expect 1 "^cgrules: relocatable.o: a relocatable file, " "$cgrules" --functions relocatable.o
expect 2 "a snapshot is needed" "$cgunwind"
expect 2 "suffix of .txt .*format of x.foo" "$cgunwind" -o x.foo snap.bin
check "no output of that name" [ ! -e x.foo ]
expect 2 "format of x.svg.gz" "$cgunwind" -o x.svg.gz snap.bin
expect 2 "bad value '0' for option -j, which takes 1 to 4294967295" "$cgunwind" -j 0 snap.bin
expect 2 "bad value 'x' for option --nodes, which takes 0 to 4294967295" "$cgunwind" --nodes x snap.bin
expect 2 "bad value '1.1' for option --edge-fraction, which takes a fraction from 0 to 1" \
    "$cgunwind" --edge-fraction 1.1 snap.bin
expect 2 "no such directory: nosuch" "$cgunwind" --debug-dir nosuch snap.bin
expect 2 "no such directory: nosuch" "$cgunwind" --sysroot nosuch snap.bin
"$cgsnap" -q -p "$target" -n 1 -o snap.bin
for format in tree top chains flame folded dot html json; do
    expect 0 "^cgunwind: warning: no sample passes --thread$" "$cgunwind" -f $format --thread nosuch snap.bin
done
expect 0 "no sample passes --focus, --module" "$cgunwind" --module nosuch --focus nosuch snap.bin
# A weight that nothing has: one round has no time between samples. That the process's clock went on
# is CPU time of no thread.
for format in tree top flame folded dot svg html pprof callgrind perf-script; do
    echo precious >graph
    expect 1 "^cgunwind: the samples have no wall time .*; try --weight samples" "$cgunwind" -f $format --weight wall --force -o graph snap.bin
    [ $format = perf-script ] || check "$format survives a weight that nothing has" [ "$(cat graph)" = precious ]
    expect 1 "^cgunwind: the samples.* have no CPU time.*; try --weight samples" "$cgunwind" -q -f $format --weight cpu --thread "$target" snap.bin
    check "nothing else is written" [ ! -s out ]
done
expect 1 "^cgunwind: the samples of --diff-base have no wall time" "$cgunwind" --weight wall --diff-base snap.bin snap.bin
for format in chains json; do
    check "$format weighs nothing" "$cgunwind" -q -f $format --weight wall --force -o graph snap.bin
done
"$cgsnap" -q -p "$target" -d 0.3 -o long.bin
check "wall time of several rounds" "$cgunwind" --weight wall --force -o graph long.bin
expect 1 "the samples of --diff-base have no wall time" "$cgunwind" --weight wall --diff-base snap.bin long.bin
# A list of kernel symbols that was named has to be one, whether a frame of the kernel is there or not.
printf '0000000000000000 T _stext\n' >zeroes
head -c 300000 /dev/zero >zeros
for list in missing / text zeroes zeros; do
    expect 1 "^cgunwind: $list: " "$cgunwind" -v --kallsyms $list -f json snap.bin
    check "nothing else is written" [ ! -s out ]
done
# A recording of perf's (the reader's seeds have one byte before it), for whose kernel the list is none.
tail -c +2 "$here/../fuzz/seeds/fuzz_perf/file-x86_64" >perf.data
echo 'ffffffff81000000 T other' >other
echo precious >graph
expect 1 "^cgunwind: other: does not have _text" "$cgunwind" -q --kallsyms other -f folded --force -o graph perf.data
check "what was there survives a list that does not fit" [ "$(cat graph)" = precious ]
expect 1 "^cgunwind: other: does not have _text" "$cgunwind" -q --kallsyms other -f json perf.data
check "what is written as it is read is written all the same" grep -q '"summary"' out
# Lines, of programs that have none (debug files are not looked for).
expect 2 "^cgunwind: --by takes function, line or module, not file" "$cgunwind" --by file snap.bin
expect 2 "^cgunwind: --weight takes samples, wall, cpu or offcpu, not time" "$cgunwind" --weight time snap.bin
mkdir -p empty
for format in tree top flame folded dot; do
    expect 0 "warning: --by line: no source line is known, .* --elf or --debug-dir" "$cgunwind" -f $format --debug-dir empty --by line snap.bin
done
start "$work/idle" 1 30
sleep 0.2
"$cgsnap" -q -n 1 -p "$pid" -o lines.bin
check "lines are known of what was compiled with -g" "$cgunwind" --by line --force -o graph lines.bin 2>err
check "and nothing is said of lines" [ ! -s err ]
# A line table that is longer than what is read of one is told of, once, and the rest is used.
if command -v objcopy >/dev/null; then
    objcopy --dump-section .debug_line=line idle copy && python3 -c '
import struct
with open("line", "r+b") as file:
    file.write(struct.pack("<I", 40 << 20))
    file.truncate(41 << 20)' && mkdir -p big && objcopy --update-section .debug_line=line idle big/idle
    expect 0 "warning: big/idle: has more debug information than is read .*; names of functions are not affected" "$cgunwind" --debug-dir empty -e big/idle -f chains lines.bin
    check "functions are known all the same" grep -q " main+0x" out
    expect 0 "warning: big/idle: has more debug information" "$cgunwind" --debug-dir empty -e big/idle -o x.svg lines.bin
    "$cgunwind" --debug-dir empty -e big/idle -f folded lines.bin 2>err >out
    check "nothing is said where no line is asked for" [ ! -s err ]
else
    echo "not tried: a line table that is too long (there is no objcopy)"
fi
# Without a baseline there is no difference to show, and what was shown before stays.
expect 2 "standard input cannot be both" "$cgunwind" --diff-base - -
printf 'no snapshot' >nothing
head -c 100 snap.bin >short
for base in missing nothing short /; do
    for format in tree top flame folded dot svg; do
        echo precious >diff
        expect 1 "^cgunwind: $base: " "$cgunwind" -q --force -f $format --diff-base $base -o diff snap.bin
        check "$format survives $base as --diff-base" [ "$(cat diff)" = precious ]
    done
done
expect 1 "^cgunwind: missing: " "$cgunwind" -f folded -o partial snap.bin missing
check "nothing is written of one snapshot when another is missing" [ ! -e partial ]
expect 1 "^cgunwind: missing: " "$cgunwind" --diff-base snap.bin snap.bin missing
check "nothing is compared when a snapshot is missing" [ ! -s out ]
# A picture that is not laid out in time leaves its text, but not a part of it.
expect 1 "the graph is in x.svg.dot" "$cgunwind" --layout-time 0 -o x.svg snap.bin
check "the text is whole" [ "$(tail -n 1 x.svg.dot)" = "}" ]
rm x.svg.dot
# A file may have no more than 512 bytes, and to write more is an error.
expect 1 "did not finish the layout .* --focus$" \
    sh -c 'trap "" XFSZ; ulimit -f 1; exec "$@"' sh "$cgunwind" --layout-time 0 -o x.svg snap.bin
check "no part of the text is left" [ ! -e x.svg.dot ]
check "an output without suffix is a tree" "$cgunwind" -o tree snap.bin
check "--help fits a screen" [ "$("$cgsnap" --help | wc -l)" -le 24 ]
check "--version" grep -Eq '^cgsnap [0-9]' <("$cgsnap" -V)
# A process that waits for its child of vfork cannot be stopped.
program vforks
for ended in "" thread; do
    start ./vforks 30000 $ended
    sleep 0.3
    child=$(pgrep -P "$pid")
    expect 1 "^cgsnap: none.bin: no thread .*: thread [0-9]* waits in vfork until its child $child .*: -p $child, or --children$" \
        "$cgsnap" -q -n 1 -p "$pid" -o none.bin
    pkill -KILL -P "$pid"
done
# A 32-bit program, without any C library.
cat >tiny.c <<'C'
void _start(void) { for (;;) __asm__ volatile("int $0x80" ::"a"(29)); }
C
i386_programs() {
    local tiny snap status
    start ./tiny && tiny=$pid
    sleep 0.2
    check "a 32-bit program is captured" "$cgsnap" -q -n 1 -p "$tiny" -o tiny32
    # exec of one during a capture: the file is good up to there.
    timeout 40 "$cgsnap" -o exec32 -- sh -c 'sleep 2; exec ./tiny' 2>err &
    snap=$!
    for _ in $(seq 300); do
        tiny=$(pgrep -P "$(pgrep -P "$snap" cgsnap)" -x tiny 2>/dev/null) && break
        sleep 0.1
    done
    sleep 0.5
    kill "$tiny"
    wait "$snap"
    status=$?
    check "exec of a 32-bit program: status $status, $(cat err)" [ "$status" = 1 ]
    check "exec of a 32-bit program: one line besides the result" [ "$(grep -c 'word size' err)" = 1 ]
    check "exec of a 32-bit program: the file is readable" dump --check exec32 >/dev/null
}
if [ "$(uname -m)" != x86_64 ]; then
    echo "not tried: a 32-bit process (this is no x86-64 machine)"
elif ${CC:-gcc} -m32 -nostdlib -static -fno-pie -o tiny tiny.c; then
    i386_part i386_programs
else
    fail "a 32-bit program cannot be built"
fi
finish
