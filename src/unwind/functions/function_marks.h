/* SPDX-License-Identifier: MIT */
/*
 * The marks that the search for functions (function_walk.h) sets for each byte of code. Private to
 * function_*.c.
 */
#ifndef UNWIND_FUNCTIONS_FUNCTION_MARKS_H
#define UNWIND_FUNCTIONS_FUNCTION_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MARK_CODE = 1,      /* the byte is part of an instruction that was walked */
    MARK_HEAD = 2,      /* the byte is the first one of a walked instruction */
    MARK_START = 4,     /* a function starts at the byte */
    MARK_DATA = 8,      /* part of data: a literal, a jump table */
    MARK_KNOWN = 16,    /* in a function that was known before the search, or in a PLT */
    MARK_FRAGMENT = 32, /* a fragment starts at the byte */
    MARK_AWAITED = 64,  /* a fragment that starts here is yet to be walked */
    /*
     * with MARK_HEAD: the code was walked as a function, and rejected; with MARK_DATA but not
     * MARK_CODE: doubtful data, to which only rejected code refers
     */
    MARK_REJECTED = 128
};

struct area { /* an executable section, or a part of one */
    uint64_t start_vaddr, end_vaddr;
    bool cut;       /* the area may begin in the midst of a function, or of an instruction */
    uint8_t *marks; /* for each byte of the area the marks above, ORed; owned */
};

struct marks {
    struct area *areas; /* the areas of code, ascending by address, disjoint */
    size_t area_count;
    bool holes; /* the areas are pieces of code: unknown code is between them */
    /*
     * Ranges between whose ends no function or fragment starts; a new start divides one in two. So
     * what was seen to be free is not looked at again for each call in a chain of calls.
     */
    struct {
        uint64_t from_vaddr, to_vaddr;
    } free[2];
    unsigned last_free; /* index of the range that was asked about last */
};

/*
 * marks_at: returns the marks of the byte at `vaddr`. marks_area: returns the area that holds
 * `vaddr`. Both are owned by `marks`; NULL: `vaddr` is in no area.
 */
uint8_t *marks_at(const struct marks *marks, uint64_t vaddr);
const struct area *marks_area(const struct marks *marks, uint64_t vaddr);

/*
 * Sets `bits` in the marks of [start_vaddr, end_vaddr), up to the end of the area that holds
 * `start_vaddr`; does nothing if no area does.
 */
void marks_set(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr, uint8_t bits);

/* As marks_set with MARK_CODE; doubtful data there becomes code. */
void marks_set_code(const struct marks *marks, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * marks_set_data: as marks_set with MARK_DATA, for data to which code of a function refers;
 * doubtful data there becomes data without doubt. marks_set_doubtful_data: marks as doubtful data
 * the bytes that are marked neither as code nor as data.
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

/* Sets `bit`, MARK_START or MARK_FRAGMENT, in the mark of `vaddr`, which must be in an area. */
void marks_start(struct marks *marks, uint64_t vaddr, uint8_t bit);

/*
 * Returns the address by which the code that starts at `vaddr`, in an area, must have ended: the
 * next start of a function or fragment, a function known before the search, the area's end, or
 * PROLOGUE_FUNCTION_MAX bytes on, whichever comes first.
 */
uint64_t marks_limit(struct marks *marks, uint64_t vaddr);

#endif
