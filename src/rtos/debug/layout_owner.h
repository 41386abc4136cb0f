/* SPDX-License-Identifier: MIT */
/* A layout that was found, and what it points to. Private to rtos/debug/. */
#ifndef RTOS_DEBUG_LAYOUT_OWNER_H
#define RTOS_DEBUG_LAYOUT_OWNER_H

#include "base/arena.h"
#include "rtos/debug/firmware.h"
#include "rtos/debug/layout.h"

struct layout_owner {
    struct rtos_layout layout; /* first, so that either is the other */
    struct rtos_object *objects;
    size_t object_count, object_cap;
    struct arena names;
};

/* As rtos_layout_load, of a file that was read. */
MUST_CHECK enum status layout_find(const struct firmware *firmware, const char *path, int64_t bias,
                                   struct rtos_layout **out, struct diag *diag);

#endif
