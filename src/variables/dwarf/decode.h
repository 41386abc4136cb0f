/* SPDX-License-Identifier: MIT */
/*
 * Decodes and checks the child's answers. Texts and numbers in the results may still be anything
 * that their type can hold.
 */
#ifndef VARIABLES_DWARF_DECODE_H
#define VARIABLES_DWARF_DECODE_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/status.h"
#include "variables/model/scope.h"
#include "variables/model/type.h"

/*
 * How functions are looked up by name in symbol tables: `find` sets *vaddr to the address, or
 * returns false.
 */
struct decode_names {
    bool (*find)(void *context, const char *name, uint64_t *vaddr);
    void *context;
};

/*
 * Decode the answer that `c` is at into *out, which is in `arena`. BAD_DATA: the answer does not
 * fit its format, or bytes follow it; NO_MEMORY.
 */
MUST_CHECK enum status decode_scope(struct cursor *c, const struct decode_names *names,
                                    struct arena *arena, struct pc_scope **out);
MUST_CHECK enum status decode_variable(struct cursor *c, struct arena *arena,
                                       struct scope_variable **out);
MUST_CHECK enum status decode_call_site(struct cursor *c, const struct decode_names *names,
                                        struct arena *arena, struct call_site **out);
MUST_CHECK enum status decode_type(struct cursor *c, struct arena *arena, struct type **out);

#endif
