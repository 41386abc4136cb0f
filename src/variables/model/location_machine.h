/* SPDX-License-Identifier: MIT */
/* Private to location.c and location_stack.c: the state of an evaluation. */
#ifndef VARIABLES_MODEL_LOCATION_MACHINE_H
#define VARIABLES_MODEL_LOCATION_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"
#include "variables/model/typed_number.h"

#define LOCATION_MALFORMED "malformed location"

/*
 * The state of one evaluation. An operation whose operand is unknown in the frame pushes an unknown
 * number: other pieces of the object may still be known. An operation that does not return KNOWN
 * ends the evaluation, and nothing of the object is known.
 */
struct location_machine {
    const struct location *location;
    const struct location_frame *frame;
    unsigned nest, word_size;
    bool has_object;
    uint64_t object;  /* if has_object: what DW_OP_push_object_address pushes */
    unsigned entries; /* number of entry values and parameters asked for so far */
    uint32_t next;    /* index of the operation that comes next */
    struct typed_number stack[LOCATION_STACK_MAX];
    size_t depth;
    /*
     * is_complete: `complete` is a place that is not in memory (a register, a value, a DIE that an
     * implicit pointer points to); only DW_OP_piece or DW_OP_bit_piece may follow, which takes it.
     * `number`: what the last DW_OP_stack_value has popped.
     */
    bool is_complete;
    struct object_piece complete;
    struct typed_number number;
    /* the place that pieces are added to; NULL: pieces are not allowed */
    struct place_of_object *place;
    bool has_pieces;    /* there was a DW_OP_piece, even an empty one */
    uint64_t bit_count; /* bits of all pieces so far */
};

/* Takes the topmost number from the stack into *number; false: the stack is empty. */
static inline bool location_pop(struct location_machine *m, struct typed_number *number)
{
    if (m->depth == 0)
        return false;
    *number = m->stack[--m->depth];
    return true;
}

/*
 * Executes an operation that describes no place: those of section 2.5 except branches and calls.
 * Returns why the evaluation cannot go on, if it cannot.
 */
struct known_how location_stack_execute(struct location_machine *m, const struct location_op *op);

#endif
