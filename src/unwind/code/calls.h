/* SPDX-License-Identifier: MIT */
/*
 * Makes an index of the addresses in a module that look like targets of direct calls, or of far
 * jumps. The index distinguishes functions that read their callers' registers at the start, as
 * subroutines of hand-written code do, from fragments, which nothing calls. Bytes that are no call
 * may look like a call by chance.
 */
#ifndef UNWIND_CODE_CALLS_H
#define UNWIND_CODE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/*
 * The most bytes of code of a file, more than any has; the rest is neither scanned nor found as a
 * target.
 */
#define CALLS_BYTES_MAX (UINT64_C(1) << 30)

#define CALLS_BLOCK (UINT64_C(64) << 10)

/* The targets in one range of code, in blocks of CALLS_BLOCK bytes. */
struct called_range {
    uint64_t start_vaddr, size;
    /* owned; for each block the index of its first target in offs; then the number of offs */
    uint32_t *first;
    uint16_t *offs; /* owned; offsets of targets within their block, ascending */
};

struct calls {
    struct called_range *ranges; /* the targets' ranges, ascending by address; owned */
    size_t count;
};

/*
 * Scans the image's code in all instruction sets of `arch`, and fills *calls with the targets of
 * calls, *far_jumps (may be NULL) with the targets of jumps over more than 32 KiB, most of which
 * leave their function. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status calls_init(struct calls *calls, struct calls *far_jumps,
                                  const struct elf_image *image, const struct arch *arch);
void calls_deinit(struct calls *calls);

/*
 * Returns how many bytes of `range` are scanned: as many as the file has, at most *left; subtracts
 * that number from *left. The caller sets *left to CALLS_BYTES_MAX before the first range of a
 * file.
 */
uint64_t calls_range_size(const struct elf_image *image, const struct vaddr_range *range,
                          uint64_t *left);

/* Whether `vaddr` is a target of one of the calls. */
bool calls_lead_to(const struct calls *calls, uint64_t vaddr);

/* Returns the lowest target in the index that is at or above `vaddr`; UINT64_MAX: none. */
uint64_t calls_next(const struct calls *calls, uint64_t vaddr);

#endif
