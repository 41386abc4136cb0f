# SPDX-License-Identifier: MIT
"""Holds all who read a file, as a file system that does not answer would (fanotify(7); root only)."""
import ctypes
import os
import select
import struct

import known

CLASS_CONTENT, MARK_ADD, ACCESS_PERM, AT_FDCWD = 0x4, 0x1, 0x20000, -100
EVENT = struct.Struct("IBBHQii")  # of which the file's descriptor is the last but one
LIBC = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class HeldReads:
    """Those that begin in this context; they go on when it ends."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        self.group = check(LIBC.fanotify_init(CLASS_CONTENT, os.O_RDONLY | os.O_CLOEXEC))
        check(LIBC.fanotify_mark(self.group, MARK_ADD, ctypes.c_uint64(ACCESS_PERM), AT_FDCWD, self.path.encode()))
        return self

    def wait(self, seconds=30):
        """Until somebody is held."""
        if not select.select([self.group], [], [], seconds)[0]:
            raise known.Failure("nobody reads " + self.path)
        os.close(EVENT.unpack_from(os.read(self.group, EVENT.size))[5])

    def __exit__(self, *error):
        os.close(self.group)
