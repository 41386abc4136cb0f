/* SPDX-License-Identifier: MIT */
/*
 * The child's main loop: answers one question after the other, by reader/. A build without libdwarf
 * has left_out.c instead, which reads nothing.
 */
#ifndef VARIABLES_DWARF_SERVE_H
#define VARIABLES_DWARF_SERVE_H

#include "base/diag.h"
#include "confine/child.h"
#include "variables/dwarf/debug_file.h"
#include "variables/model/location.h"

struct serve_context {
    const struct debug_file *files; /* by number; a file without sections is not there */
    size_t file_count;
    const die_ref *bad_units;
    size_t bad_unit_count;
    uint64_t pc_mask;
    unsigned seconds; /* the longest time for one answer */
};

/* Whether a child could read debug information; for the parent. False: `why` says why not. */
bool serve_is_possible(struct diag *why);

child_serve serve_questions;

#endif
