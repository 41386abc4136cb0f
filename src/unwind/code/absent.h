/* SPDX-License-Identifier: MIT */
/*
 * Recognizes bytes that stand for absent code: erased flash reads as ones, and dumps fill what they
 * leave out with zeroes.
 */
#ifndef UNWIND_CODE_ABSENT_H
#define UNWIND_CODE_ABSENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* least number of equal bytes that stand for absent code; padding within code has fewer */
#define ABSENT_BYTES 16
#define ABSENT_CALL  4 /* least number of them before `at`, where a call would be; in bytes */

/*
 * Whether the ABSENT_CALL bytes before bytes[at], where a call would end, are part of a run of at
 * least ABSENT_BYTES bytes that are all 0, or all 0xff.
 */
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
