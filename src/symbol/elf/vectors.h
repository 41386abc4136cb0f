/* SPDX-License-Identifier: MIT */
/*
 * The vector table of a firmware for ARM's M-profile: SP at reset, then addresses of handlers, the
 * reset's first (ARMv7-M Architecture Reference Manual, B1.5.3). No ELF header says where it is; it
 * is recognised by its contents.
 */
#ifndef SYMBOL_ELF_VECTORS_H
#define SYMBOL_ELF_VECTORS_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

#define VECTORS_MAX (16 + 480) /* words */

struct vectors {
    uint64_t vaddr;
    uint32_t count;           /* words, SP included; each but SP is a handler or 0 */
    uint32_t sp, reset_vaddr; /* reset_vaddr has T32's bit 0 set */
};

/* Finds the first table within 4 KiB of a segment's start. NOT_FOUND: none, or no ET_EXEC file. */
MUST_CHECK enum status vectors_find(const struct elf_image *image, struct vectors *out);

/* Returns word number `index`, which is below count. */
uint32_t vectors_word(const struct elf_image *image, const struct vectors *vectors, uint32_t index);

#endif
