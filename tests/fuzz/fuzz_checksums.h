/* SPDX-License-Identifier: MIT */
/*
 * Puts the checksums of a snapshot's file header and records right, without which nearly every
 * mutation ends at the first of them.
 */
#ifndef FUZZ_CHECKSUMS_H
#define FUZZ_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/crc32.h"
#include "snapshot/format.h"

static inline void fuzz_put_crc(uint8_t *at, uint32_t crc)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(crc >> (8 * i));
}

static inline void fuzz_repair_checksums(uint8_t *bytes, size_t size)
{
    size_t pos = SNAP_HEADER_SIZE;

    if (size < SNAP_HEADER_SIZE)
        return;
    fuzz_put_crc(bytes + SNAP_HEADER_SIZE - 4, crc32_update(0, bytes, SNAP_HEADER_SIZE - 4));
    while (size - pos >= SNAP_RECORD_HEAD) {
        uint8_t *record = bytes + pos;
        uint32_t len;

        memcpy(&len, record + 4, sizeof(len));
        if (len > size - pos - SNAP_RECORD_HEAD)
            return;
        fuzz_put_crc(record + 8,
                     crc32_update(crc32_update(0, record, 8), record + SNAP_RECORD_HEAD, len));
        pos += SNAP_RECORD_HEAD + len;
    }
}

#endif
