/* SPDX-License-Identifier: MIT */
/*
 * The child's answers, checked: what does not fit is BAD_DATA. Memory is the arena's; no text, no
 * number is trusted to be anything but what its type can hold.
 */
#ifndef VARIABLES_DWARF_DECODE_H
#define VARIABLES_DWARF_DECODE_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/status.h"
#include "variables/model/scope.h"
#include "variables/model/type.h"

/* Looks a function up by its name in symbol tables; NULL: there is nothing to look in. */
struct decode_names {
    bool (*find)(void *context, const char *name, uint64_t *vaddr);
    void *context;
};

/* BAD_DATA, NO_MEMORY. All of the cursor is used up. */
MUST_CHECK enum status decode_scope(struct cursor *c, const struct decode_names *names,
                                    struct arena *arena, struct pc_scope **out);
MUST_CHECK enum status decode_variable(struct cursor *c, struct arena *arena,
                                       struct scope_variable **out);
MUST_CHECK enum status decode_call_site(struct cursor *c, const struct decode_names *names,
                                        struct arena *arena, struct call_site **out);
MUST_CHECK enum status decode_type(struct cursor *c, struct arena *arena, struct type **out);

#endif
