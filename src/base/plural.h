/* SPDX-License-Identifier: MIT */
/* The plural of a noun behind a number, for text that people read. */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

#include <stdint.h>

/* "1 sample", "0 samples", "2 samples": what the noun ends with. */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
