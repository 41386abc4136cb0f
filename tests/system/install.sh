#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `cmake --install` puts below a prefix is all there, as a whole and in components, and the programs run from there;
# it works where one program was built only; the target uninstall removes it.
. "$(dirname "$0")/lib.sh"

# The list of what was installed before, by which `uninstall` goes, comes back at the end.
if [ -e "$build/installed.txt" ]; then
    mv "$build/installed.txt" "$work/before"
fi
restore_list() {
    rm -f "$build/installed.txt"
    if [ -e "$work/before" ]; then
        mv "$work/before" "$build/installed.txt"
    fi
    cleanup
}
trap restore_list EXIT

quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }; }
no_file() { [ -z "$(find "$1" ! -type d | tee /dev/stderr)" ]; }
completions() { echo "$1"/share/{bash-completion/completions/"$2",zsh/site-functions/_"$2",fish/vendor_completions.d/"$2".fish}; }

check 'installs' quiet cmake --install "$build" --prefix "$work/prefix"
for program in cgsnap cgunwind cgrules cgtop; do
    for file in "$work/prefix/bin/$program" "$work/prefix/share/man/man1/$program.1" $(completions "$work/prefix" $program); do
        check "${file#"$work/prefix/"}" [ -s "$file" ]
    done
    check "$program --version" quiet "$work/prefix/bin/$program" --version
done
check 'share/man/man5/snap.bin.5' [ -s "$work/prefix/share/man/man5/snap.bin.5" ]
for component in programs man completions; do
    check "installs $component" quiet cmake --install "$build" --prefix "$work/parts" --component $component
done
check 'the components are all of it' diff -r "$work/prefix" "$work/parts"
if command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
    check 'a package is made meanwhile' quiet cmake --build "$build" --target package
fi
check 'uninstall' quiet cmake --build "$build" --target uninstall
check 'uninstall leaves no file of all' no_file "$work/prefix"
check 'uninstall leaves no file of the components' no_file "$work/parts"

some=$work/some
check 'another build' quiet cmake -G Ninja -S "$here/../.." -B "$some" -DCMAKE_BUILD_TYPE=Release "-DCG_AGENTS=$work/agents"
check 'of cgsnap alone' quiet cmake --build "$some" --target cgsnap
export DESTDIR=$work/destination
check 'installs what was built' quiet cmake --install "$some" --prefix /usr
check 'cgsnap and its completions' ls "$DESTDIR/usr/bin/cgsnap" $(completions "$DESTDIR/usr" cgsnap)
check 'no other program' [ "$(ls "$DESTDIR/usr/bin")" = cgsnap ]
check 'no agents where there are none' eval '! cmake --install "$some" --prefix /usr --component agents >"$work/log" 2>&1'
check 'a line says so' grep -q 'no agents below' "$work/log"
mkdir -p "$work/agents/agent-arm64" && cp "$cgsnap" "$work/agents/agent-arm64"
check 'installs agents' quiet cmake --install "$some" --prefix /usr --component agents
check 'an agent' [ -x "$DESTDIR/usr/lib/cgsnap/cgsnap-arm64" ]
check 'uninstall' quiet cmake --build "$some" --target uninstall
check 'uninstall leaves no file' no_file "$DESTDIR"
check 'no directory of ours' [ ! -e "$DESTDIR/usr/lib/cgsnap" ]
check 'a second time there is nothing to remove' eval '! cmake --build "$some" --target uninstall >"$work/log" 2>&1'
finish
