#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cgsnap, which is copied to targets, needs nothing that may be missing there.
. "$(dirname "$0")/lib.sh"
readelf -lW "$cgsnap" >"$work/headers"
check 'readelf lists what is loaded' grep -q LOAD "$work/headers"
check 'cgsnap needs no interpreter' test -z "$(grep INTERP "$work/headers")"
finish
