/* SPDX-License-Identifier: MIT */
/* CRC-32 as in zlib and Ethernet (polynomial 0xedb88320). */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Returns the CRC of the bytes that `crc` is of, followed by these. `crc` is 0 to begin with. */
uint32_t crc32_update(uint32_t crc, const void *data, size_t size);

#endif
