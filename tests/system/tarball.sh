#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The tarball: built from here, unpacked where no other file is, it captures, reports and explains; what it has is what
# docs/dev/packaging.md says. In a directory of its own for a root there is no library, no shell and no dot.
. "$(dirname "$0")/lib.sh"
[ "$(id -u)" = 0 ] || skip "not root"
for arch in armhf arm64 i386 amd64 riscv64; do
    [ -d "${CG_CACHE:-$HOME/.cache/cg-debian}/$arch/musl-dev" ] || skip "no musl-dev of $arch: run scripts/deps test"
done
quiet() { "$@" >"$work/log" 2>&1 || { tail -n 30 "$work/log"; return 1; }; }
export CI= # warnings of compilers are other tests' business
if ! quiet cmake --build "$build" --target tarball; then
    grep -q 'static programs cannot be linked here' "$work/log" && skip "this system's libelf.a is not whole"
    fail 'it is built'
    finish
fi
tarball=$(tail -n 1 "$work/log" | sed 's/^-- //; s/, .*//')
root=$work/root
mkdir -p "$root/proc" "$root/tmp" "$root/dev"
tar -C "$root" --strip-components=1 -xf "$tarball"
for file in LICENSE README share/man/man1/cgunwind.1 share/bash-completion/completions/cgtop share/terminfo/x/xterm \
    share/doc/cgsnap/licences/{libcapstone-dev,libc6-dev,musl,LGPL-2.1} \
    lib/cgsnap/cgsnap-{armhf,arm64,i386,riscv64,x86_64}; do
    check "$file" [ -s "$root/$file" ]
done
check 'all of it is root'"'"'s, with one time' [ "$(tar -tvf "$tarball" --numeric-owner | awk '{ print $2, $4, $5 }' | sort -u | wc -l)" = 1 ]
check 'no file names a directory of the build' eval '! grep -rlF "$build" "$root"'
for program in cgsnap cgunwind cgrules cgtop; do
    check "$program needs no interpreter" test -z "$(readelf -lW "$root/bin/$program" | grep INTERP)"
    check "$program has no debug information" test -z "$(readelf -SW "$root/bin/$program" | grep -F .debug_)"
done

program fifty
cp "$work/fifty" "$(ldd "$work/fifty" | awk '/libc\.so/ { print $3 }')" "$root" # to be read, not to be loaded
start "$work/fifty" 3
until [ "$(awk '/^voluntary/ { print $2 }' "/proc/$pid/status")" -gt 3 ]; do sleep 0.1; done # it has rested in work()
check 'cgsnap captures' "$root/bin/cgsnap" -q -n 20 -p "$pid" -o "$root/snap"
chroot=$(command -v chroot)
alone() { env -i PATH=/bin HOME=/tmp TERM=xterm "$chroot" "$root" "$@"; }
check 'cgunwind --version' eval 'alone /bin/cgunwind --version | tee /dev/stderr | grep -q "^static$"'
check 'chains' eval 'alone /bin/cgunwind -q -f folded --weight samples -e /fifty -e /libc.so.6 /snap | grep -q ";main;work;"'
check 'rows of code, by Capstone' eval 'alone /bin/cgrules -m prologue /fifty | grep -q "ra=c-8"'
check 'variables, by libdwarf' eval 'alone /bin/cgunwind -q -f chains --variables -e /fifty /snap >"$work/out" 2>"$work/err" && ! grep -q "cannot be told" "$work/err"'
check 'a page' eval 'alone /bin/cgunwind -q -o /tmp/page.html -e /fifty /snap && grep -q "id=\"data\">H4sI" "$root/tmp/page.html"'
check 'no picture without dot' eval '! alone /bin/cgunwind -q -f svg -e /fifty /snap >"$work/out" 2>"$work/err"'
check "a line says so: $(cat "$work/err")" [ "$(grep -c 'dot is not installed' "$work/err")/$(wc -l <"$work/err")" = 1/1 ]
check 'no servers' eval '! alone /bin/cgunwind --debuginfod http://nowhere -f tree /snap >"$work/out" 2>"$work/err"'
check "a line says so: $(cat "$work/err")" [ "$(grep -c 'debuginfod' "$work/err")/$(wc -l <"$work/err")" = 1/1 ]
if command -v dot >/dev/null; then
    check 'a picture by dot' eval '"$root/bin/cgunwind" -q -f svg -e "$work/fifty" "$root/snap" >"$work/out" && grep -q "</svg>" "$work/out"'
fi
finish
