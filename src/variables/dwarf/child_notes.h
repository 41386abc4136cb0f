/* SPDX-License-Identifier: MIT */
/*
 * A page of memory that the child writes, and from which the parent learns, when the child is dead,
 * what killed it.
 */
#ifndef VARIABLES_DWARF_CHILD_NOTES_H
#define VARIABLES_DWARF_CHILD_NOTES_H

#include <stdint.h>

#include "confine/child.h"

struct child_notes {
    /* The unit that the child is reading as a whole: die_ref of its header, plus 1; 0: none. */
    volatile uint64_t unit;
    /* The unit that the present question is about: die_ref of its header, plus 1; 0: none. */
    volatile uint64_t asked_unit;
};
_Static_assert(sizeof(struct child_notes) <= CHILD_NOTES_SIZE, "they fit into what is mapped");

#endif
