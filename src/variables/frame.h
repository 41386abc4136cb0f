/* SPDX-License-Identifier: MIT */
/*
 * A frame of a chain as locations and values read it: its recovered registers, memory as far as the
 * sample or read-only parts of files have it, its frame base, and what its caller passed.
 *
 * Anything that the unwinding does not support is unavailable: behind a guessed frame (trust lr or
 * scan) all registers, in a prologue all that is found through the frame.
 */
#ifndef VARIABLES_FRAME_H
#define VARIABLES_FRAME_H

#include "base/status.h"
#include "unwind/unwinder.h"
#include "variables/dwarf/debug_info.h"
#include "variables/symbol_names.h"
#include "variables/value/value.h"
#include "variables/variables.h"

/* Finds the debug information of a module; NOT_FOUND: none. */
typedef enum status frame_view_info_fn(void *context, struct module *module,
                                       struct debug_info **out);

#define FRAME_BOUNDS_KEPT 16
#define FRAME_BOUNDS_MAX  1024 /* computed for one object */
#define FRAME_PARTS_MAX   2048 /* virtual bases placed for one object */

/* Lengths of arrays in a frame, kept since each element asks for them again. */
struct frame_bounds {
    struct {
        const struct type_bound *bound;
        struct known_how known;
        int64_t value;
    } list[FRAME_BOUNDS_KEPT]; /* the last ones */
    unsigned asked;            /* for the current object */
};

struct frame_view_source { /* how to make views; all borrowed */
    struct module_set *set;
    const struct arch *arch;
    struct unwinder *unwinder; /* made the chains; NULL: what needs its rows is unavailable */
    frame_view_info_fn *find_info;
    void *context; /* of find_info */
};

struct frame_view { /* for its user: */
    struct debug_info *info;
    const struct pc_scope *scope;
    struct value_source values; /* reads values of the frame */
    struct symbol_names *names; /* the user may set it; NULL: symbols stay mangled */
    /* Private: */
    struct frame_view_source source;
    const struct arch *arch;
    struct variables_frame frame;
    struct location_frame location;
    bool in_prologue, is_guessed;
    unsigned nest; /* of entry values */
    /* Calls whose call sites were read, for the current object; counted in the first view. */
    unsigned calls, *all_calls;
    enum { BASE_UNTRIED, BASE_UNDER_WAY, BASE_FOUND } base_state; /* of the frame base: */
    struct known_how base_known;
    uint64_t base;
    struct frame_bounds bounds;
    unsigned parts_asked; /* virtual bases placed for the current object */
};

/*
 * Begins a view, which must not move, of a frame whose address in the file is known. Copies the
 * structures, and borrows what they point to for as long as the view. NOT_FOUND: no debug
 * information covers it; BAD_DATA: it cannot be read; NO_MEMORY.
 */
MUST_CHECK enum status frame_view_begin(struct frame_view *view,
                                        const struct frame_view_source *source,
                                        const struct variables_frame *frame);

/* Finds the object of a variable of the frame's scope. */
struct known_how frame_view_object(struct frame_view *view, const struct scope_variable *variable,
                                   struct object *object);

#endif
