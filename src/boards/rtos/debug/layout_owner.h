/* SPDX-License-Identifier: MIT */
/* A layout with the objects and names that it points to. Private to boards/rtos/debug/. */
#ifndef BOARDS_RTOS_DEBUG_LAYOUT_OWNER_H
#define BOARDS_RTOS_DEBUG_LAYOUT_OWNER_H

#include "base/arena.h"
#include "boards/rtos/debug/firmware.h"
#include "boards/rtos/debug/layout.h"

struct layout_owner {
    struct rtos_layout layout; /* first member: a pointer to it is one to the owner */
    struct rtos_object *objects;
    size_t object_count, object_cap;
    struct arena names;
};

/*
 * Does what rtos_layout_load does after firmware_read, for the bytes in `firmware`; `path` is for
 * `diag` only.
 */
MUST_CHECK enum status layout_find(const struct firmware *firmware, const char *path, int64_t bias,
                                   struct rtos_layout **out, struct diag *diag);

#endif
