/* SPDX-License-Identifier: MIT */
/* Private to location.c and location_stack.c: an evaluation in progress. */
#ifndef VARIABLES_MODEL_LOCATION_MACHINE_H
#define VARIABLES_MODEL_LOCATION_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"
#include "variables/model/typed_number.h"

#define LOCATION_MALFORMED "malformed location"

/*
 * An operation that finds its operand unknown in the frame pushes an unknown number: other pieces
 * of the object may still be known. An operation that returns something other than known ends the
 * evaluation, and nothing of the object is known.
 */
struct location_machine {
    const struct location *location;
    const struct location_frame *frame;
    unsigned nest, word_size;
    bool has_object;
    uint64_t object;  /* DW_OP_push_object_address */
    unsigned entries; /* entry values and parameters so far */
    uint32_t next;    /* index of the next operation */
    struct typed_number stack[LOCATION_STACK_MAX];
    size_t depth;
    /*
     * The place is described, and is not in memory (a register, a value, a pointer to what is
     * nowhere): only DW_OP_piece may follow. `number`: of DW_OP_stack_value.
     */
    bool is_complete;
    struct object_piece complete;
    struct typed_number number;
    struct place_of_object *place; /* NULL: no pieces are allowed */
    bool has_pieces;               /* even if all of them are empty */
    uint64_t bit_count;            /* of the pieces */
};

/* False: there is nothing on the stack. */
static inline bool location_pop(struct location_machine *m, struct typed_number *number)
{
    if (m->depth == 0)
        return false;
    *number = m->stack[--m->depth];
    return true;
}

/* Executes an operation that describes no place: section 2.5 without branches and calls. */
struct known_how location_stack_execute(struct location_machine *m, const struct location_op *op);

#endif
