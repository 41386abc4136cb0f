/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the memory that goes with a thread's sample. That is all that was
 * writable and is in the core, so that chains can lead to any stack: an alternate signal stack, one
 * that the program made itself, a split one.
 *
 *     a thread's segment     | not used | red zone | stack in use     |
 *     its first region                 [copied     . . . . . . . . . .]
 *     one of the others      [as mapped]
 *
 * The part in use is copied, since nearly all chains stay in it: see core_file.h. A large one
 * is mapped like the rest.
 *
 * Stacks that share a segment, as those of Go's goroutines do, are regions of their own where it is
 * known where they begin and end: the segment is cut there, for that thread.
 */
#ifndef SNAPSHOT_IMPORT_CORE_REGIONS_H
#define SNAPSHOT_IMPORT_CORE_REGIONS_H

#include "snapshot/event.h"
#include "snapshot/import/core/image.h"

#define CORE_STACK_COPY_MAX (1u << 20)
/* With more threads times segments than this a thread gets its own stack only. */
#define CORE_REGION_WORK_MAX (UINT64_C(1) << 30)

/* With more of them than this segments are not cut. */
#define CORE_CUT_WORK_MAX (UINT64_C(1) << 24)
#define CORE_CUTS_MAX     4

struct core_cuts { /* where stacks begin and end, in any order */
    uint64_t addrs[CORE_CUTS_MAX];
    unsigned count;
};

struct core_edit { /* of the list, for one thread */
    size_t at;     /* in the list behind the first */
    bool is_cut;   /* what comes behind was a part of it */
    struct snap_region was;
};

struct core_regions {
    struct snap_region *list; /* 1 + count; the first is the thread's, the others by address */
    size_t count;
    bool can_cut;
    bool own_only;  /* there were too many */
    uint8_t *stack; /* what was copied */
    size_t stack_cap;
    struct core_edit edits[CORE_CUTS_MAX + 1]; /* the last thread's */
    unsigned edit_count;
};

/*
 * For the core as long as it is now; frees what was there. `threads`: how many there are.
 * `takes_all`: what was writable is not known, so that all is taken.
 */
MUST_CHECK enum status core_regions_make(struct core_regions *regions,
                                         const struct core_image *image, size_t threads,
                                         bool takes_all);
void core_regions_free(struct core_regions *regions);

/* Fills the regions of a sample by its registers, valid until the next call. NO_MEMORY. */
MUST_CHECK enum status core_regions_fill(struct core_regions *regions,
                                         const struct core_image *image,
                                         const struct core_cuts *cuts, struct snap_sample *sample);

#endif
