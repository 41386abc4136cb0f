/* SPDX-License-Identifier: MIT */
/* Nouns behind a number, in text that people read. */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

#include <stdint.h>

/* Returns the ending of a regular noun: "1 sample", "0 samples", "2 samples". */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Returns the verb behind such a noun: "1 sample was", "2 samples were". */
static inline const char *plural_was(uint64_t count)
{
    return count == 1 ? "was" : "were";
}

#endif
