/* SPDX-License-Identifier: MIT */
/*
 * Makes an index, by target, of the instructions of a module that look like direct jumps. The index
 * finds the code that enters a fragment of a function (`.cold`), which nothing calls. Callers
 * confirm each jump by decoding it.
 */
#ifndef UNWIND_CODE_JUMPS_H
#define UNWIND_CODE_JUMPS_H

#include <stddef.h>
#include <stdint.h>

#include "arch/analysis/insn.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* the most jumps of an index, more than any real file has; further ones are ignored */
#define JUMPS_MAX 8000000

struct jump {
    uint64_t target_vaddr, source_vaddr;
    uint8_t mode; /* enum code_mode in which the source looks like a jump */
};

struct jumps {
    struct jump *items; /* the jumps, sorted by target, then by source; owned */
    size_t count, cap;
};

/*
 * Fills *jumps from the image's code, scanned in all instruction sets of `arch`. Fails with
 * NO_MEMORY only.
 */
MUST_CHECK enum status jumps_init(struct jumps *jumps, const struct elf_image *image,
                                  const struct arch *arch);
void jumps_deinit(struct jumps *jumps);

/*
 * Returns the index in `items` of the first jump with a target of at least `vaddr`; `count`: none.
 */
size_t jumps_from(const struct jumps *jumps, uint64_t vaddr);

#endif
