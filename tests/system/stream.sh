#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Streaming to a pipe: whole records arrive several times a second, and a reader that does not read harms nobody: the
# target gets its signals, and cgsnap ends when it is told to.
. "$(dirname "$0")/lib.sh"
program worker
program signals
start "$work/worker" 100000000 >"$work/out"
target=$pid
mkfifo "$work/steady"
python3 -c '
import os, sys, time
pipe = os.open(sys.argv[1], os.O_RDONLY)
begin, chunks = time.monotonic(), []
while data := os.read(pipe, 1 << 20):
    chunks.append(time.monotonic() - begin)
gaps = [b - a for a, b in zip(chunks, chunks[1:])]
print(len(chunks), max(gaps))
raise SystemExit(not (len(chunks) >= 6 and max(gaps) < 0.6))' "$work/steady" >"$work/gaps" &
reader=$!
"$cgsnap" -q -p "$target" -d 2 -o - 2>"$work/err" >"$work/steady" # begins when somebody reads
wait $reader
status=$?
check "data comes steadily: chunks, longest gap: $(cat "$work/gaps")" [ $status = 0 ]
"$cgsnap" -q -p "$target" -d 1 -o - | dump --check - >"$work/end"
check "the stream is complete" grep -q '"cut": false' "$work/end"
# interrupted SECONDS: cgsnap gets two signals, so far apart, and its reader begins behind both.
interrupted()
{
    rm -f "$work/late"
    mkfifo "$work/late"
    { until [ -e "$work/read" ]; do sleep 0.05; done; cat; } <"$work/late" >"$work/whole" &
    reader=$!
    "$cgsnap" -q -F 2000 --overhead 100 -p "$target" -o "$work/late" 2>"$work/err" &
    snap=$!
    sleep 1.5
    kill -INT "$snap"
    sleep "$1"
    kill -INT "$snap"
    [ "$1" = 0.05 ] && touch "$work/read"
    wait "$snap"
    status=$?
    touch "$work/read"
    wait "$reader"
    rm "$work/read"
}

# timeout(1) signals its command, and then its process group: nobody is impatient.
interrupted 0.05
dump --check "$work/whole" >"$work/end"
check "a signal that comes twice at once ends it, status $status, and loses nothing: $(cat "$work/err")" \
    [ "$status" = 0 -a "$(grep -c '"cut": false' "$work/end")" = 1 -a "$(stat -c %s "$work/whole")" -gt 100000 ]
interrupted 0.6
check "a second one gives up who reads, status $status: $(cat "$work/err")" \
    [ "$status" = 1 -a "$(grep -c 'does not read' "$work/err")" = 1 ]
kill "$target"

start "$work/signals" receive >"$work/got"
until grep -q ready "$work/got"; do sleep 0.02; done
target=$pid
mkfifo "$work/fifo"
sleep 60 <"$work/fifo" &
started+=($!)
"$cgsnap" -q -F 2000 --overhead 100 -p "$target" -o "$work/fifo" 2>"$work/err" &
snap=$!
sleep 1.5
"$work/signals" send "$target" 1000 500
sleep 0.2
begin=$(date +%s%N)
kill -TERM "$target"
wait "$target"
took=$((($(date +%s%N) - begin) / 1000000))
check "blocked output: the target counted its signals: $(tail -1 "$work/got")" [ "$(tail -1 "$work/got")" = "500 0" ]
check "blocked output: and ended in $took ms" [ "$took" -lt 1000 ]
begin=$(date +%s%N)
kill -TERM "$snap"
wait "$snap"
status=$?
took=$((($(date +%s%N) - begin) / 1000000))
check "blocked output: cgsnap gives up when told to, after $took ms, status $status: $(cat "$work/err")" \
    [ "$status" = 1 -a "$took" -lt 4000 ]
# Ctrl-C is for the whole pipeline: cgsnap ends the stream, and cgunwind makes use of it.
start sleep 60
python3 - "$cgsnap" "$(realpath "$build/cgunwind")" "$pid" "$work/interrupted" <<'P'
import os, signal, subprocess, sys, time
cgsnap, cgunwind, pid, out = sys.argv[1:]
with open(out, "w") as file:
    shell = subprocess.Popen("trap : INT; '%s' -q -p %s -o - | '%s' -f folded -" % (cgsnap, pid, cgunwind), shell=True,
                             stdout=file, start_new_session=True)
    time.sleep(2)
    os.killpg(shell.pid, signal.SIGINT)
    shell.wait(20)
P
check "Ctrl-C in a pipeline: chains are printed all the same" grep -q '^sleep;' "$work/interrupted"
finish
