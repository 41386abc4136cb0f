/* SPDX-License-Identifier: MIT */
/* Reads at an offset of a file, however few bytes pread(2) gives at once. */
#ifndef BASE_READ_ALL_H
#define BASE_READ_ALL_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reads `size` bytes at the byte offset `off` into `buffer`. Returns the number of bytes read:
 * fewer than `size` at the file's end, or if reading fails.
 */
size_t read_all(int fd, uint64_t off, void *buffer, size_t size);

#endif
