#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `cmake --install` puts below a prefix is all there, and the programs run from there.
. "$(dirname "$0")/lib.sh"
. "$here/manifest.sh"
cmake --install "$build" --prefix "$work/prefix" >"$work/log" || { cat "$work/log"; fail 'installs'; finish; }
for file in bin/cg{snap,unwind,rules} share/man/man1/cg{snap,unwind,rules}.1 \
    share/man/man5/snap.bin.5 share/bash-completion/completions/cg{snap,unwind,rules} \
    share/zsh/site-functions/_cg{snap,unwind,rules} \
    share/fish/vendor_completions.d/cg{snap,unwind,rules}.fish; do
    check "$file" [ -s "$work/prefix/$file" ]
done
for program in cgsnap cgunwind; do
    check "$program --version" "$work/prefix/bin/$program" --version
done
finish
