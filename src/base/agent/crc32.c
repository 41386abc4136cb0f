/* SPDX-License-Identifier: MIT */
#include "base/crc32.h"

/*
 * crc32_update for agents, in place of base/crc32.c, which is faster, and larger by 200 bytes: the
 * CRC of each nibble, with two look-ups a byte.
 */
static const uint32_t nibble_crc[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                        0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};

uint32_t crc32_update(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *byte = data;

    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= byte[i];
        crc = crc >> 4 ^ nibble_crc[crc & 15];
        crc = crc >> 4 ^ nibble_crc[crc & 15];
    }
    return ~crc;
}
