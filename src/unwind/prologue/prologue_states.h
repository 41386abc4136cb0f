/* SPDX-License-Identifier: MIT */
/*
 * The states that an analysis keeps, one for each place where paths meet. A kept state has room
 * only for the slots that it uses, since merging never adds a slot. Private to prologue* and
 * explain*.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_STATES_H
#define UNWIND_PROLOGUE_PROLOGUE_STATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/prologue/value.h"

/* A list of states, which do not move. The caller zeroes it at first. */
struct states {
    struct state **items;
    size_t count, cap;
    uint8_t **blocks; /* blocks of memory that hold the states; owned */
    size_t block_count, block_cap;
    size_t block, used; /* the block that is being filled, and its bytes in use */
};

/* Appends a copy of *state. Fails with NO_MEMORY only. */
MUST_CHECK enum status states_add(struct states *states, const struct state *state);

/* Empties the list, but keeps its memory. */
void states_clear(struct states *states);

void states_deinit(struct states *states);

#endif
