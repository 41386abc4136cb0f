/* SPDX-License-Identifier: MIT */
/* Writing to a descriptor whatever write(2) takes at once. */
#ifndef BASE_WRITE_ALL_H
#define BASE_WRITE_ALL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* To a file, or a pipe or socket that blocks. False: errno says why not all. */
MUST_CHECK bool write_all(int fd, const void *bytes, size_t size);

#endif
