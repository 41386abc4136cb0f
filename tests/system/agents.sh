#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cgsnap for targets: built with one preset each, static, small in the file and in memory; a 64-bit one captures 32-bit
# programs as what they are, a 32-bit one refuses 64-bit programs with one line.
. "$(dirname "$0")/lib.sh"
root=$(realpath "$here/../..")
cgunwind=$(realpath "$build/cgunwind")
private_max=1024 # kB
for tool in arm-linux-gnueabihf-gcc aarch64-linux-gnu-gcc i686-linux-gnu-gcc x86_64-linux-gnu-gcc riscv64-linux-gnu-gcc; do
    command -v $tool >/dev/null || skip "no $tool: run scripts/deps test"
done
for arch in armhf arm64 i386 amd64 riscv64; do
    [ -d "${CG_CACHE:-$HOME/.cache/cg-debian}/$arch/musl-dev" ] || skip "no musl-dev of $arch: run scripts/deps test"
done

size_max=$((256 << 10)) # bytes
# machine AGENT: of the ELF file
machine() { readelf -h "$1" | sed -n 's/^ *Machine: *//p'; }
while read -r preset wanted; do
    agent=$(python3 -B "$root/corpus/built.py" "$preset" 2>"$work/log") ||
        { cat "$work/log"; fail "agent-$preset: builds"; continue; }
    mkdir "$work/$preset" && cp "$agent" "$work/$preset"
    check "agent-$preset: is for $wanted: $(machine "$agent")" [ "$(machine "$agent")" = "$wanted" ]
    check "agent-$preset: needs no other file" test -z "$(readelf -lW "$agent" | grep INTERP)$(readelf -dW "$agent" | grep NEEDED)"
    check "agent-$preset: $(stat -c %s "$agent") bytes" [ "$(stat -c %s "$agent")" -le $size_max ]
done <<'LIST'
armhf ARM
armhf-a32 ARM
arm64 AArch64
i386 Intel 80386
riscv64 RISC-V
x86_64 Advanced Micro Devices X86-64
LIST

# options CGSNAP: all that it has, but for those of what agents leave out
options() { "$1" --help | grep -oE -- '--[a-z][a-z-]*' | grep -vxE -- '--(bundle|gdb|halt-budget|elf|load-bias|rtos)' | sort -u; }
check "an agent has the options of cgsnap: $(diff <(options "$cgsnap") <(options "$work/x86_64/cgsnap"))" \
    diff <(options "$cgsnap") <(options "$work/x86_64/cgsnap")

for name in fifty headless exec; do program $name; done
mv "$work/fifty" "$work/fifty64" && mv "$work/exec" "$work/exec64"
i386=(i686-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -static -O1 -g -fno-optimize-sibling-calls -pthread)
"${i386[@]}" -o "$work/fifty32" "$here/../programs/fifty.c" &&
    "${i386[@]}" -o "$work/exec32" "$here/../programs/exec.c" ||
    { fail "the targets cannot be compiled"; finish; }

# resident WHAT AGENT TARGET: what the agent keeps for itself while it samples
resident() {
    "$2" -q --overhead 100 ${emulated:+-F 10} -p "$3" -o "$work/snap" &
    local agent=$! kb
    sleep 2
    kb=$(awk '/^Private/ { sum += $2 } END { print sum + 0 }' "/proc/$agent/smaps_rollup")
    sleep 2
    kill -INT $agent
    wait $agent
    check "$1: captures" [ $? = 0 ]
    check "$1: $kb kB of private memory" [ "${kb:-0}" -gt 0 -a "${kb:-0}" -le $private_max ]
    check "$1: all threads are there" [ "$(dump "$work/snap" | grep -c '"type": "thread"')" = 50 ]
}
# chains WHAT MACHINE: of $work/snap, whoever had a CPU when it was looked at
chains() {
    check "$1: the file is for machine $2" [ "$(od -An -tu2 -j14 -N2 "$work/snap" | tr -d ' ')" = "$2" ]
    "$cgunwind" -f folded --weight samples "$work/snap" >"$work/folded" 2>"$work/err"
    check "$1: chains are whole: $(tail -n 1 "$work/folded")" \
        grep -qE ';work;descend(;descend){5};innermost [0-9]+$' "$work/folded"
    check "$1: from the first thread's start" grep -qE ';main;work;' "$work/folded"
}
start "$work/fifty64" 50 && wide=$pid
sleep 0.2
resident "x86-64 agent, x86-64 program" "$work/x86_64/cgsnap" "$wide"
chains "x86-64 agent, x86-64 program" 62

start "$work/fifty64" 3 && other=$pid
"$work/x86_64/cgsnap" -q -n 1 -p "$wide" -p "$other" --pointees 64 -o "$work/snap"
check "an agent captures two processes" \
    [ "$? $(dump "$work/snap" | grep -c '"type": "process"')" = "0 2" ]
check "with pointees" grep -q '"type": "pointees"' <(dump "$work/snap")
check "the options are those of --help" grep -qx -- --pointees <(options "$work/x86_64/cgsnap")
kill -KILL "$other" "$wide"

i386_programs() {
    local rest=2000 delay=300000 wide narrow headless agent from to target status
    [ -z "$emulated" ] || rest=10000 delay=3000000 # innermost() and starting an agent take so much longer there
    start "$work/fifty32" 50 $rest && narrow=$pid
    sleep 0.2
    resident "x86-64 agent, i386 program" "$work/x86_64/cgsnap" "$narrow"
    chains "x86-64 agent, i386 program" 3
    resident "i386 agent, i386 program" "$work/i386/cgsnap" "$narrow"
    chains "i386 agent, i386 program" 3
    "$cgsnap" -q --overhead 100 -n 50 -p "$narrow" -o "$work/snap"
    chains "this build, i386 program" 3
    kill -KILL "$narrow"
    start "$work/fifty64" 50 $rest && wide=$pid
    sleep 0.2
    "$work/i386/cgsnap" -p "$wide" -o "$work/none" 2>"$work/err"
    status=$?
    check "i386 agent, x86-64 program: refused: $(cat "$work/err")" \
        [ $status = 1 -a "$(grep -c "64-bit program (x86_64)" "$work/err")/$(wc -l <"$work/err")" = 1/1 ]
    check "i386 agent, x86-64 program: no file is made" [ ! -e "$work/none" ]
    check "i386 agent, x86-64 program: it is not traced" grep -q '^TracerPid:.0$' "/proc/$wide/status"
    kill -KILL "$wide"
    # A first thread that has ended takes its /proc/PID/exe with it.
    start "$work/headless" && headless=$pid
    sleep 0.2
    "$work/i386/cgsnap" -p "$headless" -n 1 -o "$work/none" 2>"$work/err"
    status=$?
    check "i386 agent, x86-64 program whose first thread has ended: refused: $(cat "$work/err")" \
        [ $status = 1 -a "$(grep -c "64-bit program (x86_64)" "$work/err")/$(wc -l <"$work/err")" = 1/1 ]
    "$work/x86_64/cgsnap" -q -p "$headless" -n 2 -o "$work/snap"
    check "x86-64 agent, x86-64 program whose first thread has ended: captures" [ $? = 0 ]
    # exec to another word size once a capture has begun: the file is good up to there.
    for agent in x86_64 i386; do
        if [ $agent = i386 ]; then from=exec32 to=fifty64; else from=exec64 to=fifty32; fi
        "$work/$from" $delay "$work/$to" &
        target=$!
        started+=("$target")
        timeout 20 "$work/$agent/cgsnap" -q -p $target -o "$work/exec.snap" 2>"$work/err"
        status=$?
        check "$agent agent: exec of the other word size, status $status: $(cat "$work/err")" \
            [ $status = 1 -a "$(grep -c 'word size' "$work/err")" = 1 ]
        check "$agent agent: the file up to there is good" dump --check "$work/exec.snap" >/dev/null
        kill -KILL $target
    done
}
i386_part i386_programs cgunwind private_max
finish
