/* SPDX-License-Identifier: MIT */
/*
 * Tells the variables of frames, for `cgunwind --variables`, `--split` and `--where`. One struct
 * variables serves all modules of a set; it opens their debug information when a frame needs it.
 */
#ifndef VARIABLES_VARIABLES_H
#define VARIABLES_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "symbol/address_space.h"
#include "unwind/chain.h"
#include "variables/dwarf/debug_info.h"
#include "variables/value/value.h"

struct unwinder;
struct variables;

struct variables_options {
    bool parameters_only;
    struct value_style style;
    struct debug_info_limits limits;
};

/*
 * Borrows `set` and `unwinder`, which must be the one that makes the chains, until
 * variables_destroy; copies `options`. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status variables_create(struct module_set *set, struct unwinder *unwinder,
                                        const struct variables_options *options,
                                        struct variables **out);
void variables_destroy(struct variables *variables);

/* A frame of a sample; all borrowed. The chain must have registers (chain.wants_regs). */
struct variables_frame {
    struct address_space *space;
    const struct snap_sample *sample;
    const struct chain *chain;
    size_t index; /* index of the frame in chain->frames */
};

struct told_variable {
    const char *name; /* ends with "@entry" if `value` is the one at the function's entry */
    enum variable_kind kind;
    const char *type;  /* the type's name, such as "int"; NULL: not known */
    const char *value; /* gdb's notation; NULL: nothing of it is known, `known` says why */
    struct known_how known;
    bool is_partial;
};

struct told_level {       /* a function: the frame's own, or one inlined there */
    const char *function; /* the function's name with namespaces; NULL: not known */
    const struct told_variable *list;
    size_t count;
};

struct told_frame {
    const struct told_level *levels; /* the frame's functions, innermost first */
    size_t count;                    /* 0: nothing is known of this frame's functions */
};

/*
 * A frame is shown as `count` functions, the innermost first. Returns the level of function i <
 * count; NULL: there is none. Levels and functions are matched from the outermost on.
 */
static inline const struct told_level *told_frame_level(const struct told_frame *frame, size_t i,
                                                        size_t count)
{
    const size_t depth = count - 1 - i;

    return depth < frame->count ? &frame->levels[frame->count - 1 - depth] : NULL;
}

/*
 * Writes the values of all variables of the frame (parameters_only: of its parameters); *out is
 * valid until the next call. A parameter whose value is not known at this point has its value at
 * the function's entry, if the caller's debug information tells that one; the value may have
 * changed since. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status variables_tell(struct variables *variables,
                                      const struct variables_frame *frame,
                                      const struct told_frame **out);

/*
 * Writes the value of `path` ("kind", "request.kind", "p[2].x") in a function of the frame: with
 * `depth` 0 the frame's own function, 1 the one inlined into that, and so on. It is chosen and
 * written as in variables_tell, but an array of characters ends at its first NUL, and for
 * "kind@entry" the value is in any case that at the function's entry. Fails with NO_MEMORY only.
 */
struct variable_value {
    char *text; /* malloc'ed, the caller frees it; NULL: `known` says why the value is not known */
    struct known_how known;
    /*
     * has_number: `number` is the value too, as value_number reads it. is_number: its type is an
     * integer, and no enumeration, char, bool or pointer
     */
    bool has_number, is_number, is_signed;
    bool is_entry; /* the value is the one at the function's entry, though `path` has no "@entry" */
    uint64_t number;
};
MUST_CHECK enum status variables_value(struct variables *variables,
                                       const struct variables_frame *frame, size_t depth,
                                       const char *path, struct variable_value *out);

/*
 * Names the object at `addr` by a variable of the frame's functions: of the innermost function from
 * which more leads to the object than a variable that is a bare pointer to it; if there is none, of
 * the outermost function that has such a pointer. Skips functions of C++'s and Rust's libraries.
 * `size` is meant as in struct address_search (address_name.h). Fails with NO_MEMORY only.
 */
struct variable_address {
    /*
     * the name, such as "queue->lock"; malloc'ed, the caller frees it; NULL: no variable leads
     * there
     */
    char *text;
    /* the function that has the variable; NULL: not known. Valid until the next call */
    const char *function;
    /*
     * the name is only that of a pointer to the object, such as "*mutex", or has a name of a
     * library's own
     */
    bool is_bare;
};
MUST_CHECK enum status variables_name_address(struct variables *variables,
                                              const struct variables_frame *frame, uint64_t addr,
                                              uint64_t size, struct variable_address *out);

/*
 * Sets *problem to the i-th reason why variables are not told, counted from 0: one that concerns
 * all modules, then one of each module whose debug information was not all read. False: there are
 * no more.
 */
bool variables_problem(const struct variables *variables, size_t i, struct diag *problem);

/*
 * Returns how many modules of the frames so far have a file without debug information, and sets
 * *first to the first of them; leaves *first as it is if there are none.
 */
size_t variables_without(const struct variables *variables, const struct module **first);

#endif
