/* SPDX-License-Identifier: MIT */
/* Writing to a descriptor, whatever write(2) takes at once. */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Writes all `size` bytes to a file, blocking pipe or socket. False: errno says why not all. */
MUST_CHECK bool write_all(int fd, const void *bytes, size_t size);

#endif
