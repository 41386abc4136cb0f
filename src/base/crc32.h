/* SPDX-License-Identifier: MIT */
/* Computes the CRC-32 of zlib and Ethernet (polynomial 0xedb88320). */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include <stddef.h>
#include <stdint.h>

/*
 * Continues a CRC over `size` more bytes: `crc` is that of the bytes before, 0 if there are none.
 */
uint32_t crc32_update(uint32_t crc, const void *data, size_t size);

#endif
