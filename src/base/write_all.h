/* SPDX-License-Identifier: MIT */
/* Writes to a descriptor, however few bytes write(2) takes at once. */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/*
 * Writes all `size` bytes to a file, pipe or socket, and waits for room where the descriptor does
 * not block. False: not all were written; errno says why.
 */
MUST_CHECK bool write_all(int fd, const void *bytes, size_t size);

#endif
