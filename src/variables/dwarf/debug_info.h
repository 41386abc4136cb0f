/* SPDX-License-Identifier: MIT */
/*
 * The debug information of one module, for variables: what is in scope, types, call sites. libdwarf
 * reads it, in a child process that can do nothing but compute and answer (child.h), begun
 * when first asked. Answers are checked, and cached for as long as this lives.
 *
 * A child that dies or takes too long costs what was asked for, and a new one goes on; after
 * DEBUG_INFO_DEATHS_MAX of them nothing more is known of the module.
 */
#ifndef VARIABLES_DWARF_DEBUG_INFO_H
#define VARIABLES_DWARF_DEBUG_INFO_H

#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/module.h"
#include "variables/model/scope.h"
#include "variables/model/type.h"

#define DEBUG_INFO_DEATHS_MAX  16
#define DEBUG_INFO_CACHE_BYTES (UINT64_C(64) << 20)  /* of scopes and the like: debug_info_trim */
#define DEBUG_INFO_TYPE_BYTES  (UINT64_C(512) << 20) /* of types; beyond, they are unknown */
#define DEBUG_INFO_WAITS       30 /* so many times an answer's limit is waited for altogether */

struct debug_info;

struct debug_info_limits {
    unsigned seconds; /* of an answer; 0: 10 */
    uint64_t memory;  /* bytes of a child's own; 0: 2 GiB */
};

/*
 * `set` and `module` are borrowed. NOT_FOUND: the module has no debug information, or its file is
 * not there; UNSUPPORTED: libdwarf cannot be loaded (`why` says more); NO_MEMORY.
 */
MUST_CHECK enum status debug_info_create(struct module_set *set, struct module *module,
                                         const struct debug_info_limits *limits,
                                         struct debug_info **out, struct diag *why);
void debug_info_destroy(struct debug_info *info);

/*
 * What is in scope at `vaddr` (of a caller: the return address minus one). NOT_FOUND: no function
 * of the debug information is there; BAD_DATA: it could not be read; NO_MEMORY.
 */
MUST_CHECK enum status debug_info_scope(struct debug_info *info, uint64_t vaddr,
                                        const struct pc_scope **out);

/* A type; one that cannot be read is TYPE_UNKNOWN. NOT_FOUND: `ref` is 0; NO_MEMORY. */
MUST_CHECK enum status debug_info_type(struct debug_info *info, die_ref ref,
                                       const struct type **out);

/* The call that returns to `vaddr`. NOT_FOUND, BAD_DATA, NO_MEMORY. */
MUST_CHECK enum status debug_info_call_site(struct debug_info *info, uint64_t vaddr,
                                            const struct call_site **out);

/*
 * One variable at an address, for what a pointer to it would show (DW_OP_implicit_pointer).
 * NOT_FOUND, BAD_DATA, NO_MEMORY.
 */
MUST_CHECK enum status debug_info_variable(struct debug_info *info, die_ref die, uint64_t vaddr,
                                           const struct scope_variable **out);

/*
 * For who holds no scope, call site, variable of this one any more: forgets them all (trim: where
 * they have become many). Types stay.
 */
void debug_info_trim(struct debug_info *info);
void debug_info_forget(struct debug_info *info);

/* What its child costs. */
struct debug_info_use {
    bool has_child;
    int64_t asked_ms;  /* when it was last asked, of CLOCK_MONOTONIC */
    int64_t waited_ms; /* for all answers so far */
    int64_t limit_ms;  /* of that; then nothing more is known */
    uint64_t answer_bytes, type_bytes;
};
struct debug_info_use debug_info_use(const struct debug_info *info);

/* Ends the child until the next question. What was answered stays. */
void debug_info_rest(struct debug_info *info);

/* One line for the user about what was not read; its `what` is empty: nothing. */
void debug_info_problem(const struct debug_info *info, struct diag *problem);

#endif
