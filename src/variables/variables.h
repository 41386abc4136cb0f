/* SPDX-License-Identifier: MIT */
/*
 * The variables of frames, for `cgunwind --variables`, `--split` and `--where`. One for all modules
 * of a set; debug information is opened when a frame needs it.
 */
#ifndef VARIABLES_VARIABLES_H
#define VARIABLES_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "symbol/module.h"
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

/* Borrows `set` and the unwinder that makes the chains. NO_MEMORY. */
MUST_CHECK enum status variables_create(struct module_set *set, struct unwinder *unwinder,
                                        const struct variables_options *options,
                                        struct variables **out);
void variables_destroy(struct variables *variables);

/* A frame of a sample; all borrowed. The chain must have registers (chain.wants_regs). */
struct variables_frame {
    struct address_space *space;
    const struct snap_sample *sample;
    const struct chain *chain;
    size_t index; /* in chain->frames */
};

struct told_variable {
    const char *name; /* with "@entry": `value` is the one at the function's entry */
    enum variable_kind kind;
    const char *type;  /* "int"; NULL: not known */
    const char *value; /* gdb's notation; NULL: nothing of it is known, `known` says why */
    struct known_how known;
    bool is_partial;
};

struct told_level {       /* a function: the frame's own, or one inlined there */
    const char *function; /* with namespaces; NULL: not known */
    const struct told_variable *list;
    size_t count;
};

struct told_frame {
    const struct told_level *levels; /* innermost first */
    size_t count;                    /* 0: nothing is known of this frame */
};

/*
 * Returns the level of the i-th, innermost first, of `count` functions that the frame is shown as;
 * NULL: none. Levels are matched from the outermost on.
 */
static inline const struct told_level *told_frame_level(const struct told_frame *frame, size_t i,
                                                        size_t count)
{
    const size_t depth = count - 1 - i;

    return depth < frame->count ? &frame->levels[frame->count - 1 - depth] : NULL;
}

/*
 * Writes the values of all variables of the frame; *out is valid until the next call. A parameter
 * whose value is not known here has that of the function's entry, if the caller says it; it may
 * have changed since. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status variables_tell(struct variables *variables,
                                      const struct variables_frame *frame,
                                      const struct told_frame **out);

/*
 * The value of `path` ("kind", "request.kind", "p[2].x") in a function of the frame: `depth` 0: its
 * own, 1: the one inlined into that, and so on. As variables_tell, but an array of characters ends
 * at its first NUL. "kind@entry" is the value at entry in any case. Only NO_MEMORY fails.
 */
struct variable_value {
    char *text; /* malloc'ed, the caller's; NULL: not known */
    struct known_how known;
    /* `number` is the value; is_number: of an integer, no enumeration, char, bool, pointer */
    bool has_number, is_number, is_signed;
    bool is_entry; /* the value at entry, though the path does not ask for it */
    uint64_t number;
};
MUST_CHECK enum status variables_value(struct variables *variables,
                                       const struct variables_frame *frame, size_t depth,
                                       const char *path, struct variable_value *out);

/*
 * Names the object at `addr` by a variable of the frame's functions: of the innermost one that has
 * more than a bare pointer to it, else of the outermost one that has that. Skips functions of C++'s
 * and Rust's libraries. `size`: as in struct address_search. Fails with NO_MEMORY only.
 */
struct variable_address {
    char *text;           /* "queue->lock"; malloc'ed; NULL: nothing leads there */
    const char *function; /* has that variable; NULL: not known. Valid until the next call */
    bool is_bare;         /* "*mutex" */
};
MUST_CHECK enum status variables_name_address(struct variables *variables,
                                              const struct variables_frame *frame, uint64_t addr,
                                              uint64_t size, struct variable_address *out);

/* Describes the i-th module whose debug information was not all read. False: there are no more. */
bool variables_problem(const struct variables *variables, size_t i, struct diag *problem);

/* Returns how many modules of the frames have a file without debug information, and the first. */
size_t variables_without(const struct variables *variables, const struct module **first);

#endif
