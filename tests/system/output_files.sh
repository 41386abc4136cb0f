#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Where captures, and what is made of them, are written to: files for nobody but their owner, no
# file's content lost by mistake, nothing of another user's written to as root.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
start sleep 600
target=$pid
snap() { "$cgsnap" -q -p "$target" -n 1 "$@" 2>err; }
refused() { # refused PATTERN FILE: with one line, and the file is as it was
    local before
    before=$(cksum "$2" 2>&1)
    snap -o "$2"
    [ $? = 1 ] && grep -q "$1" err && [ "$(wc -l <err)" = 1 ] && [ "$(cksum "$2" 2>&1)" = "$before" ]
}

umask 000
snap -o new
check "a new file is for its owner alone: $(stat -c %a new)" [ "$(stat -c %a new)" = 600 ]
: >empty
chmod 666 empty
snap -o empty
check "so is one that was empty: $(stat -c %a empty)" [ "$(stat -c %a empty)" = 600 ]
check "which is used as it is" dump --check empty
cp new first
snap -o new
check "an old snapshot is kept" cmp first new.old
check "beside the new one" dump --check new
"$cgsnap" -q -p 999999999 -o new 2>err
cmp -s new.old first && dump --check new >/dev/null
check "and nothing is moved when there is no capture" [ $? = 0 ]

echo "a diary" >diary
check "another file is not overwritten: $(cat err)" refused "no snapshot" diary
snap --force -o diary
check "but with --force" dump --check diary
check "then nothing is kept" [ ! -e diary.old ]
check "a file that cannot be attached for is not made" \
    eval '! "$cgsnap" -q -p 999999999 -o none 2>err; [ ! -e none ]'
ln -s elsewhere link
check "a symbolic link is not followed" refused "symbolic link" link
check "nor made use of" [ ! -e elsewhere ]
mkdir directory
check "a directory is refused" eval '! snap -o directory; grep -q "is a directory" err'
mkfifo fifo
cat fifo >from_fifo &
snap -o fifo
wait $!
check "a FIFO is written to" dump --check from_fifo
check "/dev/null, too" snap -o /dev/null
"$cgsnap" -q -p "$target" -n 1 -o - >from_stdout
check "standard output, too" dump --check from_stdout
if [ "$(id -u)" = 0 ]; then
    cp first theirs
    chown nobody theirs
    check "another user's file is refused as root" refused "another user's" theirs
    cp first several
    ln several other_name
    check "one with several names, too" refused "other names" several
fi

# The same of cgunwind's outputs, which are replaced by others of any format.
cgunwind=${cgsnap%/*}/cgunwind
snap -n 20 -o several_rounds
unwind() { "$cgunwind" -q several_rounds "$@" 2>err; }
unwind_refused() { # unwind_refused PATTERN FILE
    local before
    before=$(cksum "$2" 2>&1)
    unwind -f tree -o "$2"
    [ $? = 1 ] && grep -q "$1" err && [ "$(wc -l <err)" = 1 ] && [ "$(cksum "$2" 2>&1)" = "$before" ]
}
sed -n 's/^ *X(\(.*\)).*/\1/p' "$here/../../src/output/format_list.h" | tr _ - >formats
check "there are $(wc -l <formats) formats" [ "$(wc -l <formats)" -ge 20 ]
unwind -f folded -o out.folded
while read -r format; do
    unwind -f "$format" -o "out.$format"
    check "$format: for its owner alone: $(cat err)" [ "$(stat -c %a "out.$format")" = 600 ]
    chmod 644 "out.$format"
    unwind -f folded -o "out.$format"
    check "$format: is known for an output, and replaced: $(cat err)" \
        [ "$(stat -c %a "out.$format") $(grep -c . "out.$format")" = "600 $(grep -c . out.folded)" ]
done <formats
for options in "--weight wall" "--by module" "--diff-base new" "--by-thread" "--focus none"; do
    for format in tree folded; do
        unwind -f $format $options -o again 2>/dev/null
        unwind -f $format $options -o again
        check "$format $options, twice: $(cat err)" [ $? = 0 ]
    done
done
for weight in samples wall; do
    for format in perf-script chains callgrind pprof; do
        unwind -f $format --weight $weight -o again.$format 2>/dev/null
        unwind -f $format --weight $weight -o again.$format
        check "$format --weight $weight, twice: $(cat err)" [ $? = 0 ]
    done
done
printf 'main;%05000d;work 1\n' 0 >long
unwind -f folded -o long
check "a stack longer than what is looked at is known" cmp long out.folded
echo "a diary" >diary
check "another file is not overwritten by cgunwind: $(cat err)" unwind_refused "no output of this" diary
check "nor a snapshot" unwind_refused "no output of this" first
cp "$cgunwind" program
check "nor a program" unwind_refused "no output of this" program
unwind -f tree --force -o diary
check "but with --force" grep -q '^wall time: ' diary
check "a symbolic link is not followed by cgunwind" unwind_refused "symbolic link" link
[ ! -e elsewhere ]
check "nor made use of by it" [ $? = 0 ]
unwind -f folded -o /dev/stdout >from_stdout
check "/dev/stdout is written to" cmp from_stdout out.folded
{
    echo "before"
    unwind -f folded -o /dev/stdout
    unwind -f folded -o /dev/fd/1
} >from_stdout
check "behind what is there already" cmp from_stdout <(echo "before"; cat out.folded out.folded)
check "and whose mode it leaves: $(stat -c %a from_stdout)" [ "$(stat -c %a from_stdout)" = 666 ]
unwind -f folded -o >(cat >from_process)
sleep 0.2
check "a process that reads gets it" cmp from_process out.folded
mkfifo callgraph.dot
check "a picture that fails does not wait for a FIFO beside it" \
    eval '! timeout 20 "$cgunwind" -q several_rounds -f svg --layout-time 0 >drawn 2>err; [ $? = 0 ]'
rm callgraph.dot
check "/dev/full is an error" eval '! unwind -f folded -o /dev/full; grep -q "No space" err'
if [ "$(id -u)" = 0 ]; then
    cp out.folded theirs
    chown nobody theirs
    check "another user's file is refused by cgunwind as root" unwind_refused "another user's" theirs
    ln out.folded other_output
    check "one with several names, too" unwind_refused "other names" other_output
fi
finish
