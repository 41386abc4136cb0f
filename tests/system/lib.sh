# SPDX-License-Identifier: MIT
# Shared by the system tests: . "$(dirname "$0")/lib.sh" with the build directory as the test's first argument.
# A test prints lines "PASS what" and "FAIL what", and ends with status 1 if one failed, 77 if it cannot run here.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
build=$(realpath "${1:-build/release}") || exit 1
cgsnap=$build/cgsnap
[ -x "$cgsnap" ] || { echo "FAIL there is no $cgsnap"; exit 1; }
work=$(mktemp -d) || exit 1
failed=0
started=()
unable= # why a part of the test cannot run here
emulated= # is this the emulated machine? There all takes some ten times as long
cleanup() {
    local pid
    for pid in "${started[@]}"; do kill -KILL "$pid" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$work"
}
trap cleanup EXIT
pass() { echo "PASS $*"; }
fail() { echo "FAIL $*"; failed=1; }
check() { # check WHAT COMMAND…: the command succeeds
    local what=$1
    shift
    if "$@"; then pass "$what"; else fail "$what"; fi
}
skip() { # skip WHY: the rest cannot run here; what has failed before has failed
    echo "skipped: $*"
    [ "$failed" = 0 ] || exit 1
    exit 77
}
program() { # program NAME: $work/NAME, which is built of tests/programs/NAME.c
    cp "$build/tests/programs/$1" "$work/$1" || { echo "FAIL $1 is not built"; exit 1; }
}
sanitized() { grep -q '^CG_SANITIZE:BOOL=ON$' "$build/CMakeCache.txt"; }
start() { # start COMMAND…: in the background, its pid in $pid; ended at exit
    "$@" &
    pid=$!
    started+=("$pid")
}
dump() { python3 "$here/snapdump.py" "$@"; }
field() { # field FILE EXPRESSION: of the last line of the dump, as `end`
    dump --check "$1" | python3 -c 'import json,sys; end=json.loads(sys.stdin.read()); print(eval(sys.argv[1]))' "$2"
}
# i386_part FUNCTION [VARIABLE…]: calls it where i386 programs run: here, or in an emulated machine (i386.py), where there are the
# shell's functions, $work with what is in it, and these variables.
i386_part() {
    local function=$1 status
    shift
    if python3 "$here/i386.py"; then
        "$function"
        return
    fi
    {
        declare -p here build cgsnap work "$@"
        echo 'failed=0 started=() unable= emulated=yes'
        declare -f
        echo "$function; finish"
    } >"$work/part"
    python3 "$here/i386.py" "$work" bash "$work/part" | tee "$work/part.out"
    status=${PIPESTATUS[0]}
    case $status in
    0) ;;
    77) unable=$(tail -n 1 "$work/part.out") ;;
    *) failed=1 ;;
    esac
}
finish() {
    [ "$failed" = 0 ] && [ -n "$unable" ] && { echo "$unable"; exit 77; }
    exit "$failed"
}
