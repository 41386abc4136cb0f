#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# threads.sh of an i386 program: here, or in an emulated machine (i386.py).
exec "$(dirname "$0")/threads.sh" "$1" i386
