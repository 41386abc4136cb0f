/* SPDX-License-Identifier: MIT */
/*
 * The vector table of a firmware for ARM's M-profile: SP at reset, then addresses of handlers, that
 * of the reset first (ARMv7-M Architecture Reference Manual, B1.5.3). No ELF header has the table's
 * address: the table is recognised by its contents.
 */
#ifndef SYMBOL_ELF_VECTORS_H
#define SYMBOL_ELF_VECTORS_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define VECTORS_MAX (16 + 480) /* most words of a table */

struct vectors {
    uint64_t vaddr;           /* address of the table */
    uint32_t count;           /* words, SP included; each but SP is a handler or 0 */
    uint32_t sp, reset_vaddr; /* the first two words; reset_vaddr has T32's bit 0 set */
};

/*
 * Sets *out to the first table within 4 KiB of a segment's start. NOT_FOUND: there is none, or the
 * file is not ET_EXEC or not for such a processor.
 */
MUST_CHECK enum status vectors_find(const struct elf_image *image, struct vectors *out);

/* Returns word number `index` of the table, which is below vectors->count. */
uint32_t vectors_word(const struct elf_image *image, const struct vectors *vectors, uint32_t index);

#endif
