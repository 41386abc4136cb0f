/* SPDX-License-Identifier: MIT */
#include "base/crc32.h"

/* IEEE 802.3's polynomial, with reversed bits. */
#define POLYNOMIAL UINT32_C(0xedb88320)
/* Bytes that are processed at once, each with its own table. */
#define SLICES 4

/* table[i][byte]: CRC of the byte followed by i zero bytes. */
static uint32_t table[SLICES][256];

__attribute__((constructor)) static void make_tables(void)
{
    for (unsigned slice = 0; slice < SLICES; slice++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t crc = slice ? table[slice - 1][byte] : byte;

            for (unsigned bit = 0; bit < 8; bit++)
                crc = crc >> 1 ^ (POLYNOMIAL & -(crc & 1));
            table[slice][byte] = crc;
        }
}

uint32_t crc32_update(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *byte = data;

    crc = ~crc;
    for (; size >= SLICES; size -= SLICES, byte += SLICES) {
        crc ^= byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
        crc = table[3][crc & 0xff] ^ table[2][crc >> 8 & 0xff] ^ table[1][crc >> 16 & 0xff] ^
              table[0][crc >> 24];
    }
    for (; size; size--)
        crc = crc >> 8 ^ table[0][(crc ^ *byte++) & 0xff];
    return ~crc;
}
