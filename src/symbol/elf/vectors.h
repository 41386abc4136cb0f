/* SPDX-License-Identifier: MIT */
/*
 * The vector table in a firmware's file: of ARM's M-profile the first word is SP at reset, those
 * that follow are addresses of handlers, that of the reset before all (ARMv7-M Architecture
 * Reference Manual, B1.5.3). Nothing in an ELF file says where it is; it is recognised.
 */
#ifndef SYMBOL_ELF_VECTORS_H
#define SYMBOL_ELF_VECTORS_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define VECTORS_MAX (16 + 480) /* words */

struct vectors {
    uint64_t vaddr;
    uint32_t count;           /* of its words that are handlers, or 0, with the first one */
    uint32_t sp, reset_vaddr; /* with T32's bit */
};

/* NOT_FOUND: the file has none. The first that it has, where it is loaded. */
MUST_CHECK enum status vectors_find(const struct elf_image *image, struct vectors *out);

/* One of its words; `index` is less than count. */
uint32_t vectors_word(const struct elf_image *image, const struct vectors *vectors, uint32_t index);

#endif
