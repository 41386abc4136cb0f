/* SPDX-License-Identifier: MIT */
/* Endings of words behind a number, in text that people read. */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

#include <stdint.h>

/* Returns the ending of a regular noun behind `count`: "" for 1 sample, "s" for 0 or 2 samples. */
static inline const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Returns the verb behind `count` and a noun: "1 sample was", "2 samples were". */
static inline const char *plural_was(uint64_t count)
{
    return count == 1 ? "was" : "were";
}

#endif
