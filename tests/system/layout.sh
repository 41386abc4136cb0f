#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every C file, and each of the page's script, is laid out as .clang-format says.
# usage: layout.sh [BUILD-DIRECTORY]
cd "$(dirname "$0")/../.." || exit 1
command -v clang-format >/dev/null || { echo 'FAIL no clang-format: run scripts/deps quick'; exit 1; }
find src tests corpus \( -name '*.[ch]' -o -path '*/html/*.js' -o -name '*.mjs' \) -print0 | xargs -0 -n 40 -P 2 clang-format --dry-run -Werror
