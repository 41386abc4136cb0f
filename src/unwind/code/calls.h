/* SPDX-License-Identifier: MIT */
/*
 * Index of the addresses in a module that look like targets of direct calls, or of far jumps. It
 * distinguishes functions that read their callers' registers at the start, as subroutines of
 * hand-written code do, from fragments, which nothing calls. Bytes that are no call may look like
 * one by chance.
 */
#ifndef UNWIND_CODE_CALLS_H
#define UNWIND_CODE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* Bytes of code, more than any file has; the rest is neither scanned nor found as a target. */
#define CALLS_BYTES_MAX (UINT64_C(1) << 30)

#define CALLS_BLOCK (UINT64_C(64) << 10)

/* The targets in one range of code, in blocks of CALLS_BLOCK bytes. */
struct called_range {
    uint64_t start_vaddr, size;
    uint32_t *first; /* owned; for each block its first index into offs; then the count of offs */
    uint16_t *offs;  /* owned; offsets of targets in their block, ascending */
};

struct calls {
    struct called_range *ranges; /* owned; ascending */
    size_t count;
};

/*
 * Scans the image's code in all instruction sets of `arch`. `far_jumps` (may be NULL) gets the
 * targets of jumps over more than 32 KiB, most of which leave their function. Only NO_MEMORY fails.
 */
MUST_CHECK enum status calls_init(struct calls *calls, struct calls *far_jumps,
                                  const struct elf_image *image, const struct arch *arch);
void calls_deinit(struct calls *calls);

/*
 * Returns how many bytes of `range` are scanned: those in the file, at most *left, from which it
 * subtracts them. *left begins with CALLS_BYTES_MAX for all ranges of a file.
 */
uint64_t calls_range_size(const struct elf_image *image, const struct vaddr_range *range,
                          uint64_t *left);

/* Is `vaddr` a target? */
bool calls_lead_to(const struct calls *calls, uint64_t vaddr);

/* Returns the first target at or behind `vaddr`; UINT64_MAX: none. */
uint64_t calls_next(const struct calls *calls, uint64_t vaddr);

#endif
