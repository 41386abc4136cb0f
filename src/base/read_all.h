/* SPDX-License-Identifier: MIT */
/* Reading from a place of a file, as far as there is something. */
#ifndef BASE_READ_ALL_H
#define BASE_READ_ALL_H

#include <stddef.h>
#include <stdint.h>

/* How many of `size` bytes from `off` on were read: fewer where the file ends or cannot be read. */
size_t read_all(int fd, uint64_t off, void *buffer, size_t size);

#endif
