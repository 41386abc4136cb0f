/* SPDX-License-Identifier: MIT */
/*
 * The states that an analysis keeps, one for each place where paths meet. Each takes room only for
 * the slots that it uses, since merging never adds one. Private to prologue* and explain*.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_STATES_H
#define UNWIND_PROLOGUE_PROLOGUE_STATES_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/prologue/value.h"

/* Zero it to begin with. The states in it do not move. */
struct states {
    struct state **items;
    size_t count, cap;
    uint8_t **blocks; /* owned; memory of the states */
    size_t block_count, block_cap;
    size_t block, used; /* the block that is being filled, and its bytes in use */
};

/* Appends a copy. Only NO_MEMORY fails. */
MUST_CHECK enum status states_add(struct states *states, const struct state *state);

/* Empties it, but keeps the memory. */
void states_clear(struct states *states);

void states_deinit(struct states *states);

#endif
