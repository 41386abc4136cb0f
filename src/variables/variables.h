/* SPDX-License-Identifier: MIT */
/*
 * The variables of frames: what `cgunwind --variables`, `--split` and `--where` are made of. One
 * for all modules of a set; debug information is opened when a frame needs it.
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

/* `set` is borrowed, and so is the unwinder that makes the chains. */
MUST_CHECK enum status variables_create(struct module_set *set, struct unwinder *unwinder,
                                        const struct variables_options *options,
                                        struct variables **out);
void variables_destroy(struct variables *variables);

/* A frame of a sample; all borrowed. The chain has registers (chain.wants_regs). */
struct variables_frame {
    struct address_space *space;
    const struct snap_sample *sample;
    const struct chain *chain;
    size_t index; /* in chain->frames */
};

struct told_variable {
    const char *name; /* with "@entry" where the value is what the function was called with */
    enum variable_kind kind;
    const char *type;  /* "int"; NULL: not known */
    const char *value; /* NULL: nothing of it is known, and `known` says why */
    struct known_how known;
    bool is_partial;
};

struct told_level {       /* one function: the frame's own, or one inlined there */
    const char *function; /* with namespaces; NULL: not known */
    const struct told_variable *list;
    size_t count;
};

struct told_frame {
    const struct told_level *levels; /* innermost first, as the frame's places are */
    size_t count;                    /* 0: nothing is known of this frame */
};

/* Of that many functions that a frame is shown as, innermost first: what belongs to the i-th. */
static inline const struct told_level *told_frame_level(const struct told_frame *frame, size_t i,
                                                        size_t count)
{
    const size_t depth = count - 1 - i;

    return depth < frame->count ? &frame->levels[frame->count - 1 - depth] : NULL;
}

/* What can be told of the frame; valid until the next call. Only NO_MEMORY fails. */
MUST_CHECK enum status variables_tell(struct variables *variables,
                                      const struct variables_frame *frame,
                                      const struct told_frame **out);

/*
 * Of a parameter whose value is not known at this place any more, the one that the function was
 * called with is told, if the caller says it: it may have changed since. "kind@entry" asks for that
 * in any case.
 *
 * The value of `path` ("kind", "request.kind", "p[2].x") in a function of the frame: of `depth` 0
 * in its own, of 1 in what was inlined into that one, and so on. `text` is malloc'ed, as
 * variables_tell has it but for what is in an array of characters behind a NUL, which only lay
 * there; or NULL. `has_number`: `number` is its value; `is_number`: it is an
 * integer, and no enumeration, bool or pointer.
 */
struct variable_value {
    char *text;
    struct known_how known;
    bool has_number, is_number, is_signed;
    bool is_entry; /* it is what the function was called with, and that was not asked for */
    uint64_t number;
};
MUST_CHECK enum status variables_value(struct variables *variables,
                                       const struct variables_frame *frame, size_t depth,
                                       const char *path, struct variable_value *out);

/*
 * What a function of the frame calls the object at `addr`, by a variable that leads there: of the
 * innermost function that has more to say than that it was given a pointer to it, else the
 * outermost of those. `size`: as in struct address_search. Only NO_MEMORY fails.
 */
struct variable_address {
    char *text;           /* "queue->lock"; malloc'ed; NULL: nothing leads there */
    const char *function; /* whose variable it is; NULL: not known. Until the next call */
    bool is_bare;         /* "*mutex" */
};
MUST_CHECK enum status variables_name_address(struct variables *variables,
                                              const struct variables_frame *frame, uint64_t addr,
                                              uint64_t size, struct variable_address *out);

/* One line about the i-th module whose debug information could not be read, or not all of it. */
bool variables_problem(const struct variables *variables, size_t i, struct diag *problem);

/* How many modules' files, of those that frames are of, have no debug information; the first. */
size_t variables_without(const struct variables *variables, const struct module **first);

#endif
