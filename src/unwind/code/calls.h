/* SPDX-License-Identifier: MIT */
/*
 * What in a module looks like the target of a direct call, or of a jump, a bit for each byte of
 * code. It tells functions that begin with their callers' registers, as the subroutines of
 * hand-written code do, from fragments that nothing calls.
 */
#ifndef UNWIND_CODE_CALLS_H
#define UNWIND_CODE_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define CALLS_BYTES_MAX                                                                            \
    (UINT64_C(1)                                                                                   \
     << 30) /* of code, more than any file has; calls of what lies behind are left out */

struct calls {
    struct called_range {
        uint64_t start_vaddr, size;
        uint8_t *bits; /* owned; bit k % 8 of byte k / 8: called at start + k */
    } * ranges;        /* owned; ascending */
    size_t count;
};

/* In `arch`'s instruction sets, all of them. Only NO_MEMORY fails. */
MUST_CHECK enum status calls_init(struct calls *calls, const struct elf_image *image,
                                  const struct arch *arch);
/* The same for jumps over more than 32 KiB: out of functions, but for few. */
MUST_CHECK enum status calls_init_jumps(struct calls *jumps, const struct elf_image *image,
                                        const struct arch *arch);
void calls_deinit(struct calls *calls);

/* Do bytes that look like a call, or a jump, lead to `vaddr`? Some that are none may, by chance. */
bool calls_lead_to(const struct calls *calls, uint64_t vaddr);

#endif
