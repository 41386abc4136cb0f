#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every C file, and each of the page's script, is laid out as .clang-format says.
# usage: layout.sh [BUILD-DIRECTORY]
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || { echo 'skipped: no clang-format: run scripts/deps quick'; exit 77; }
version=$(clang-format --version | sed 's/.*version \([0-9]*\).*/\1/')
[ "$version" = 14 ] || { echo "skipped: clang-format $version lays out otherwise than 14, which decides"; exit 77; }
find src tests corpus \( -name '*.[ch]' -o -path '*/html/*.js' -o -name '*.mjs' \) -print0 | xargs -0 -n 40 -P 2 clang-format --dry-run -Werror
