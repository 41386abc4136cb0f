/* SPDX-License-Identifier: MIT */
/*
 * Index, by target, of the instructions of a module that look like direct jumps. It finds the code
 * that enters a fragment of a function (`.cold`), which nothing calls. Callers confirm each jump by
 * decoding it.
 */
#ifndef UNWIND_CODE_JUMPS_H
#define UNWIND_CODE_JUMPS_H

#include <stddef.h>
#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define JUMPS_MAX 8000000 /* more than any real file has; jumps beyond are ignored */

struct jump {
    uint64_t target_vaddr, source_vaddr;
    uint8_t mode; /* enum code_mode in which the source looks like a jump */
};

struct jumps {
    struct jump *items; /* owned; sorted by target, then source */
    size_t count, cap;
};

/* Scans the image's code in all instruction sets of `arch`. Only NO_MEMORY fails. */
MUST_CHECK enum status jumps_init(struct jumps *jumps, const struct elf_image *image,
                                  const struct arch *arch);
void jumps_deinit(struct jumps *jumps);

/* Returns the index of the first jump with a target of at least `vaddr`. */
size_t jumps_from(const struct jumps *jumps, uint64_t vaddr);

#endif
