/* SPDX-License-Identifier: MIT */
/*
 * What the search for functions knows of each byte of code. Private to function_*.c.
 */
#ifndef UNWIND_FUNCTIONS_FUNCTION_MARKS_H
#define UNWIND_FUNCTIONS_FUNCTION_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a byte of code. */
enum {
    MARK_CODE = 1,      /* part of an instruction that was walked */
    MARK_HEAD = 2,      /* the first byte of one */
    MARK_START = 4,     /* a function starts */
    MARK_DATA = 8,      /* a literal, a jump table */
    MARK_KNOWN = 16,    /* of a function that was known before, or of a PLT */
    MARK_FRAGMENT = 32, /* a fragment starts */
    MARK_AWAITED = 64,  /* a fragment is going to be walked from here */
    /*
     * the first byte of an instruction that was walked, but is in no function that starts there; of
     * MARK_DATA: only such code refers to it
     */
    MARK_REJECTED = 128
};

struct area { /* an executable section */
    uint64_t start_vaddr, end_vaddr;
    bool cut; /* it may begin in the midst of a function, or of an instruction */
    uint8_t *marks;
};

struct marks {
    struct area *areas; /* they ascend, and do not overlap */
    size_t area_count;
    bool holes;                              /* the areas are pieces: there is more code between */
    uint64_t free_from_vaddr, free_to_vaddr; /* nothing starts between the two */
};

/* NULL: not in an area. */
uint8_t *marks_at(const struct marks *marks, uint64_t vaddr);
const struct area *marks_area(const struct marks *marks, uint64_t vaddr);

/* Sets the bits for [start, end), as far as it lies in the area of its start. */
void marks_set(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr, uint8_t bits);

/* The same for code that is walked: what was doubtful data is not. */
void marks_set_code(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr);

/* The same for data that code of a function refers to, and for what may be data. */
void marks_set_data(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr);
void marks_set_doubtful_data(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr);

static inline bool mark_is_data(uint8_t mark)
{
    return (mark & MARK_DATA) && ((mark & MARK_CODE) || !(mark & MARK_REJECTED));
}

static inline bool mark_is_doubtful_data(uint8_t mark)
{
    return (mark & MARK_DATA) && !mark_is_data(mark);
}

/* Sets `bit` (MARK_START, MARK_FRAGMENT): something starts here now. */
void marks_start(struct marks *marks, uint64_t vaddr, uint8_t bit);

/* Where what starts at `vaddr` must have ended: at the next start, or what was known before. */
uint64_t marks_limit(struct marks *marks, uint64_t vaddr);

#endif
