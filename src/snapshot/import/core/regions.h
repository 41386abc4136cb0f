/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the regions of a thread's sample, which are all writable memory in
 * the core, so that chains can lead to any stack: an alternate signal stack, a stack made by the
 * program, a split stack.
 *
 *     a thread's segment     | not used | red zone | stack in use     |
 *     its first region                 [copied     . . . . . . . . . .]
 *     one of the others      [as mapped]
 *
 * The stack in use is copied, since nearly all chains stay in it (see core/file.h on mappings); if
 * larger than CORE_STACK_COPY_MAX it is mapped like the other regions.
 *
 * Where stacks share a segment, as goroutines' do, the segment is cut for each thread at their
 * known bounds, and each part is a region.
 */
#ifndef SNAPSHOT_IMPORT_CORE_REGIONS_H
#define SNAPSHOT_IMPORT_CORE_REGIONS_H

#include "snapshot/event.h"
#include "snapshot/import/core/image.h"

#define CORE_STACK_COPY_MAX (1u << 20) /* most bytes of a stack that are copied */
/* If threads × regions is more, samples have only the thread's own stack. */
#define CORE_REGION_WORK_MAX (UINT64_C(1) << 30)

/* If threads × regions is more, segments are not cut. */
#define CORE_CUT_WORK_MAX (UINT64_C(1) << 24)
#define CORE_CUTS_MAX     4

struct core_cuts { /* bounds of stacks, in any order */
    uint64_t addrs[CORE_CUTS_MAX];
    unsigned count;
};

struct core_edit {          /* a change of the list for one thread, to be undone */
    size_t at;              /* index of the changed region, 0 for list[1] */
    bool is_cut;            /* the region was cut in two */
    struct snap_region was; /* the region before the change */
};

struct core_regions {
    struct snap_region *list; /* 1 + count regions: the thread's own, then the others by address */
    size_t count;             /* regions behind the thread's own */
    bool can_cut;             /* CORE_CUT_WORK_MAX is not exceeded */
    bool own_only;            /* CORE_REGION_WORK_MAX is exceeded: `count` is 0 */
    uint8_t *stack;           /* owned; copy of the last thread's stack */
    size_t stack_cap;
    struct core_edit edits[CORE_CUTS_MAX + 1]; /* changes for the last thread */
    unsigned edit_count;
};

/*
 * Makes the list of the segments' regions, as far as the core's file has them now; frees an older
 * list. `threads`: number of the core's threads. `takes_all`: segments that are not writable are
 * taken, too, as their flags cannot be trusted. NO_MEMORY.
 */
MUST_CHECK enum status core_regions_make(struct core_regions *regions,
                                         const struct core_image *image, size_t threads,
                                         bool takes_all);
void core_regions_free(struct core_regions *regions);

/*
 * Sets regions and region_count of the sample, by SP in sample->regs, with segments cut at `cuts`;
 * valid until the next call. NO_MEMORY.
 */
MUST_CHECK enum status core_regions_fill(struct core_regions *regions,
                                         const struct core_image *image,
                                         const struct core_cuts *cuts, struct snap_sample *sample);

#endif
