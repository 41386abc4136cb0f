#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The disk fills up during a capture: one line, exit status 1, a readable file, and the target goes on. It is full when
# cgunwind writes: the same.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || skip "mounting a tmpfs needs root"
mkdir "$work/small"
mount -t tmpfs -o size=1m none "$work/small" 2>/dev/null || skip "a tmpfs cannot be mounted here"
trap 'umount "$work/small" 2>/dev/null; cleanup' EXIT
program worker
want=$("$work/worker" 90000)
start "$work/worker" 90000 >"$work/out"
timeout 60 "$cgsnap" -F 5000 --overhead 100 -p "$pid" -q -o "$work/small/snap" 2>"$work/err"
status=$?
cat "$work/err"
check "exit status $status" [ "$status" = 1 ]
check "one line that says so" [ "$(grep -c 'No space left on device' "$work/err")$(wc -l <"$work/err")" = 11 ]
check "the file is readable" dump --check "$work/small/snap"
check "it was used up: $(stat -c %s "$work/small/snap") bytes" [ "$(stat -c %s "$work/small/snap")" -gt 1000000 ]
check "most of it is whole records" [ "$(field "$work/small/snap" "end['bytes'] > 900000")" = True ]
# A file that must not be so long (RLIMIT_FSIZE) is as good as a full disk.
limited() { { (ulimit -f 1; exec "$@"); echo "$?" >"$work/status"; } 2>&1 | cat >"$work/err"; }
worker=$pid
start sleep 60
limited "$cgsnap" -n 1 -p "$pid" -q -o "$work/short"
check "a snapshot that must be short: $(cat "$work/err" "$work/status")" \
    [ "$(cat "$work/status") $(grep -c 'File too large' "$work/err")$(wc -l <"$work/err")" = "1 11" ]
check "it is readable" dump --check "$work/short"
for format in chains html svg; do
    limited "${cgsnap%/*}/cgunwind" -q -f $format -o "$work/out.$format" "$work/small/snap"
    check "$format that must be short: $(cat "$work/err" "$work/status")" \
        [ "$(cat "$work/status") $(grep -c '^cgunwind: .*File too large$' "$work/err")$(wc -l <"$work/err")" = "1 11" ]
done
for format in chains json tree; do
    "${cgsnap%/*}/cgunwind" -q -f $format "$work/small/snap" >/dev/full 2>"$work/err"
    status=$?
    check "what cannot be written: $(cat "$work/err")" \
        [ "$status $(grep -c '^cgunwind: standard output: .*No space left on device$' "$work/err")$(wc -l <"$work/err")" = "1 11" ]
done
wait "$worker"
check "the target ended well" [ "$? $(cat "$work/out")" = "42 $want" ]
finish
