/* SPDX-License-Identifier: MIT */
/*
 * A view of a frame of a chain, for evaluating locations and values: its recovered registers,
 * memory as far as the sample or read-only parts of files have it, its frame base, and what its
 * caller passed.
 *
 * What the unwinding does not make certain is unavailable: from a guessed frame (trust lr or scan)
 * outwards all registers, in a prologue all that is found through the frame.
 */
#ifndef VARIABLES_FRAME_H
#define VARIABLES_FRAME_H

#include "base/status.h"
#include "unwind/unwinder.h"
#include "variables/dwarf/debug_info.h"
#include "variables/symbol_names.h"
#include "variables/value/value.h"
#include "variables/variables.h"

/* Sets *out to the debug information of a module; NOT_FOUND: it has none. */
typedef enum status frame_view_info_fn(void *context, struct module *module,
                                       struct debug_info **out);

#define FRAME_BOUNDS_KEPT 16
#define FRAME_BOUNDS_MAX  1024 /* the most array lengths computed for one object */
#define FRAME_PARTS_MAX   2048 /* the most virtual bases placed for one object */

/* Lengths of arrays in a frame, kept since each element of an array needs them again. */
struct frame_bounds {
    struct {
        const struct type_bound *bound;
        struct known_how known;
        int64_t value;
    } list[FRAME_BOUNDS_KEPT]; /* the lengths computed last */
    unsigned asked;            /* number of lengths computed for the current object */
};

struct frame_view_source { /* what views are made of; all pointers are borrowed */
    struct module_set *set;
    const struct arch *arch;
    /* the one that made the chains; NULL: what needs its rows is unavailable */
    struct unwinder *unwinder;
    frame_view_info_fn *find_info;
    void *context; /* the first argument of find_info */
};

/* a frame whose variables are being read; the members before "Private" are for its user */
struct frame_view {
    struct debug_info *info;
    const struct pc_scope *scope;
    /* the source for value_… functions that read values in this frame */
    struct value_source values;
    struct symbol_names *names; /* may be set by the user; NULL: names of symbols stay mangled */
    /* Private: */
    struct frame_view_source source;
    const struct arch *arch;
    struct variables_frame frame;
    struct location_frame location;
    bool in_prologue, is_guessed;
    unsigned nest; /* nesting of the entry value that is being computed */
    /*
     * Number of calls whose call sites were read for the current object; all_calls points to that
     * of the innermost view.
     */
    unsigned calls, *all_calls;
    /* state of base_known and `base`: */
    enum { BASE_UNTRIED, BASE_UNDER_WAY, BASE_FOUND } base_state;
    struct known_how base_known;
    uint64_t base;
    struct frame_bounds bounds;
    unsigned parts_asked; /* number of virtual bases placed for the current object */
};

/*
 * Begins a view of *frame; the view must not move. Copies *source and *frame, and borrows what they
 * point to for as long as the view exists. NOT_FOUND: the frame's address in the file is not known,
 * or no debug information covers it; BAD_DATA: the debug information cannot be read; NO_MEMORY.
 */
MUST_CHECK enum status frame_view_begin(struct frame_view *view,
                                        const struct frame_view_source *source,
                                        const struct variables_frame *frame);

/*
 * Sets *object to the object of a variable of the frame's scope; returns why it is not known, if it
 * is not.
 */
struct known_how frame_view_object(struct frame_view *view, const struct scope_variable *variable,
                                   struct object *object);

#endif
