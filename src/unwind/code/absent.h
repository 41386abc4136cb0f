/* SPDX-License-Identifier: MIT */
/*
 * Code that is not there though it has bytes: flash that is erased reads as ones, and dumps fill up
 * with zeroes what they have left out.
 */
#ifndef UNWIND_CODE_ABSENT_H
#define UNWIND_CODE_ABSENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ABSENT_BYTES 16 /* so many alike: no padding within code has more */
#define ABSENT_CALL  4  /* of them before an address, where a call would be */

/* Is what is before `at`, where a call would end, zeroes or ones, amid more of them? */
static inline bool code_is_absent(const uint8_t *bytes, size_t size, size_t at)
{
    size_t first = at, end = at;

    if (at < ABSENT_CALL || at > size || (bytes[at - 1] != 0 && bytes[at - 1] != 0xff))
        return false;
    while (first > 0 && bytes[first - 1] == bytes[at - 1])
        first--;
    while (end < size && bytes[end] == bytes[at - 1])
        end++;
    return at - first >= ABSENT_CALL && end - first >= ABSENT_BYTES;
}

#endif
