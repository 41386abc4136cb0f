/* SPDX-License-Identifier: MIT */
/*
 * Makes an ELF image in memory of pieces of code: a segment for each piece, nothing else. Private
 * to code_store.c.
 */
#ifndef UNWIND_CODE_CODE_WINDOW_H
#define UNWIND_CODE_CODE_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct code_piece {
    uint64_t vaddr, size;
};

struct code_window {           /* zero it to begin with */
    struct code_piece *pieces; /* owned; ascending, with a hole between any two */
    size_t piece_count, piece_cap;
    uint8_t *bytes; /* owned; of all pieces, one after the other */
    size_t size, cap;
};

void code_window_deinit(struct code_window *window);

/* Copies bytes that lie behind all that were added before. Only NO_MEMORY fails. */
MUST_CHECK enum status code_window_add(struct code_window *window, uint64_t vaddr,
                                       const uint8_t *bytes, size_t size);

/*
 * Makes an image for `arch`, which owns a copy of the bytes; `name` is its path in messages.
 * UNSUPPORTED: no pieces, more than an ELF file can have, or addresses too large for its class;
 * NO_MEMORY.
 */
MUST_CHECK enum status code_window_image(const struct code_window *window, const struct arch *arch,
                                         const char *name, struct elf_image **out);

#endif
