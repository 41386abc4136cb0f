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

struct code_window {           /* the caller zeroes it before the first use */
    struct code_piece *pieces; /* owned; ascending, with a hole between any two */
    size_t piece_count, piece_cap;
    uint8_t *bytes; /* owned; the bytes of all pieces, one after the other */
    size_t size, cap;
};

void code_window_deinit(struct code_window *window);

/*
 * Adds a copy of `size` bytes at `vaddr`, which must not be below the end of those added before.
 * Fails with NO_MEMORY only.
 */
MUST_CHECK enum status code_window_add(struct code_window *window, uint64_t vaddr,
                                       const uint8_t *bytes, size_t size);

/*
 * Makes an image for `arch` with a copy of the bytes; *out is the caller's. `name`: the image's
 * path in messages. UNSUPPORTED: the window has no pieces, more than an ELF file can have, or
 * addresses too large for a 32-bit file; NO_MEMORY.
 */
MUST_CHECK enum status code_window_image(const struct code_window *window, const struct arch *arch,
                                         const char *name, struct elf_image **out);

#endif
