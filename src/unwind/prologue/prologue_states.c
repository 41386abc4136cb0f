/* SPDX-License-Identifier: MIT */
#include "unwind/prologue/prologue_states.h"

#include <stdlib.h>

#include "base/vec.h"

#define BLOCK_BYTES 65536

/* Returns the bytes of a state with its slots in use. */
static size_t size_of(const struct state *state)
{
    return offsetof(struct state, slots) + state->slot_count * sizeof(state->slots[0]);
}

static enum status add_block(struct states *states)
{
    uint8_t *block;

    if (vec_reserve(&states->blocks, &states->block_cap, states->block_count + 1,
                    sizeof(*states->blocks)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    block = malloc(BLOCK_BYTES);
    if (!block)
        return STATUS_NO_MEMORY;
    states->blocks[states->block_count++] = block;
    return STATUS_OK;
}

enum status states_add(struct states *states, const struct state *state)
{
    size_t size = size_of(state);
    struct state *copy;

    if (vec_reserve(&states->items, &states->cap, states->count + 1, sizeof(*states->items)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    if (states->block < states->block_count && size > BLOCK_BYTES - states->used) {
        states->block++;
        states->used = 0;
    }
    if (states->block == states->block_count && add_block(states) != STATUS_OK)
        return STATUS_NO_MEMORY;
    copy = (struct state *)(void *)(states->blocks[states->block] + states->used);
    states->used += size;
    state_copy(copy, state);
    states->items[states->count++] = copy;
    return STATUS_OK;
}

void states_clear(struct states *states)
{
    states->count = 0;
    states->block = 0;
    states->used = 0;
}

void states_deinit(struct states *states)
{
    for (size_t i = 0; i < states->block_count; i++)
        free(states->blocks[i]);
    free(states->blocks);
    free(states->items);
    *states = (struct states){0};
}
