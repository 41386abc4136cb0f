/* SPDX-License-Identifier: MIT */
/*
 * The states that an analysis keeps, one for each place where paths meet: without the room for
 * slots that they do not use, as merging never adds one. Private to prologue* and explain*.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_STATES_H
#define UNWIND_PROLOGUE_PROLOGUE_STATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/prologue/value.h"

/* All zero: empty. What it holds does not move. */
struct states {
    struct state **items;
    size_t count, cap;
    uint8_t **blocks; /* that the items lie in */
    size_t block_count, block_cap;
    size_t block, used; /* the block that is being filled, and how far */
};

/* Adds a copy. */
MUST_CHECK enum status states_add(struct states *states, const struct state *state);

/* Forgets all, but keeps the memory. */
void states_clear(struct states *states);

void states_deinit(struct states *states);

#endif
