/* SPDX-License-Identifier: MIT */
/*
 * Reads the debug information of one module, for variables: scopes, types, call sites. libdwarf
 * reads it in a child process that can only compute and answer (child.h), started at the first
 * question. Answers are checked and cached.
 *
 * If a child dies or takes too long, its question has no answer, and a new child goes on. After
 * DEBUG_INFO_DEATHS_MAX dead children no new question about the module is answered.
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
/* bytes of scopes, call sites and variables that debug_info_trim leaves */
#define DEBUG_INFO_CACHE_BYTES (UINT64_C(64) << 20)
/* bytes of types; further ones are TYPE_UNKNOWN */
#define DEBUG_INFO_TYPE_BYTES (UINT64_C(512) << 20)
/* all answers together may take this many times the limit of one answer */
#define DEBUG_INFO_WAITS 30

struct debug_info;

struct debug_info_limits {
    unsigned seconds; /* the longest time for one answer; 0: 10 */
    uint64_t memory;  /* bytes of memory that a child may have of its own; 0: 2 GiB */
};

/*
 * Opens the module's debug information; *out is the caller's, and borrows `set` and `module`.
 * `limits` NULL: the defaults. NOT_FOUND: the module has no debug information, or its file is not
 * there; UNSUPPORTED: libdwarf cannot be loaded. `why` tells the reason of both. NO_MEMORY.
 */
MUST_CHECK enum status debug_info_create(struct module_set *set, struct module *module,
                                         const struct debug_info_limits *limits,
                                         struct debug_info **out, struct diag *why);
void debug_info_destroy(struct debug_info *info);

/*
 * Sets *out to the scope at `vaddr` (for a caller's frame the return address minus one). NOT_FOUND:
 * no function of the debug information is there; BAD_DATA: it cannot be read; NO_MEMORY. Scopes,
 * call sites and variables are owned by `info` and valid until debug_info_trim or
 * debug_info_forget.
 */
MUST_CHECK enum status debug_info_scope(struct debug_info *info, uint64_t vaddr,
                                        const struct pc_scope **out);

/*
 * Sets *out to the type `ref`, valid as long as `info`; a type of kind TYPE_UNKNOWN if it cannot be
 * read, and with NOT_FOUND, for `ref` 0. NO_MEMORY.
 */
MUST_CHECK enum status debug_info_type(struct debug_info *info, die_ref ref,
                                       const struct type **out);

/*
 * Sets *out to the call site that returns to `vaddr`. NOT_FOUND: none is known; BAD_DATA: it cannot
 * be read; NO_MEMORY.
 */
MUST_CHECK enum status debug_info_call_site(struct debug_info *info, uint64_t vaddr,
                                            const struct call_site **out);

/*
 * Sets *out to the variable `die`, with its location at the code address `vaddr`; for
 * DW_OP_implicit_pointer. NOT_FOUND: there is none; BAD_DATA: it cannot be read; NO_MEMORY.
 */
MUST_CHECK enum status debug_info_variable(struct debug_info *info, die_ref die, uint64_t vaddr,
                                           const struct scope_variable **out);

/*
 * Free all scopes, call sites and variables: debug_info_trim if they have more than
 * DEBUG_INFO_CACHE_BYTES, debug_info_forget always. None of them may be in use. Types stay.
 */
void debug_info_trim(struct debug_info *info);
void debug_info_forget(struct debug_info *info);

/* The costs of a module's child and of its answers. */
struct debug_info_use {
    bool has_child;
    int64_t asked_ms;  /* when the last question was asked (CLOCK_MONOTONIC), in ms */
    int64_t waited_ms; /* time that all answers so far took, in ms */
    int64_t limit_ms;  /* limit of waited_ms; beyond, no new question is answered */
    uint64_t answer_bytes, type_bytes;
};
struct debug_info_use debug_info_use(const struct debug_info *info);

/* Ends the child; the next question starts a new one. Answers stay. */
void debug_info_rest(struct debug_info *info);

/*
 * Fills *problem with what was not read and why, for the user; problem->what is empty if all was
 * read.
 */
void debug_info_problem(const struct debug_info *info, struct diag *problem);

#endif
