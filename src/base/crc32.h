/* SPDX-License-Identifier: MIT */
/* CRC-32 as in zlib and Ethernet (polynomial 0xedb88320), with no dependency but libc. */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Continues `crc` (0 to begin) over `size` bytes. */
uint32_t crc32_update(uint32_t crc, const void *data, size_t size);

#endif
