/* SPDX-License-Identifier: MIT */
/* The search's marks for each byte of code. Private to function_*.c. */
#ifndef UNWIND_FUNCTIONS_FUNCTION_MARKS_H
#define UNWIND_FUNCTIONS_FUNCTION_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MARK_CODE = 1,      /* part of an instruction that was walked */
    MARK_HEAD = 2,      /* the first byte of such an instruction */
    MARK_START = 4,     /* a function starts */
    MARK_DATA = 8,      /* a literal, a jump table */
    MARK_KNOWN = 16,    /* in a function that was known before the search, or in a PLT */
    MARK_FRAGMENT = 32, /* a fragment starts */
    MARK_AWAITED = 64,  /* a fragment is going to be walked from here */
    /*
     * with MARK_HEAD: the code was walked, but tried as a function and rejected; with MARK_DATA
     * only: doubtful data, to which only rejected code refers
     */
    MARK_REJECTED = 128
};

struct area { /* an executable section, or a part of one */
    uint64_t start_vaddr, end_vaddr;
    bool cut;       /* it may begin in the midst of a function, or of an instruction */
    uint8_t *marks; /* owned; by byte */
};

struct marks {
    struct area *areas; /* ascending, disjoint */
    size_t area_count;
    bool holes;                              /* the areas are pieces: there is more code between */
    uint64_t free_from_vaddr, free_to_vaddr; /* nothing starts between the two */
};

/* Both return NULL if `vaddr` is in no area. */
uint8_t *marks_at(const struct marks *marks, uint64_t vaddr);
const struct area *marks_area(const struct marks *marks, uint64_t vaddr);

/* Sets the bits in [start, end), up to the end of the area that holds `start_vaddr`. */
void marks_set(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr, uint8_t bits);

/* As marks_set, MARK_CODE; doubtful data there becomes code. */
void marks_set_code(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * As marks_set, for data: to which code of a function refers, which is no more doubtful then; and
 * doubtful data, where nothing was marked as code or data.
 */
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

/* Sets `bit`, MARK_START or MARK_FRAGMENT, at `vaddr`, which is in an area. */
void marks_start(struct marks *marks, uint64_t vaddr, uint8_t bit);

/*
 * Returns where the code that starts at `vaddr` must have ended: at the next start, at a function
 * known before, at the area's end, or after PROLOGUE_FUNCTION_MAX bytes.
 */
uint64_t marks_limit(struct marks *marks, uint64_t vaddr);

#endif
