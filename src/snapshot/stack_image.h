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
    struct snap_region regions[SNAP_REGION_MAX]; /* bytes point into `bytes` */
    uint32_t region_count;
    uint8_t *bytes; /* owned */
    size_t cap;
};

void stack_image_deinit(struct stack_image *image);

/*
 * Reads the region list of a SAMPLE record (from the region count on) into `next`; bytes that are
 * in no run come from `last`. `next` may hold an older image, whose memory is reused; it must not
 * be `last`. BAD_DATA: *what says why; NO_MEMORY.
 */
MUST_CHECK enum status stack_image_restore(struct stack_image *next, const struct stack_image *last,
                                           struct cursor *c, const char **what);

/*
 * Like stack_image_restore, but in place and at the cost of the changed bytes only. Works if the
 * record has one region, whose end and mapping's end equal those of the image's only region; else
 * returns NOT_FOUND and reads nothing from `c`. Bytes from *unchanged_addr on have not changed.
 * BAD_DATA leaves the image damaged; NO_MEMORY.
 */
MUST_CHECK enum status stack_image_update(struct stack_image *image, struct cursor *c,
                                          uint64_t *unchanged_addr, const char **what);

#endif
