#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# cgsnap, which is copied to targets, needs nothing that may be missing there.
. "$(dirname "$0")/lib.sh"
check 'cgsnap needs no interpreter' test -z "$(readelf -lW "$cgsnap" | grep INTERP)"
finish
