/* SPDX-License-Identifier: MIT */
/*
 * A frame of a chain as locations and values see it: its registers as they were recovered, memory
 * as far as the sample or read-only parts of files have it, its frame base, and what its caller
 * passed.
 *
 * What the unwinding does not support is not known: behind a frame that was guessed (trust lr or
 * scan) no register is, and in a prologue nothing that is found by the frame.
 */
#ifndef VARIABLES_FRAME_H
#define VARIABLES_FRAME_H

#include "base/status.h"
#include "unwind/unwinder.h"
#include "variables/dwarf/debug_info.h"
#include "variables/symbol_names.h"
#include "variables/value/value.h"
#include "variables/variables.h"

/* The debug information of a module; NOT_FOUND: there is none. */
typedef enum status frame_view_info_fn(void *context, struct module *module,
                                       struct debug_info **out);

#define FRAME_BOUNDS_KEPT 16
#define FRAME_BOUNDS_MAX  1024 /* looked for, for one object */
#define FRAME_PARTS_MAX   2048

/* What arrays' lengths are in a frame, as elements ask for them again and again. */
struct frame_bounds {
    struct {
        const struct type_bound *bound;
        struct known_how known;
        int64_t value;
    } list[FRAME_BOUNDS_KEPT]; /* the last ones */
    unsigned asked;            /* in all, for the object */
};

struct frame_view_source { /* what a view is made by; all borrowed */
    struct module_set *set;
    const struct arch *arch;
    struct unwinder *unwinder; /* whose chains they are; NULL: what needs its rows is not known */
    frame_view_info_fn *find_info;
    void *context; /* of find_info */
};

struct frame_view { /* to be read by its user: */
    struct debug_info *info;
    const struct pc_scope *scope;
    struct value_source values; /* that values of the frame are read by */
    struct symbol_names *names; /* to be set by its user; NULL: symbols are told as they are */
    /* Private: */
    struct frame_view_source source;
    const struct arch *arch;
    struct variables_frame frame;
    struct location_frame location;
    bool in_prologue, is_guessed;
    unsigned nest; /* of entry values that led here */
    /* Calls asked for what they passed, for one object: of the view that it is asked of. */
    unsigned calls, *all_calls;
    enum { BASE_UNTRIED, BASE_UNDER_WAY, BASE_FOUND } base_state; /* of the frame base: */
    struct known_how base_known;
    uint64_t base;
    struct frame_bounds bounds;
    unsigned parts_asked; /* of objects, where they are, for one object */
};

/*
 * All borrowed for as long as the view, which does not move. The frame's address in the file is
 * known. NOT_FOUND: no debug information is of it; NO_MEMORY.
 */
MUST_CHECK enum status frame_view_begin(struct frame_view *view,
                                        const struct frame_view_source *source,
                                        const struct variables_frame *frame);

/* The object that a variable of the frame's scope is. */
struct known_how frame_view_object(struct frame_view *view, const struct scope_variable *variable,
                                   struct object *object);

#endif
