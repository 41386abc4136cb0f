/* SPDX-License-Identifier: MIT */
/*
 * The debug information of one module, for variables: scopes, types, call sites. libdwarf reads it
 * in a child process that can only compute and answer (child.h), started at the first question.
 * Answers are checked and cached.
 *
 * A child that dies or takes too long costs its question, and a new child goes on. After
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

#define DEBUG_INFO_DEATHS_MAX 16
/* of scopes, call sites, variables: debug_info_trim */
#define DEBUG_INFO_CACHE_BYTES (UINT64_C(64) << 20)
#define DEBUG_INFO_TYPE_BYTES  (UINT64_C(512) << 20) /* of types; beyond, they are unknown */
#define DEBUG_INFO_WAITS       30 /* limits of an answer that all answers together may take */

struct debug_info;

struct debug_info_limits {
    unsigned seconds; /* for an answer; 0: 10 */
    uint64_t memory;  /* bytes of a child's own; 0: 2 GiB */
};

/*
 * Borrows `set` and `module`. NOT_FOUND: the module has no debug information, or its file is not
 * there; UNSUPPORTED: libdwarf cannot be loaded (`why` says more); NO_MEMORY.
 */
MUST_CHECK enum status debug_info_create(struct module_set *set, struct module *module,
                                         const struct debug_info_limits *limits,
                                         struct debug_info **out, struct diag *why);
void debug_info_destroy(struct debug_info *info);

/*
 * Finds the scope at `vaddr` (of a caller: the return address minus one). NOT_FOUND: no function of
 * the debug information is there; BAD_DATA: it cannot be read; NO_MEMORY. *out is valid until
 * debug_info_trim or debug_info_forget, as a call site and a variable.
 */
MUST_CHECK enum status debug_info_scope(struct debug_info *info, uint64_t vaddr,
                                        const struct pc_scope **out);

/* Reads a type, which lives as long as `info`; TYPE_UNKNOWN: unreadable. NOT_FOUND: `ref` is 0. */
MUST_CHECK enum status debug_info_type(struct debug_info *info, die_ref ref,
                                       const struct type **out);

/* Finds the call that returns to `vaddr`. NOT_FOUND, BAD_DATA, NO_MEMORY. */
MUST_CHECK enum status debug_info_call_site(struct debug_info *info, uint64_t vaddr,
                                            const struct call_site **out);

/* Reads a variable at an address, for DW_OP_implicit_pointer. NOT_FOUND, BAD_DATA, NO_MEMORY. */
MUST_CHECK enum status debug_info_variable(struct debug_info *info, die_ref die, uint64_t vaddr,
                                           const struct scope_variable **out);

/*
 * Forgets all scopes, call sites and variables, when they exceed DEBUG_INFO_CACHE_BYTES (trim) or
 * in any case (forget). Nobody may hold one any more. Types stay.
 */
void debug_info_trim(struct debug_info *info);
void debug_info_forget(struct debug_info *info);

/* Cost of a module's child and answers. */
struct debug_info_use {
    bool has_child;
    int64_t asked_ms;  /* time of the last question, CLOCK_MONOTONIC */
    int64_t waited_ms; /* for all answers so far */
    int64_t limit_ms;  /* of waited_ms; then nothing more is known */
    uint64_t answer_bytes, type_bytes;
};
struct debug_info_use debug_info_use(const struct debug_info *info);

/* Ends the child until the next question. Answers stay. */
void debug_info_rest(struct debug_info *info);

/* Describes what was not read, for the user; an empty `what`: nothing. */
void debug_info_problem(const struct debug_info *info, struct diag *problem);

#endif
