#!/bin/bash
# Functions, lines and inlined functions as src/symbol finds them, against other tools. See lines.py.
# usage: lines.sh BUILD-DIRECTORY
. "$(dirname "$0")/lib.sh"

for tool in gcc clang addr2line eu-addr2line readelf objcopy strip python3; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done
libraries=$(realpath "$build")
deflate=
if nm "$libraries/libcg_symbol.a" 2>/dev/null | grep -q libdeflate_; then
    deflate=-ldeflate
fi
sanitize=
if nm "$libraries/libcg_symbol.a" 2>/dev/null | grep -q __asan_init; then
    sanitize='-fsanitize=address,undefined'
fi
# shellcheck disable=SC2086 # an empty $sanitize or $deflate is no argument
${CC:-gcc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O1 -g $sanitize -I "$here/../../src" \
    "$here/symtool.c" -o "$work/symtool" "$libraries/libcg_symbol.a" "$libraries/libcg_base.a" \
    -lelf -llzma -lz $deflate -lzstd -liberty || fail 'symtool is built'
[ $failed -ne 0 ] || python3 -B "$here/lines.py" "$work/symtool" "$here/inlined.c" "$work" || failed=1
finish
