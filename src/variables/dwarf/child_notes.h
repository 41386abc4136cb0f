/* SPDX-License-Identifier: MIT */
/* A page that the child writes, and the parent reads when the child is dead: what killed it. */
#ifndef VARIABLES_DWARF_CHILD_NOTES_H
#define VARIABLES_DWARF_CHILD_NOTES_H

#include <stdint.h>

#include "confine/child.h"

struct child_notes {
    /* The unit being read as a whole: its header as a die_ref plus 1; 0: none. */
    volatile uint64_t unit;
    /* The unit that the question is about, in the same form. */
    volatile uint64_t asked_unit;
};
_Static_assert(sizeof(struct child_notes) <= CHILD_NOTES_SIZE, "they fit into what is mapped");

#endif
