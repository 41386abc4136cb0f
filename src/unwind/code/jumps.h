/* SPDX-License-Identifier: MIT */
/*
 * Who jumps where in a module: an index of what looks like a direct jump, by target. It finds the
 * code that enters a fragment of a function (`.cold`), which nothing calls. Every answer is a hint
 * to be confirmed by decoding.
 */
#ifndef UNWIND_CODE_JUMPS_H
#define UNWIND_CODE_JUMPS_H

#include <stddef.h>
#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define JUMPS_MAX 8000000 /* more than any real file has; others are left out */

struct jump {
    uint64_t target_vaddr, source_vaddr;
    uint8_t mode; /* enum code_mode in which the source looks like a jump */
};

struct jumps {
    struct jump *items; /* owned; sorted by target, then source */
    size_t count, cap;
};

/* In `arch`'s instruction sets, all of them. Only NO_MEMORY fails. */
MUST_CHECK enum status jumps_init(struct jumps *jumps, const struct elf_image *image,
                                  const struct arch *arch);
void jumps_deinit(struct jumps *jumps);

/* Index of the first jump with a target of at least `vaddr`. */
size_t jumps_from(const struct jumps *jumps, uint64_t vaddr);

#endif
