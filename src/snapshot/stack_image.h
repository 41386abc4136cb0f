/* SPDX-License-Identifier: MIT */
/*
 * The stack bytes of a thread's last sample, from which the next sample's are restored ("Restoring
 * a stack" in FORMAT.md). Private to snapshot/.
 */
#ifndef SNAPSHOT_STACK_IMAGE_H
#define SNAPSHOT_STACK_IMAGE_H

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/format.h"
#include "snapshot/reader.h"

struct stack_image {
    struct snap_region regions[SNAP_REGION_MAX]; /* their `bytes` point into the member `bytes` */
    uint32_t region_count;
    uint8_t *bytes; /* owned */
    size_t cap;
};

void stack_image_deinit(struct stack_image *image);

/*
 * Sets *next from the region list of a SAMPLE record, read from the region count on; bytes that the
 * record leaves out come from `last`, the thread's previous image. `next` may hold any older image
 * but `last`; its memory is reused. BAD_DATA: *what (static storage) says why; NO_MEMORY.
 */
MUST_CHECK enum status stack_image_restore(struct stack_image *next, const struct stack_image *last,
                                           struct cursor *c, const char **what);

/*
 * Does what stack_image_restore does, but in place and at the cost of the changed bytes only. Sets
 * *unchanged_addr: the bytes from there on have not changed. NOT_FOUND, with nothing read from `c`:
 * record and image do not have one region each, with the same end and the same end of the mapping.
 * BAD_DATA: *what says why, and the image is useless; NO_MEMORY.
 */
MUST_CHECK enum status stack_image_update(struct stack_image *image, struct cursor *c,
                                          uint64_t *unchanged_addr, const char **what);

#endif
