/* SPDX-License-Identifier: MIT */
/* Private to location.c and location_stack.c: an evaluation under way. */
#ifndef VARIABLES_MODEL_LOCATION_MACHINE_H
#define VARIABLES_MODEL_LOCATION_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "variables/model/location.h"
#include "variables/model/typed_number.h"

#define LOCATION_MALFORMED "malformed location"

/*
 * What an operation that does not have its operands, or finds none of it in the frame, makes is a
 * number that is not known: other pieces of the object may be. An operation that returns something
 * not known ends the evaluation, and nothing of the object is known.
 */
struct location_machine {
    const struct location *location;
    const struct location_frame *frame;
    unsigned nest, word_size;
    bool has_object;
    uint64_t object;  /* DW_OP_push_object_address */
    unsigned entries; /* entry values and parameters that it has asked for */
    uint32_t next;    /* index of the next operation */
    struct typed_number stack[LOCATION_STACK_MAX];
    size_t depth;
    /*
     * A description of another place than memory is complete (a register, a value, a pointer to
     * what is nowhere): but for DW_OP_piece nothing may follow. `number`: of DW_OP_stack_value.
     */
    bool is_complete;
    struct object_piece complete;
    struct typed_number number;
    struct place_of_object *place; /* NULL: no pieces are allowed */
    bool has_pieces;               /* also when all of them are empty */
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

/* An operation that computes, and describes no place: of section 2.5 but for branches and calls. */
struct known_how location_stack_execute(struct location_machine *m, const struct location_op *op);

#endif
