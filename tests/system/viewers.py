# SPDX-License-Identifier: MIT
"""Programs of others that open cgunwind's formats, for the tests beside this file: fetched once and
unpacked, not installed. Without them a test is skipped."""

import functools
import glob
import os

import known


def only(pattern):
    found = glob.glob(pattern, recursive=True)
    if not found:
        known.skip("there is no " + pattern)
    return found[0]


@functools.cache
def pprof():
    """Of Go, whichever the release has."""
    return only(known.unpacked("amd64", "golang-go*")[0] + "/usr/lib/go-*/pkg/tool/linux_amd64/pprof")


@functools.cache
def flamegraph():
    package, = known.unpacked("amd64", "libdevel-nytprof-perl")
    return only(package + "/usr/**/flamegraph.pl")


@functools.cache
def trace_viewer():
    """Catapult's, in the sources of `go tool trace`."""
    return only(known.unpacked("amd64", "golang-src*")[0] + "/usr/share/go-*/**/trace_viewer_full.html")
