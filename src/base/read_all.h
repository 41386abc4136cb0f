/* SPDX-License-Identifier: MIT */
/* Reading at an offset of a file, whatever pread(2) gives at once. */
#ifndef BASE_READ_ALL_H
#define BASE_READ_ALL_H

#include <stddef.h>
#include <stdint.h>

/* Reads `size` bytes at `off`. Returns how many: fewer at the file's end, or if reading fails. */
size_t read_all(int fd, uint64_t off, void *buffer, size_t size);

#endif
