/* SPDX-License-Identifier: MIT */
/*
 * The child's life: questions, one after the other. By reader/; in a build without
 * libdwarf by left_out.c, which reads nothing.
 */
#ifndef VARIABLES_DWARF_SERVE_H
#define VARIABLES_DWARF_SERVE_H

#include "base/diag.h"
#include "confine/child.h"
#include "variables/dwarf/debug_file.h"
#include "variables/model/location.h"

struct serve_context {
    const struct debug_file *files; /* by number; those without sections are not there */
    size_t file_count;
    const die_ref *bad_units;
    size_t bad_unit_count;
    uint64_t pc_mask;
    unsigned seconds; /* that an answer may take */
};

/* False: it cannot be done here, as `why` says. Asked by the parent. */
bool serve_is_possible(struct diag *why);

child_serve serve_questions;

#endif
