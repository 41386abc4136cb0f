/* SPDX-License-Identifier: MIT */
/*
 * What in a module looks like the target of a direct call, or of a jump. It tells functions that
 * begin with their callers' registers, as the subroutines of hand-written code do, from fragments
 * that nothing calls.
 */
#ifndef UNWIND_CODE_CALLS_H
#define UNWIND_CODE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* Of code, more than any file has; calls of what lies behind are left out. */
#define CALLS_BYTES_MAX (UINT64_C(1) << 30)

#define CALLS_BLOCK (UINT64_C(64) << 10)

/* The targets in one range of code, in blocks of CALLS_BLOCK bytes. */
struct called_range {
    uint64_t start_vaddr, size;
    /* owned; where in `offs` those of each block begin, and where the last one's end */
    uint32_t *first;
    uint16_t *offs; /* owned; in the block, ascending */
};

struct calls {
    struct called_range *ranges; /* owned; ascending */
    size_t count;
};

/*
 * In `arch`'s instruction sets, all of them. `far_jumps`, which may be NULL, gets the targets of
 * jumps over more than 32 KiB: out of functions, but for few. Only NO_MEMORY fails.
 */
MUST_CHECK enum status calls_init(struct calls *calls, struct calls *far_jumps,
                                  const struct elf_image *image, const struct arch *arch);
void calls_deinit(struct calls *calls);

/*
 * How much of a range of code is looked at: what the file has, and of that no more than *left,
 * which begins with CALLS_BYTES_MAX for all ranges, and becomes less.
 */
uint64_t calls_range_size(const struct elf_image *image, const struct vaddr_range *range,
                          uint64_t *left);

/* Do bytes that look like a call, or a jump, lead to `vaddr`? Some that are none may, by chance. */
bool calls_lead_to(const struct calls *calls, uint64_t vaddr);

/* The first target at or behind `vaddr`; UINT64_MAX: there is none. */
uint64_t calls_next(const struct calls *calls, uint64_t vaddr);

#endif
